import { SetupError } from '../base/problem.ts';
import { isSwagger } from './check-document.ts';
import { convertOperation, convertSwaggerOperation, toServers } from './convert-operation.ts';
import { convertSchemas } from './convert-schema.ts';
import { type Diagnostic, toDiagnostic } from './diagnostic.ts';
import type { DocumentRoot } from './http-document.ts';
import type { Mapping } from './mapping.ts';
import { OPERATION_METHODS } from './sanitize-paths.ts';
import type { Source } from './source.ts';

/**
 * Converts a prepared document. The requests, responses and schemas are converted when they are first read. Leaves out a path whose
 * conversion fails; throws a SetupError if every one fails.
 */
export function convertDocument(
  document: Mapping,
  source: Source,
): { readonly root: DocumentRoot; readonly diagnostics: readonly Diagnostic[] } {
  const { paths, schemas, shared } = splitDocument(document);
  const convert = isSwagger(document) ? convertSwaggerOperation : convertOperation;
  const servers = toServers(shared.servers);
  const operations: object[] = [];
  const failures: (readonly [path: string, cause: Error])[] = [];
  const entries = Object.entries(paths as Readonly<Record<string, Mapping>>);
  for (const [path, item] of entries) {
    try {
      const methods = Object.keys(item).filter((key) => OPERATION_METHODS.has(key));
      operations.push(...methods.map((method) => convert({ shared, servers, path, item, method })));
    } catch (cause) {
      failures.push([path, cause as Error]);
    }
  }
  const [first] = failures;
  if (first && failures.length === entries.length) throw toFailure(source, first[1]);
  const components = { schemas: convertSchemas(schemas as Mapping) };
  return {
    root: { operations, components } as DocumentRoot,
    diagnostics: failures.map(([path, { message: reason }]) => {
      const mistake = { source, path: ['paths', path], reason, remedy: LINT };
      return toDiagnostic('left out', path, { code: 'conversion-failed', ...mistake });
    }),
  };
}

/** Separates the paths and schemas, which are released once they are converted, from the rest, in which operations are converted. */
function splitDocument({
  paths,
  ...others
}: Mapping): Record<'paths' | 'schemas', unknown> & { shared: Mapping } {
  if (isSwagger(others)) {
    const { definitions, ...shared } = others;
    return { paths, schemas: definitions ?? {}, shared };
  }
  const { schemas = {}, ...components } = (others.components ?? {}) as Mapping;
  return { paths, schemas, shared: { ...others, components } };
}

const LINT = 'Check the document with an OpenAPI linter.';

function toFailure({ location }: Source, cause: Error): SetupError {
  const message = `Failed to load the document ${location}: ${cause.message}. ${LINT}`;
  return new SetupError('document-unservable', message, { cause });
}
