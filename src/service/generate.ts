import { generateValue } from '../generate/generate.ts';
import type { SchemaChecker, SchemaNode } from '../schema/schema.ts';

/** Generates a value for a schema, the same for the same name; `undefined` if it finds none. */
export type Generate = (schema: SchemaNode, name: string, options?: GenerateOptions) => unknown;

interface GenerateOptions {
  /** Whether the document's examples may be used; true by default. */
  readonly examples?: boolean;
  /** Whether a value will do; by default one that the schema allows. */
  readonly isValid?: (value: unknown) => boolean;
}

/** The parts of a service that values are generated from. */
interface GenerateParts {
  readonly schemas: SchemaChecker;
  /** The target of `#/components/...` references. */
  readonly components: object;
  readonly seed: number;
}

/** Builds the generator of a service. Where a whole value fails, it generates each property by itself. */
export function buildGenerate({ schemas, components, seed }: GenerateParts): Generate {
  const holds = (schema: SchemaNode, value: unknown) => schemas.check(schema, value, '').length === 0;
  const generateWhole: Generate = (schema, name, { examples = true, isValid } = {}) =>
    generateValue(schema.definition, {
      examples,
      seed: `${seed} ${name}`,
      components,
      isValid: isValid ?? ((value) => holds(schema, value)),
    });
  const generateMember = (schema: SchemaNode, name: string): unknown =>
    exampleOf(schema, (value) => holds(schema, value)) ??
    generateWhole(schema, name) ??
    SIMPLE_TEXTS.find((text) => holds(schema, text)) ??
    generateByMember(schema, name);
  const generateByMember = (schema: SchemaNode, name: string): unknown => {
    if (!schema.types.includes('object') && schema.properties.size === 0) return undefined;
    const made = [...schema.properties].map(
      ([property, member]) => [property, generateMember(member, `${name} ${property}`)] as const,
    );
    return Object.fromEntries(made.filter(([, value]) => value !== undefined));
  };
  return (schema, name, options = {}) => {
    const whole = generateWhole(schema, name, options);
    if (whole !== undefined) return whole;
    const { isValid = (value: unknown) => holds(schema, value) } = options;
    const assembled = generateByMember(schema, name);
    return assembled !== undefined && isValid(assembled) ? assembled : undefined;
  };
}

/** Texts that fit many patterns which no generator can read. */
const SIMPLE_TEXTS = [
  'Text',
  'text',
  'TEXT',
  'Some text',
  'a',
  'A',
  '1',
  '12',
  '1234',
  '12345678',
  'Text1234!',
  'a-b',
  'a_b',
];

function exampleOf({ keywords }: SchemaNode, isValid: (value: unknown) => boolean): unknown {
  const { examples, default: usual } = keywords;
  return [...(Array.isArray(examples) ? examples : []), usual].find(
    (value) => value !== undefined && isValid(value),
  );
}
