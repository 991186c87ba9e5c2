import { convertToJsonSchema } from '@stoplight/http-spec/oas';
import { once } from '../once.ts';
import { isMapping } from './note.ts';

type Members = Readonly<Record<string, unknown>>;

/** The shared schemas of a prepared document in JSON Schema draft 7, by name, each converted when it is first read. */
export function convertSchemas(schemas: Members): Members {
  const converted = {};
  for (const [name, schema] of Object.entries(schemas))
    Object.defineProperty(converted, name, {
      enumerable: true,
      get: once(() => ({ ...convertSchema(schema), key: name })),
    });
  return converted;
}

/** A schema in JSON Schema draft 7, the same object for the same schema; `undefined` for what is not a mapping. */
export function convertSchema(schema: unknown): Members | undefined {
  if (!isMapping(schema)) return undefined;
  return typeof schema.$ref === 'string' ? schema : (convertToJsonSchema({}, schema as never) as Members);
}
