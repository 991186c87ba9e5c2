import type { Schema, SchemaReader } from '../schema/schema.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Requirements } from './security.ts';
import type { Source } from './source.ts';

/** An OpenAPI document after conversion: schemas are JSON Schema draft 7. */
export interface Document {
  /** The file or URL, as messages show it. */
  readonly location: string;
  /** Every file and URL that belongs to the document, readable or not. */
  readonly files: readonly string[];
  readonly title: string;
  /** The `basePath` of a Swagger document, which the conversion drops without a host; else `/`. */
  readonly basePath: string;
  /** The security requirements by operation label, for operations that need credentials. */
  readonly security: ReadonlyMap<string, Requirements>;
  readonly root: DocumentRoot;
  /** Reads its schemas and resolves its references. */
  readonly reader: SchemaReader;
  /** The parts that are not served as written. */
  readonly notes: readonly Diagnostic[];
  /** The labels and operationIds of the operations that are left out. */
  readonly leftOut: ReadonlySet<string>;
  /** The texts of fixtures files that are known to be valid; only the own document has any. */
  readonly checkedFixtures: ReadonlySet<string>;
}

/** A document with its source, which is large and should be released after loading. */
export interface LoadedDocument extends Document {
  readonly source: Source;
}

/** The converted document, in the form of `@stoplight/http-spec`. */
export interface DocumentRoot {
  readonly operations: readonly HttpOperation[];
  /** The shared schemas. References to other shared parts are replaced by their targets. */
  readonly components: Readonly<Record<string, object>>;
}

export interface HttpOperation {
  readonly method: string;
  readonly path: string;
  /** The operationId. */
  readonly iid?: string;
  /** Names, or in a converted Swagger document objects with names. */
  readonly tags?: readonly (string | { readonly name: string })[];
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
  /** Present as long as the request and the responses are not converted. */
  readonly outline?: HttpOutline;
}

/** The parts of an operation that can be read one by one, without converting its request and responses. */
export interface HttpOutline {
  /** The codes of the responses, in the document's order. */
  readonly codes: readonly string[];
  /** The names of the headers of all responses. */
  headerNames(): readonly string[];
  /** The contents of the response with a code; only the media types and schemas are guaranteed. */
  answerContents(code: string): readonly HttpContent[];
  /** The contents of the request body; only the media types and schemas are guaranteed. */
  bodyContents(): readonly HttpContent[];
  /** The parameters; only these members are guaranteed. */
  parameters(): readonly (Pick<HttpParameter, 'name' | 'required' | 'schema'> & { readonly in: string })[];
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
  /** By media type. The schema of the content is in `schema`. */
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
  readonly examples?: readonly (HttpExample | { readonly $ref: string })[];
  /** The serialization of individual form properties. */
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
