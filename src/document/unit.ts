import { type Diagnostic, type DiagnosticCode, type Mistake, toDiagnostic } from './diagnostic.ts';
import type { DocumentFiles } from './files.ts';
import type { DocumentFormat, Kind } from './format.ts';
import type { KeyPath, Source } from './source.ts';

/** A part of a document that is served or left out as a whole: an operation, a path, or the target of a reference. */
export interface Unit {
  readonly label: string;
  /** Mistakes that make it impossible to serve. */
  readonly mistakes: Mistake[];
  /** The units that it refers to and needs; absent where there are none. */
  uses: Set<Unit> | undefined;
  /** The results so far by kind, because the same data may occur in several places; absent for a tree. */
  seen: Map<Kind, Map<object, unknown>> | undefined;
}

/** One walk through all files of a document. */
export interface DocumentWalk {
  readonly files: DocumentFiles;
  readonly format: DocumentFormat;
  readonly units: Unit[];
  /** Diagnostics of members that are ignored or changed, by cause and place. */
  readonly diagnostics: Map<string, Diagnostic>;
  /** The units of the shared parts by reference, and of the targets of other references by kind and target. */
  readonly referred: Map<string, Referred>;
  /** The shared parts by kind and reference in the main file. */
  readonly shared: Map<string, SharedPart>;
  /** Whether the document may have closed schemas. */
  readonly closes: () => boolean;
  /** Whether a schema with an `allOf` has a closed part, for the schemas looked at so far. */
  readonly compositions: Map<object, boolean>;
  /** Schemas from other places that become shared, by their new names. */
  readonly moved: Map<string, Referred>;
}

/** A shared part, and the reference to it in the prepared document. */
export interface SharedPart {
  readonly unit: Unit;
  readonly pointer: string;
}

/** The target of a reference; `value` is set once it is sanitized. */
export interface Referred {
  readonly unit: Unit;
  value?: unknown;
}

/** The current position of the walk. */
export interface Here {
  readonly walk: DocumentWalk;
  readonly unit: Unit;
  readonly source: Source;
  readonly position: Position | undefined;
  /** The dynamic anchors around it; absent where there are none. */
  readonly scope?: DynamicScope | undefined;
}

/** The schemas that `$dynamicAnchor`s name. The outermost one of each name wins. */
interface DynamicScope {
  /** Equal for scopes with the same schemas. */
  readonly id: string;
  readonly anchors: ReadonlyMap<string, Anchored>;
}

/** A schema, as a reference within a file. */
export interface Anchored {
  readonly reference: string;
  readonly source: Source;
}

/** A position in a file as a linked list towards the root, far cheaper than a path for each. */
interface Position {
  readonly above: Position | undefined;
  readonly key: string | number;
}

/** Sanitizes the node at a position; returns `undefined` to leave it out. */
export type Sanitize = (node: unknown, kind: Kind, here: Here) => unknown;

export function createUnit(walk: DocumentWalk, label: string): Unit {
  const unit: Unit = { label, mistakes: [], uses: undefined, seen: undefined };
  walk.units.push(unit);
  return unit;
}

/** Adds a unit to those that another one needs. */
export function use(unit: Unit, used: Unit): void {
  unit.uses ??= new Set();
  unit.uses.add(used);
}

/** Returns the position of a member. */
export function below({ walk, unit, source, position, scope }: Here, key: string | number): Here {
  return { walk, unit, source, position: { above: position, key }, scope };
}

/** Reports a mistake that makes it impossible to serve the unit. */
export function complain(here: Here, code: DiagnosticCode, reason: string, remedy: string): undefined {
  here.unit.mistakes.push(toMistake(here, code, reason, remedy));
}

/** Reports that a member is ignored. */
export function ignore(here: Here, code: DiagnosticCode, reason: string, remedy: string): undefined {
  const what = String(here.position?.key ?? 'the document');
  report(here.walk, 'ignored', what, toMistake(here, code, reason, remedy));
}

/** Reports a mistake once, however often its place is sanitized. */
export function report(
  { diagnostics }: DocumentWalk,
  effect: Diagnostic['effect'],
  what: string,
  mistake: Mistake,
): void {
  const id = JSON.stringify([mistake.code, mistake.source.location, ...mistake.path]);
  if (!diagnostics.has(id)) diagnostics.set(id, toDiagnostic(effect, what, mistake));
}

export function toMistake(
  { source, position }: Here,
  code: DiagnosticCode,
  reason: string,
  remedy: string,
): Mistake {
  return { code, source, path: toPath(position), reason, remedy };
}

export function toPath(position: Position | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = position; at; at = at.above) path.push(at.key);
  return path.reverse();
}

export function toPosition(path: KeyPath): Position | undefined {
  return path.reduce<Position | undefined>((above, key) => ({ above, key }), undefined);
}
