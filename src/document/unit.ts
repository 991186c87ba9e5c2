import type { DocumentFiles } from './files.ts';
import { type Mistake, type Note, toNote } from './note.ts';
import type { Format, Kind } from './shapes.ts';
import type { Source } from './source.ts';

/** A part of a document that is served or left out as a whole: an operation, a path, or what references lead to. */
export interface Unit {
  readonly label: string;
  /** What makes it impossible to serve. */
  readonly mistakes: Mistake[];
  /** What it refers to, and cannot be served without. */
  readonly uses: Set<Unit>;
  /** What was mended already, by kind: the same data may stand in several places. */
  readonly seen: Map<Kind, Map<object, unknown>>;
}

/** One walk through all the files of a document. */
export interface Walk {
  readonly files: DocumentFiles;
  readonly format: Format;
  readonly units: Unit[];
  /** What was ignored on the way. */
  readonly notes: Note[];
  /** The units of the shared parts by their reference, and of what other references lead to by kind and target. */
  readonly referred: Map<string, Referred>;
  /** What references of the main file to shared parts were found to be, by kind and reference. */
  readonly shared: Map<string, SharedPart>;
  /** Schemas from elsewhere that are shared from now on, by their new names. */
  readonly moved: Map<string, Referred>;
}

/** A shared part, and the reference to it in the document that comes out of the walk. */
export interface SharedPart {
  readonly unit: Unit;
  readonly pointer: string;
}

/** What a reference leads to; `value` is there once it is mended. */
export interface Referred {
  readonly unit: Unit;
  value?: unknown;
}

/** Where the walk is. */
export interface Here {
  readonly walk: Walk;
  readonly unit: Unit;
  readonly source: Source;
  readonly place: Place | undefined;
}

/** A place in a file, as the way back to its root: far cheaper than a path for every one. */
export interface Place {
  readonly above: Place | undefined;
  readonly key: string | number;
}

/** Mends what stands at a place; `undefined` for what cannot stay. */
export type Mend = (node: unknown, kind: Kind, here: Here) => unknown;

export function createUnit(walk: Walk, label: string): Unit {
  const unit: Unit = { label, mistakes: [], uses: new Set(), seen: new Map() };
  walk.units.push(unit);
  return unit;
}

/** Where a member is. */
export function below({ walk, unit, source, place }: Here, key: string | number): Here {
  return { walk, unit, source, place: { above: place, key } };
}

/** Notes that the unit cannot be served. */
export function complain(here: Here, reason: string, remedy: string): undefined {
  here.unit.mistakes.push(toMistake(here, reason, remedy));
}

/** Notes that a member counts for nothing. */
export function ignore(here: Here, reason: string, remedy: string): undefined {
  const what = String(here.place?.key ?? 'the document');
  here.walk.notes.push(toNote('ignored', what, toMistake(here, reason, remedy)));
}

export function toMistake({ source, place }: Here, reason: string, remedy: string): Mistake {
  const path: (string | number)[] = [];
  for (let at = place; at; at = at.above) path.unshift(at.key);
  return { source, path, reason, remedy };
}

/** The place of a path of keys. */
export function toPlaceOf(path: readonly (string | number)[]): Place | undefined {
  return path.reduce<Place | undefined>((above, key) => ({ above, key }), undefined);
}

/** Sets a member. To assign one named `__proto__` would change the prototype instead; to define each of them takes ten times as long. */
export function define(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}
