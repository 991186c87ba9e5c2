import type { Schema } from '../schema/schema.ts';
import type { Note } from './note.ts';
import type { ReadOptions } from './read.ts';
import type { Requirements } from './security.ts';
import { readSource, type Source, toSource } from './source.ts';

export { formatNotes, type Note, toNote } from './note.ts';
export { loadOwnDocument } from './own-document.ts';
export type { Requirements, SecurityScheme } from './security.ts';
export { isUrl, readSource, type Source, toPlace } from './source.ts';

/** An OpenAPI document, converted: schemas are JSON Schema draft 7, references are kept and resolve inside `root`. */
export interface Document {
  /** The file or URL, as it is shown to people. */
  readonly location: string;
  /** Every file and URL that it was read from, and those that could not be read. */
  readonly files: readonly string[];
  readonly title: string;
  /** The `basePath` of a Swagger document, which the conversion leaves out where there is no host; else `/`. */
  readonly basePath: string;
  /** What each operation that needs credentials asks for, by its label. */
  readonly security: ReadonlyMap<string, Requirements>;
  /** What `#/components/...` references inside the operations and the components refer to. */
  readonly root: DocumentRoot;
  /** What of it is not served as it stands there. */
  readonly notes: readonly Note[];
  /** The labels and operationIds of the operations that are left out. */
  readonly leftOut: ReadonlySet<string>;
  /** The texts of fixtures files that are known to hold to it; none but for the own document. */
  readonly checkedFixtures: ReadonlySet<string>;
}

/** A document and the file that it was read from, which is large and not to be kept. */
export interface LoadedDocument extends Document {
  readonly source: Source;
}

/** The converted document, in the form of `@stoplight/http-spec`. */
export interface DocumentRoot {
  readonly operations: readonly HttpOperation[];
  readonly components: Readonly<Record<string, readonly unknown[]>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface HttpOperation {
  readonly method: string;
  readonly path: string;
  /** The operationId. */
  readonly iid?: string;
  readonly summary?: string;
  readonly deprecated?: boolean;
  readonly servers?: readonly HttpServer[];
  /** Every `x-` key of the operation. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly request?: {
    readonly path?: readonly (HttpParameter | Reference)[];
    readonly query?: readonly (HttpParameter | Reference)[];
    readonly headers?: readonly (HttpParameter | Reference)[];
    readonly cookie?: readonly (HttpParameter | Reference)[];
    readonly body?: HttpBody | Reference;
  };
  readonly responses: readonly (HttpResponse | (Reference & { readonly code: string }))[];
}

export interface HttpServer {
  readonly url: string;
  readonly variables?: Readonly<Record<string, { readonly default?: unknown }>>;
}

export interface HttpParameter {
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly required?: boolean;
  readonly schema?: Schema;
  /** By media type. Its schema stands in `schema`. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly allowEmptyValue?: boolean;
  readonly examples?: readonly unknown[];
}

export interface HttpBody {
  readonly required?: boolean;
  readonly contents?: readonly HttpContent[];
}

export interface HttpContent {
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly examples?: readonly (HttpExample | Reference)[];
  /** How some properties of a form are written. */
  readonly encodings?: readonly HttpEncoding[];
}

export interface HttpEncoding {
  readonly property: string;
  readonly style?: string;
  readonly explode?: boolean;
}

export interface HttpExample {
  readonly key: string;
  readonly value?: unknown;
}

export interface HttpResponse {
  /** `200`, `4XX` or `default`. */
  readonly code: string;
  readonly contents?: readonly HttpContent[];
  /** References are resolved when the operation is built. */
  readonly headers?: readonly HttpParameter[];
}

/**
 * Loads an OpenAPI 3.0 or 3.1 or Swagger 2.0 document from a file, a URL, standard input (`-`) or an object. Throws a
 * SetupError with file, line and remedy.
 */
export async function loadDocument(
  document: string | object,
  options: ReadOptions = {},
): Promise<LoadedDocument> {
  const source =
    typeof document === 'string'
      ? await readSource(document, 'document')
      : toSource(document, 'given as an object');
  // The conversion takes longer to import than the own document, which is prepared, takes to serve.
  const { readDocument } = await import('./read.ts');
  const { root, ...reading } = await readDocument(source, options);
  return {
    ...{ source, location: source.location, root: root as DocumentRoot },
    ...{ ...reading, checkedFixtures: new Set<string>() },
  };
}
