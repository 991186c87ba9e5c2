import { type KeyPath, type Source, toPlace } from './source.ts';

/** The cause of a diagnostic. The codes are stable; reasons and remedies may be reworded. */
export type DiagnosticCode =
  /** The document is of a newer version than those that are served. */
  | 'version-newer'
  /** The path lacks its leading slash, or no request can match it. */
  | 'path-invalid'
  /** Another path differs only in the names of its parameters. */
  | 'path-duplicate'
  /** The method is not in lower case. */
  | 'method-invalid'
  /** Another operation has the same operationId. */
  | 'operation-id-duplicate'
  /** The operation declares no response. */
  | 'responses-missing'
  /** The key of a response is neither a status, a range nor `default`. */
  | 'status-invalid'
  /** The parameter has no name, or no valid `in`. */
  | 'parameter-invalid'
  /** A shared part is empty. */
  | 'component-empty'
  /** A value has the wrong type. */
  | 'type-unexpected'
  /** An object given in process contains itself. */
  | 'node-circular'
  /** The reference has no target. */
  | 'reference-dangling'
  /** The reference leads only to other references. */
  | 'reference-circular'
  /** The file of the reference cannot be read. */
  | 'reference-unreadable'
  /** The reference leads to another host, which needs `--allow-remote-refs`. */
  | 'reference-remote'
  /** The reference leads to a file, but the document is an object. */
  | 'reference-unresolvable'
  /** A schema keyword has an unusable value. */
  | 'keyword-ignored'
  /** `additionalProperties: false` in a part of an `allOf` applies to all of its parts. */
  | 'composition-closed'
  /** A pattern may take exponential time. */
  | 'pattern-hazardous'
  /** A requirement names an undefined security scheme. */
  | 'security-scheme-unknown'
  /** A security scheme lacks a member. */
  | 'security-scheme-invalid'
  /** A lifecycle extension such as `x-sunset` has an unusable value. */
  | 'lifecycle-invalid'
  /** The smallest answer that a schema allows is too large to make up. */
  | 'answer-too-large'
  /** The conversion of a path failed. */
  | 'conversion-failed';

/** A part of a document that is not served as written. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  /** Whether the part is missing from the service, has no effect, or is served in another way. */
  readonly effect: 'left out' | 'ignored' | 'changed';
  /** The operation, path or shared part (`GET /pets/{id}`), or the name of the ignored member (`pattern`). */
  readonly what: string;
  /** `openapi.yaml: line 12: #/paths/~1pets`; the line is missing for objects given in process. */
  readonly place: string;
  readonly reason: string;
  readonly remedy: string;
}

/** A mistake at a place of a document. */
export interface Mistake {
  readonly code: DiagnosticCode;
  readonly source: Source;
  readonly path: KeyPath;
  readonly reason: string;
  readonly remedy: string;
}

/** Describes the effect of a mistake. */
export function toDiagnostic(effect: Diagnostic['effect'], what: string, mistake: Mistake): Diagnostic {
  const { code, source, path, reason, remedy } = mistake;
  return {
    code,
    effect,
    what,
    // Finding the line is slow, and not every diagnostic is shown.
    get place() {
      return toPlace(source, path);
    },
    reason,
    remedy,
  };
}

/** One line per diagnostic, at most `limit` of them, and the number of the others. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], limit: number): string[] {
  const lines = diagnostics
    .slice(0, limit)
    .map(
      ({ code, effect, what, place, reason, remedy }) =>
        `${effect} ${what}: ${place}: ${reason}. ${remedy} [${code}]`,
    );
  return diagnostics.length > limit ? [...lines, `and ${diagnostics.length - limit} more`] : lines;
}
