import type { Outcome } from '../message.ts';
import type { Operation, OperationTable } from '../operations/operations.ts';
import type { Resource, ResourceAction, ResourceModel } from '../resources/resources.ts';
import type { ActionContext } from './context.ts';
import { ACTIONS } from './generic.ts';
import { type ActionPlan, buildPlan } from './plan.ts';
import type { Rules } from './rules.ts';

/** What every action of a service works with. */
export interface BindParts extends Pick<ActionContext, 'model' | 'root' | 'schemas' | 'generate' | 'seed'> {
  readonly table: OperationTable;
  readonly rules: Rules | undefined;
}

/** What one call of an action works with: a valid request, and the state of its session. */
export type ActionCall = Pick<ActionContext, 'store' | 'selections' | 'request' | 'input' | 'base'>;

/** Does what an operation does. */
export type BoundAction = (call: ActionCall) => Outcome;

/** Each stateful operation with its rule, else its generic action, and everything but the call filled in. */
export function bindActions(parts: BindParts): ReadonlyMap<Operation, BoundAction> {
  const bound = new Map<Operation, BoundAction>();
  for (const operation of parts.table.operations) {
    const action = bindAction(parts, operation);
    if (action) bound.set(operation, action);
  }
  return bound;
}

function bindAction(parts: BindParts, operation: Operation): BoundAction | undefined {
  const { model, rules, root, schemas, generate, seed } = parts;
  const inferred = model.actions.get(operation.id);
  const rule =
    (inferred && rules?.actions.get(`${inferred.name} ${inferred.resource.name}`)) ??
    rules?.actions.get(operation.id);
  const action = rule ?? (inferred && ACTIONS[inferred.name]);
  const resource = inferred?.resource ?? (rule && resourceAbove(model, operation));
  if (!action || !resource) return undefined;
  let plan: ActionPlan | undefined;
  return ({ store, selections, request, input, base }) => {
    plan ??= buildPlan(parts, operation, inferred ?? toReading(resource));
    // Written out, because spreading the parts for every request costs more than most actions.
    // biome-ignore format: one line for what is fixed, one for what comes with the request
    return action({
      model, root, schemas, generate, seed, operation, plan,
      store, selections, request, input, base,
    });
  };
}

/** What a rule works with where nothing was inferred: the item that the path goes through. */
function toReading(resource: Resource): ResourceAction {
  const key = resource.key && { parameter: resource.key.parameter };
  return { name: 'read', resource, key, parents: [], within: [] };
}

/** The resource whose path an operation stands below; a rule may serve an operation for which nothing was inferred. */
function resourceAbove({ resources }: ResourceModel, operation: Operation): Resource | undefined {
  const candidates = [...resources.values()];
  return (
    candidates.find(({ itemPath }) => operation.path.startsWith(`${itemPath}/`)) ??
    candidates.find(({ collectionPath }) => operation.path.startsWith(`${collectionPath}/`))
  );
}
