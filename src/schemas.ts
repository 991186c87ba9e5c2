import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { DocumentRoot } from './document.ts';
import type { Violation } from './problem.ts';
import type { Schema } from './schema.ts';

/** Checks values against the schemas of one document. Compiled validators live and die with it. */
export interface SchemaChecker {
  /** Everything that is wrong with `value`; empty if nothing is. `location` is put before each place. */
  check(schema: Schema, value: unknown, location: string): Violation[];
}

/** The way that a value goes: a required property need not be in a request if it is readOnly, nor in an answer if writeOnly. */
export type Direction = 'request' | 'answer';

/** A SchemaChecker that compiles each schema when it is first used. */
export function createSchemaChecker(root: DocumentRoot, direction: Direction): SchemaChecker {
  const withRoot = (node: unknown) => toDirected(node, direction === 'request' ? 'readOnly' : 'writeOnly');
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false });
  addFormats.default(ajv);
  // Every schema is compiled inside one root, under an id of its own, so that its `#/components/...` resolve.
  ajv.addSchema({ $id: ROOT_ID, components: withRoot(root.components) });
  const compiled = new WeakMap<Schema, ValidateFunction>();

  const validatorOf = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = ajv.compile(withRoot(schema) as Schema);
    compiled.set(schema, validate);
    return validate;
  };
  return {
    check(schema, value, location) {
      const validate = validatorOf(schema);
      if (validate(value)) return [];
      const errors = validate.errors ?? [];
      return errors.filter((error) => says(error, errors)).map((error) => toViolation(error, location));
    },
  };
}

const ROOT_ID = 'document:';

/** A copy of a schema that does not require what is `hidden` in its direction, and whose references point into the root. */
function toDirected(node: unknown, hidden: string): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => toDirected(item, hidden));
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [key, ROOT_ID + value];
      if (key === 'required' && Array.isArray(value)) {
        return [key, value.filter((name) => !isHidden(node, String(name), hidden))];
      }
      return [key, toDirected(value, hidden)];
    }),
  );
}

function isHidden(schema: object, name: string, hidden: string): boolean {
  const { properties } = schema as { properties?: Record<string, Record<string, unknown> | undefined> };
  return properties?.[name]?.[hidden] === true;
}

/**
 * Whether an error says something that no other one does. Combiners only repeat that a part of them failed, and a format
 * that a value of the wrong type cannot have is not its trouble.
 */
function says({ keyword, instancePath }: ErrorObject, all: readonly ErrorObject[]): boolean {
  if (keyword === 'allOf' || keyword === 'if') return false;
  return (
    keyword !== 'format' ||
    !all.some((other) => other.keyword === 'type' && other.instancePath === instancePath)
  );
}

function toViolation(error: ErrorObject, location: string): Violation {
  const place = location + error.instancePath.split('/').slice(1).map(toStep).join('');
  const explain = EXPLANATIONS[error.keyword];
  const explained = explain?.(error.params);
  return explained
    ? { location: place + toStep(explained.step ?? ''), message: explained.message }
    : { location: place, message: error.message ?? `breaks "${error.keyword}"` };
}

interface Explanation {
  /** A member below the place that the error is about. */
  readonly step?: string;
  readonly message: string;
}

const EXPLANATIONS: Readonly<Record<string, (params: Record<string, unknown>) => Explanation>> = {
  required: ({ missingProperty }) => ({ step: String(missingProperty), message: 'is required' }),
  additionalProperties: ({ additionalProperty }) => ({
    step: String(additionalProperty),
    message: 'is not allowed here',
  }),
  enum: ({ allowedValues }) => ({
    message: `must be one of ${(allowedValues as unknown[]).map(String).join(', ')}`,
  }),
  type: ({ type }) => ({ message: `must be ${Array.isArray(type) ? type.join(' or ') : String(type)}` }),
  format: ({ format }) => ({ message: `must be a valid ${String(format)}` }),
};

/** `/a~1b` → `.a/b`, `/0` → `[0]`, nothing → nothing */
function toStep(token: string): string {
  if (token === '') return '';
  if (/^\d+$/.test(token)) return `[${token}]`;
  return `.${token.replaceAll('~1', '/').replaceAll('~0', '~')}`;
}
