import { createRequire } from 'node:module';
import type { Ajv, AnySchema, ValidateFunction } from 'ajv';
import { hasBig, withBigs } from '../number.ts';
import { compilePattern } from '../pattern/pattern.ts';
import type { Violation } from '../problem.ts';
import { addExactKeyword, toExactSchema } from './exact.ts';
import { toFindings } from './findings.ts';
import { createFollowers } from './followers.ts';
import { FORMATS } from './formats.ts';
import { type Followers, limitErrors, REFERENCE, replaceKeywords } from './keywords.ts';
import { isMarked, isObject, readPointer, type Schema } from './reader.ts';
import { createTwins, type Twins } from './twins.ts';

const require = createRequire(import.meta.url);

/** Checks values against the schemas of one document. Compiled validators live and die with it. */
export interface SchemaChecker {
  /** What is wrong with `value`, a hundred findings at most; empty if nothing is. `location` is put before each place. */
  check(schema: Schema, value: unknown, location: string): Violation[];
}

/** The way that a value goes: a required property need not be in a request if it is readOnly, nor in an answer if writeOnly. */
export type Direction = 'request' | 'answer';

/**
 * A SchemaChecker that compiles each schema when it is first used, and what it refers to when a value comes there: in a big
 * document nearly everything leads to everything. A check takes time linear in the size of the value.
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
  const compile = (schema: unknown) => {
    ajv ??= createAjv(followers, twins);
    return ajv.compile((exact ? toExactSchema(schema) : schema) as AnySchema);
  };
  const validatorOf = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = compile(toDirected(root, schema, hidden));
    compiled.set(schema, validate);
    return validate;
  };
  const targetOf = (reference: string): ValidateFunction => {
    const target = readPointer(root, reference);
    return isObject(target) ? validatorOf(target) : compile(target);
  };
  const followers = createFollowers(targetOf, compile);
  const twins = createTwins();
  return {
    check(schema, value, location) {
      const validate = validatorOf(schema);
      try {
        return validate(value) ? [] : toFindings(validate, location, targetOf);
      } catch (error) {
        // What a value may nest depends on the validators of its schema.
        if (!(error instanceof RangeError && isObject(value))) throw error;
        return [{ location, message: 'must not nest so deeply' }];
      } finally {
        followers.forget();
        twins.forget();
      }
    },
  };
}

/** Ajv is loaded with the first value that is checked. */
function createAjv(followers: Followers, twins: Twins): Ajv {
  const { Ajv } = require('ajv') as typeof import('ajv');
  const regExp = Object.assign((source: string) => compilePattern(source), { code: 'new RegExp' });
  const ajv = new Ajv({
    ...{ allErrors: true, strict: false, logger: false },
    code: { optimize: false, process: limitErrors, regExp },
    // `constructor` is a property like any other, and no object has it by itself.
    ownProperties: true,
    // Schemas do not find each other by ids, and the meta-schema takes longer to compile than most of them.
    ...{ addUsedSchema: false, validateSchema: false, meta: false },
    formats: FORMATS,
  });
  replaceKeywords(ajv, followers, twins);
  return addExactKeyword(ajv);
}

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
