import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findInexact } from '../codecs/codecs.ts';
import { readSource, type Source, toPlace } from '../document/document.ts';
import { SetupError } from '../problem.ts';
import type { Resource } from '../resources/resources.ts';
import { keyOf, toScopes } from '../resources/resources.ts';
import type { SchemaChecker } from '../schema/schema.ts';
import { isObject } from '../schema/schema.ts';
import type { Entity, Snapshot } from '../store/store.ts';

const FIXTURE_FILE = /^(.+)\.(json|ya?ml)$/i;

/** The entities that a fresh session starts with, and their places in the files. */
export interface Fixtures {
  readonly snapshot: Snapshot;
  /** File and line of an entity; the directory if no file has it. */
  locate(resource: string, key: string): string;
}

/** Lets files skip validation, or be ignored. */
export interface FixtureOptions {
  /** The texts of files that are known to be valid. */
  readonly checked: ReadonlySet<string>;
  /** Resources that were switched off. Their files are ignored. */
  readonly withoutState: readonly string[];
}

/**
 * Reads one JSON or YAML file with a list of entities for each resource. Throws a SetupError, naming file and line, for an
 * unknown resource or an entity that breaks its schema.
 */
export async function loadFixtures(
  directory: string,
  resources: ReadonlyMap<string, Resource>,
  schemas: SchemaChecker,
  { checked, withoutState }: FixtureOptions,
): Promise<Fixtures> {
  const sources = new Map<string, Source>();
  const collections: Record<string, Snapshot['collections'][string]> = {};
  for (const file of await listFiles(directory)) {
    const name = FIXTURE_FILE.exec(file)?.[1] ?? '';
    const resource = resources.get(name);
    if (withoutState.includes(name)) continue;
    const path = join(directory, file);
    if (!resource) throw unknownResource(path, name, resources);
    if (sources.has(name)) {
      throw new SetupError(`${path}: there are two files for "${name}". Keep one of them.`);
    }
    const source = await readSource(path, 'fixtures file');
    sources.set(name, source);
    const known = source.text !== undefined && checked.has(source.text);
    const entries = readEntries(source, resource, known ? checkNothing : schemas.check);
    collections[name] = toScopes(resource, entries);
  }
  return {
    snapshot: { collections },
    locate(resource, key) {
      const source = sources.get(resource);
      const known = resources.get(resource);
      const entities = (source?.data ?? []) as Entity[];
      const index = known ? entities.findIndex((entity) => keyOf(known, entity) === key) : -1;
      return source && index >= 0 ? toPlace(source, [index]) : directory;
    },
  };
}

function unknownResource(path: string, name: string, resources: ReadonlyMap<string, Resource>): SetupError {
  const known = [...resources.keys()].join(', ') || 'none';
  return new SetupError(
    `${path}: the document has no resource "${name}". It has: ${known}. Rename or remove the file.`,
  );
}

const checkNothing: SchemaChecker['check'] = () => [];

async function listFiles(directory: string): Promise<string[]> {
  let files: string[];
  try {
    files = await readdir(directory);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOTDIR' ? 'is a file, not a directory' : code === 'ENOENT' ? 'does not exist' : `(${code})`;
    const message = `The fixtures directory ${directory} ${why}. Name a directory with a file for each resource.`;
    throw new SetupError(message, { cause });
  }
  return files.filter((file) => FIXTURE_FILE.test(file)).sort();
}

function readEntries(source: Source, resource: Resource, check: SchemaChecker['check']): [string, Entity][] {
  if (!Array.isArray(source.data)) {
    throw new SetupError(
      `${toPlace(source, [])}: expected a list of ${resource.name}. Put the entities into [ ].`,
    );
  }
  const entries = new Map<string, Entity>();
  for (const [index, entity] of source.data.entries()) {
    const fail = (what: string) =>
      new SetupError(`${toPlace(source, [index])}: ${what}. Correct the entity there.`);
    if (!isObject(entity)) throw fail(`expected an object with the properties of a ${resource.singular}`);
    const violations = check(resource.schema, entity, resource.singular);
    const [violation = findInexact(entity, resource.singular)] = violations;
    if (violation) throw fail(`${violation.location} ${violation.message}`);
    const { property } = resource.key ?? {};
    if (property !== undefined && entity[property] === undefined)
      throw fail(`${resource.singular}.${property} is required`);
    const key = keyOf(resource, entity);
    if (entries.has(key))
      throw fail(
        property === undefined ? 'there can be only one' : `the ${property} ${key} is taken already`,
      );
    entries.set(key, entity);
  }
  return [...entries];
}
