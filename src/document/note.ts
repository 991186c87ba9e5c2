import { type Source, toPlace } from './source.ts';

/** Something in a document that is not served as it stands there. */
export interface Note {
  /** Whether it is not served at all, counts for nothing, or is served in another way. */
  readonly effect: 'left out' | 'ignored' | 'changed';
  /** The operation, path or shared part (`GET /pets/{id}`), or the name of the member that counts for nothing (`pattern`). */
  readonly what: string;
  /** `openapi.yaml: line 12: #/paths/~1pets`, without what there is none of. */
  readonly place: string;
  readonly reason: string;
  readonly remedy: string;
}

/** What is wrong at a place of a document. */
export interface Mistake {
  readonly source: Source;
  readonly path: readonly (string | number)[];
  readonly reason: string;
  readonly remedy: string;
}

export function toNote(effect: Note['effect'], what: string, mistake: Mistake): Note {
  const { source, path, reason, remedy } = mistake;
  return {
    effect,
    what,
    // The way back to the line may be long, and not every note is shown.
    get place() {
      return toPlace(source, path);
    },
    reason,
    remedy,
  };
}

/** A note as one line. */
export function formatNote({ effect, what, place, reason, remedy }: Note): string {
  return `${effect} ${what}: ${place}: ${reason}. ${remedy}`;
}

/** Notes as lines, at most so many of them, and then how many there are more. */
export function formatNotes(notes: readonly Note[], limit: number): string[] {
  const lines = notes.slice(0, limit).map(formatNote);
  return notes.length > limit ? [...lines, `and ${notes.length - limit} more`] : lines;
}

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
