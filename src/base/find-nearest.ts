/** Finds the name that a mistyped one most likely stands for. Case, hyphens and underscores do not count. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  return buildNearestFinder(names)(typed);
}

/** Finds the nearest of the same names again and again, or of those of them that are accepted. */
export type NearestFinder = (typed: string, accept?: (name: string) => boolean) => string | undefined;

/** Reads names once, so that `findNearest` among thousands of them takes microseconds. */
export function buildNearestFinder(names: readonly string[]): NearestFinder {
  const known = names.map((name) => {
    const letters = simplify(name);
    return { name, letters, marks: toMarks(letters) };
  });
  return (typed, accept = () => true) => {
    const letters = simplify(typed);
    const marks = toMarks(letters);
    let nearest: string | undefined;
    // One edit for a name of four letters, so that "port" never suggests "cors", and two for longer names.
    let limit = Math.min(2, Math.floor(letters.length / 3));
    for (const each of known) {
      if (limit < 0) break;
      // An edit changes at most two of the letters that a name has.
      if (countBits(each.marks ^ marks) > 2 * limit) continue;
      const edits = countEdits(letters, each.letters, limit);
      if (edits > limit || !accept(each.name)) continue;
      nearest = each.name;
      limit = edits - 1;
    }
    return nearest;
  };
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** The letters of a name as bits; several letters share one. */
function toMarks(letters: string): number {
  let marks = 0;
  for (let index = 0; index < letters.length; index++) marks |= 1 << (letters.charCodeAt(index) & 31);
  return marks;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** The Levenshtein distance, with two swapped letters as one edit; any number above the limit if it is more. */
function countEdits(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let end = 0;
  const shorter = Math.min(from.length, to.length);
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return countOwnEdits(from.slice(start, from.length - end), to.slice(start, to.length - end), limit);
}

/** The same for names that neither begin nor end alike. */
function countOwnEdits(from: string, to: string, limit: number): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const current = [line];
    let least = line;
    for (let column = 1; column <= to.length; column++) {
      const same = from[line - 1] === to[column - 1];
      const swapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      const edits = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
        swapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(edits);
      least = Math.min(least, edits);
    }
    // A swap looks one line further back, but costs an edit, as much as that line may lag behind.
    if (least > limit) return least;
    before = last;
    last = current;
  }
  return last[to.length] as number;
}
