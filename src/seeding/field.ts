/** A property, as far as its name and format tell what belongs there. Names are in snake_case. */
export interface Field {
  readonly name: string;
  /** What it is a property of: `customer`. */
  readonly owner: string;
  readonly type: 'string' | 'number' | 'integer';
  readonly format?: string | undefined;
}

/** A value that looks real, the same for the same seeds; `undefined` where name and format tell nothing. */
export type Realist = (field: Field, seeds: { readonly own: string; readonly object: string }) => unknown;
