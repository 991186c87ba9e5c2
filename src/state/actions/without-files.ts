import type { FileAction, Resource } from '../../model/resources/resources.ts';
import { isJsonObject, omit } from './json-object.ts';

/** Leaves out the files of a form that have no place in an entity. */
export function withoutFiles(body: unknown, { parts }: FileAction, resource: Resource): unknown {
  if (!isJsonObject(body)) return body;
  const unknown = parts.filter((name) => !resource.properties.includes(name));
  return unknown.length === 0 ? body : omit(body, unknown);
}
