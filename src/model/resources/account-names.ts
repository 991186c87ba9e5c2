import type { SchemaNode } from '../../schema/schema.ts';
import { isObjectSchema } from './shapes.ts';
import { toSnake } from './snake-case.ts';

const IDENTITY =
  /^(user_)?(e?mail|e_mail)(_address)?$|^(user_?name|login|login_name|handle|phone|mobile)$|^(phone|mobile)_number$/;
const PASSWORD =
  /^((new|plain|plain_text|user|hashed)_)?(password|passwd|pwd|passcode)(_(hash|confirm|confirmation))?$/;
const CONFIRMATION = /(^|_)(confirm|confirmation|repeat|again)(_|$)/;
const ACCESS = /^((access|auth|authentication|id|jwt|bearer|session|user)_)?token$|^(jwt|access)$/;
const REFRESH = /^refresh(_(token|jwt))?$/;

/** Whether a property names its user: `email`, `username`, `phone`. */
export function isIdentity(name: string): boolean {
  return IDENTITY.test(toSnake(name));
}

/** Whether a property is a password, its hash or its repetition. */
export function isPassword(name: string): boolean {
  const snake = toSnake(name);
  return PASSWORD.test(snake) || (CONFIRMATION.test(snake) && snake.includes('passw'));
}

/** The purpose of a token: access to operations, or a new access token. */
export type TokenKind = 'access' | 'refresh';

/** The kind of token that a property holds; `undefined` for any other property. */
export function toTokenKind(name: string): TokenKind | undefined {
  const snake = toSnake(name);
  return ACCESS.test(snake) ? 'access' : REFRESH.test(snake) ? 'refresh' : undefined;
}

/** A member of an object at any depth. */
interface Leaf {
  readonly path: readonly string[];
  readonly schema: SchemaNode;
}

const MAX_MEMBER_DEPTH = 3;

/** The members of an object and of the objects in it, those nearer the top first. */
export function listMembers(schema: SchemaNode): Leaf[] {
  const found: Leaf[] = [];
  let level: Leaf[] = [{ path: [], schema }];
  for (let depth = 0; depth < MAX_MEMBER_DEPTH; depth++) {
    level = level.flatMap((leaf) =>
      isObjectSchema(leaf.schema)
        ? [...leaf.schema.sharedProperties].map(([name, member]) => ({
            path: [...leaf.path, name],
            schema: member,
          }))
        : [],
    );
    found.push(...level);
  }
  return found;
}

/** Whether an object has a property that names a user. */
export function hasIdentity({ sharedProperties }: SchemaNode): boolean {
  return [...sharedProperties].some(([name, { types }]) => isIdentity(name) && types.includes('string'));
}

/** Finds the user in an answer: the object with the name of a user, or one that is called user. */
export function findUserShape(schema: SchemaNode | undefined): Leaf | undefined {
  if (!schema || !isObjectSchema(schema)) return undefined;
  const objects = [{ path: [], schema }, ...listMembers(schema)].filter((leaf) =>
    isObjectSchema(leaf.schema),
  );
  return (
    objects.find((leaf) => hasIdentity(leaf.schema)) ??
    objects.find(({ path }) => USERS.test(toSnake(path.at(-1) ?? '')))
  );
}

const USERS = /^(user|account|profile|me|member|customer)(_(info|data|details|profile))?$/;
