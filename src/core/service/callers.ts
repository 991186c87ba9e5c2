import { buildReadCaller, toCookieNames } from '../../answer/security/security.ts';
import { once } from '../../base/once.ts';
import type { Requirements } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { type ActionName, type ResourceModel, toTokenKind } from '../../model/resources/resources.ts';
import { type CallerRules, checkCaller, LOGINS, SECRETS, TOKENS } from '../../state/actions/actions.ts';
import type { Store, StoredResource } from '../../state/store/store.ts';
import { isToken, type MockRequest } from '../../wire/message/message.ts';

/** The collections of a session that signing in needs. */
export const ACCOUNT_COLLECTIONS: readonly StoredResource[] = [
  { name: LOGINS, indexes: [], isHidden: true },
  { name: TOKENS, indexes: ['login'], isHidden: true },
  { name: SECRETS, indexes: ['identity'], isHidden: true },
];

/** Throws a 401 Problem for a request whose credentials have ended. Returns the time at which valid ones expire, if they do. */
export type CheckCaller = (
  operation: Operation,
  request: MockRequest,
  store: Store,
  now: number,
) => number | undefined;

/** Builds the rules that attribute requests to users. */
export function buildCallers(
  security: ReadonlyMap<string, Requirements>,
  operations: readonly Operation[],
  isStrict: boolean,
): CallerRules {
  // Lazy: only a login needs it, and finding it reads the parameters of every operation.
  const cookie = once(() => findTokenCookie(security, operations));
  return {
    read: buildReadCaller(security),
    isStrict,
    get cookie() {
      return cookie();
    },
  };
}

function findTokenCookie(
  security: ReadonlyMap<string, Requirements>,
  operations: readonly Operation[],
): CallerRules['cookie'] {
  const declared = toCookieNames(security).map((name) => ({ name, kind: 'access' as const }));
  const taken = operations.flatMap(({ outline }) =>
    outline.parameters().flatMap(({ in: place, name }) => {
      const kind = place === 'cookie' ? toTokenKind(name) : undefined;
      return kind ? [{ name, kind }] : [];
    }),
  );
  // A Set-Cookie header can only carry a name that is a token.
  return [...declared, ...taken].find(({ name }) => isToken(name));
}

/** The parts of a service that the check of users depends on. */
export interface CheckParts {
  readonly security: ReadonlyMap<string, Requirements>;
  readonly operations: readonly Operation[];
  readonly model: ResourceModel;
  readonly callers: CallerRules;
}

/** Builds the check of the operations that need credentials or show the current user; `undefined` without users. */
export function buildCheckCaller({
  security,
  operations,
  model,
  callers,
}: CheckParts): CheckCaller | undefined {
  const users = [...model.users].flatMap((name) => model.resources.get(name) ?? []);
  if (users.length === 0) return undefined;
  const needsCaller = ({ id, label }: Operation) => {
    const action = model.actions.get(id);
    return action?.key === 'token' || (security.has(label) && !(action && BEFORE.has(action.name)));
  };
  const checked = new Set(operations.filter(needsCaller));
  return (operation, request, store, now) =>
    checked.has(operation) ? checkCaller({ callers, store, request }, users, now) : undefined;
}

/** Actions that are open to clients whose credentials have ended. */
const BEFORE: ReadonlySet<ActionName> = new Set(['login', 'refresh']);
