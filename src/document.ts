import { fileURLToPath } from 'node:url';
import { bundleOas2Service } from '@stoplight/http-spec/oas2';
import { bundleOas3Service } from '@stoplight/http-spec/oas3';
import { checkDocument, type RawDocument } from './document-check.ts';
import { type DocumentFiles, loadFiles } from './document-files.ts';
import { prepareDocument } from './document-prepare.ts';
import { SetupError } from './problem.ts';
import type { Schema } from './schema.ts';
import { readSource, toSource } from './source.ts';

/** The pet store's own document, served unless another one is named. */
export const OWN_DOCUMENT: string = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

/** An OpenAPI document, converted: schemas are JSON Schema draft 7, references are kept and resolve inside `root`. */
export interface Document {
  /** The file or URL, as it is shown to people. */
  readonly location: string;
  /** Every file and URL that it was read from. */
  readonly files: readonly string[];
  readonly title: string;
  /** The `basePath` of a Swagger document, which the conversion leaves out where there is no host; else `/`. */
  readonly basePath: string;
  /** What `#/components/...` references inside the operations and the components refer to. */
  readonly root: DocumentRoot;
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

export interface LoadOptions {
  /** Whether references may lead to other hosts than the document's own. */
  readonly allowRemoteRefs?: boolean;
}

/**
 * Loads an OpenAPI 3.0 or 3.1 or Swagger 2.0 document from a file, a URL, standard input (`-`) or an object. Throws a
 * SetupError with file, line and remedy.
 */
export async function loadDocument(document: string | object, options: LoadOptions = {}): Promise<Document> {
  const source =
    typeof document === 'string'
      ? await readSource(document, 'document')
      : toSource(document, 'given as an object');
  const raw = checkDocument(source);
  const files = await loadFiles(source, options.allowRemoteRefs ?? false);
  return {
    location: source.location,
    files: [...files.byLocation.values()]
      .filter(({ text }) => text !== undefined)
      .map((file) => file.location),
    title: String(raw.info?.title ?? 'Untitled'),
    basePath: typeof raw.basePath === 'string' ? raw.basePath : '/',
    root: convert(files, raw),
  };
}

function convert(files: DocumentFiles, raw: RawDocument): DocumentRoot {
  const bundle = raw.openapi === undefined ? bundleOas2Service : bundleOas3Service;
  try {
    return bundle({ document: prepareDocument(files) as never }) as unknown as DocumentRoot;
  } catch (cause) {
    throw new SetupError(
      `Failed to load the document ${files.main.location}: ${(cause as Error).message}. Check the document with an OpenAPI linter.`,
      { cause },
    );
  }
}
