import { type DeclaredContent, type Operation, templateNames } from '../../model/operations/operations.ts';
import { isObject, type SchemaReader } from '../../schema/schema.ts';
import { memberOf, withMember } from '../../state/actions/actions.ts';
import type { Entity } from '../../state/store/store.ts';
import { type MockRequest, toTarget } from '../../wire/message/message.ts';
import { type WrittenBody, writeBody } from './bodies.ts';
import { NO_CREDENTIALS, toCredentials } from './credentials.ts';
import { createParameterSamples } from './parameter-samples.ts';
import type { Samples } from './samples.ts';

/** Builds valid requests for the operations of a document. */
export interface Requests {
  /**
   * Builds a request with the required parameters or with all of them, or returns the reason why that is impossible. `keys` are raw
   * values of path parameters.
   */
  build(
    operation: Operation,
    keys: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): MockRequest | string;
  /** Generates the raw value of a path parameter that is not a key; `undefined` if no valid one was found. */
  pathValue(operation: Operation, name: string): string | undefined;
  /** Generates valid bodies in every supported media type. The last ones have the properties of the entity `like`. */
  bodies(operation: Operation, like?: Entity): SampleBody[];
}

export interface RequestOptions {
  /** Whether to send optional parameters too. */
  readonly all?: boolean;
  /** The values of query parameters that are not to be generated. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: WrittenBody | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body with its value. */
export interface SampleBody extends WrittenBody {
  readonly mediaType: string;
  readonly value: unknown;
  /** Returns a copy with another value at a path, if the body has one. */
  with(path: readonly string[], value: unknown): SampleBody;
  /** Returns a copy with a value at a path. */
  including(path: readonly string[], value: unknown): SampleBody;
}

/**
 * Creates the builder of requests. Those for a provider have no made-up credentials, and no key that the document has no example of.
 */
export function createRequests(
  reader: SchemaReader,
  samples: Samples,
  { isForProvider = false }: { readonly isForProvider?: boolean } = {},
): Requests {
  const parameters = createParameterSamples(reader, samples, isForProvider);
  return {
    pathValue: parameters.pathValue,
    build(operation, keys, { all = false, query, body, headers = {} } = {}) {
      if (/[?#]/.test(operation.path)) return 'no request has a ? or # in its path';
      const { pairs, missing } = parameters.collect(operation, all, query);
      const names = templateNames(operation.path);
      const path = names.map((name) => keys[name] ?? parameters.pathValue(operation, name));
      const unknown = missing ?? names.find((_, index) => !path[index]);
      if (unknown !== undefined) return `no valid value was found for its parameter ${unknown}`;
      const credentials = isForProvider ? NO_CREDENTIALS : toCredentials(reader, operation);
      const cookie = joinPairs([...credentials.cookie, ...pairs.cookie], '; ');
      return {
        method: operation.method,
        path: operation.path
          .split(/\{([^{}]+)\}/)
          .map((part, index) => (index % 2 === 0 ? toTarget(part) : (path[(index - 1) / 2] ?? '')))
          .join(''),
        query: joinPairs([...credentials.query, ...pairs.query], '&'),
        headers: {
          ...Object.fromEntries(pairs.header.map(([name, value]) => [name.toLowerCase(), value])),
          ...credentials.headers,
          ...(cookie !== '' && { cookie }),
          ...(body && { 'content-type': body.contentType }),
          ...headers,
        },
        ...(body && { body: body.bytes }),
      };
    },
    bodies: (operation, like) => toSampleBodies(samples, operation, like),
  };
}

function toSampleBodies(samples: Samples, operation: Operation, like: Entity | undefined): SampleBody[] {
  const contents = operation.body?.contents ?? [];
  const write = (content: DeclaredContent, values: readonly unknown[]) =>
    values.flatMap((value) => toSampleBody(content, value) ?? []);
  return [
    ...contents.flatMap((content) =>
      write(content, samples.bodies(content, `${operation.label} body ${content.mediaType}`)),
    ),
    ...contents.flatMap((content) => write(content, samples.like(content, like))),
  ];
}

function toSampleBody(content: DeclaredContent, value: unknown): SampleBody | undefined {
  const written = writeBody(content, value);
  return (
    written && {
      ...written,
      mediaType: content.mediaType,
      value,
      with(path, other) {
        const before = path.reduce(memberOf, value);
        return before === undefined ? this : this.including(path, other);
      },
      including(path, other) {
        const changed = isObject(value) && other !== undefined;
        return (changed && toSampleBody(content, withMember(value, path, other))) || this;
      },
    }
  );
}

function joinPairs(pairs: readonly (readonly [string, string])[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join(separator);
}
