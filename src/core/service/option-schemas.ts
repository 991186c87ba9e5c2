/** A JSON schema of an option, as the config file has it. */
export type OptionSchema = Readonly<Record<string, unknown>>;

export const TEXT: OptionSchema = { type: 'string', minLength: 1 };
export const TRUTH: OptionSchema = { type: 'boolean' };

export function toIntegerSchema(minimum: number, maximum: number): OptionSchema {
  return { type: 'integer', minimum, maximum };
}

export function toChoice(words: readonly string[]): OptionSchema {
  return { enum: words };
}

export function toMapping(value: OptionSchema): OptionSchema {
  return { type: 'object', additionalProperties: value };
}

/** The schema of an object that has no other members. */
export function toObjectSchema(
  members: Readonly<Record<string, { readonly schema: OptionSchema }>>,
  required: readonly string[] = [],
): OptionSchema {
  const properties = Object.entries(members).map(([name, { schema }]) => [name, schema]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
