import { toDateTime } from '../../base/clock.ts';
import { Problem } from '../../base/problem.ts';
import type { Caller, ReadCaller } from '../../model/operations/operations.ts';
import { keyOf, type Resource, type TokenKind } from '../../model/resources/resources.ts';
import type { MockRequest } from '../../wire/message/message.ts';
import type { Entity, Store } from '../store/store.ts';
import { findUser, passwordOf } from './identity.ts';
import { findToken, type IssuedToken } from './tokens.ts';

/** The rules by which requests are attributed to users. */
export interface CallerRules {
  readonly read: ReadCaller;
  /** Whether unknown names, wrong passwords and unknown tokens are refused. */
  readonly isStrict: boolean;
  /** The cookie in which the document expects a token, if it declares one. */
  readonly cookie: TokenCookie | undefined;
}

interface TokenCookie {
  readonly name: string;
  readonly kind: TokenKind;
}

/** The parts of a call that identify its user. */
export interface CallParts {
  readonly callers: CallerRules;
  readonly store: Store;
  readonly request: MockRequest;
}

/** Finds the user of a request: the owner of its token, the user it names, or else the first user. */
export function findCaller({ callers, store, request }: CallParts, resource: Resource): Entity | undefined {
  const caller = callers.read(request);
  const users = store.collection(resource.name);
  const named = caller && 'name' in caller ? findUser(store, resource, caller.name) : undefined;
  const token = caller && 'token' in caller ? findToken(store, caller.token) : undefined;
  if (token?.users === resource.name) return users.get(token.user);
  return named ?? users.all().slice(0, 1)[0];
}

/** Returns the key of a request's user; empty without users. */
export function callerKey(parts: CallParts, resource: Resource): string {
  const user = findCaller(parts, resource);
  return user ? keyOf(resource, user) : '';
}

/**
 * Throws a 401 Problem for credentials that have ended: a token that was logged out or has expired, or whose user was deleted. In strict
 * mode also for credentials that were never valid. Returns the time at which valid ones expire, if they do.
 */
export function checkCaller(
  { callers, store, request }: CallParts,
  users: readonly Resource[],
  now: number,
): number | undefined {
  const caller = callers.read(request);
  if (!caller) return undefined;
  if ('token' in caller) return checkToken(callers, store, caller.token, now);
  if (callers.isStrict) checkName(store, users, caller);
  return undefined;
}

function checkName(
  store: Store,
  users: readonly Resource[],
  { name, password }: Extract<Caller, { readonly name: string }>,
): void {
  const isKnown = users.some((resource) => {
    const user = findUser(store, resource, name);
    return user && isRight(passwordOf(store, resource, user), password);
  });
  if (!isKnown) throw refuse('The name or the password is wrong.');
}

function checkToken({ isStrict }: CallerRules, store: Store, text: string, now: number): number | undefined {
  const token = findToken(store, text);
  if (token) checkUsable(token, now);
  if (!token && isStrict) throw refuse('No login issued this token. Log in, or start without --strict-auth.');
  return token?.expires;
}

/** Throws a 401 Problem for a token that was logged out or has expired, or whose user was deleted. */
export function checkUsable({ end, expires }: IssuedToken, now: number): void {
  if (end === 'logout') throw refuse('The token was logged out. Log in again.');
  if (end === 'deletion') throw refuse('The user of the token was deleted. Log in as another one.');
  if (end === 'expiry' || now >= expires)
    throw refuse(`The token expired at ${toDateTime(expires)}. Log in again.`);
}

/** Whether a password matches the one that was set. Without one, any password does. */
export function isRight(known: unknown, given: string | undefined): boolean {
  return known === undefined || known === given;
}

/** Creates the 401 Problem for wrong credentials. */
export function refuse(message: string): Problem {
  return new Problem(401, 'unauthorized', message);
}
