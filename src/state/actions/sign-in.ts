import { once } from '../../base/once.ts';
import { keyOf, type TokenKind, toTokenKind } from '../../model/resources/resources.ts';
import type { HeaderFields, Outcome } from '../../wire/message/message.ts';
import type { Entity } from '../store/store.ts';
import { setMember, type TokenPlace } from './account-spec.ts';
import { type CallerRules, checkUsable, findCaller, isRight, refuse } from './caller.ts';
import type { ActionContext } from './context.ts';
import { findUser, passwordOf, readLogin } from './identity.ts';
import { isJsonObject } from './json-object.ts';
import { toUrl } from './location.ts';
import { findToken, type IssuedToken, issueToken, nextLogin, revokeToken } from './tokens.ts';
import { putUnknownUser } from './users.ts';

/**
 * Answers with tokens for the user that a request names, and creates that user if it does not exist. In strict mode, throws a 401
 * Problem for an unknown name or a wrong password.
 */
export function login(context: ActionContext): Outcome {
  const { spec, store, input, callers } = context;
  const { resource } = spec;
  const given = { ...readLogin(input.query), ...readLogin(input.body) };
  const user =
    given.name === undefined ? findCaller(context, resource) : findUser(store, resource, given.name);
  if (callers.isStrict && !(user && isRight(passwordOf(store, resource, user), given.password)))
    throw refuse('The name or the password is wrong. Register, or start without --strict-auth.');
  return toSignedIn(context, user ?? putUnknownUser(context, given));
}

/** Answers with new tokens for the user of a token. Throws a 401 Problem for one that has ended, in strict mode also for an unknown one. */
export function refresh(context: ActionContext): Outcome {
  const { spec, store, callers, now } = context;
  const { resource } = spec;
  const issued = findGivenToken(context);
  if (issued) checkUsable(issued, now);
  if (!issued && callers.isStrict)
    throw refuse('No login issued this token. Log in, or start without --strict-auth.');
  const own = issued && store.collection(issued.users).get(issued.user);
  return toSignedIn(context, own ?? findCaller(context, resource) ?? putUnknownUser(context, {}));
}

/** Revokes the tokens of a request. A token that no login issued stays valid, since tests may share it. */
export function logout(context: ActionContext): Outcome {
  const { spec, store, callers } = context;
  const issued = findGivenToken(context);
  if (issued) revokeToken(store, issued);
  return { status: spec.successStatus, headers: toCookieHeader(callers, '; Path=/; Max-Age=0') };
}

/** Finds the issued token in the body or a cookie of a request, else in its credentials. */
function findGivenToken({ store, input, request, callers }: ActionContext): IssuedToken | undefined {
  const members = [
    ...Object.entries(isJsonObject(input.body) ? input.body : {}),
    ...Object.entries(input.cookie),
  ];
  const texts = members.flatMap(([name, value]) =>
    typeof value === 'string' && toTokenKind(name) !== undefined ? [value] : [],
  );
  const caller = callers.read(request);
  const all = [...texts, ...(caller && 'token' in caller ? [caller.token] : [])];
  return all.flatMap((text) => findToken(store, text) ?? [])[0];
}

function toSignedIn(context: ActionContext, user: Entity): Outcome {
  const { spec, callers } = context;
  const toToken = issuing(context, user);
  const body = showUser(context, user, toToken);
  const { cookie } = callers;
  const value = encodeURIComponent((cookie && toToken(cookie)) ?? '');
  return {
    status: spec.successStatus,
    body,
    headers: toCookieHeader(callers, `${value}; Path=/; HttpOnly; SameSite=Lax`),
  };
}

function toCookieHeader({ cookie }: CallerRules, value: string): HeaderFields {
  return cookie ? { 'Set-Cookie': `${cookie.name}=${value}` } : {};
}

/** Shows a user as the answer does, with a token from `toToken` at each of its places. */
export function showUser(
  context: ActionContext,
  user: Entity,
  toToken: ToToken = tokensFor(context, user),
): unknown {
  const { account } = context.spec;
  if (!account) return undefined;
  return account.tokens.reduce(
    (shown, place) => {
      const token = toToken(place);
      const isValid = token !== undefined && context.schemas.check(place.schema, token, '').length === 0;
      return isValid ? setMember(shown, place.path, token) : shown;
    },
    account.toBody(user, (each) => toUrl(context, each)),
  );
}

/** Returns the token for a place in an answer or a cookie; `undefined` to leave the place empty. */
type ToToken = (place: Pick<TokenPlace, 'kind'> & Partial<Pick<TokenPlace, 'schema'>>) => string | undefined;

/** A user who asks for themselves sees the token of the request. A registration also logs in, if its answer shows tokens. */
function tokensFor(context: ActionContext, user: Entity): ToToken {
  return context.spec.key === 'token' ? () => givenToken(context) : issuing(context, user);
}

/** Issues the tokens of a login, one of each kind. */
function issuing(context: ActionContext, user: Entity): ToToken {
  const login = once(() => nextLogin(context.store));
  const issued = new Map<TokenKind, string>();
  return (place) => {
    const token = issued.get(place.kind) ?? issue(context, user, login(), place);
    issued.set(place.kind, token);
    return token;
  };
}

function issue(
  { spec, store, schemas, generate, now }: ActionContext,
  user: Entity,
  number: number,
  { kind, schema }: Parameters<ToToken>[0],
): string {
  const { resource } = spec;
  const claims = { users: resource.name, user: keyOf(resource, user), login: number, kind, now };
  return issueToken(store, claims, {
    isValid: (text) => !schema || schemas.check(schema, text, '').length === 0,
    toOther: (serial) => schema && generate(schema, `${resource.name} ${kind} token ${serial}`),
  });
}

/** The token in the request's credentials, for the answer to repeat. */
function givenToken({ request, callers }: ActionContext): string | undefined {
  const caller = callers.read(request);
  return caller && 'token' in caller ? caller.token : undefined;
}
