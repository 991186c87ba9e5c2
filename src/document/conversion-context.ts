import { idGenerators } from '@stoplight/http-spec/generators';
import { isObject, resolveReference } from '../schema/schema.ts';
import { SHARED_SCHEMAS } from './mend-reference.ts';

/**
 * The context in which `@stoplight/http-spec` converts one operation of a prepared document by itself. References to schemas stay; any
 * other is replaced by what it leads to.
 */
export function createContext(document: object): object {
  return {
    document,
    context: 'service',
    parentId: '',
    ids: { service: '', path: '', operation: '', webhookName: '', webhook: '' },
    references: {},
    generateId: NO_IDS,
    maybeResolveLocalRef: (target: unknown) => resolveUnlessSchema(document, target),
  };
}

/** Nothing here looks for an id, and hashing them takes longer than everything else. */
const NO_IDS = Object.fromEntries(Object.keys(idGenerators).map((name) => [name, () => '']));

/** `undefined` for a reference that leads nowhere: only data can hold one. */
function resolveUnlessSchema(document: object, target: unknown): unknown {
  if (!isObject(target) || typeof target.$ref !== 'string' || !target.$ref.startsWith('#')) return target;
  try {
    return resolveReference(document, target, (reference) => !reference.startsWith(SHARED_SCHEMAS));
  } catch {
    return undefined;
  }
}
