import type { Schema } from '../schema/schema.ts';
import type { Note } from './note.ts';
import type { ReadOptions } from './read.ts';
import type { Requirements } from './security.ts';
import { readSource, type Source, toSource } from './source.ts';

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
  /** The shared schemas are the only shared parts: references to others were replaced by what they lead to. */
  readonly components: Readonly<Record<string, object>>;
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
    readonly path?: readonly HttpParameter[];
    readonly query?: readonly HttpParameter[];
    readonly headers?: readonly HttpParameter[];
    readonly cookie?: readonly HttpParameter[];
    readonly body?: HttpBody;
  };
  readonly responses: readonly HttpResponse[];
  /** What inference asks of it, where that can be read without converting its request and responses. */
  readonly outline?: HttpOutline;
}

/** What can be told of the body and the responses of an operation one by one. */
export interface HttpOutline {
  /** The codes of its responses, in the document's order. */
  readonly codes: readonly string[];
  /** The names of the headers of all its responses. */
  headerNames(): readonly string[];
  /** What it answers by the response of a code; only the media types and schemas are sure to be there. */
  answerContents(code: string): readonly HttpContent[];
  /** What it takes, likewise. */
  bodyContents(): readonly HttpContent[];
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
