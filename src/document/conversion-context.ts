import { idGenerators } from '@stoplight/http-spec/generators';
import { isObject, resolveReference } from '../schema/schema.ts';
import { SHARED_SCHEMAS } from './sanitize-reference.ts';

/**
 * Creates the context in which `@stoplight/http-spec` converts a single operation of a prepared document. It keeps references to
 * schemas and replaces all others by their targets.
 */
export function createConversionContext(document: object): object {
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

/** No id is used here, and hashing them takes longer than the rest of the conversion. */
const NO_IDS = Object.fromEntries(Object.keys(idGenerators).map((name) => [name, () => '']));

/** Returns `undefined` for a dangling reference, which only data can contain. */
function resolveUnlessSchema(document: object, target: unknown): unknown {
  if (!isObject(target) || typeof target.$ref !== 'string' || !target.$ref.startsWith('#')) return target;
  try {
    return resolveReference(document, target, (reference) => !reference.startsWith(SHARED_SCHEMAS));
  } catch {
    return undefined;
  }
}
