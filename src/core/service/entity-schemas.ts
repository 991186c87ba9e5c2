import type { EntitySchemaOf } from '../../answer/validate/validate.ts';
import type { ResourceModel } from '../../model/resources/resources.ts';

/** Finds the schema of the entity that an operation writes, for bodies that the document does not declare. */
export function toEntitySchemaOf({ actions }: ResourceModel): EntitySchemaOf {
  return ({ id }) => {
    const action = actions.get(id);
    return action && WRITING.has(action.name) ? action.resource.schema : undefined;
  };
}

const WRITING: ReadonlySet<string> = new Set([
  'create',
  'replace',
  'update',
  'act',
  'login',
  'refresh',
  'logout',
]);
