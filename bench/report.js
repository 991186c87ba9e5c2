import { FIGURES, summarize, toSummary } from './figures.js';
import { SCENARIOS } from './scenarios.js';
import { OURS, PEERS, SERVERS } from './servers.js';

const LABEL_WIDTH = 24;
const COLUMN_WIDTH = 28;
const MISSING = 'not measured';

/** Below this a server was waiting for requests, and its rate is that of the load, not its own. */
const BUSY_ENOUGH = 90;

/** The tables: ratios, the figures behind them, and what is missing or to be read with care. */
export function toReport({ figures, working }) {
  return {
    ratios: toRatios(figures),
    figures: [toFigures(figures), toSizes(working)].join('\n'),
    notes: toNotes(figures),
  };
}

function toRatios(figures) {
  const heading = toRow(
    `${OURS.title} :`,
    PEERS.map(({ title }) => title),
  );
  const compared = FIGURES.filter(({ ratio }) => ratio);
  return toGroups(heading, compared, 'ratio', ({ key }) =>
    PEERS.map((peer) => toCell(figures.ratios(key, OURS, peer), toRatio)),
  );
}

function toFigures(figures) {
  const heading = toRow(
    '',
    SERVERS.map(({ title }) => title),
  );
  return toGroups(heading, FIGURES, 'unit', ({ key }) =>
    SERVERS.map((server) => toCell(figures.values(key, server), toFigure)),
  );
}

/** A table with a line above all figures that share `property`. */
function toGroups(heading, listed, property, toCells) {
  const groups = [...new Set(listed.map((figure) => figure[property]))];
  const lines = groups.flatMap((group) => [
    group,
    ...listed
      .filter((figure) => figure[property] === group)
      .map((figure) => toRow(`  ${figure.title}`, toCells(figure))),
  ]);
  return [heading, ...lines].join('\n');
}

/** An answer's size tells how far a server does the same work: Prism's list has as many entities as its example. */
function toSizes(working) {
  const sizes = SCENARIOS.map(({ title }, index) => {
    const cells = SERVERS.map((server) => {
      const found = working.find((entry) => entry.server === server);
      return found ? toFigure(found.sizes[index]) : MISSING;
    });
    return toRow(`  ${title}`, cells);
  });
  return ['bytes of the answer', ...sizes].join('\n');
}

function toNotes(figures) {
  const idle = SERVERS.flatMap((server) =>
    SCENARIOS.filter(({ key }) => {
      const busy = figures.values(`busy ${key}`, server);
      return busy && summarize(busy).median < BUSY_ENOUGH;
    }).map(({ title }) => `${server.title} ${title}`),
  );
  const notes = figures.reasons().map((reason) => `Not measured: ${reason}`);
  if (idle.length > 0) {
    notes.unshift(
      'Trust CPU per request more than the rate of these, which the load or the machine held up:',
      `  ${idle.join(', ')}`,
    );
  }
  return notes.join('\n');
}

function toCell(values, toText) {
  return values ? toSummary(values, toText) : MISSING;
}

function toRatio(value) {
  return value.toFixed(value < 10 ? 2 : 1);
}

function toFigure(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

function toRow(label, cells) {
  return `${label.padEnd(LABEL_WIDTH)}${cells.map((cell) => cell.padEnd(COLUMN_WIDTH)).join('')}`.trimEnd();
}
