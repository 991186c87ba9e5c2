export { type BoundAction, bindActions } from './bind.ts';
export { checkSame, putEntity, toMergedEntity, toNewEntity, toReplacedEntity } from './change.ts';
export { type Action, type ActionContext, readEntity } from './context.ts';
export { GENERIC_ACTIONS, toCreated } from './generic-actions.ts';
export { memberOf, withMember } from './json-object.ts';
export type { ListInput } from './list-inputs.ts';
export { buildListParameters, type ListFilter } from './list-parameters.ts';
export type { Contradiction, EntityName, FindRules, Rules } from './rules.ts';
export { createSelections, type Selections } from './selections.ts';
