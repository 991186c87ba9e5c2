import { isInt64, readInteger } from '../../base/number.ts';
import { createRandom, generateValue, type Random } from '../../schema/generate/generate.ts';
import type { Schema, SchemaChecker, SchemaNode } from '../../schema/schema.ts';

interface TextKeyOptions {
  /** The schema of the key. */
  readonly schema: SchemaNode | undefined;
  /** The schema of the path parameter that names an item, if any. */
  readonly named: SchemaNode | undefined;
  /** Different for each key. */
  readonly number: number;
  /** The same seed gives the same key. */
  readonly seed: string;
  readonly isValid: (key: unknown) => boolean;
  /** Whether no entity has or had the key. */
  readonly isFree: (key: string) => boolean;
}

/** Generates a key that fits its schema: a number, a variation of the example, a UUID, or a text by pattern and length. */
export function generateTextKey(options: TextKeyOptions): string | undefined {
  const { named, number, seed, isValid, isFree } = options;
  // The property's own constraints win over those of the path parameter.
  const schema = { ...named?.keywords, ...options.schema?.keywords };
  const random = createRandom(`${seed} key`);
  const uuid = toUuid(random);
  const plain = schema.format === undefined && schema.pattern === undefined;
  const likely = takesInteger(named) ? [String(number)] : [];
  const others = plain ? [...likeExample(schema, random), uuid, uuid.slice(0, 8)] : [uuid];
  const found = [...likely, ...others].find((key) => isValid(key) && isFree(key));
  if (found !== undefined) return found;
  // A key that no URL can hold.
  if ([options.schema, named].some((each) => each?.size.isTooLarge)) return undefined;
  const value = generateValue(
    { ...schema, type: 'string' },
    { seed, components: {}, isValid, examples: false },
  );
  return typeof value === 'string' && value !== '' && isFree(value) ? value : undefined;
}

/** Checks a text key against its own schema and that of the path parameter. */
export function toKeyCheck(
  schemas: SchemaChecker,
  schema: SchemaNode | undefined,
  named: SchemaNode | undefined,
): (value: unknown) => boolean {
  const holds = (to: SchemaNode, value: unknown) => schemas.check(to, value, '').length === 0;
  return (value) => {
    if (schema && !holds(schema, value)) return false;
    if (!named) return true;
    if (!takesInteger(named)) return holds(named, value);
    const number = readInteger(String(value));
    return number !== undefined && isInt64(number) && holds(named, number);
  };
}

function takesInteger(schema: SchemaNode | undefined): boolean {
  return schema?.types.includes('integer') ?? false;
}

/** The example with other digits, if it has any. */
function likeExample({ examples }: Schema, random: Random): string[] {
  const [example] = Array.isArray(examples) ? examples : [];
  if (typeof example !== 'string' || !/\d/.test(example) || UUID.test(example)) return [];
  return [example.replace(/\d/g, () => String(1 + Math.floor(random() * 9)))];
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A UUID of version 4 (RFC 9562 section 5.4). */
function toUuid(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (mark) => {
    const digit = Math.floor(random() * 16);
    return (mark === 'x' ? digit : (digit & 3) | 8).toString(16);
  });
}
