import { LIMITS, MEBIBYTE } from './limits.ts';
import { Problem } from './problem.ts';

/** The memory that clients make a mock hold, over all of its sessions. */
export interface Budget {
  /** The bound, in bytes. */
  readonly limit: number;
  /** About how many bytes are held. Entities are counted exactly from time to time, and generously in between. */
  readonly held: number;
  /** Opens an account for a member, the most recently used one from now on. */
  open(member: BudgetMember): Account;
  /** Frees memory if the bound is exceeded. Called after each exchange, so that nothing shrinks while it is in use. */
  settle(): void;
  /** Counts all entities exactly. */
  recount(): void;
}

/** Counts the bytes of one kind that one session holds. */
export interface Ledger {
  readonly held: number;
  /** Counts bytes; negative ones are released. */
  spend(bytes: number): void;
  /** Counts bytes that stay until they are released. Throws a 507 Problem, and counts nothing, if they do not fit. */
  hold(bytes: number): void;
}

/** The memory of one session, in the order in which it is freed when room is needed. */
export interface Account {
  /** Freed first. */
  readonly caches: Ledger;
  /** Freed last, the oldest entries first. */
  readonly journal: Ledger;
  /** Never freed. */
  readonly kept: Ledger;
  /** Makes room for so many more bytes. Throws a 507 Problem if freeing everything that may go is not enough. */
  reserve(bytes: number): void;
  /** Counts entities that a client wrote, replaced ones included. */
  write(bytes: number): void;
  /** Notes that many entities may be gone, so that they are counted again when room is needed. */
  release(): void;
  /** Marks the member as the most recently used one. */
  touch(): void;
  /** Releases everything. A request that outlives its session counts nothing from then on. */
  close(): void;
}

/** A holder of memory, some of which it can free. */
export interface BudgetMember {
  dropCaches(): void;
  /** Drops expired tokens and idempotency keys. */
  dropExpired(): void;
  /** Drops the oldest entries of the journal until they have released so many bytes, or none is left. */
  dropEntries(bytes: number): void;
}

/** Counting all entities may take a tenth of a second, so it may use this share of the time at most. */
const COUNTING_SHARE = 0.1;

/** Creates a budget. `countEntities` returns the exact bytes of all entities that clients wrote. */
export function createBudget(
  countEntities: () => number = () => 0,
  limit: number = LIMITS.memory.value,
): Budget {
  return new SharedBudget(countEntities, limit);
}

class SharedBudget implements Budget {
  readonly limit: number;
  readonly #countEntities: () => number;
  /** A Set iterates in the order of insertion, so its first member is the least recently used one. */
  readonly #members = new Set<BudgetMember>();
  #newest: BudgetMember | undefined;
  /** The bytes of all ledgers. */
  #spent = 0;
  /** The bytes of entities: those of the last count, and all that were written since. */
  #written = 0;
  /** When entities may be counted again, by `performance.now()`. */
  #nextCount = 0;

  constructor(countEntities: () => number, limit: number) {
    this.#countEntities = countEntities;
    this.limit = limit;
  }

  get held(): number {
    return this.#spent + this.#written;
  }

  open(member: BudgetMember): Account {
    this.touch(member);
    return new OpenAccount(this, member);
  }

  forget(member: BudgetMember): void {
    this.#members.delete(member);
    if (this.#newest === member) this.#newest = undefined;
  }

  reserve(bytes: number): void {
    if (this.#lacks(bytes) && !this.#makeRoom(bytes)) throw limitReached(this.limit);
  }

  write(bytes: number): void {
    this.#written += bytes;
  }

  release(): void {
    this.#nextCount = 0;
  }

  settle(): void {
    if (this.#lacks(0)) this.#makeRoom(0);
  }

  touch(member: BudgetMember): void {
    if (member === this.#newest) return;
    this.#members.delete(member);
    this.#members.add(member);
    this.#newest = member;
  }

  spend(bytes: number): void {
    this.#spent += bytes;
  }

  #lacks(bytes: number): boolean {
    return this.held + bytes > this.limit;
  }

  /** Frees memory in the order of its worth, least recently used members first. Returns whether that was enough. */
  #makeRoom(bytes: number): boolean {
    this.#count();
    for (const member of this.#members) if (this.#lacks(bytes)) member.dropCaches();
    if (this.#lacks(bytes)) {
      for (const member of this.#members) member.dropExpired();
      this.#count();
    }
    for (const member of this.#members)
      if (this.#lacks(bytes)) member.dropEntries(this.held + bytes - this.limit);
    return !this.#lacks(bytes);
  }

  #count(): void {
    if (performance.now() >= this.#nextCount) this.recount();
  }

  recount(): void {
    const start = performance.now();
    this.#written = this.#countEntities();
    const end = performance.now();
    this.#nextCount = end + (end - start) / COUNTING_SHARE;
  }
}

/** A class, to save memory: each of ten thousand sessions has one. */
class OpenAccount implements Account {
  readonly caches: OpenLedger;
  readonly journal: OpenLedger;
  readonly kept: OpenLedger;
  #budget: SharedBudget | undefined;
  readonly #member: BudgetMember;

  constructor(budget: SharedBudget, member: BudgetMember) {
    this.#budget = budget;
    this.#member = member;
    this.caches = new OpenLedger(budget);
    this.journal = new OpenLedger(budget);
    this.kept = new OpenLedger(budget);
  }

  reserve(bytes: number): void {
    this.#budget?.reserve(bytes);
  }

  write(bytes: number): void {
    this.#budget?.write(bytes);
  }

  release(): void {
    this.#budget?.release();
  }

  touch(): void {
    this.#budget?.touch(this.#member);
  }

  close(): void {
    for (const ledger of [this.caches, this.journal, this.kept]) ledger.close();
    this.#budget?.forget(this.#member);
    this.#budget?.release();
    this.#budget = undefined;
  }
}

/** A class for the same reason. */
class OpenLedger implements Ledger {
  #budget: SharedBudget | undefined;
  held = 0;

  constructor(budget: SharedBudget) {
    this.#budget = budget;
  }

  spend(bytes: number): void {
    if (!this.#budget) return;
    this.held += bytes;
    this.#budget.spend(bytes);
  }

  hold(bytes: number): void {
    this.#budget?.reserve(bytes);
    this.spend(bytes);
  }

  close(): void {
    this.spend(-this.held);
    this.#budget = undefined;
  }
}

function limitReached(limit: number): Problem {
  const size = Math.round(limit / MEBIBYTE);
  const message = `Entities, snapshots, uploads, faults and idempotency keys fill the ${size} MiB that clients may use. Delete some, end or reset sessions, or start the mock with --memory ${2 * size}.`;
  return new Problem(507, 'limit_reached', message);
}
