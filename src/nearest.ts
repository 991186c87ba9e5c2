/** Finds the name that a mistyped one most likely stands for. Case, hyphens and underscores do not count. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  const letters = simplify(typed);
  let nearest: string | undefined;
  // One edit for a name of four letters, so that "port" never suggests "cors", and two for longer names.
  let limit = Math.min(2, Math.floor(letters.length / 3));
  for (const name of names) {
    const edits = countEdits(letters, simplify(name), limit);
    if (edits > limit) continue;
    nearest = name;
    limit = edits - 1;
  }
  return nearest;
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** The Levenshtein distance, with two swapped letters as one edit. Returns early if the lengths differ by more than the limit. */
function countEdits(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  const lines = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (line: number, column: number) => lines[line]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let line = 1; line <= from.length; line++) {
    const current = [line];
    lines.push(current);
    for (let column = 1; column <= to.length; column++) {
      const same = from[line - 1] === to[column - 1];
      const swapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      current.push(
        Math.min(
          at(line - 1, column) + 1,
          at(line, column - 1) + 1,
          at(line - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(line - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
