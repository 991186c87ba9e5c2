import type { SchemaNode } from '../../schema/schema.ts';

/** A property of an object. */
export interface Member {
  readonly key: string;
  /** Its key in snake_case. */
  readonly name: string;
  readonly schema: SchemaNode;
}

/** New values for members of an object. */
export type Changes = readonly (readonly [key: string, value: unknown])[];

/** Finds the members of an object that disagree, and the values they should have. */
export type ApplyRelation = (
  object: Readonly<Record<string, unknown>>,
  /** Whether a member may change. */
  isFree: (key: string) => boolean,
) => Changes;

/** Builds the relation of a schema's members, once for each schema; `undefined` if it has no such members. */
export type Relation = (members: readonly Member[]) => ApplyRelation | undefined;

export const NO_CHANGES: Changes = [];

/** Rounds to cents, since sums of doubles have stray digits. */
export function toCents(value: number): number {
  return Math.round((value + Number.EPSILON) * 100) / 100;
}
