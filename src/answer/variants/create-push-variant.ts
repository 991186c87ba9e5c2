import { LIMITS } from '../../base/limits.ts';
import type { Operation } from '../../model/operations/operations.ts';
import type { ResourceModel } from '../../model/resources/resources.ts';
import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import { createFactsFinder } from './find-facts.ts';
import { keepValid } from './keep-valid.ts';
import { isKeyName } from './names.ts';
import { pushValue } from './push-value.ts';
import { LONGEST_TEXT } from './texts.ts';
import { createValueMaker } from './value-maker.ts';
import type { Variant } from './variant.ts';
import { isMembers, type Walk } from './walk.ts';

/** An answer to push. */
interface Pushable {
  readonly operation: Operation;
  readonly status: number;
  readonly schema: SchemaNode;
  readonly value: unknown;
}

/** Pushes an answer to an extreme that its schema allows. Returns a changed copy. */
export type PushVariant = (variant: Variant, answer: Pushable) => unknown;

interface PushParts {
  readonly schemas: SchemaChecker;
  readonly model: ResourceModel;
  /** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
  readonly generate: (schema: SchemaNode, name: string) => unknown;
}

const { value: MOST_GAINED } = LIMITS.variantGrowth;

export function createPushVariant({ schemas, model, generate }: PushParts): PushVariant {
  const isValid = (node: SchemaNode, value: unknown) => {
    try {
      // Checks the target of a reference, so that all operations share a validator.
      return schemas.check(node.target, value, '').length === 0;
    } catch {
      // A schema that cannot be compiled allows no change.
      return false;
    }
  };
  const findFacts = createFactsFinder(isValid);
  return (variant, { operation, status, schema, value }) => {
    const keys = findKeys(model, operation);
    const isKey = (name: string) => keys.has(name) || isKeyName(name);
    const maker = createValueMaker(generate, operation.label, MOST_GAINED);
    const room = Math.min(LONGEST_TEXT, Math.floor(MOST_GAINED / Math.max(1, countTexts(value))));
    const walk: Walk = { variant, findFacts, isValid, maker, room, isKey, isError: status >= 400 };
    const place = { depth: 0, isEnvelope: isEnvelope(value, isKey) };
    return keepValid(walk, schema, value, pushValue(walk, schema, value, place));
  };
}

/** The members by which the path of an operation finds its entities. */
function findKeys({ actions }: ResourceModel, { id }: Operation): ReadonlySet<string> {
  const action = actions.get(id);
  if (!action) return new Set();
  const { resource, parents, within } = action;
  const names = [resource.key, ...resource.parents, ...parents, ...within].map((each) => each?.property);
  return new Set(names.filter((name) => name !== undefined));
}

const ENVELOPE_DEPTH = 3;

/** Whether an object only holds a list: it has one, and no key. */
function isEnvelope(value: unknown, isKey: Walk['isKey'], depth = 1): boolean {
  if (!isMembers(value) || depth > ENVELOPE_DEPTH) return false;
  const names = Object.keys(value);
  if (names.some(isKey)) return false;
  return Object.values(value).some((member) => isItemList(member) || isEnvelope(member, isKey, depth + 1));
}

function isItemList(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 0 || value.some(isMembers));
}

/** Counts the texts in a value, with a stack because a value may be deep. */
function countTexts(value: unknown): number {
  let count = 0;
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') count += 1;
    else if (Array.isArray(next) || isMembers(next)) for (const each of Object.values(next)) stack.push(each);
  }
  return count;
}
