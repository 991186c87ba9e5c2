import type { Store } from '../store/store.ts';
import { dropSecrets, SECRETS } from './identity.ts';
import { endTokens, LOGINS } from './tokens.ts';

/**
 * Ends the credentials of a deleted user, so that they are not those of the next one with its key. Without a key, those of all users
 * that the store no longer has.
 */
export function endCredentials(store: Store, users: string, deleted?: string): void {
  // Looking for them would load the collections, which then would be part of every snapshot.
  const { used } = store;
  if (used.includes(SECRETS)) dropSecrets(store, users, deleted);
  if (used.includes(LOGINS)) endTokens(store, users);
}
