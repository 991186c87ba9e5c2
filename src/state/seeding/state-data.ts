import { findNearest } from '../../base/find-nearest.ts';
import { once } from '../../base/once.ts';
import type { Violation } from '../../base/problem.ts';
import { keyOf, type Resource } from '../../model/resources/resources.ts';
import { findStateList, isNameable, type StateList, toEntityScope, withListParents } from '../lists/lists.ts';
import { type Entity, type Entries, type Entry, isEntity } from '../store/store.ts';
import { type FixtureKeyParts, withKeys } from './fixture-keys.ts';
import { buildRefersByKey } from './references.ts';

/** A list of the state as data, which may be of any type. */
interface StateDataList {
  readonly name: string;
  /** Where it stands: `body.pets`. */
  readonly location: string;
  /** Whether its only entity stands there, and not in a list. */
  readonly isOne?: boolean;
  /** Entities that stay, whose keys no other one gets. */
  readonly beside?: readonly Entity[];
  readonly data: unknown;
}

/** A list with its entities by key. */
export interface ReadStateList extends StateList {
  readonly entries: Entries;
}

/** Lists that were read, or the findings for which they are refused. */
interface StateReading {
  readonly lists: readonly ReadStateList[];
  readonly findings: readonly Violation[];
}

/** Reads lists in the shape of fixtures that a client sends while the mock runs. */
export type ReadState = (lists: readonly StateDataList[]) => StateReading;

interface StateDataParts extends FixtureKeyParts {
  readonly resources: ReadonlyMap<string, Resource>;
}

/** Builds the reader. It checks entities like those of fixtures, by their schemas alone. */
export function buildReadState(parts: StateDataParts): ReadState {
  const refersByKey = once(() => buildRefersByKey([...parts.resources.values()]));
  return (given) => {
    const findings = createFindings();
    const taken = new Set<string>();
    const lists = given.flatMap(({ name, location, isOne, beside = [], data }) => {
      const named = findStateList(parts.resources, name);
      if (!named) findings.add(unknownList(parts.resources, name, location));
      else if (!Array.isArray(data))
        findings.add({ location, message: `must be a list of ${named.resource.name}`, code: 'type' });
      if (!named || !Array.isArray(data)) return [];
      const placed = data.map((entity) => (isEntity(entity) ? withListParents(named, entity) : entity));
      const entities = refersByKey()(named.resource)
        ? placed
        : withKeys(parts, named.resource, [...beside, ...placed]).slice(beside.length);
      const entries = entities.flatMap((entity, index): Entry[] => {
        const found = findMistakes(parts, named, entity, isOne ? location : `${location}[${index}]`, taken);
        for (const each of found) findings.add(each);
        return found.length > 0 ? [] : [[keyOf(named.resource, entity as Entity), entity as Entity]];
      });
      return [{ ...named, entries }];
    });
    return { lists, findings: findings.all() };
  };
}

/** The findings for one entity. Notes its key if there are none. */
function findMistakes(
  { schemas }: StateDataParts,
  { resource, scope }: StateList,
  entity: unknown,
  location: string,
  taken: Set<string>,
): readonly Violation[] {
  if (!isEntity(entity)) return [{ location, message: 'must be object', code: 'type' }];
  const found = schemas.check(resource.schema, entity, location);
  if (found.length > 0) return found;
  const property = resource.key?.property;
  const at = property === undefined ? location : `${location}.${property}`;
  if (property !== undefined && (entity[property] ?? undefined) === undefined)
    return [{ location: at, message: 'is required', code: 'required' }];
  const names = [property, ...resource.parents.map((parent) => parent.property)];
  const unfit = names.find((name) => name !== undefined && !isNameable(entity[name]));
  if (unfit !== undefined)
    return [
      { location: `${location}.${unfit}`, message: 'must be a number or valid Unicode', code: 'key-invalid' },
    ];
  const key = keyOf(resource, entity);
  const place = `${resource.name} ${toEntityScope(resource, scope, entity)} ${key}`;
  if (taken.has(place))
    return [{ location: at, message: 'must differ from that of every other entity', code: 'uniqueItems' }];
  taken.add(place);
  return [];
}

function unknownList(resources: ReadonlyMap<string, Resource>, name: string, location: string): Violation {
  const nearest = findNearest(name.slice(0, LONGEST_NAME), [...resources.keys()]);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return {
    location: location.slice(0, LONGEST_NAME),
    message: `is not a list of the state${meant}`,
    code: 'member-unknown',
  };
}

const LONGEST_NAME = 200;

/** As many findings as a schema check gives at once. */
const MOST_FINDINGS = 99;

/** Collects findings, and counts those that are too many to read. */
function createFindings() {
  const shown: Violation[] = [];
  let more = 0;
  return {
    add(finding: Violation): void {
      if (shown.length < MOST_FINDINGS && finding.code !== 'findings-omitted') shown.push(finding);
      else more += finding.more ?? 1;
    },
    all(): readonly Violation[] {
      if (more === 0) return shown;
      const message = `has at least ${more.toLocaleString('en-US')} more problems`;
      return [...shown, { location: 'body', message, code: 'findings-omitted', more }];
    },
  };
}
