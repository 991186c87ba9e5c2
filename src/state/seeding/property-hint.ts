/** The facts about a property that hint at its values. Names are in snake_case. */
export interface PropertyHint {
  readonly name: string;
  /** The object that has the property: `customer`. */
  readonly owner: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly format?: string | undefined;
  /** The maximum of a number, or the maximum length of a text. */
  readonly most?: number | undefined;
}

/** The seeds of a value, of its object, and of the whole value around that object. */
interface RealisticSeeds {
  readonly own: string;
  readonly object: string;
  /** The seed of the object by default. */
  readonly whole?: string;
}

/** Generates a realistic value, the same for the same seeds; `undefined` where name and format give no hint. */
export type GenerateRealistic = (
  field: PropertyHint,
  seeds: RealisticSeeds,
  /** By default, values that the name describes; else words of the kind that it names. */
  kind?: 'named' | 'word',
) => unknown;
