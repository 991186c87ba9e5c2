import type { SchemaNode } from '../schema/schema.ts';

/** A property of an object. */
export interface Member {
  readonly key: string;
  /** Its key in snake_case. */
  readonly name: string;
  readonly schema: SchemaNode;
}

/** New values for members of an object. */
export type Changes = readonly (readonly [key: string, value: unknown])[];

/** Finds the members of an object that disagree, with the values that they should have. */
export type ApplyRelation = (
  object: Readonly<Record<string, unknown>>,
  /** Whether a member may change. */
  isFree: (key: string) => boolean,
) => Changes;

/** Decides once for each schema whether it has such members; `undefined` where it has none. */
export type Relation = (members: readonly Member[]) => ApplyRelation | undefined;

export const NO_CHANGES: Changes = [];

/** Rounds to cents, since a sum of doubles has digits that nobody wrote. */
export function toCents(value: number): number {
  return Math.round((value + Number.EPSILON) * 100) / 100;
}
