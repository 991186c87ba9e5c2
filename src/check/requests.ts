import type { DocumentRoot, HttpContent, HttpParameter } from '../document/document.ts';
import type { MockRequest } from '../message.ts';
import type { Operation, ParameterPlace } from '../operations/operations.ts';
import { templateNames } from '../operations/operations.ts';
import { isObject, resolveReference } from '../schema/schema.ts';
import type { Entity } from './answer.ts';
import { type WrittenBody, writeBody } from './bodies.ts';
import { toCredentials } from './credentials.ts';
import { type Written, writePairs, writeValue } from './parameters.ts';
import type { Samples } from './samples.ts';

/** Makes the valid requests of a document's operations. */
export interface Requests {
  /**
   * A request of an operation, with the parameters that it must have or with all of them, or the reason why none was
   * found. `keys` are raw values of path parameters.
   */
  build(
    operation: Operation,
    keys: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): MockRequest | string;
  /** The written value of a path parameter that names nothing known; `undefined` if none was found. */
  pathValue(operation: Operation, name: string): string | undefined;
  /** Valid bodies of an operation, in every media type that can be written; the last ones are like an entity. */
  bodies(operation: Operation, like?: Entity): SampleBody[];
}

export interface RequestOptions {
  /** Whether parameters that may be left out are there too. */
  readonly all?: boolean;
  readonly body?: WrittenBody | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body, and the value that it was written from. */
export interface SampleBody extends WrittenBody {
  readonly mediaType: string;
  readonly value: unknown;
  /** A copy in which a property has another value, if it has the property at all. */
  with(property: string, value: unknown): SampleBody;
  /** A copy in which a property has a value, whether it had the property or not. */
  including(property: string, value: unknown): SampleBody;
}

export function createRequests(root: DocumentRoot, samples: Samples): Requests {
  const parametersOf = ({ source: { request = {} } }: Operation): Declared[] =>
    (
      [
        ['path', request.path],
        ['query', request.query],
        ['header', request.headers],
        ['cookie', request.cookie],
      ] as const
    ).flatMap(([place, nodes]) =>
      (nodes ?? []).map((node) => ({ ...(resolveReference(root, node) as HttpParameter), place })),
    );
  const sample = (operation: Operation, parameter: Declared) =>
    samples.parameter(parameter, `${operation.label} ${parameter.place} ${parameter.name}`);

  const pathValue = (operation: Operation, name: string) => {
    const parameter = parametersOf(operation).find((each) => each.place === 'path' && each.name === name);
    // A name in the path that is declared nowhere takes any text.
    const value = parameter ? sample(operation, parameter) : 'check';
    return value === undefined ? undefined : writeValue(parameter ? toWritten(parameter) : PLAIN_PATH, value);
  };
  /** The values of everything but the path, and the name of a parameter that must be there and has none. */
  const collect = (operation: Operation, all: boolean) => {
    const pairs: Record<ParameterPlace, [string, string][]> = { path: [], query: [], header: [], cookie: [] };
    for (const parameter of parametersOf(operation)) {
      const { place, name, required } = parameter;
      if (place === 'path' || (!required && !(all && isSendable(parameter)))) continue;
      const value = sample(operation, parameter);
      if (value === undefined && required) return { pairs, missing: name };
      if (value !== undefined) pairs[place].push(...write(parameter, value));
    }
    return { pairs, missing: undefined };
  };
  return {
    pathValue,
    build(operation, keys, { all = false, body, headers = {} } = {}) {
      if (/[?#]/.test(operation.path)) return 'no request has a ? or # in its path';
      const { pairs, missing } = collect(operation, all);
      const names = templateNames(operation.path);
      const path = names.map((name) => keys[name] ?? pathValue(operation, name));
      const unknown = missing ?? names.find((_, index) => !path[index]);
      if (unknown !== undefined) return `no valid value was found for its parameter ${unknown}`;
      const credentials = toCredentials(root, operation);
      const cookie = joinPairs([...credentials.cookie, ...pairs.cookie], '; ');
      return {
        method: operation.method,
        path: names.reduce(
          (at, name, index) => at.replace(`{${name}}`, () => path[index] ?? ''),
          operation.path,
        ),
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
    bodies: (operation, like) => {
      const name = `${operation.label} body`;
      const contents = operation.body?.contents ?? [];
      return [
        ...contents.flatMap((content) =>
          samples.bodies(content, `${name} ${content.mediaType}`).map((value) => ({ content, value })),
        ),
        ...contents.flatMap((content) => samples.like(content, like).map((value) => ({ content, value }))),
      ].flatMap(({ content, value }) => toSampleBody(content, value) ?? []);
    },
  };
}

function toSampleBody(content: HttpContent, value: unknown): SampleBody | undefined {
  const written = writeBody(content, value);
  return (
    written && {
      ...written,
      mediaType: content.mediaType,
      value,
      with(property, other) {
        return isObject(value) && Object.hasOwn(value, property) ? this.including(property, other) : this;
      },
      including(property, other) {
        const changed = isObject(value) && other !== undefined;
        return (changed && toSampleBody(content, { ...value, [property]: other })) || this;
      },
    }
  );
}

type Declared = HttpParameter & { readonly place: ParameterPlace };

function write(parameter: Declared, value: unknown): [string, string][] {
  const written = toWritten(parameter);
  if (parameter.place === 'header') return [[parameter.name, writeValue(written, value)]];
  return writePairs(written, value);
}

function joinPairs(pairs: readonly (readonly [string, string])[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join(separator);
}

const PLAIN_PATH: Written = { place: 'path', name: '', style: 'simple', explode: false };

function toWritten({ place, name, style, explode }: Declared): Written {
  const swagger = style === 'unspecified' || style === 'commaDelimited';
  return { place, name, style: swagger ? undefined : style, explode: swagger ? false : explode };
}

/** Headers that a document may list but that speak of other things than its operations (OpenAPI 3.0.3, Parameter Object). */
const FOREIGN_HEADERS = /^(accept|content-type|authorization|prefer|range|host|if-.*)$/i;

function isSendable({ place, name }: Declared): boolean {
  return place !== 'header' || !FOREIGN_HEADERS.test(name);
}
