import { SetupError } from '../problem.ts';
import { isSwagger } from './check.ts';
import { convertOperation, convertSwaggerOperation, toServers } from './convert-operation.ts';
import { convertSchemas } from './convert-schema.ts';
import { METHODS } from './mend-operations.ts';
import { type Note, toNote } from './note.ts';
import type { Source } from './source.ts';

type Members = Readonly<Record<string, unknown>>;

/** A converted document, and the paths that were left out. */
export interface Converted {
  readonly root: unknown;
  readonly notes: readonly Note[];
}

/**
 * Converts a prepared document. Only what an operation is found by is converted now, and the rest when it is first read. A path that the
 * conversion fails over is left out. Throws a SetupError if it fails over every path.
 */
export function convertDocument(document: Members, source: Source): Converted {
  const { paths, schemas, shared } = takeApart(document);
  const convert = isSwagger(document) ? convertSwaggerOperation : convertOperation;
  const servers = toServers(shared.servers);
  const operations: unknown[] = [];
  const failures: (readonly [path: string, cause: Error])[] = [];
  const entries = Object.entries(paths as Readonly<Record<string, Members>>);
  for (const [path, item] of entries) {
    try {
      const methods = Object.keys(item).filter((key) => METHODS.has(key));
      operations.push(...methods.map((method) => convert({ shared, servers, path, item, method })));
    } catch (cause) {
      failures.push([path, cause as Error]);
    }
  }
  const [first] = failures;
  if (first && failures.length === entries.length) throw toFailure(source, first[1]);
  return {
    root: { operations, components: { schemas: convertSchemas(schemas) } },
    notes: failures.map(([path, { message: reason }]) =>
      toNote('left out', path, { source, path: ['paths', path], reason, remedy: LINT }),
    ),
  };
}

interface Parts {
  readonly paths: Members;
  readonly schemas: Members;
  /** All the rest, in which operations are converted. */
  readonly shared: Members;
}

/** The parts of a document that are let go one by one, as they are converted, and the rest. */
function takeApart(document: Members): Parts {
  const { paths, ...others } = document;
  if (isSwagger(document)) {
    const { definitions, ...shared } = others;
    return { paths: paths as Members, schemas: (definitions ?? {}) as Members, shared };
  }
  const { schemas = {}, ...components } = (others.components ?? {}) as Members;
  return { paths: paths as Members, schemas: schemas as Members, shared: { ...others, components } };
}

const LINT = 'Check the document with an OpenAPI linter.';

function toFailure({ location }: Source, cause: Error): SetupError {
  return new SetupError(`Failed to load the document ${location}: ${cause.message}. ${LINT}`, { cause });
}
