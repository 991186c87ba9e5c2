import { once } from '../base/once.ts';
import { SetupError } from '../base/problem.ts';
import { noOperation } from './check-document.ts';
import { mayClose } from './close-composition.ts';
import { type Diagnostic, formatDiagnostics, type Mistake, toDiagnostic } from './diagnostic.ts';
import type { DocumentFiles } from './files.ts';
import { formatOf } from './format.ts';
import { define, isMapping, kindOf, type Mapping } from './mapping.ts';
import { sanitize } from './sanitize.ts';
import { type SanitizedPath, sanitizePaths } from './sanitize-paths.ts';
import { referShared, toPlainName } from './sanitize-reference.ts';
import { selectOperations } from './select.ts';
import {
  below,
  complain,
  createUnit,
  type DocumentWalk,
  type Here,
  ignore,
  type Referred,
  type Unit,
} from './unit.ts';

/** A document that can be converted, with diagnostics of the parts that are not served as written. */
interface PreparedDocument {
  readonly document: Mapping;
  readonly diagnostics: readonly Diagnostic[];
  /** The labels and operationIds of the operations that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

/**
 * Bundles the files of a document into one. Schemas from other places become shared ones; other targets replace their references. A
 * mistake that makes an operation or shared part impossible to serve leaves out that one and all that refer to it.
 */
export function prepareDocument(files: DocumentFiles): PreparedDocument {
  const data = files.main.data as Mapping;
  const walk: DocumentWalk = {
    files,
    format: formatOf(data.openapi),
    units: [],
    diagnostics: new Map(),
    referred: new Map(),
    shared: new Map(),
    closes: once(() => [...files.byLocation.values()].some(mayClose)),
    compositions: new Map(),
    moved: new Map(),
  };
  const here: Here = {
    walk,
    unit: createUnit(walk, 'the document'),
    source: files.main,
    position: undefined,
  };
  const isNewer = /^3\.2/.test(String(data.openapi));
  const members = sanitizeRoot(data, here);
  const paths = sanitizePaths(data.paths as Mapping, below(here, 'paths'));
  const shared = sanitizeShared(data, here);
  const broken = findBroken(walk.units);

  const { paths: selected, count, leftOut, diagnostics } = selectOperations(paths, broken);
  if (count === 0) throw toEmptyError(files, diagnostics);
  const sound = shared.filter(({ unit }) => !broken.has(unit));
  return {
    document: {
      ...members,
      ...(isNewer && { openapi: '3.1.0' }),
      paths: selected,
      ...toSections(sound, walk),
    },
    diagnostics: [
      ...(isNewer ? [toNewerNote(files)] : []),
      ...diagnostics,
      ...diagnoseUnused(paths, shared, broken),
      // The service works without the members of the document itself.
      ...here.unit.mistakes.map((mistake) => toDiagnostic('ignored', String(mistake.path.at(0)), mistake)),
      ...walk.diagnostics.values(),
    ],
    leftOut,
  };
}

/** Sanitizes the members of the document itself, without its operations and shared parts. */
function sanitizeRoot(data: Mapping, here: Here): Mapping {
  const { format } = here.walk;
  const others = new Set(['paths', 'components', ...format.sharedIn, ...Object.keys(format.sections)]);
  const members = { ...format.defaults };
  for (const [key, value] of Object.entries(data)) {
    if (others.has(key)) continue;
    const kind = Object.hasOwn(format.root, key) ? format.root[key] : undefined;
    const sanitized = sanitize(value, kind ?? 'data', below(here, key));
    if (sanitized !== undefined) define(members, key, sanitized);
  }
  return members;
}

interface Component extends Referred {
  readonly section: string;
  readonly name: string;
}

/** Sanitizes every shared part in a unit of its own, and adds the schemas that references made shared. */
function sanitizeShared(data: Mapping, root: Here): Component[] {
  const { walk } = root;
  const { sharedIn, sections, schemas } = walk.format;
  const at = sharedIn.reduce(below, root);
  const parts = sharedIn.reduce<unknown>((node, key) => (isMapping(node) ? node[key] : undefined), data);
  const own = membersAt(parts, at).flatMap(([section, members]) => {
    const kind = Object.hasOwn(sections, section) ? sections[section] : undefined;
    if (!kind) return [];
    return membersAt(members, below(at, section)).map(([name, node]): Component => {
      const { unit } = referShared(walk, section, name);
      const here = { ...below(below(at, section), name), unit };
      const value = sanitize(node, kind, here) ?? (kind === 'schema' ? {} : undefined);
      if (value === undefined && unit.mistakes.length === 0)
        complain(here, 'component-empty', 'the definition is empty', 'Describe it there.');
      return { unit, value, section, name };
    });
  });
  const moved = [...walk.moved].map(([name, { unit, value = {} }]) => ({
    unit,
    value,
    section: schemas,
    name,
  }));
  return [...own, ...moved];
}

function membersAt(node: unknown, here: Here): [string, unknown][] {
  if (isMapping(node)) return Object.entries(node);
  if (node !== undefined && node !== null)
    ignore(here, 'type-unexpected', `expected a mapping, got ${kindOf(node)}`, 'Correct or remove it.');
  return [];
}

/** Puts the shared parts where the conversion expects them. */
function toSections(shared: readonly Component[], { format }: DocumentWalk): Mapping {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const { section, name, value } of shared) {
    sections[section] ??= {};
    // Requirements name security schemes; references name all other parts.
    const plain = format.sections[section] === 'scheme' ? name : toPlainName(name);
    define(sections[section], plain, value);
  }
  return format.sharedIn.reduceRight<Mapping>((inner, key) => ({ [key]: inner }), sections);
}

/** Diagnoses the mistakes of shared parts that no operation uses. */
function diagnoseUnused(
  paths: readonly SanitizedPath[],
  shared: readonly Component[],
  broken: ReadonlyMap<Unit, Mistake>,
): Diagnostic[] {
  const reported = new Set(
    paths
      .flatMap(({ unit, operations }) => [unit, ...operations.map((each) => each.unit)])
      .map((unit) => broken.get(unit)),
  );
  return shared.flatMap(({ unit }) => {
    const mistake = broken.get(unit);
    if (!mistake || reported.has(mistake)) return [];
    reported.add(mistake);
    return [toDiagnostic('left out', unit.label, mistake)];
  });
}

const SHOWN_REASONS = 10;

/** Notes that OpenAPI 3.2 is read as 3.1. */
function toNewerNote({ main: source }: DocumentFiles): Diagnostic {
  return toDiagnostic('changed', 'openapi', {
    code: 'version-newer',
    source,
    path: ['openapi'],
    reason: 'OpenAPI 3.2 is served as 3.1, so what only 3.2 has is ignored, except for "query" operations',
    remedy: 'Nothing needs to be done if the document does without it.',
  });
}

function toEmptyError({ main }: DocumentFiles, diagnostics: readonly Diagnostic[]): SetupError {
  const [first] = diagnostics;
  if (!first) return noOperation(main, ['paths']);
  if (first && diagnostics.length === 1)
    return new SetupError(
      'document-unservable',
      `Failed to load the document ${first.place}: ${first.reason}. ${first.remedy}`,
    );
  const lines = formatDiagnostics(diagnostics, SHOWN_REASONS).map((line) => `  ${line}`);
  return new SetupError(
    'document-unservable',
    `Failed to load the document ${main.location}: none of its operations can be served.\n${lines.join('\n')}`,
  );
}

/** Finds every unit that cannot be served, for a mistake of its own or of a unit that it uses, with that mistake. */
function findBroken(units: readonly Unit[]): ReadonlyMap<Unit, Mistake> {
  const broken = new Map<Unit, Mistake>();
  for (const unit of units) if (unit.mistakes[0]) broken.set(unit, unit.mistakes[0]);
  if (broken.size === 0) return broken;
  const users = indexDependents(units);
  // The loop also visits the users that it appends to the map.
  for (const [unit, mistake] of broken) {
    for (const user of users.get(unit) ?? []) if (!broken.has(user)) broken.set(user, mistake);
  }
  return broken;
}

function indexDependents(units: readonly Unit[]): ReadonlyMap<Unit, readonly Unit[]> {
  const users = new Map<Unit, Unit[]>();
  for (const unit of units) {
    for (const used of unit.uses ?? []) {
      const known = users.get(used);
      if (known) known.push(unit);
      else users.set(used, [unit]);
    }
  }
  return users;
}
