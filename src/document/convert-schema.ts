import { convertToJsonSchema } from '@stoplight/http-spec/oas';
import { once } from '../base/once.ts';
import { isMapping, type Mapping } from './mapping.ts';

/** Converts the shared schemas of a prepared document to JSON Schema draft 7, each when it is first read. */
export function convertSchemas(schemas: Mapping): Mapping {
  const converted = {};
  for (const [name, schema] of Object.entries(schemas))
    Object.defineProperty(converted, name, {
      enumerable: true,
      get: once(() => ({ ...convertSchema(schema), key: name })),
    });
  return converted;
}

/** Converts a schema to JSON Schema draft 7: the same schema to the same object, anything but a mapping to `undefined`. */
export function convertSchema(schema: unknown): Mapping | undefined {
  if (!isMapping(schema)) return undefined;
  return typeof schema.$ref === 'string' ? schema : (convertToJsonSchema({}, schema as never) as Mapping);
}
