import { cpus, loadavg, release, totalmem } from 'node:os';
import { readStolenTime } from './process-stats.js';

/** What a run knows of its machine before it loads it. */
export function toMachine() {
  return { date: new Date(), load: loadavg(), time: readStolenTime() };
}

/** The whole run as Markdown: the ratios of all parts, then the figures behind them, then the machine. */
export function toResults(parts, { date, load, time }, options) {
  const flags = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  const { rounds, seconds, connections } = options;
  return `# Results

Measured on ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC. Every cell is the median of ${rounds} rounds (lowest - highest).
[README.md](README.md) says what each figure is and how to read it.

## Ratios

${toSections(parts, 'ratios')}

## Figures

${toSections(parts, 'figures')}
${toNotes(parts)}
## Machine

- Node ${process.version}, ${process.platform} ${release()} ${process.arch}
- ${cpus()[0]?.model.trim() || 'unknown CPU'}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(1)} GiB of memory
- Load average (1, 5, 15 minutes) before the run: ${toLoad(load)}, after it: ${toLoad(loadavg())}. The first has
  all that ran shortly before in it, the installation of the peers too; the second has the benchmark in it.
- ${toStolen(time, readStolenTime())}
- ${rounds} rounds of ${seconds} s with ${connections} connections

To repeat it, from the project's folder, once it is built:

    npm run bench -- ${flags.join(' ')}
`;
}

function toSections(parts, member) {
  return parts
    .filter((part) => part[member])
    .map((part) => `### ${part.title}\n\n\`\`\`text\n${part[member]}\n\`\`\``)
    .join('\n\n');
}

function toNotes(parts) {
  const notes = parts.map(({ notes }) => notes).filter(Boolean);
  return notes.length === 0 ? '' : `\n## Read with care\n\n\`\`\`text\n${notes.join('\n')}\n\`\`\`\n`;
}

/** A host that gives a virtual machine's time to others shows in every tail. */
function toStolen(before, after) {
  if (!before || !after) return 'CPU time that a host gave to others during the run: not told by this system';
  const share = (after.stolen - before.stolen) / (after.total - before.total);
  return `CPU time that the host of this machine gave to others during the run: ${(share * 100).toFixed(1)} %`;
}

function toLoad(averages) {
  return averages.map((value) => value.toFixed(2)).join(', ');
}
