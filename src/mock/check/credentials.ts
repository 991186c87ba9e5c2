import type { Operation } from '../../model/operations/operations.ts';
import { isObject, type SchemaReader } from '../../schema/schema.ts';

/** The credentials of a request: headers, and pairs of the query and of the cookie. */
interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly [name: string, value: string][];
  readonly cookie: readonly [name: string, value: string][];
}

export const NO_CREDENTIALS: Credentials = { headers: {}, query: [], cookie: [] };

/** Builds well-formed credentials for the first security requirement of an operation. */
export function toCredentials(reader: SchemaReader, { source }: Operation): Credentials {
  const { security } = source as { readonly security?: unknown };
  const [first] = Array.isArray(security) ? security : [];
  const schemes: Scheme[] = (Array.isArray(first) ? first : [])
    .map((scheme) => reader.resolve(scheme))
    .filter(isObject);
  const keys = (place: string) =>
    schemes.flatMap(({ type, in: where, name }): [string, string][] =>
      type === 'apiKey' && where === place ? [[String(name), 'check']] : [],
    );
  return {
    headers: {
      ...Object.fromEntries(keys('header').map(([name, value]) => [name.toLowerCase(), value])),
      ...Object.assign({}, ...schemes.map(toAuthorizationHeader)),
    },
    query: keys('query'),
    cookie: keys('cookie'),
  };
}

/** A security scheme after conversion. */
type Scheme = Readonly<Record<string, unknown>>;

function toAuthorizationHeader({ type, scheme }: Scheme): Record<string, string> {
  if (type === 'apiKey' || type === 'mutualTLS') return {};
  const basic = type === 'http' && String(scheme).toLowerCase() === 'basic';
  return { authorization: basic ? `Basic ${btoa('check:check')}` : 'Bearer check' };
}
