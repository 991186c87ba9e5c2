import type { DocumentRoot } from '../document/document.ts';
import { type Schema, schemaTypes } from '../schema/schema.ts';
import { type Facts, type Kin, toField } from './meaning.ts';

export interface Filled {
  readonly value: unknown;
  /** Whether it says what went wrong. */
  readonly says: boolean;
}

/** Writes facts into the shape of a schema. The value need not hold to all of it. */
export type Fill = (facts: Facts) => Filled | undefined;

/** A list with an error for each violation, or with the one of the whole request where nothing beside it says so. */
export function buildList(
  fill: Fill,
  { minItems, maxItems }: Schema,
  { required, message }: Pick<Kin, 'required' | 'message'>,
): Fill {
  const whole = !message || Number(minItems ?? 0) > 0;
  return (facts) => {
    const { violations } = facts;
    const inside = { ...facts, violations: [] };
    const each = violations.length > 0 ? violations.map((violation) => ({ ...inside, violation })) : [];
    const abouts = each.length === 0 && whole ? [inside] : each;
    const filled = abouts.slice(0, Number(maxItems ?? abouts.length)).map(fill);
    const values = filled.filter((one) => one !== undefined);
    const says = values.some((one) => one.says);
    if (values.length < filled.length || !(required || says)) return undefined;
    return { value: values.map(({ value }) => value), says };
  };
}

/** An object with the messages of each field. */
export function buildMap(root: DocumentRoot, { additionalProperties }: Schema, { required }: Kin): Fill {
  const single = schemaTypes(root, additionalProperties).includes('string');
  return ({ violations }) => {
    if (violations.length === 0) return required ? { value: {}, says: false } : undefined;
    const byField = new Map<string, string[]>();
    for (const violation of violations) {
      const field = toField(violation);
      const messages = byField.get(field) ?? [];
      byField.set(field, messages);
      messages.push(violation.message);
    }
    const entries = [...byField].map(([field, messages]): [string, unknown] => [
      field,
      single ? messages.join('; ') : messages,
    ]);
    return { value: Object.fromEntries(entries), says: true };
  };
}
