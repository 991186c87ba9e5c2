/** Follows a chain of `$ref`s in `root`, as far as `follows` allows. Throws an `Error` on a dangling or endless one. */
export function resolveReference(
  root: unknown,
  node: unknown,
  follows: (reference: string) => boolean = () => true,
): unknown {
  let current = node;
  for (let hops = 0; isReference(current) && follows(current.$ref); hops++) {
    if (hops > 100) throw new Error(`The reference "${current.$ref}" only ever leads to other references`);
    current = readPointer(root, current.$ref);
  }
  return current;
}

/** The value at a local reference such as `#/components/schemas/Pet` (RFC 6901). Throws an `Error` if there is none. */
export function readPointer(root: unknown, reference: string): unknown {
  let current = root;
  for (const token of toTokens(reference)) {
    const next = isObject(current) && Object.hasOwn(current, token) ? current[token] : undefined;
    if (next === undefined) throw new Error(`The reference "${reference}" leads nowhere`);
    current = next;
  }
  return current;
}

/** The unescaped tokens of a local reference. */
export function toTokens(reference: string): string[] {
  const fragment = reference.slice(reference.indexOf('#') + 1);
  return fragment
    .split('/')
    .slice(1)
    .map((token) => (/[%~]/.test(token) ? toPlainToken(token) : token));
}

function toPlainToken(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The JSON pointer of a path: `paths`, `/pets` → `/paths/~1pets`. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function isReference(value: unknown): value is { $ref: string } {
  return isObject(value) && typeof value.$ref === 'string';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
