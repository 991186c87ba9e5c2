export { inKeyOrder, toEntityScope, toListedCollection, toScopes } from './scopes.ts';
export {
  findStateList,
  isNameable,
  type StateList,
  toStateListName,
  withListParents,
} from './state-lists.ts';
