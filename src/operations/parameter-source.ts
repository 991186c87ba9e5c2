/** Where a parameter stands in a request. */
export type Place = 'path' | 'query' | 'header' | 'cookie';

/** Where the parameters of a request are read from. */
export interface ParameterSource {
  /** Decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of all parameters that the operation declares. */
  readonly declared: readonly { readonly name: string }[];
}

/** Finds the raw values of a parameter; `undefined` where it is absent. */
export type Gather = (source: ParameterSource) => readonly string[] | undefined;

/** Decides once where the raw values of a parameter are found. */
export function buildGather(place: Place, name: string): Gather {
  const gathers: Readonly<Record<Place, Gather>> = {
    path: ({ path }) => toList(path[name]),
    query: ({ query }) => (query?.has(name) ? query.getAll(name) : undefined),
    // A client need not send a header named `constructor` for an object to have one.
    header: ({ headers }) => (Object.hasOwn(headers, name) ? toList(headers[name]) : undefined),
    cookie: ({ headers }) => readCookies(headers.cookie).get(name),
  };
  return gathers[place];
}

function toList(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

/** A member of an object, still as text. */
export type Pair = readonly [name: string, text: string];

/** `a=b` → `a`, `b`; `undefined` where there is no equals sign. */
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

/** The names and values of a Cookie header. */
export function toCookiePairs(header: string | undefined): Pair[] {
  return (header?.split(';') ?? []).flatMap((text) => {
    const pair = toPair(text);
    return pair ? [[pair[0].trim(), pair[1].trim()] as const] : [];
  });
}
