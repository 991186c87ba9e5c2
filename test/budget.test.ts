import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, type BudgetMember, createBudget } from '../src/base/budget.ts';

/** A member that notes in which order it gives up what, and gives up all of it. */
function createMember(name: string, log: string[]) {
  const member: BudgetMember & { account: Account | undefined } = {
    account: undefined,
    dropCaches() {
      log.push(`${name} caches`);
      const { caches } = member.account as Account;
      caches.spend(-caches.held);
    },
    dropExpired() {
      log.push(`${name} expired`);
    },
    dropEntries(bytes) {
      log.push(`${name} entries`);
      const { journal } = member.account as Account;
      journal.spend(-Math.min(bytes, journal.held));
    },
  };
  return member;
}

function open(limit: number, entities = { bytes: 0 }) {
  const log: string[] = [];
  const budget = createBudget(() => entities.bytes, limit);
  const begin = (name: string) => {
    const member = createMember(name, log);
    member.account = budget.open(member);
    return member.account;
  };
  return { budget, begin, log, entities };
}

describe('A budget', () => {
  test('gives up nothing within its limit', () => {
    const { budget, begin, log } = open(100);
    begin('one').caches.spend(100);
    budget.settle();
    expect([budget.held, log]).toEqual([100, []]);
  });

  test('gives up caches before journals, and those of the least recently used session first', () => {
    const { budget, begin, log } = open(100);
    const [one, two] = [begin('one'), begin('two')];
    for (const account of [one, two]) {
      account.caches.spend(40);
      account.journal.spend(40);
    }
    one.touch();
    budget.settle();
    expect(log).toEqual(['two caches', 'one caches']);
    expect(budget.held).toBe(80);
    one.reserve(50);
    expect(log.slice(2)).toEqual(['two caches', 'one caches', 'two expired', 'one expired', 'two entries']);
    expect([one.journal.held, two.journal.held]).toEqual([40, 10]);
  });

  test('refuses what does not fit once everything is given up, and names the flag', () => {
    const { begin } = open(100 * 1024 * 1024);
    const account = begin('one');
    account.kept.spend(90 * 1024 * 1024);
    account.caches.spend(10 * 1024 * 1024);
    expect(() => account.reserve(11 * 1024 * 1024)).toThrow(
      expect.objectContaining({
        status: 507,
        code: 'limit_reached',
        message: expect.stringMatching(/--memory 200/),
      }),
    );
    expect(account.caches.held).toBe(0);
    expect(() => account.kept.hold(20 * 1024 * 1024)).toThrow();
    expect(account.kept.held).toBe(90 * 1024 * 1024);
  });

  test('counts entities exactly before it gives anything up', () => {
    const { budget, begin, log, entities } = open(100);
    const account = begin('one');
    account.caches.spend(50);
    for (let turn = 0; turn < 10; turn++) account.write(20);
    entities.bytes = 20;
    budget.settle();
    expect([budget.held, log]).toEqual([70, []]);
  });

  test('counts again at once after something large is gone', () => {
    const { begin, entities } = open(100);
    const account = begin('one');
    entities.bytes = 100;
    account.write(100);
    expect(() => account.reserve(1)).toThrow();
    entities.bytes = 0;
    account.release();
    account.reserve(100);
  });

  test('gets everything back from a closed account, which holds nothing from then on', () => {
    const { budget, begin, log } = open(100);
    const account = begin('one');
    for (const ledger of [account.caches, account.journal, account.kept]) ledger.spend(20);
    account.close();
    expect(budget.held).toBe(0);
    // A request that outlives its session still records itself.
    account.journal.spend(500);
    account.caches.spend(500);
    account.kept.hold(500);
    account.write(500);
    account.reserve(500);
    account.touch();
    budget.settle();
    expect([budget.held, log]).toEqual([0, []]);
  });

  test('says what its open accounts hold, whatever happens', () => {
    const command = fc.record({
      kind: fc.constantFrom(...Object.keys(ACTS)),
      name: fc.constantFrom('one', 'two', 'three'),
      bytes: fc.nat({ max: 80 }),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
        const { budget, begin } = open(200);
        const accounts = new Map<string, Account>();
        for (const { kind, name, bytes } of commands) {
          const account = accounts.get(name) ?? begin(name);
          accounts.set(name, account);
          ACTS[kind]?.(account, bytes);
          if (kind === 'close') accounts.delete(name);
          expect(budget.held).toBe(sumOf(accounts, ['caches', 'journal', 'kept']));
          budget.settle();
          expect(sumOf(accounts, ['kept'])).toBeLessThanOrEqual(200);
          expect(budget.held).toBeLessThanOrEqual(200);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const ACTS: Readonly<Record<string, (account: Account, bytes: number) => void>> = {
  caches: ({ caches }, bytes) => caches.spend(bytes),
  journal: ({ journal }, bytes) => journal.spend(bytes),
  kept: ({ kept }, bytes) => attempt(() => kept.hold(bytes)),
  released: ({ kept }) => kept.spend(-kept.held),
  reserve: (account, bytes) => attempt(() => account.reserve(bytes)),
  touch: (account) => account.touch(),
  close: (account) => account.close(),
};

function sumOf(accounts: Map<string, Account>, kinds: readonly ('caches' | 'journal' | 'kept')[]): number {
  const held = [...accounts.values()].flatMap((account) => kinds.map((kind) => account[kind].held));
  return held.reduce((sum, each) => sum + each, 0);
}

/** Makes a call that may find no room. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    expect(error).toMatchObject({ code: 'limit_reached' });
  }
}
