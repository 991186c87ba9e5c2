import { once } from '../../base/once.ts';
import type { Operation, OperationTable } from '../../model/operations/operations.ts';
import type { Resource, ResourceAction, ResourceModel } from '../../model/resources/resources.ts';
import type { Outcome } from '../../wire/message/message.ts';
import { buildActionSpec } from './action-spec.ts';
import type { ActionContext } from './context.ts';
import { actOnFile } from './files.ts';
import { GENERIC_ACTIONS } from './generic-actions.ts';
import type { Rules } from './rules.ts';

/** The parts of a service that its actions share. */
interface BindParts extends Pick<ActionContext, 'model' | 'schemas' | 'generate' | 'seed' | 'callers'> {
  readonly table: OperationTable;
  readonly rules: Rules | undefined;
}

/** One call of an action: a valid request, and the state of its session. */
interface ActionCall
  extends Pick<
    ActionContext,
    'store' | 'selections' | 'request' | 'input' | 'base' | 'address' | 'now' | 'isEmptied' | 'isAtOnce'
  > {
  /** The media type that the answer will have; `undefined` where the document declares none that state can be written in. */
  readonly mediaType: string | undefined;
}

/** Carries out an operation. Returns `undefined` where the document answers. */
export type BoundAction = (call: ActionCall) => Outcome | undefined;

/** Binds each stateful operation to its rule, else its generic action, with everything but the call filled in. */
export function bindActions(parts: BindParts): ReadonlyMap<Operation, BoundAction> {
  const bound = new Map<Operation, BoundAction>();
  for (const operation of parts.table.operations) {
    const action = bindAction(parts, operation);
    if (action) bound.set(operation, action);
  }
  return bound;
}

function bindAction(parts: BindParts, operation: Operation): BoundAction | undefined {
  const { model, rules } = parts;
  const inferred = model.actions.get(operation.id);
  const rule =
    (inferred && rules?.actions.get(`${inferred.name} ${inferred.resource.name}`)) ??
    rules?.actions.get(operation.id);
  const action = rule ?? (inferred && GENERIC_ACTIONS[inferred.name]);
  const resource = inferred?.resource ?? (rule && resourceAbove(model, operation));
  const file = bindFile(parts, operation);
  if (!action || !resource) return file;
  const toContext = bindContext(parts, operation, inferred ?? toReading(resource));
  if (!file) return (call) => action(toContext(call));
  return (call) => {
    const outcome = action(toContext(call));
    file(call);
    return outcome;
  };
}

/** Binds what an operation does with a file. An action that creates an entity stores the file that comes with it by itself. */
function bindFile(parts: BindParts, operation: Operation): BoundAction | undefined {
  const file = parts.model.files.get(operation.id);
  if (!file || (file.owner === undefined && parts.model.actions.has(operation.id))) return undefined;
  const toOwner = file.owner && bindContext(parts, operation, { ...file.owner, name: 'read' });
  return (call) => actOnFile({ ...call, file, operation, owner: toOwner?.(call) });
}

/** Binds everything that an action needs but the call. */
function bindContext(
  parts: BindParts,
  operation: Operation,
  action: ResourceAction,
): (call: ActionCall) => ActionContext {
  const { model, schemas, generate, seed, callers } = parts;
  const specOf = once(() => buildActionSpec(parts, operation, action));
  return ({ store, selections, request, input, base, address, now, isEmptied, isAtOnce }) => {
    const spec = specOf();
    // Written out, because spreading the parts for every request costs more than most actions.
    // biome-ignore format: one line for what is fixed, one for what comes with the request
    return {
      model, schemas, generate, seed, callers, operation, spec,
      store, selections, request, input, base, address, now, isEmptied, isAtOnce,
    };
  };
}

/** The action of an operation that only a rule serves: it reads the item that the path goes through. */
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
