import { createRequire } from 'node:module';
import type { Ajv, AnySchema, ValidateFunction } from 'ajv';
import { hasBig, withBigs } from '../base/number.ts';
import { once } from '../base/once.ts';
import { compilePattern } from '../base/pattern/pattern.ts';
import type { Violation } from '../base/problem.ts';
import { addExactKeyword, toExactSchema } from './exact.ts';
import { toFindings } from './findings.ts';
import { createFollowers } from './followers.ts';
import { loadFormatChecks } from './formats.ts';
import { type Followers, limitErrors, REFERENCE, replaceKeywords } from './keywords.ts';
import type { DirectionMark } from './marks.ts';
import type { Schema, SchemaNode, SchemaReader } from './reader.ts';
import { isObject } from './reference.ts';
import { createTwins, type Twins } from './twins.ts';

const require = createRequire(import.meta.url);

/** Checks values against the schemas of one document. Owns the compiled validators. */
export interface SchemaChecker {
  /** Returns the violations of `value`, a hundred at most. Their locations begin with `location`. */
  check(schema: SchemaNode, value: unknown, location: string): Violation[];
}

/** A request may omit a required readOnly property, an answer a required writeOnly one. */
type Direction = 'request' | 'answer';

/**
 * Compiles each schema when it is first used, and the target of each reference when a value first reaches it: in a big document
 * nearly everything refers to everything. A check takes time linear in the size of the value.
 */
export function createSchemaChecker(reader: SchemaReader, direction: Direction): SchemaChecker {
  const usual = createChecker(reader, direction, false);
  const exact = once(() => createChecker(reader, direction, true));
  return {
    check(schema, value, location) {
      if (!hasBig(value)) return usual.check(schema, value, location);
      return exact().check(schema, withBigs(value), location);
    },
  };
}

/** An `exact` checker takes values with bigints for the integers beyond 2^53-1; any other takes values without such integers. */
function createChecker(reader: SchemaReader, direction: Direction, exact: boolean): SchemaChecker {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  const compiled = new WeakMap<Schema, ValidateFunction>();
  const ajv = once(() => createAjv(followers, twins));
  const compile = (schema: unknown) => ajv().compile((exact ? toExactSchema(schema) : schema) as AnySchema);
  const validatorOf = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const validate = compile(toCheckable(reader, schema, hidden));
    compiled.set(schema, validate);
    return validate;
  };
  const targetOf = (reference: string): ValidateFunction => {
    const target = reader.at(reference);
    return isObject(target) ? validatorOf(target) : compile(target);
  };
  const followers = createFollowers(targetOf, compile);
  const twins = createTwins();
  return {
    check(schema, value, location) {
      const validate = validatorOf(schema.definition);
      try {
        return validate(value) ? [] : toFindings(validate, location, targetOf);
      } catch (error) {
        // The depth that overflows the call stack depends on the validators.
        if (!(error instanceof RangeError && isObject(value))) throw error;
        return [{ location, message: 'must not nest so deeply', code: 'nesting-deep' }];
      } finally {
        followers.forget();
        twins.forget();
      }
    },
  };
}

/** Loads Ajv, which takes long, with the first value that is checked. */
function createAjv(followers: Followers, twins: Twins): Ajv {
  const { Ajv, _ } = require('ajv') as typeof import('ajv');
  const regExp = Object.assign((source: string) => compilePattern(source), { code: 'new RegExp' });
  const ajv = new Ajv({
    ...{ allErrors: true, strict: false, logger: false },
    code: { optimize: false, process: limitErrors, regExp },
    // Treats `constructor` as a property like any other.
    ownProperties: true,
    // Schemas never refer to each other by id, and the meta-schema takes longer to compile than most of them.
    ...{ addUsedSchema: false, validateSchema: false, meta: false },
    formats: loadFormatChecks(),
  });
  replaceKeywords(ajv, _, followers, twins);
  return addExactKeyword(ajv);
}

/** A copy of a schema that does not require `hidden` properties, with `REFERENCE` in place of each `$ref`. */
function toCheckable(
  reader: SchemaReader,
  node: unknown,
  hidden: DirectionMark,
  around: readonly string[] = [],
): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => toCheckable(reader, item, hidden, around));
  const omitted = 'required' in node || 'allOf' in node ? [...around, ...hiddenIn(reader, node, hidden)] : [];
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [REFERENCE, value];
      if (key === 'required' && Array.isArray(value))
        return [key, value.filter((name) => !omitted.includes(String(name)))];
      // A part may require what another part declares.
      return [key, toCheckable(reader, value, hidden, key === 'allOf' ? omitted : [])];
    }),
  );
}

function hiddenIn(reader: SchemaReader, node: object, hidden: DirectionMark): string[] {
  return [...reader.read(node).properties].flatMap(([name, member]) =>
    member.isMarked(hidden) ? [name] : [],
  );
}
