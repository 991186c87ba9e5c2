import { findNearest } from '../base/find-nearest.ts';
import type { Violation } from '../base/problem.ts';
import type { Schema, SchemaNode, SchemaNodes } from './reader.ts';

/** The most members of one body that are looked at, how deep, and the most that are reported. */
const MOST_VISITED = 1000;
const DEEPEST = 20;
const MOST_REPORTED = 5;
/** Longer names are cut. */
const LONGEST_NAME = 40;

/** How to look for unknown members. */
interface MemberSearchOptions {
  /** The location of the value, which the locations of its members begin with. */
  readonly location?: string;
  /** Whether to ignore members that resemble no declared one. */
  readonly onlyMistyped?: boolean;
  /** Finds the declared member that an unknown one probably stands for. */
  readonly nearestOf?: NearestMember;
}

export type NearestMember = (name: string, declared: SchemaNodes) => string | undefined;

/**
 * Finds the members of a body that its schema does not name, though it does not forbid them. Ignores objects whose schema names no
 * members, or says itself what others may be.
 */
export function findUnknownMembers(
  schema: SchemaNode,
  value: unknown,
  { location = 'body', onlyMistyped = false, nearestOf = findNearestMember }: MemberSearchOptions = {},
): readonly Violation[] {
  const found: Violation[] = [];
  visit(schema, value, location, { found, onlyMistyped, nearestOf, left: MOST_VISITED, depth: 0 });
  return found;
}

/** The declared member that an unknown one probably stands for. Ignores very long names. */
export function findNearestMember(name: string, declared: SchemaNodes): string | undefined {
  return name.length > LONGEST_NAME ? undefined : findNearest(name, [...declared.keys()]);
}

interface Visit extends Required<Omit<MemberSearchOptions, 'location'>> {
  readonly found: Violation[];
  left: number;
  depth: number;
}

function visit(schema: SchemaNode, value: unknown, location: string, search: Visit): void {
  if (typeof value !== 'object' || value === null || search.depth === DEEPEST) return;
  search.depth += 1;
  if (Array.isArray(value)) visitItems(schema, value, location, search);
  else visitMembers(schema, value, location, search);
  search.depth -= 1;
}

function visitItems(schema: SchemaNode, list: readonly unknown[], location: string, search: Visit): void {
  const items = schema.parts.findLast((part) => part.items !== undefined)?.items;
  if (!items) return;
  for (const [index, item] of list.entries()) {
    if (isOver(search)) return;
    visit(items, item, `${location}[${index}]`, search);
  }
}

function visitMembers(schema: SchemaNode, object: object, location: string, search: Visit): void {
  const { allProperties } = schema;
  if (allProperties.size === 0) return;
  const closed = !takesOthers(schema);
  for (const [name, member] of Object.entries(object)) {
    if (isOver(search)) return;
    const node = allProperties.get(name);
    if (node) {
      if (typeof member === 'object') visit(node, member, `${location}.${name}`, search);
    } else if (closed) {
      const nearest = search.nearestOf(name, allProperties);
      if (nearest !== undefined || !search.onlyMistyped)
        search.found.push(toViolation(location, name, nearest));
    }
  }
}

function isOver(search: Visit): boolean {
  search.left -= 1;
  return search.left < 0 || search.found.length === MOST_REPORTED;
}

function toViolation(location: string, name: string, nearest: string | undefined): Violation {
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return {
    location: `${location}.${name.slice(0, LONGEST_NAME)}`,
    message: `is not declared${hint}`,
    code: 'member-unknown',
  };
}

const open = new WeakMap<Schema, boolean>();

/** Whether a schema says something about members that it does not name. It then judges them itself. */
function takesOthers(schema: SchemaNode): boolean {
  const { keywords } = schema;
  const known =
    open.get(keywords) ?? schema.parts.some(({ definition }) => OTHERS.some((key) => key in definition));
  open.set(keywords, known);
  return known;
}

const OTHERS = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames', 'discriminator'],
  ...['if', 'dependencies', 'dependentSchemas'],
];
