import { isObject, resolveReference } from '../schema/schema.ts';
import { METHODS } from './mend-operations.ts';
import { type Note, toNote } from './note.ts';
import type { Source } from './source.ts';

/** A kind of credential, reduced to where it stands in a request: OAuth and OpenID Connect are Bearer tokens there. */
export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string };

/** What an operation asks for: one of these sets, and all that is in it. */
export type Requirements = readonly (readonly SecurityScheme[])[];

/** What the operations of a document ask for. */
export interface Security {
  /** Of each operation that needs credentials, by its label. */
  readonly requirements: ReadonlyMap<string, Requirements>;
  /** Requirements that name no scheme, or one that says too little: nothing can be asked for by them. */
  readonly notes: readonly Note[];
}

/**
 * Reads what operations ask for from a prepared document. The conversion is not asked, because it takes schemes that are
 * references or do not exist for none, so that a requirement beside them would count for nothing.
 */
export function readSecurity(document: object, source: Source): Security {
  const { paths, security } = document as RawSecurity;
  const notes: Note[] = [];
  const context: Context = {
    document,
    schemes: schemesOf(document),
    ignore(path, reason, remedy) {
      notes.push(toNote('ignored', 'security', { source, path, reason, remedy }));
    },
  };
  const shared = readRequirements(security, ['security'], context) ?? [];
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    operationsOf(item).map(([method, { security: own }]): [string, Requirements] => [
      `${method.toUpperCase()} ${path}`,
      readRequirements(own, ['paths', path, method, 'security'], context) ?? shared,
    ]),
  );
  return {
    requirements: new Map(operations.filter(([, requirements]) => isNeeded(requirements))),
    notes,
  };
}

interface RawSecurity {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly security?: unknown;
}

type Path = readonly (string | number)[];

interface Context {
  readonly document: object;
  readonly schemes: Readonly<Record<string, unknown>>;
  readonly ignore: (at: Path, reason: string, remedy: string) => void;
}

function operationsOf(item: unknown): [method: string, operation: Record<string, unknown>][] {
  return Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
    METHODS.has(method) && isObject(operation) ? [[method, operation]] : [],
  );
}

/** An empty set is one that every request has. */
function isNeeded(requirements: Requirements): boolean {
  return requirements.length > 0 && requirements.every((schemes) => schemes.length > 0);
}

/** Those of OpenAPI, or those of Swagger. */
function schemesOf(document: object): Readonly<Record<string, unknown>> {
  const { components, securityDefinitions } = document as Record<string, unknown>;
  const schemes = isObject(components) ? components.securitySchemes : securityDefinitions;
  return isObject(schemes) ? schemes : {};
}

/** `undefined` where there is no list, so that the document's own one holds. */
function readRequirements(list: unknown, at: Path, context: Context): Requirements | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((requirement: unknown, index) => {
    if (!isObject(requirement)) return [];
    const sets = Object.keys(requirement).map((name) => readScheme(name, [...at, index, name], context));
    // What cannot be had is asked of nobody; the other requirements stand.
    return sets.includes(undefined) ? [] : [sets.flatMap((schemes) => schemes ?? [])];
  });
}

const PLACES: readonly unknown[] = ['header', 'query', 'cookie'];
/** What HTTP allows as the name of a header or of a scheme (RFC 9110 section 5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A scheme in a list, or none where there is nothing to see of it in a request, as with mutual TLS. `undefined` for a mistake. */
function readScheme(name: string, at: Path, context: Context): readonly SecurityScheme[] | undefined {
  const scheme = findScheme(name, context);
  if (!isObject(scheme)) {
    context.ignore(at, `no security scheme is called "${name}"`, 'Define it among the security schemes.');
    return undefined;
  }
  if (scheme.type === 'mutualTLS') return [];
  const known = READERS.get(scheme.type)?.(scheme);
  if (known) return [known];
  context.ignore(at, `the security scheme "${name}" ${toComplaint(scheme)}`, 'Complete its definition.');
  return undefined;
}

function findScheme(name: string, { document, schemes }: Context): unknown {
  try {
    return Object.hasOwn(schemes, name) ? resolveReference(document, schemes[name]) : undefined;
  } catch {
    // Only a name like `x-key` can lead here: what an extension holds is not checked for references.
    return undefined;
  }
}

const BEARER: SecurityScheme = { type: 'http', scheme: 'Bearer' };

const READERS: ReadonlyMap<
  unknown,
  (scheme: Readonly<Record<string, unknown>>) => SecurityScheme | undefined
> = new Map([
  ['apiKey', readApiKey],
  ['http', readHttp],
  ['basic', (): SecurityScheme => ({ type: 'http', scheme: 'Basic' })],
  ['oauth2', () => BEARER],
  ['openIdConnect', () => BEARER],
]);

function readApiKey({ in: place, name }: Readonly<Record<string, unknown>>): SecurityScheme | undefined {
  const named = typeof name === 'string' && name !== '' && (place !== 'header' || TOKEN.test(name));
  return named && PLACES.includes(place)
    ? { type: 'apiKey', in: place as 'header' | 'query' | 'cookie', name }
    : undefined;
}

function readHttp({ scheme }: Readonly<Record<string, unknown>>): SecurityScheme | undefined {
  return typeof scheme === 'string' && TOKEN.test(scheme) ? { type: 'http', scheme } : undefined;
}

function toComplaint({ type }: Readonly<Record<string, unknown>>): string {
  if (type === 'apiKey') return 'needs a "name", and "in" as header, query or cookie';
  if (type === 'http') return 'needs a "scheme", such as basic or bearer';
  return 'needs a "type": apiKey, http, oauth2, openIdConnect or mutualTLS; in Swagger basic, apiKey or oauth2';
}
