import { SetupError } from '../problem.ts';
import type { DocumentFiles } from './files.ts';
import { mend } from './mend.ts';
import { type MendedPath, mendPaths } from './mend-operations.ts';
import { referShared, toPlainName } from './mend-reference.ts';
import { formatNotes, isMapping, kindOf, type Mistake, type Note, toNote } from './note.ts';
import { selectOperations } from './select.ts';
import { formatOf } from './shapes.ts';
import {
  below,
  complain,
  createUnit,
  define,
  type Here,
  ignore,
  type Referred,
  type Unit,
  type Walk,
} from './unit.ts';

/** A document that can be converted, and what of it is not served as it stands there. */
export interface Prepared {
  readonly document: Readonly<Record<string, unknown>>;
  readonly notes: readonly Note[];
  /** The labels and operationIds of the operations that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * One document out of its files. Schemas that stand elsewhere than among the shared ones are moved there, and anything else that
 * is referred to elsewhere is put in place of the reference. What makes one operation or shared part impossible to serve
 * leaves out that one, and all that refer to it.
 */
export function prepareDocument(files: DocumentFiles): Prepared {
  const data = files.main.data as Members;
  const walk: Walk = {
    files,
    format: formatOf(data.openapi),
    units: [],
    notes: [],
    referred: new Map(),
    shared: new Map(),
    moved: new Map(),
  };
  const here: Here = { walk, unit: createUnit(walk, 'the document'), source: files.main, place: undefined };
  const members = mendRoot(data, here);
  const paths = mendPaths(data.paths as Members, below(here, 'paths'));
  const shared = mendShared(data, here);
  const broken = findBroken(walk.units);

  const { paths: selected, count, leftOut, notes } = selectOperations(paths, broken);
  const all = [...notes, ...toSpareNotes(paths, shared, broken), ...toRootNotes(here), ...walk.notes];
  if (count === 0 && notes.length > 0) throw toEmptyError(files, notes);
  const sound = shared.filter(({ unit }) => !broken.has(unit));
  return { document: { ...members, paths: selected, ...toSections(sound, walk) }, notes: all, leftOut };
}

/** What the operations do not hold themselves. A mistake in it costs only what it stands in. */
function mendRoot(data: Members, here: Here): Members {
  const { format } = here.walk;
  const others = new Set(['paths', 'components', ...format.sharedIn, ...Object.keys(format.sections)]);
  const members = { ...format.defaults };
  for (const [key, value] of Object.entries(data)) {
    if (others.has(key)) continue;
    const kind = Object.hasOwn(format.root, key) ? format.root[key] : undefined;
    const mended = mend(value, kind ?? 'data', below(here, key));
    if (mended !== undefined) define(members, key, mended);
  }
  return members;
}

interface Shared extends Referred {
  readonly section: string;
  readonly name: string;
}

/** Every shared part, each in a unit of its own, and the schemas that references made shared. */
function mendShared(data: Members, root: Here): Shared[] {
  const { walk } = root;
  const { sharedIn, sections, schemas } = walk.format;
  const at = sharedIn.reduce(below, root);
  const parts = sharedIn.reduce<unknown>((node, key) => (isMapping(node) ? node[key] : undefined), data);
  const own = membersOf(parts, at).flatMap(([section, members]) => {
    const kind = Object.hasOwn(sections, section) ? sections[section] : undefined;
    if (!kind) return [];
    return membersOf(members, below(at, section)).map(([name, value]): Shared => {
      const { unit } = referShared(walk, section, name);
      const here = { ...below(below(at, section), name), unit };
      const mended = mend(value, kind, here) ?? (kind === 'schema' ? {} : undefined);
      if (mended === undefined && unit.mistakes.length === 0)
        complain(here, 'there is nothing', 'Describe it there.');
      return { unit, value: mended, section, name };
    });
  });
  return [
    ...own,
    ...[...walk.moved].map(([name, { unit, value }]) => ({
      unit,
      value: value ?? {},
      section: schemas,
      name,
    })),
  ];
}

function membersOf(node: unknown, here: Here): [string, unknown][] {
  if (isMapping(node)) return Object.entries(node);
  if (node !== undefined && node !== null)
    ignore(here, `expected a mapping, got ${kindOf(node)}`, 'Correct or remove it.');
  return [];
}

/** The shared parts where the conversion looks for them. */
function toSections(shared: readonly Shared[], { format }: Walk): Members {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const { section, name, value } of shared) {
    sections[section] ??= {};
    // Security schemes are named by requirements, everything else by references.
    const plain = format.sections[section] === 'scheme' ? name : toPlainName(name);
    define(sections[section], plain, value);
  }
  return format.sharedIn.reduceRight<Members>((inner, key) => ({ [key]: inner }), sections);
}

/** What the document has beside its operations and shared parts, each of them can do without. */
function toRootNotes({ unit }: Here): Note[] {
  return unit.mistakes.map((mistake) => toNote('ignored', String(mistake.path.at(0)), mistake));
}

/** The mistakes that cost no operation. */
function toSpareNotes(
  paths: readonly MendedPath[],
  shared: readonly Shared[],
  broken: ReadonlyMap<Unit, Mistake>,
): Note[] {
  const told = new Set(
    paths
      .flatMap(({ unit, operations }) => [unit, ...operations.map((each) => each.unit)])
      .map((unit) => broken.get(unit)),
  );
  return shared.flatMap(({ unit }) => {
    const mistake = broken.get(unit);
    if (!mistake || told.has(mistake)) return [];
    told.add(mistake);
    return [toNote('left out', unit.label, mistake)];
  });
}

/** The first ones tell enough. */
const TOLD_REASONS = 10;

function toEmptyError({ main }: DocumentFiles, notes: readonly Note[]): SetupError {
  const [first] = notes;
  if (first && notes.length === 1)
    return new SetupError(`Failed to load the document ${first.place}: ${first.reason}. ${first.remedy}`);
  const lines = formatNotes(notes, TOLD_REASONS).map((line) => `  ${line}`);
  return new SetupError(
    `Failed to load the document ${main.location}: none of its operations can be served.\n${lines.join('\n')}`,
  );
}

/** Every unit that cannot be served, by itself or for what it refers to, each with the mistake that is the cause. */
function findBroken(units: readonly Unit[]): ReadonlyMap<Unit, Mistake> {
  const users = findUsers(units);
  const broken = new Map<Unit, Mistake>();
  for (const unit of units) if (unit.mistakes[0]) broken.set(unit, unit.mistakes[0]);
  // Users that are found on the way join the end of the map, and their turn comes.
  for (const [unit, mistake] of broken) {
    for (const user of users.get(unit) ?? []) if (!broken.has(user)) broken.set(user, mistake);
  }
  return broken;
}

function findUsers(units: readonly Unit[]): ReadonlyMap<Unit, readonly Unit[]> {
  const users = new Map<Unit, Unit[]>();
  for (const unit of units) {
    for (const used of unit.uses) {
      const known = users.get(used);
      if (known) known.push(unit);
      else users.set(used, [unit]);
    }
  }
  return users;
}
