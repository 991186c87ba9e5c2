import { Problem, toErrorBody } from '../../base/problem.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { type Occurrence, toErrorFacts } from './facts.ts';
import { buildFill, type FillParts } from './fill.ts';
import type { Fill, Filled } from './list.ts';
import { withPlainTexts } from './plain-texts.ts';

/** Writes Problems in the shapes of schemas. */
export interface SchemaFiller {
  /** A valid value; `undefined` if there is none. */
  fill(schema: SchemaNode, problem: Problem, occurrence: Occurrence): unknown;
  /** A value that explains the Problem, for a schema that no value matches. */
  fillInvalid(schema: SchemaNode, problem: Problem, occurrence: Occurrence): unknown;
  /** Whether valid values of a schema explain a Problem. */
  explains(schema: SchemaNode): boolean;
}

const SAMPLE_PROBLEM = new Problem(404, 'not_found', 'There is nothing here.');

export function createSchemaFiller(parts: FillParts): SchemaFiller {
  const fills = new WeakMap<SchemaNode, Fill>();
  // Checks the target of a reference, so that all operations share a validator.
  const isValid = (schema: SchemaNode, value: unknown) =>
    parts.schemas.check(schema.target, value, '').length === 0;
  const fillSchema = (schema: SchemaNode, problem: Problem, occurrence: Occurrence): Filled | undefined => {
    const { target } = schema;
    const fill = fills.get(target) ?? buildFill(parts, target, 'error');
    fills.set(target, fill);
    return fill(toErrorFacts(problem, occurrence));
  };
  const made = new WeakMap<SchemaNode, unknown>();
  /** The last resort: a generated value with the texts of the error. */
  const generate = (schema: SchemaNode, problem: Problem, occurrence: Occurrence): unknown => {
    const { target } = schema;
    const value = made.has(target) ? made.get(target) : parts.generate(target, 'error');
    made.set(target, value);
    const texts = { schemas: parts.schemas, facts: toErrorFacts(problem, occurrence), message: false };
    return value === undefined ? undefined : withPlainTexts(texts, target, value);
  };
  return {
    fill(schema, problem, occurrence) {
      const filled = fillSchema(schema, problem, occurrence);
      const valid = filled && isValid(schema, filled.value) ? filled : undefined;
      if (valid?.says) return valid.value;
      // A schema whose members have no known meaning may allow others.
      const plain = toErrorBody(problem);
      if (isValid(schema, plain)) return plain;
      return valid ? valid.value : generate(schema, problem, occurrence);
    },
    fillInvalid(schema, problem, occurrence) {
      const filled = fillSchema(schema, problem, occurrence);
      return filled?.says ? filled.value : undefined;
    },
    explains(schema) {
      const filled = fillSchema(schema, SAMPLE_PROBLEM, { path: '/', now: 0 });
      return filled?.says === true && isValid(schema, filled.value);
    },
  };
}
