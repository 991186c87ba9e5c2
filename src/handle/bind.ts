import { ACTIONS, type Action, type ActionContext, type ActionPlan, buildPlan } from '../actions/actions.ts';
import type { MockRequest } from '../message.ts';
import type { Operation, OperationTable } from '../operations/operations.ts';
import type { Rules } from '../petstore/petstore.ts';
import type { Resource, ResourceAction, ResourceModel } from '../resources/resources.ts';
import type { Store } from '../store/store.ts';
import type { Input } from '../validate/validate.ts';

/** What actions have to go by, whatever the request. */
export interface BindParts extends Pick<ActionContext, 'model' | 'root' | 'schemas' | 'generate' | 'seed'> {
  readonly table: OperationTable;
  readonly rules: Rules | undefined;
  readonly store: Store;
}

/** Does what an operation does, given a valid request. */
export type BoundAction = (request: MockRequest, input: Input, base: string) => ReturnType<Action>;

/** Each stateful operation with its rule, else its generic action, and everything but the request filled in. */
export function bindActions(parts: BindParts): ReadonlyMap<Operation, BoundAction> {
  const { table, model, rules, store, root, schemas, generate, seed } = parts;
  const session = store.session();
  const bound = new Map<Operation, BoundAction>();
  for (const operation of table.operations) {
    const inferred = model.actions.get(operation.id);
    const rule =
      (inferred && rules?.actions.get(`${inferred.name} ${inferred.resource.name}`)) ??
      rules?.actions.get(operation.id);
    const action = rule ?? (inferred && ACTIONS[inferred.name]);
    const resource = inferred?.resource ?? (rule && resourceAbove(model, operation));
    if (!action || !resource) continue;
    let plan: ActionPlan | undefined;
    bound.set(operation, (request, input, base) => {
      plan ??= buildPlan(parts, operation, inferred ?? toReading(resource));
      // Written out: to spread the parts for every request costs more than most actions.
      return action({
        model,
        root,
        schemas,
        generate,
        seed,
        session,
        operation,
        plan,
        input,
        base,
        request,
      });
    });
  }
  return bound;
}

/** What a rule goes by where nothing was inferred: the item that the path goes through. */
function toReading(resource: Resource): ResourceAction {
  const key = resource.key && { parameter: resource.key.parameter };
  return { name: 'read', resource, key, parents: [], within: [] };
}

/** A rule may serve an operation of which nothing was inferred: the resource is that of the path it stands below. */
function resourceAbove({ resources }: ResourceModel, operation: Operation) {
  const candidates = [...resources.values()];
  return (
    candidates.find(({ itemPath }) => operation.path.startsWith(`${itemPath}/`)) ??
    candidates.find(({ collectionPath }) => operation.path.startsWith(`${collectionPath}/`))
  );
}
