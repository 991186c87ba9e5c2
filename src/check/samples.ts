import type { DocumentRoot, HttpBody, HttpParameter } from '../document/document.ts';
import { generateValue } from '../generate/generate.ts';
import { examplesOf } from '../operations/operations.ts';
import {
  createSchemaChecker,
  isObject,
  resolveReference,
  type Schema,
  schemaProperties,
} from '../schema/schema.ts';
import type { Entity } from './answer.ts';
import { toDirected } from './directed.ts';

/** Values that a client may send, the same for the same name. */
export interface Samples {
  /** A valid value of a parameter; `undefined` if none was found. */
  parameter(parameter: HttpParameter, name: string): unknown;
  /** Valid values of a body in one of its media types: the document's examples, then a generated one. */
  bodies(content: BodyContent, name: string): unknown[];
  /** A valid body that says what an entity says, if there is one. */
  like(content: BodyContent, entity: Entity | undefined): unknown[];
}

export type BodyContent = NonNullable<HttpBody['contents']>[number];

export function createSamples(root: DocumentRoot, seed: number): Samples {
  const checker = createSchemaChecker(root, 'request');
  const components = toDirected(root, root.components, 'readOnly');
  const isValid = (schema: Schema, value: unknown) => {
    try {
      return checker.check(schema, value, '').length === 0;
    } catch {
      // A schema that cannot be compiled: then nothing is known to be valid, and the report says what was not asked.
      return false;
    }
  };
  const generate = (schema: Schema, name: string): unknown =>
    generateValue(toDirected(root, schema, 'readOnly'), {
      seed: `${seed} check ${name}`,
      components,
      isValid: (value) => isValid(schema, value),
    });
  return {
    like({ schema }, entity) {
      if (!schema || !entity) return [];
      const properties = schemaProperties(root, schema);
      const taken = Object.entries(entity).filter(
        ([name]) => properties.has(name) && !isReadOnly(resolveReference(root, properties.get(name))),
      );
      const value = Object.fromEntries(taken);
      return taken.length > 0 && isValid(schema, value) ? [value] : [];
    },
    parameter({ schema, examples = [], content }: Declared, name) {
      if (!schema) return content && sampleContent(content, (inner) => generate(inner, name));
      const given = examples.map((node) => (resolveReference(root, node) as { value?: unknown }).value);
      const example = given.find((value) => value !== undefined && isValid(schema, value));
      return example ?? generate(schema, name);
    },
    bodies(content, name) {
      const { schema } = content;
      const examples = examplesOf(root, content).map(({ value }) => value);
      if (!schema) return examples;
      const valid = examples.filter((value) => isValid(schema, value));
      const generated = generate(schema, name);
      return generated === undefined ? valid : [...valid, generated];
    },
  };
}

/** A parameter may have a `content` in place of a schema, which is left as the document has it. */
type Declared = HttpParameter & { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };

/** The text of a parameter that is written in a media type, which is JSON. */
function sampleContent(
  content: NonNullable<Declared['content']>,
  generate: (schema: Schema) => unknown,
): string | undefined {
  const [media] = Object.values(content);
  const value = media?.schema && generate(media.schema);
  return value === undefined ? undefined : JSON.stringify(value);
}

function isReadOnly(schema: unknown): boolean {
  return isObject(schema) && schema.readOnly === true;
}
