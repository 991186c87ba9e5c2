import { resolveReference } from '../schema/schema.ts';
import { convertSchema } from './convert-schema.ts';
import type { HttpContent, HttpOutline } from './http-document.ts';
import type { Mapping } from './mapping.ts';

/** Reads the outline of an OpenAPI 3 operation from the prepared document. Converts only the schemas that are read. */
export function toOutline(shared: Mapping, operation: Mapping, parameters: readonly unknown[]): HttpOutline {
  return new PreparedOutline(shared, operation, parameters);
}

/** This is a class, because a document may have thousands of them. */
class PreparedOutline implements HttpOutline {
  readonly codes: readonly string[];
  readonly #shared: Mapping;
  readonly #operation: Mapping;
  readonly #parameters: readonly unknown[];

  constructor(shared: Mapping, operation: Mapping, parameters: readonly unknown[]) {
    this.#shared = shared;
    this.#operation = operation;
    this.#parameters = parameters;
    this.codes = Object.keys(this.#responses);
  }

  headerNames(): readonly string[] {
    return this.codes.flatMap((code) => Object.keys(this.#follow(this.#responses[code]).headers ?? {}));
  }

  answerContents(code: string): readonly HttpContent[] {
    return this.#toContents(this.#responses[code]);
  }

  bodyContents(): readonly HttpContent[] {
    return this.#toContents(this.#operation.requestBody);
  }

  parameters(): ReturnType<HttpOutline['parameters']> {
    return this.#parameters.map((node) => {
      const { name, required, schema, in: place } = this.#follow(node);
      return { name, required, in: place, schema: convertSchema(schema) };
    }) as unknown as ReturnType<HttpOutline['parameters']>;
  }

  get #responses(): Mapping {
    return (this.#operation.responses ?? {}) as Mapping;
  }

  #follow(node: unknown): Mapping {
    return (resolveReference(this.#shared, node) ?? {}) as Mapping;
  }

  #toContents(node: unknown): HttpContent[] {
    const contents = (this.#follow(node).content ?? {}) as Readonly<Record<string, Mapping>>;
    return Object.keys(contents).map((mediaType) => ({
      mediaType,
      schema: convertSchema(contents[mediaType]?.schema),
    })) as HttpContent[];
  }
}
