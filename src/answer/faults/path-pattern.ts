/** Any one segment. */
const ONE: unique symbol = Symbol('*');
/** Any number of segments, also none. */
const ANY: unique symbol = Symbol('**');

/** A path with wildcards, segment by segment. */
type PathPattern = readonly (string | typeof ONE | typeof ANY)[];

/** Reads a path in which `*` or a parameter of a template stands for one segment, and `**` for any number of them. */
export function readPathPattern(text: string): PathPattern {
  return text.split('/').map((segment) => {
    if (segment === '**') return ANY;
    return segment === '*' || segment.includes('{') ? ONE : decodeSegment(segment);
  });
}

/** Whether a path matches a pattern. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return matchesSegments(pattern, path.split('/'), (want, segment) => want === decodeSegment(segment));
}

/** Whether some path could match both a pattern and a path template. */
export function couldMatch(pattern: PathPattern, template: string): boolean {
  return matchesSegments(
    pattern,
    template.split('/'),
    (want, segment) => segment.includes('{') || want === decodeSegment(segment),
  );
}

/** Goes back to the latest `**` only, because an earlier one could not do better. So it takes no more than the product of both lengths. */
function matchesSegments(
  pattern: PathPattern,
  segments: readonly string[],
  fits: (want: string, segment: string) => boolean,
): boolean {
  let at = 0;
  let index = 0;
  let any = -1;
  let resume = 0;
  while (index < segments.length) {
    const want = pattern[at];
    if (want === ANY) {
      any = at;
      at += 1;
      resume = index;
    } else if (want === ONE || (want !== undefined && fits(want, segments[index] ?? ''))) {
      at += 1;
      index += 1;
    } else if (any >= 0) {
      resume += 1;
      index = resume;
      at = any + 1;
    } else return false;
  }
  return pattern.slice(at).every((want) => want === ANY);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
