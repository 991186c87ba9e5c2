import { buildNearestFinder, type NearestFinder } from '../../base/find-nearest.ts';
import { once } from '../../base/once.ts';

/** A longer segment is not compared, because it is hardly a typing error. */
const LONGEST_SEGMENT = 64;

/** Suggests the path that a mistyped one most likely stands for: one literal segment of a template is close to what it has there. */
export type SuggestPath = (path: string) => string | undefined;

/** A place in the templates of one length: what they have next, as a tree, so that a path is not compared with each of them. */
interface Place {
  readonly literals: Map<string, Place>;
  /** A parameter fits anything. */
  parameter?: Place;
  /** Finds the nearest of the literals. Built with the first path that has another segment here. */
  find?: NearestFinder;
}

/** Builds the table of paths with the first one that nobody has. */
export function createPathSuggester(listTemplates: () => Iterable<string>): SuggestPath {
  const table = once(() => buildPlaces(listTemplates()));
  return (path) => {
    const { roots, longest } = table();
    // A client chooses how long its path is.
    const typed = path.split('/', longest + 1);
    const root = roots.get(typed.length);
    return root && suggest(root, typed);
  };
}

function buildPlaces(templates: Iterable<string>) {
  const roots = new Map<number, Place>();
  let longest = 0;
  for (const template of templates) {
    const segments = template.split('/');
    longest = Math.max(longest, segments.length);
    let place = roots.get(segments.length) ?? createPlace();
    roots.set(segments.length, place);
    for (const segment of segments) place = toNext(place, segment);
  }
  return { roots, longest };
}

function createPlace(): Place {
  return { literals: new Map() };
}

function toNext(place: Place, segment: string): Place {
  const isParameter = segment.includes('{');
  const next = (isParameter ? place.parameter : place.literals.get(segment)) ?? createPlace();
  if (isParameter) place.parameter = next;
  else place.literals.set(segment, next);
  return next;
}

/** The first place, from the left, where another literal makes the rest fit. */
function suggest(root: Place, typed: readonly string[]): string | undefined {
  let places = [root];
  for (const [at, segment] of typed.entries()) {
    if (segment !== '' && segment.length <= LONGEST_SEGMENT) {
      const rest = typed.slice(at + 1);
      for (const place of places) {
        const nearest = findLiteral(place, segment, rest);
        if (nearest !== undefined) return [...typed.slice(0, at), nearest, ...rest].join('/');
      }
    }
    places = places.flatMap((place) => listNext(place, segment));
    if (places.length === 0) return undefined;
  }
  return undefined;
}

/** Where a segment leads: to a literal, a parameter, or both. */
function listNext({ literals, parameter }: Place, segment: string): Place[] {
  const literal = literals.get(segment);
  return [...(literal ? [literal] : []), ...(parameter && segment !== '' ? [parameter] : [])];
}

function findLiteral(place: Place, segment: string, rest: readonly string[]): string | undefined {
  const { literals } = place;
  place.find ??= buildNearestFinder([...literals.keys()]);
  return place.find(segment, (name) => name !== segment && fits(literals.get(name), rest));
}

/** Whether a place has exactly these segments. */
function fits(place: Place | undefined, [segment, ...rest]: readonly string[]): boolean {
  if (!place || segment === undefined) return place !== undefined;
  return listNext(place, segment).some((next) => fits(next, rest));
}
