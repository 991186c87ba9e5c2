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
import type { Entity } from '../store/store.ts';
import { hideProperties } from './hide-properties.ts';

/** Generates values that a client may send, the same for the same name. */
export interface Samples {
  /** A valid value for a parameter; `undefined` if none was found. */
  parameter(parameter: HttpParameter, name: string): unknown;
  /** Valid values for a body in one media type: the examples of the document, then a generated one. */
  bodies(content: BodyContent, name: string): unknown[];
  /** A valid body with the properties of an entity, if there is one. */
  like(content: BodyContent, entity: Entity | undefined): unknown[];
}

type BodyContent = NonNullable<HttpBody['contents']>[number];

export function createSamples(root: DocumentRoot, seed: number): Samples {
  const isValid = buildIsValid(root);
  const components = hideProperties(root, root.components, 'readOnly');
  const generate = (schema: Schema, name: string): unknown =>
    generateValue(hideProperties(root, schema, 'readOnly'), {
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
    parameter({ schema, examples = [], content }: ParameterWithContent, name) {
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

function buildIsValid(root: DocumentRoot): (schema: Schema, value: unknown) => boolean {
  const checker = createSchemaChecker(root, 'request');
  return (schema, value) => {
    try {
      return checker.check(schema, value, '').length === 0;
    } catch {
      // The schema does not compile, so no value is known to be valid. The report lists what was skipped for that.
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

function isReadOnly(schema: unknown): boolean {
  return isObject(schema) && schema.readOnly === true;
}
