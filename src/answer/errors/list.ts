import type { SchemaNode } from '../../schema/schema.ts';
import { type Facts, toField } from './facts.ts';
import type { Kin } from './meaning.ts';

export interface Filled {
  readonly value: unknown;
  /** Whether it explains the error. */
  readonly says: boolean;
}

/** Writes facts into the shape of a schema. The value may still be invalid. */
export type Fill = (facts: Facts) => Filled | undefined;

/** A list with an error for each violation, or with one for the whole request if no sibling has the message. */
export function buildErrorList(
  fill: Fill,
  { keywords: { minItems, maxItems } }: SchemaNode,
  { required, message }: Pick<Kin, 'required' | 'message'>,
): Fill {
  const whole = !message || Number(minItems ?? 0) > 0;
  return (facts) => {
    const { violations } = facts;
    const ofItem = { ...facts, violations: [] };
    const each = violations.length > 0 ? violations.map((violation) => ({ ...ofItem, violation })) : [];
    const abouts = each.length === 0 && whole ? [ofItem] : each;
    const filled = abouts.slice(0, Number(maxItems ?? abouts.length)).map(fill);
    const values = filled.filter((one) => one !== undefined);
    const says = values.some((one) => one.says);
    if (values.length < filled.length || !(required || says)) return undefined;
    return { value: values.map(({ value }) => value), says };
  };
}

/** An object with the messages of each field. */
export function buildFieldMap({ additionalProperties }: SchemaNode, { required }: Kin): Fill {
  const single = additionalProperties?.types.includes('string') ?? false;
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
