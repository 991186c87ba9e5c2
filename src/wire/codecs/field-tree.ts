import { LIMITS } from '../../base/limits.ts';
import type { Shape } from '../../schema/schema.ts';
import { toScalar } from '../../schema/schema.ts';
import { readJson } from './exact-json.ts';

/** A field of a query or form with its members: `a=1`, `a[b]=1`, `a[]=1`, `a[0][b]=1`. */
export interface Field {
  /** The texts of the field itself. */
  readonly texts: string[];
  readonly members: Map<string, Field>;
}

export function createField(): Field {
  return { texts: [], members: new Map() };
}

/** Adds a text to a member of a field. `brackets` is the rest of its name, such as `[b][c]`. Returns false if malformed. */
export function addField(field: Field, brackets: string, text: string): boolean {
  const steps = splitBrackets(brackets);
  if (!steps) return false;
  let current = field;
  for (const step of steps) {
    // `a[][b]=1&a[][b]=2` starts another item at each `[]`.
    const key = step === '' && steps.at(-1) !== step ? String(current.members.size) : step;
    current = fieldOf(current.members, key);
  }
  current.texts.push(text);
  return true;
}

/** The field of a name, added if it is missing. */
export function fieldOf(fields: Map<string, Field>, name: string): Field {
  const field = fields.get(name) ?? createField();
  fields.set(name, field);
  return field;
}

/** `[b][c]` → `b`, `c`, in one pass. */
function splitBrackets(brackets: string): string[] | undefined {
  const steps: string[] = [];
  let at = 0;
  while (at < brackets.length) {
    const end = brackets[at] === '[' ? brackets.indexOf(']', at) : -1;
    if (end < 0 || steps.length === LIMITS.fieldDepth.value) return undefined;
    steps.push(brackets.slice(at + 1, end));
    at = end + 1;
  }
  return steps;
}

/** The typed value of a field. Leaves texts that do not fit the shape as they are, for the schema to refuse. */
export function toFieldValue({ texts, members }: Field, shape: Shape): unknown {
  if (members.size === 0) return toTextsValue(texts, shape);
  if (hasListIndexes(members, shape)) {
    const items = [...members].sort(([a], [b]) => Number(a) - Number(b));
    const values = items.flatMap(([, item]) =>
      item.members.size === 0
        ? item.texts.map((text) => toTextValue(text, shape.items()))
        : [toFieldValue(item, shape.items())],
    );
    return [...texts.map((text) => toTextValue(text, shape.items())), ...values];
  }
  // Assignment would set the prototype for a member named `__proto__`.
  return Object.fromEntries(
    [...members].map(([name, member]) => [name, toFieldValue(member, shape.member(name))]),
  );
}

function hasListIndexes(members: ReadonlyMap<string, Field>, { types }: Shape): boolean {
  if (types.includes('object')) return false;
  return [...members.keys()].every((key) => /^\d{0,9}$/.test(key));
}

function toTextsValue(texts: readonly string[], shape: Shape): unknown {
  const [only] = texts;
  const list = shape.types.includes('array') && (texts.length > 1 || shape.scalars.length === 0);
  if (!list && texts.length === 1 && only !== undefined) return toTextValue(only, shape);
  if (list && texts.length === 1 && only?.startsWith('[')) {
    const parsed = tryReadJson(only, shape);
    if (Array.isArray(parsed)) return parsed;
  }
  return texts.map((text) => toTextValue(text, shape.types.includes('array') ? shape.items() : shape));
}

/** The typed value of one text. Reads an object or list as JSON. */
export function toTextValue(text: string, shape: Shape): unknown {
  const { types, scalars } = shape;
  if (scalars.length > 0) return toScalar(scalars, text);
  if ((types.includes('object') || types.includes('array')) && /^\s*[[{]/.test(text)) {
    return tryReadJson(text, shape) ?? text;
  }
  return text;
}

/** The value of a JSON text; `undefined` if it is malformed or refused. */
function tryReadJson(text: string, shape: Shape): unknown {
  try {
    const reading = readJson(text, shape, '');
    return 'value' in reading ? reading.value : undefined;
  } catch {
    return undefined;
  }
}
