import type { SchemaNode } from '../../schema/schema.ts';
import type { FindFacts } from './find-facts.ts';
import type { ValueMaker } from './value-maker.ts';
import type { Variant } from './variant.ts';

/** Everything that pushing one answer needs. */
export interface Walk {
  readonly variant: Variant;
  readonly findFacts: FindFacts;
  readonly isValid: (node: SchemaNode, value: unknown) => boolean;
  /** Makes up missing members and items. */
  readonly maker: ValueMaker;
  /** The length that each text may gain. */
  readonly room: number;
  /** Whether a member names its object, and stays as it is in every variant. */
  readonly isKey: (name: string) => boolean;
  /** Whether the answer is an error, whose numbers and codes are for programs. */
  readonly isError: boolean;
}

/** Where a value stands in an answer. */
export interface Place {
  readonly depth: number;
  /** Whether it belongs to the envelope of a list, and not to an item. */
  readonly isEnvelope: boolean;
}

export type Members = Readonly<Record<string, unknown>>;

/** Whether a value has members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
