import { createRequire } from 'node:module';
import type { Ajv, AnySchema, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { hasBig, withBigs } from '../number.ts';
import type { Violation } from '../problem.ts';
import { addExactKeyword, toExactSchema } from './exact.ts';
import { isMarked, isObject, readPointer, type Schema } from './schema.ts';

const require = createRequire(import.meta.url);

/** Checks values against the schemas of one document. Compiled validators live and die with it. */
export interface SchemaChecker {
  /** Everything that is wrong with `value`; empty if nothing is. `location` is put before each place. */
  check(schema: Schema, value: unknown, location: string): Violation[];
}

/** The way that a value goes: a required property need not be in a request if it is readOnly, nor in an answer if writeOnly. */
export type Direction = 'request' | 'answer';

/**
 * A SchemaChecker that compiles each schema when it is first used, and what it refers to when a value comes there: in a big
 * document nearly everything leads to everything.
 */
export function createSchemaChecker(root: unknown, direction: Direction): SchemaChecker {
  const usual = createChecker(root, direction, false);
  let exact: SchemaChecker | undefined;
  return {
    check(schema, value, location) {
      if (!hasBig(value)) return usual.check(schema, value, location);
      exact ??= createChecker(root, direction, true);
      return exact.check(schema, withBigs(value), location);
    },
  };
}

/** A SchemaChecker for values without integers beyond 2^53-1, or an `exact` one for values that have them as bigints. */
function createChecker(root: unknown, direction: Direction, exact: boolean): SchemaChecker {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const compiled = new WeakMap<Schema, ValidateFunction>();
  let ajv: Ajv | undefined;
  const compile = (schema: AnySchema) => {
    ajv ??= exact ? addExactKeyword(createAjv(toFollower)) : createAjv(toFollower);
    return ajv.compile(exact ? (toExactSchema(schema) as AnySchema) : schema);
  };

  const validatorOf = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = compile(toDirected(root, schema, hidden) as Schema);
    compiled.set(schema, validate);
    return validate;
  };
  function toFollower(reference: string): SchemaValidateFunction {
    let target: ValidateFunction | undefined;
    const follow: SchemaValidateFunction = (value: unknown, context?: DataValidationCxt) => {
      target ??= toValidator(readPointer(root, reference));
      const valid = target(value, context);
      follow.errors = target.errors ?? [];
      return valid;
    };
    return follow;
  }
  const toValidator = (schema: unknown) =>
    isObject(schema) ? validatorOf(schema) : compile(schema as AnySchema);
  return {
    check(schema, value, location) {
      const validate = validatorOf(schema);
      if (validate(value)) return [];
      const errors = validate.errors ?? [];
      return errors.filter((error) => says(error, errors)).map((error) => toViolation(error, location));
    },
  };
}

/** Ajv is loaded with the first value that is checked. */
function createAjv(follow: (reference: string) => SchemaValidateFunction): Ajv {
  const { Ajv } = require('ajv') as typeof import('ajv');
  const ajv = new Ajv({
    ...{ allErrors: true, strict: false, logger: false, code: { optimize: false } },
    // `constructor` is a property like any other, and no object has it by itself.
    ownProperties: true,
    // Schemas do not find each other by ids, and the meta-schema takes longer to compile than most of them.
    ...{ addUsedSchema: false, validateSchema: false, meta: false },
    formats: fullFormats,
  });
  return ajv.addKeyword({ keyword: REFERENCE, errors: 'full', before: '$ref', compile: follow });
}

/** Stands where the document has `$ref`, which Ajv would follow as soon as it compiles. */
const REFERENCE = 'document:ref';

/** A copy of a schema that does not require what is `hidden` in its direction, and whose references are followed late. */
function toDirected(root: unknown, node: unknown, hidden: string): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => toDirected(root, item, hidden));
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [REFERENCE, value];
      if (key === 'required' && Array.isArray(value)) {
        return [key, value.filter((name) => !isHidden(root, node, String(name), hidden))];
      }
      return [key, toDirected(root, value, hidden)];
    }),
  );
}

function isHidden(root: unknown, schema: object, name: string, hidden: string): boolean {
  const { properties } = schema as { properties?: Record<string, unknown> };
  return isObject(properties) && Object.hasOwn(properties, name) && isMarked(root, properties[name], hidden);
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
