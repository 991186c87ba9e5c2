import type { Operation } from '../../model/operations/operations.ts';
import { explainMoves, explainStatelessOperations, inferResources } from '../../model/resources/resources.ts';
import type { Service } from './build.ts';
import type { ServiceOptions } from './service-options.ts';

/** The way in which the operations of the document were understood. */
export interface InferenceInfo {
  /** Whether `stateless` switches all state off. */
  readonly isOff: boolean;
  /** The operations that stand for others in a conventional layout. */
  readonly moved: readonly MovedInfo[];
  readonly stateless: readonly StatelessInfo[];
}

/** An operation that stands for another one: `PUT /products/edit/{id}` for `PUT /products/{id}`. */
export interface MovedInfo {
  readonly method: string;
  readonly path: string;
  /** The operation that it stands for. */
  readonly standsFor: string;
  /** The rules that say so. */
  readonly reason: string;
}

/** An operation that is answered from the document alone. */
export interface StatelessInfo {
  readonly method: string;
  readonly path: string;
  readonly reason: string;
  /** The change that would give it state; `undefined` if none is known. */
  readonly remedy: string | undefined;
}

/** Explains what inference made of each operation. Computed at each call, because only `routes --resources` asks. */
export function toInferenceInfo(service: Service): InferenceInfo {
  const { model, table } = service;
  return {
    isOff: service.options.stateless === true,
    moved: explainMoves(table.operations, model).map(({ operation, standsFor, rules }) => ({
      ...toSlotText(operation),
      standsFor,
      reason: rules.join(', '),
    })),
    stateless: toStateless(service),
  };
}

function toStateless({ table: { operations }, model, actions, options }: Service): StatelessInfo[] {
  const isServed = (operation: Operation) => actions.has(operation);
  if (options.stateless === true) {
    const left = operations.filter((operation) => !isServed(operation));
    return left.map((operation) => ({ ...toSlotText(operation), reason: SWITCHED_OFF, remedy: undefined }));
  }
  const isOn = ([, override]: readonly [string, unknown]) => override !== false;
  const wanted = Object.fromEntries(Object.entries(options.resources ?? {}).filter(isOn));
  const found = explainStatelessOperations(operations, {
    ...{ model, isServed, infer: inferResources },
    full: inferResources(operations, wanted),
    explainOff: (name) => explainOff(name, options),
  });
  return found.map(({ operation, reason, remedy }) => ({ ...toSlotText(operation), reason, remedy }));
}

const SWITCHED_OFF = 'switched off by --stateless';

function explainOff(name: string, { stateless }: ServiceOptions) {
  return Array.isArray(stateless) && stateless.includes(name)
    ? { reason: SWITCHED_OFF, remedy: `--stateless without ${name}` }
    : { reason: 'switched off by "resources"', remedy: `resources without ${name}: false` };
}

function toSlotText({ method, path }: Operation) {
  return { method, path };
}
