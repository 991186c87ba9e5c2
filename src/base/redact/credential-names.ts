import { createCache } from '../cache.ts';

/** Stands for the value of a credential. */
export const HIDDEN = '[hidden]';

/** Matches the usual names of credentials, wherever they stand in a name. */
const USUAL_PART = /authori[sz]ation|\bauth\b|cookie|token|secret|passw|api.?key|credential/i;

/** Names that are those of credentials as a whole. As parts of others they mean anything: `compass`, `shipping`. */
const USUAL_WORDS: ReadonlySet<string> = new Set([
  ...['password', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'privatekey', 'apikey', 'accesskey'],
  ...['jwt', 'otp', 'totp', 'pin', 'cvv', 'cvc', 'codeverifier', 'mfacode'],
  ...['kennwort', 'motdepasse', 'contraseña', 'contrasena', 'senha', 'wachtwoord', 'hasło', 'haslo'],
  ...['lösenord', 'пароль', '密码', '密碼', 'パスワード'],
  ...['sessionid', 'xsessionid', 'jsessionid', 'phpsessid', 'csrf', 'xcsrf', 'xsrf'],
  ...['sig', 'xamzsignature', 'xgoogsignature'],
]);

/** The most names whose verdicts are remembered. */
const MOST_REMEMBERED = 500;

/** Longer names are of no credential that anybody has chosen. */
const LONGEST_NAME = 256;

/**
 * Whether a header, parameter, field or property of this name holds a credential: `true` for all that its value has, `'text'` if only a
 * text or a number can be one. `pin: { lat, lng }` is a place, and `pass: true` a result.
 */
export type IsCredential = (name: string) => boolean | 'text';

/** Recognizes the usual names of credentials. */
export const isUsualCredential: IsCredential = remember(isUsual);

function isUsual(name: string): ReturnType<IsCredential> {
  return USUAL_PART.test(name) || (hasWord(name, USUAL_WORDS) && 'text');
}

/** Recognizes the usual names of credentials, and other ones, in any case and with any separators. */
export function buildIsCredential(others: Iterable<string>): IsCredential {
  const known = new Set([...others].map(toWord));
  if (known.size === 0) return isUsualCredential;
  return remember((name) => hasWord(name, known) || isUsual(name));
}

/** Remembers the verdicts on names, because every line of the log asks about the same few. */
function remember(decide: IsCredential): IsCredential {
  const verdicts = createCache<ReturnType<IsCredential>>({ entries: MOST_REMEMBERED });
  return (name) => {
    if (name === '') return false;
    const known = verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = decide(name);
    if (name.length <= LONGEST_NAME) verdicts.set(name, verdict);
    return verdict;
  };
}

/** Whether a name is one of some words, or ends with one of them: `user[pwd]`, `card.cvv`, `wsse:pwd`, `otp[0]`. */
function hasWord(name: string, words: ReadonlySet<string>): boolean {
  if (name.length > LONGEST_NAME) return false;
  if (words.has(toWord(name))) return true;
  if (!PARTS.test(name)) return false;
  const parts = name.split(PARTS).filter((part) => !/^\d*$/.test(part));
  return parts.length > 0 && words.has(toWord(parts.at(-1) ?? ''));
}

const PARTS = /[[\].:;/]/;

/** `X-Session-Id`, `session_id` and `sessionId` differ in case and separators alone. */
function toWord(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
