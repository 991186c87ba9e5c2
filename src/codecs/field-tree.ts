import type { Shape } from '../schema/schema.ts';
import { toScalar } from '../schema/schema.ts';
import { readJson } from './exact-json.ts';

/** A field of a query or form with what is given below it: `a=1`, `a[b]=1`, `a[]=1`, `a[0][b]=1`. */
export interface Field {
  /** The texts that are given for the field itself. */
  readonly texts: string[];
  readonly members: Map<string, Field>;
}

/** How deep brackets may nest. Far beyond any real field, well inside the call stack. */
const DEPTH_LIMIT = 50;

export function createField(): Field {
  return { texts: [], members: new Map() };
}

/**
 * Adds a text at a place below a field. `place` is the rest of a field's name, such as `[b][c]`; false where it is no such
 * place.
 */
export function addField(field: Field, place: string, text: string): boolean {
  const steps = toSteps(place);
  if (!steps) return false;
  let current = field;
  for (const step of steps) {
    // `a[][b]=1&a[][b]=2` begins another item at each `[]`.
    const key = step === '' && steps.at(-1) !== step ? String(current.members.size) : step;
    const next = current.members.get(key) ?? createField();
    current.members.set(key, next);
    current = next;
  }
  current.texts.push(text);
  return true;
}

/** `[b][c]` → `b`, `c`. One pass, whatever a client sends. */
function toSteps(place: string): string[] | undefined {
  const steps: string[] = [];
  let at = 0;
  while (at < place.length) {
    const end = place[at] === '[' ? place.indexOf(']', at) : -1;
    if (end < 0 || steps.length === DEPTH_LIMIT) return undefined;
    steps.push(place.slice(at + 1, end));
    at = end + 1;
  }
  return steps;
}

/** The typed value of a field. What does not fit the shape is left as it came, for the schema to refuse. */
export function toFieldValue({ texts, members }: Field, shape: Shape): unknown {
  if (members.size === 0) return toTextsValue(texts, shape);
  if (isList(members, shape)) {
    const items = [...members].sort(([a], [b]) => Number(a) - Number(b));
    const values = items.flatMap(([, item]) =>
      item.members.size === 0
        ? item.texts.map((text) => toTextValue(text, shape.items()))
        : [toFieldValue(item, shape.items())],
    );
    return [...texts.map((text) => toTextValue(text, shape.items())), ...values];
  }
  // Assigning would give a member named `__proto__` a meaning.
  return Object.fromEntries(
    [...members].map(([name, member]) => [name, toFieldValue(member, shape.member(name))]),
  );
}

function isList(members: ReadonlyMap<string, Field>, { types }: Shape): boolean {
  if (types.includes('object')) return false;
  return [...members.keys()].every((key) => /^\d{0,9}$/.test(key));
}

function toTextsValue(texts: readonly string[], shape: Shape): unknown {
  const [only] = texts;
  const list = shape.types.includes('array') && (texts.length > 1 || shape.scalars.length === 0);
  if (!list && texts.length === 1 && only !== undefined) return toTextValue(only, shape);
  if (list && texts.length === 1 && only?.startsWith('[')) {
    const parsed = parseJson(only, shape);
    if (Array.isArray(parsed)) return parsed;
  }
  return texts.map((text) => toTextValue(text, shape.types.includes('array') ? shape.items() : shape));
}

/** The typed value of one text; an object or list as JSON. */
export function toTextValue(text: string, shape: Shape): unknown {
  const { types, scalars } = shape;
  if (scalars.length > 0) return toScalar(scalars, text);
  if ((types.includes('object') || types.includes('array')) && /^\s*[[{]/.test(text)) {
    return parseJson(text, shape) ?? text;
  }
  return text;
}

/** The value of a JSON text; `undefined` for any other text, and for one that cannot be taken as it is. */
function parseJson(text: string, shape: Shape): unknown {
  try {
    const reading = readJson(text, shape, '');
    return 'value' in reading ? reading.value : undefined;
  } catch {
    return undefined;
  }
}
