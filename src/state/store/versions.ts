let version = 0;
let uses = 0;

/** Counts for all stores together, so that a cached value of one state is never used for another's. */
export function nextVersion(): number {
  version += 1;
  return version;
}

/** Counts the uses of hidden resources, in all stores together. */
export function noteHiddenUse(): void {
  uses += 1;
}

export function countHiddenUses(): number {
  return uses;
}
