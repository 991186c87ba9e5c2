import { once } from '../../base/once.ts';
import type { Document, HttpParameter } from '../../document/document.ts';
import type { DeclaredContent } from '../../model/operations/operations.ts';
import { isOpenSchema } from '../../model/resources/resources.ts';
import { createWork, generateValue } from '../../schema/generate/generate.ts';
import { createSchemaChecker, type Schema, type SchemaNode, type SchemaReader } from '../../schema/schema.ts';
import type { Entity } from '../../state/store/store.ts';
import { isForm, toMediaType } from '../../wire/codecs/codecs.ts';
import { hideProperties } from './hide-properties.ts';
import { hasNull, withoutNullMembers, withoutNullType } from './without-null.ts';

/** Generates values that a client may send, the same for the same name. */
export interface Samples {
  /** A valid value for a parameter; `undefined` if none was found. */
  parameter(parameter: HttpParameter, name: string): unknown;
  /** Valid values for a body in one media type: the examples of the document, then a generated one. */
  bodies(content: DeclaredContent, name: string): unknown[];
  /** A valid body with the properties of an entity, if there is one. */
  like(content: DeclaredContent, entity: Entity | undefined): unknown[];
}

export function createSamples({ root, reader }: Document, seed: number): Samples {
  const isValid = buildIsValid(reader);
  const { generate, generateText } = buildSampleGenerators({ root, reader }, seed, isValid);
  return {
    like({ schema, mediaType }, entity) {
      if (!schema || !entity) return [];
      const taken = Object.entries(entity).filter(
        ([name]) => schema.properties.get(name)?.isMarked('readOnly') === false,
      );
      const value = toWritable(mediaType, Object.fromEntries(taken));
      return taken.length > 0 && isValid(schema, value) ? [value] : [];
    },
    parameter({ schema: declared, examples = [], content }: ParameterWithContent, name) {
      if (!declared) return content && sampleContent(content, (inner) => generate(reader.read(inner), name));
      const schema = reader.read(declared);
      const given = examples.map((node) => (reader.resolve(node) as { value?: unknown }).value);
      const example = given.find((value) => value !== undefined && !hasNull(value) && isValid(schema, value));
      return example ?? generateText(schema, name);
    },
    bodies(content, name) {
      const { schema, mediaType } = content;
      const examples = content.examples.map(({ value }) => toWritable(mediaType, value));
      if (!schema) return examples;
      const valid = examples.filter((value) => isValid(schema, value));
      // An object suits every action.
      const wanted = isOpenSchema(schema) ? schema.derive({ ...schema.keywords, type: 'object' }) : schema;
      const generated = (isFormType(mediaType) ? generateText : generate)(wanted, name);
      return generated === undefined ? valid : [...valid, generated];
    },
  };
}

type IsValid = (schema: SchemaNode, value: unknown) => boolean;

/** Builds two generators: of any values, and of values that a text can hold, which are never null. */
function buildSampleGenerators(
  { root, reader }: Pick<Document, 'root' | 'reader'>,
  seed: number,
  isValid: IsValid,
) {
  const components = hideProperties(reader, root.components, 'readOnly');
  const textComponents = once(() => withoutNullType(components));
  const sizeOf = (schema: unknown) => reader.read(schema).size;
  return {
    generate: (schema: SchemaNode, name: string): unknown =>
      generateValue(hideProperties(reader, schema.definition, 'readOnly'), {
        ...{ seed: `${seed} check ${name}`, components, sizeOf, work: createWork() },
        isValid: (value) => isValid(schema, value),
      }),
    generateText: (schema: SchemaNode, name: string): unknown =>
      generateValue(withoutNullType(hideProperties(reader, schema.definition, 'readOnly')), {
        ...{ seed: `${seed} check ${name}`, components: textComponents(), sizeOf, work: createWork() },
        isValid: (value) => !hasNull(value) && isValid(schema, value),
      }),
  };
}

/** The value that a body can hold: a form leaves out null members. */
function toWritable(mediaType: string, value: unknown): unknown {
  return isFormType(mediaType) ? withoutNullMembers(value) : value;
}

function isFormType(mediaType: string): boolean {
  return isForm(toMediaType(mediaType) ?? '');
}

function buildIsValid(reader: SchemaReader): IsValid {
  const checker = createSchemaChecker(reader, 'request');
  return (schema, value) => {
    try {
      return checker.check(schema, value, '').length === 0;
    } catch {
      // The schema does not compile, so no value is known to be valid. The report lists what it skipped for that reason.
      return false;
    }
  };
}

/** A parameter may have `content` in place of a schema. The conversion leaves it unchanged. */
type ParameterWithContent = HttpParameter & {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
};

/** Samples a parameter with `content`, which is JSON. */
function sampleContent(
  content: NonNullable<ParameterWithContent['content']>,
  generate: (schema: Schema) => unknown,
): string | undefined {
  const [media] = Object.values(content);
  const value = media?.schema && generate(media.schema);
  return value === undefined ? undefined : JSON.stringify(value);
}
