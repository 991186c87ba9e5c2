import { answerTooLarge, createWork, generateValue, type Work } from '../../schema/generate/generate.ts';
import type { SchemaChecker, SchemaNode } from '../../schema/schema.ts';
import { type Realism, withRealisticValues } from '../../state/seeding/seeding.ts';
import { generateByMember } from './generate-by-member.ts';

/**
 * Generates a value for a schema, the same for the same name; `undefined` if it finds none. Throws a 500 Problem if even the smallest
 * one is too large for an answer.
 */
export type Generate = (schema: SchemaNode, name: string, options?: GenerateChoices) => unknown;

interface GenerateChoices {
  /** Whether the document's examples may be used; true by default. */
  readonly examples?: boolean;
  /** Whether a value will do; by default one that the schema allows. */
  readonly isValid?: (value: unknown) => boolean;
  /** The word for the value: `pet`. By default the name of its component. */
  readonly owner?: string;
}

/** The parts of a service that values are generated from. */
interface GenerateParts {
  readonly schemas: SchemaChecker;
  /** The target of `#/components/...` references. */
  readonly components: object;
  readonly seed: number;
  /** The year in which the service was built: dates do not change while it runs. */
  readonly year: number;
  /** Makes values realistic; it must be loaded then. Without it, texts are plain words. */
  readonly realism?: Realism;
}

/** Builds the generator of a service. Where a whole value fails, it generates each property by itself. */
export function buildGenerate({ schemas, components, seed, year, realism }: GenerateParts): Generate {
  const holds = (schema: SchemaNode, value: unknown) => schemas.check(schema, value, '').length === 0;
  const generateWhole = (schema: SchemaNode, name: string, work: Work, options: GenerateChoices = {}) =>
    generateValue(schema.definition, {
      work,
      examples: options.examples ?? true,
      year,
      seed: `${seed} ${name}`,
      components,
      isValid: options.isValid ?? ((value) => holds(schema, value)),
      sizeOf: (each: unknown) => schema.derive(each).size,
    });
  const generateMember = (schema: SchemaNode, name: string, work: Work): unknown =>
    exampleOf(schema, (value) => holds(schema, value)) ??
    generateWhole(schema, name, work) ??
    SIMPLE_TEXTS.find((text) => holds(schema, text));
  return (schema, name, options = {}) => {
    if (schema.size.isTooLarge) throw answerTooLarge();
    const { isValid = (value: unknown) => holds(schema, value) } = options;
    const work = createWork();
    const whole = generateWhole(schema, name, work, options);
    const make = (member: SchemaNode, own: string) => generateMember(member, own, work);
    const found = whole ?? generateByMember({ make }, schema, name);
    if (found === undefined || !(whole !== undefined || isValid(found))) {
      if (work.left <= 0) throw answerTooLarge();
      return undefined;
    }
    if (!realism) return found;
    const owner = options.owner ?? componentOf(schema);
    return withRealisticValues(realism.generate, { schema, owner, seed: `${seed} ${name}`, isValid }, found);
  };
}

/** A generator for parts that an answer can do without: `undefined` where a value would be too large. */
export function toSpareGenerate(generate: Generate): Generate {
  return (schema, name, options) => (schema.size.isTooLarge ? undefined : generate(schema, name, options));
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

/** The name of the component of a schema; empty for any other. */
function componentOf({ keywords: { key } }: SchemaNode): string {
  return typeof key === 'string' ? key : '';
}

function exampleOf({ keywords }: SchemaNode, isValid: (value: unknown) => boolean): unknown {
  const { examples, default: usual } = keywords;
  return [...(Array.isArray(examples) ? examples : []), usual].find(
    (value) => value !== undefined && isValid(value),
  );
}
