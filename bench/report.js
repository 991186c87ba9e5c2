import { cpus } from 'node:os';
import { FIGURES, summarize } from './figures.js';
import { SCENARIOS } from './scenarios.js';
import { BARE, OURS, PRISM_MOCK, SERVERS } from './servers.js';

const LABEL_WIDTH = 24;
const COLUMN_WIDTH = 30;
const MISSING = 'not measured';

/** Below this a server was waiting for requests, and its rate is that of the load, not its own. */
const BUSY_ENOUGH = 90;

/** The whole report: ratios, figures, machine, and what is missing or to be read with care. */
export function toReport({ figures, working, options }) {
  return [
    `Ratios: median of ${options.rounds} rounds (lowest - highest)`,
    toRatios(figures),
    `Figures: median of ${options.rounds} rounds (lowest - highest)`,
    toFigures(figures),
    toSizes(working),
    toMachine(options),
    toNotes(figures),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function toRatios(figures) {
  const pairs = [
    [OURS, BARE],
    [OURS, PRISM_MOCK],
  ];
  const heading = toRow(
    '',
    pairs.map(([server, other]) => `${server.title} : ${other.title}`),
  );
  const compared = FIGURES.filter(({ ratio }) => ratio);
  return toGroups(heading, compared, 'ratio', ({ key }) =>
    pairs.map(([server, other]) => toSummary(figures.ratios(key, server, other), toRatio)),
  );
}

function toFigures(figures) {
  const heading = toRow(
    '',
    SERVERS.map(({ title }) => title),
  );
  return toGroups(heading, FIGURES, 'unit', ({ key }) =>
    SERVERS.map((server) => toSummary(figures.values(key, server), toFigure)),
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

function toMachine({ rounds, seconds, connections }) {
  const all = cpus();
  const machine = `${all[0]?.model.trim() || 'unknown CPU'}, ${all.length} cores, ${process.platform} ${process.arch}`;
  return `${machine}, Node ${process.version}; ${rounds} rounds of ${seconds} s with ${connections} connections`;
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

function toSummary(values, toText) {
  if (!values) return MISSING;
  const { median, lowest, highest } = summarize(values);
  return `${toText(median)} (${toText(lowest)} - ${toText(highest)})`;
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
