import type { ActionTarget } from './model.ts';

/** Renames the path parameters of an action or its target. */
export function renameParameters<T extends ActionTarget>(action: T, own: (name: string) => string): T {
  const { key, parents, within } = action;
  return {
    ...action,
    key: typeof key === 'object' && 'parameter' in key ? { parameter: own(key.parameter) } : key,
    parents: parents.map((parent) => ({
      ...parent,
      parameter: own(parent.parameter),
      scope: parent.scope.map(own),
    })),
    within: within.map(({ parameter, property }) => ({ parameter: own(parameter), property })),
  };
}
