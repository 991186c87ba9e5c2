import { type Account, inferAccounts } from './accounts.ts';
import { inferCandidates, type ResourceCandidate } from './candidates.ts';
import type { ResourceOverrides } from './model.ts';
import { withMarks, withOverrides } from './overrides.ts';
import { findParts, type PartsPath } from './parts.ts';
import type { Paths } from './paths.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { findTwin } from './twin-candidates.ts';

/** Decides which candidates become resources, and names them. */
export interface Layout {
  readonly named: ReadonlyMap<ResourceCandidate, string>;
  /** The candidates that the options switch off. */
  readonly off: readonly ResourceCandidate[];
  /** Every candidate with the name of the resource that its paths serve. */
  readonly routes: readonly { readonly candidate: ResourceCandidate; readonly name: string }[];
  readonly parts: readonly PartsPath[];
  /** The kinds of users that sign in, with the names of their resources. */
  readonly accounts: readonly { readonly account: Account; readonly name: string }[];
}

/** Lays out the resources of a document. Throws a SetupError for an impossible mark or override. */
export function layOut(
  placed: readonly PlacedOperation[],
  paths: Paths,
  overrides: ResourceOverrides,
  isOff: (name: string) => boolean,
): Layout {
  const parts = findParts(paths);
  const marked = withMarks(paths, inferCandidates(paths, parts));
  const accounts = inferAccounts(placed, marked);
  const found = withUsers(marked, accounts);
  const twins = new Map(found.map((candidate) => [candidate, findTwin(paths, candidate, found)]));
  const own = nameCandidates(found.filter((candidate) => !twins.get(candidate)));
  const all = withOverrides(paths, own, overrides);
  const aliases = [...twins].flatMap(([candidate, twin]) =>
    twin ? [{ candidate, name: own.get(twin) ?? '' }] : [],
  );
  return {
    named: new Map([...all].filter(([, name]) => !isOff(name))),
    off: [...all].flatMap(([candidate, name]) => (isOff(name) ? [candidate] : [])),
    routes: [...aliases, ...[...all].map(([candidate, name]) => ({ candidate, name }))],
    parts,
    accounts: accounts.map((account) => {
      const { users } = account;
      return { account, name: own.get(twins.get(users) ?? users) ?? '' };
    }),
  };
}

/** Adds the users of accounts to the candidates, and drops single things that stand for the current user. */
function withUsers(
  candidates: readonly ResourceCandidate[],
  accounts: readonly Account[],
): ResourceCandidate[] {
  const shown = new Set(accounts.flatMap(({ members }) => members.map(({ operation }) => operation.path)));
  const others = candidates.filter(({ key, collectionPath }) => key || !shown.has(collectionPath));
  return [...new Set([...others, ...accounts.map(({ users }) => users)])];
}

/** Names each candidate by the last word of its path, with the words before it if that name is taken. */
function nameCandidates(candidates: readonly ResourceCandidate[]): Map<ResourceCandidate, string> {
  const taken = new Set<string>();
  const names = new Map<ResourceCandidate, string>();
  for (const candidate of candidates) {
    const words = candidate.collectionPath.split('/').filter((word) => word !== '' && !word.includes('{'));
    let name = candidate.name ?? candidate.word;
    for (let count = 2; taken.has(name); count++)
      name =
        count <= words.length
          ? words.slice(-count).join('.')
          : `${words.join('.')}.${count - words.length + 1}`;
    taken.add(name);
    names.set(candidate, name);
  }
  return names;
}
