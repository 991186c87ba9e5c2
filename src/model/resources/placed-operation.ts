import type { Operation } from '../operations/operations.ts';

/** A query parameter with the key of an entity, or the body. */
export type KeySource = { readonly query: string } | 'body';

/** The place of an operation in a conventional layout. */
interface PlaceOfOperation {
  readonly path: string;
  readonly method: string;
  /** The source of the key, if the declared path does not name it. */
  readonly keyIn: KeySource | undefined;
  /** The clauses of the rules that moved it; empty for an operation at its declared path. */
  readonly movedBy: readonly string[];
}

/**
 * An operation at its place in a conventional layout: `PUT /products/edit/{id}` stands at `PUT /products/{id}`. Its path and method
 * are those of the place; everything else comes from the operation, and is built when it is first read. This is a class, because
 * thousands of objects with their own getters or prototypes slow inference down.
 */
export class PlacedOperation implements Operation, PlaceOfOperation {
  /** The operation as the document declares it. */
  readonly declared: Operation;
  readonly path: string;
  readonly method: string;
  readonly keyIn: KeySource | undefined;
  readonly movedBy: readonly string[];
  readonly id: string;
  readonly label: string;
  readonly codes: readonly string[];
  readonly successStatus: number;

  constructor(declared: Operation, { path, method, keyIn, movedBy }: PlaceOfOperation) {
    this.declared = declared;
    this.path = path;
    this.method = method;
    this.keyIn = keyIn;
    this.movedBy = movedBy;
    this.id = declared.id;
    this.label = declared.label;
    this.codes = declared.codes;
    this.successStatus = declared.successStatus;
  }

  get bases(): Operation['bases'] {
    return this.declared.bases;
  }

  get summary(): string {
    return this.declared.summary;
  }

  get deprecated(): boolean {
    return this.declared.deprecated;
  }

  get extensions(): Operation['extensions'] {
    return this.declared.extensions;
  }

  get parameters(): Operation['parameters'] {
    return this.declared.parameters;
  }

  get body(): Operation['body'] {
    return this.declared.body;
  }

  get responses(): Operation['responses'] {
    return this.declared.responses;
  }

  get outline(): Operation['outline'] {
    return this.declared.outline;
  }

  get source(): Operation['source'] {
    return this.declared.source;
  }
}
