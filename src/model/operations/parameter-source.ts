/** The place of a parameter in a request. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  /** The decoded values. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams | undefined;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of all parameters that the operation declares. */
  readonly declared: readonly { readonly name: string }[];
}

/** Finds the raw values of a parameter; `undefined` if it is absent. */
export type Gather = (source: ParameterSource) => readonly string[] | undefined;

/** Decides once where to find the raw values of a parameter. */
export function buildGather(place: ParameterPlace, name: string): Gather {
  const gathers: Readonly<Record<ParameterPlace, Gather>> = {
    path: ({ path }) => toRawValues(path[name]),
    query: ({ query }) => (query?.has(name) ? query.getAll(name) : undefined),
    // Every object inherits a member named `constructor`.
    header: ({ headers }) => (Object.hasOwn(headers, name) ? toRawValues(headers[name]) : undefined),
    cookie: ({ headers }) => readCookies(headers.cookie).get(name),
  };
  return gathers[place];
}

function toRawValues(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

/** A member of an object as text. */
export type Pair = readonly [name: string, text: string];

/** Splits `a=b` into `a` and `b`; `undefined` without an equals sign. */
export function toPair(text: string): Pair | undefined {
  const mark = text.indexOf('=');
  return mark < 0 ? undefined : [text.slice(0, mark), text.slice(mark + 1)];
}

function readCookies(header: string | undefined): Map<string, string[]> {
  const cookies = new Map<string, string[]>();
  for (const [name, value] of toCookiePairs(header)) {
    const values = cookies.get(name);
    if (values) values.push(value);
    else cookies.set(name, [value]);
  }
  return cookies;
}

/** Splits a Cookie header into names and values. */
export function toCookiePairs(header: string | undefined): Pair[] {
  return (header?.split(';') ?? []).flatMap((text) => {
    const pair = toPair(text);
    return pair ? [[pair[0].trim(), pair[1].trim()] as const] : [];
  });
}
