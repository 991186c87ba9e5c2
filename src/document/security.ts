import { isObject, resolveReference } from '../schema/schema.ts';
import { type Diagnostic, type DiagnosticCode, toDiagnostic } from './diagnostic.ts';
import type { Mapping } from './mapping.ts';
import { OPERATION_METHODS } from './sanitize-paths.ts';
import type { KeyPath, Source } from './source.ts';

/** A kind of credential, reduced to its place in a request: OAuth and OpenID Connect become Bearer tokens. */
export type SecurityScheme =
  | { readonly type: 'apiKey'; readonly in: ApiKeyPlace; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string };

type ApiKeyPlace = 'header' | 'query' | 'cookie';

/** The credentials of an operation: all schemes of at least one of these sets. */
export type Requirements = readonly (readonly SecurityScheme[])[];

/**
 * Reads the requirements of a prepared document, by the labels of operations that need credentials. Ignores a requirement with an
 * undefined or incomplete scheme. The conversion cannot do this: it drops schemes that are references or undefined.
 */
export function readSecurity(
  document: Mapping,
  source: Source,
): {
  readonly requirements: ReadonlyMap<string, Requirements>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const context: Context = {
    document,
    schemes: schemesOf(document),
    ignore(code, path, reason, remedy) {
      diagnostics.push(toDiagnostic('ignored', 'security', { code, source, path, reason, remedy }));
    },
  };
  const shared = readRequirements(document.security, ['security'], context) ?? [];
  const operations = Object.entries(document.paths as Mapping).flatMap(([path, item]) =>
    operationsOf(item).map(([method, { security }]): [string, Requirements] => [
      `${method.toUpperCase()} ${path}`,
      readRequirements(security, ['paths', path, method, 'security'], context) ?? shared,
    ]),
  );
  return {
    requirements: new Map(operations.filter(([, requirements]) => isNeeded(requirements))),
    diagnostics,
  };
}

interface Context {
  readonly document: object;
  readonly schemes: Mapping;
  readonly ignore: (code: DiagnosticCode, at: KeyPath, reason: string, remedy: string) => void;
}

function operationsOf(item: unknown): [method: string, operation: Mapping][] {
  return Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
    OPERATION_METHODS.has(method) && isObject(operation) ? [[method, operation]] : [],
  );
}

/** Every request satisfies an empty set. */
function isNeeded(requirements: Requirements): boolean {
  return requirements.length > 0 && requirements.every((schemes) => schemes.length > 0);
}

function schemesOf({ components, securityDefinitions }: Mapping): Mapping {
  const schemes = isObject(components) ? components.securitySchemes : securityDefinitions;
  return isObject(schemes) ? schemes : {};
}

/** Returns `undefined` without a list, so that the document's own list applies. */
function readRequirements(list: unknown, at: KeyPath, context: Context): Requirements | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((requirement: unknown, index) => {
    if (!isObject(requirement)) return [];
    const sets = Object.keys(requirement).map((name) => readScheme(name, [...at, index, name], context));
    // No client could satisfy this requirement; the others still apply.
    return sets.includes(undefined) ? [] : [sets.flatMap((schemes) => schemes ?? [])];
  });
}

/** Reads a scheme into a list, empty for mutual TLS, which requests do not show. Returns `undefined` for a mistake. */
function readScheme(name: string, at: KeyPath, context: Context): readonly SecurityScheme[] | undefined {
  const scheme = findScheme(name, context);
  if (!isObject(scheme)) {
    const reason = `no security scheme is called "${name}"`;
    context.ignore('security-scheme-unknown', at, reason, 'Define it among the security schemes.');
    return undefined;
  }
  if (scheme.type === 'mutualTLS') return [];
  const known = SCHEME_READERS.get(scheme.type)?.(scheme);
  if (known) return [known];
  const reason = `the security scheme "${name}" ${describeGap(scheme)}`;
  context.ignore('security-scheme-invalid', at, reason, 'Complete its definition.');
  return undefined;
}

function findScheme(name: string, { document, schemes }: Context): unknown {
  try {
    return Object.hasOwn(schemes, name) ? resolveReference(document, schemes[name]) : undefined;
  } catch {
    // Only a name like `x-key` gets here, because references in extensions are not checked.
    return undefined;
  }
}

const BEARER: SecurityScheme = { type: 'http', scheme: 'Bearer' };

const SCHEME_READERS: ReadonlyMap<unknown, (scheme: Mapping) => SecurityScheme | undefined> = new Map([
  ['apiKey', readApiKeyScheme],
  ['http', readHttp],
  ['basic', (): SecurityScheme => ({ type: 'http', scheme: 'Basic' })],
  ['oauth2', () => BEARER],
  ['openIdConnect', () => BEARER],
]);

const API_KEY_PLACES: readonly unknown[] = ['header', 'query', 'cookie'];
/** The syntax of header names and authentication schemes (RFC 9110 section 5.6.2). */
const HTTP_TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

function readApiKeyScheme({ in: place, name }: Mapping): SecurityScheme | undefined {
  const isNamed = typeof name === 'string' && name !== '' && (place !== 'header' || HTTP_TOKEN.test(name));
  return isNamed && API_KEY_PLACES.includes(place)
    ? { type: 'apiKey', in: place as ApiKeyPlace, name }
    : undefined;
}

function readHttp({ scheme }: Mapping): SecurityScheme | undefined {
  return typeof scheme === 'string' && HTTP_TOKEN.test(scheme) ? { type: 'http', scheme } : undefined;
}

function describeGap({ type }: Mapping): string {
  if (type === 'apiKey') return 'needs a "name", and "in" as header, query or cookie';
  if (type === 'http') return 'needs a "scheme", such as basic or bearer';
  return 'needs a "type": apiKey, http, oauth2, openIdConnect or mutualTLS; in Swagger basic, apiKey or oauth2';
}
