import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInexact } from './exact.ts';
import { SetupError } from './problem.ts';
import type { Resource } from './resources.ts';
import { isObject } from './schema.ts';
import type { SchemaChecker } from './schemas.ts';
import { readSource, type Source, toPlace } from './source.ts';
import type { Entity, Snapshot } from './store.ts';

/** The pet store's own fixtures. */
export const OWN_FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url));

const FIXTURE_FILE = /^(.+)\.(json|ya?ml)$/i;

/** The entities that a fresh session starts with, and where they stand. */
export interface Fixtures {
  readonly snapshot: Snapshot;
  /** File and line of an entity; the directory for one that is in no file. */
  locate(resource: string, key: string): string;
}

/**
 * Reads one JSON or YAML file with a list of entities for each resource. Throws a SetupError, naming file and line, for a
 * file of no resource or an entity that breaks its schema.
 */
export async function loadFixtures(
  directory: string,
  resources: ReadonlyMap<string, Resource>,
  schemas: SchemaChecker,
): Promise<Fixtures> {
  const sources = new Map<string, Source>();
  const collections: Record<string, Snapshot['collections'][string]> = {};
  for (const file of await listFiles(directory)) {
    const name = FIXTURE_FILE.exec(file)?.[1] ?? '';
    const resource = resources.get(name);
    const path = join(directory, file);
    if (!resource) throw unknownResource(path, name, resources);
    if (sources.has(name)) {
      throw new SetupError(`${path}: there are two files for "${name}". Keep one of them.`);
    }
    const source = await readSource(path, 'fixtures file');
    sources.set(name, source);
    collections[name] = { nextKey: 1, entries: readEntries(source, resource, schemas) };
  }
  return {
    snapshot: inKeyOrder({ collections }),
    locate(resource, key) {
      const source = sources.get(resource);
      const property = resources.get(resource)?.key.property ?? '';
      const index =
        (source?.data as Entity[] | undefined)?.findIndex((entity) => String(entity[property]) === key) ?? -1;
      return source && index >= 0 ? toPlace(source, [index]) : directory;
    },
  };
}

/** A snapshot whose entities stand in the order of their integer keys, which is the order of every list. */
export function inKeyOrder({ collections }: Snapshot): Snapshot {
  const ordered = Object.entries(collections).map(([name, { nextKey, entries }]) => [
    name,
    { nextKey, entries: entries.toSorted(([a], [b]) => Number(a) - Number(b)) },
  ]);
  return { collections: Object.fromEntries(ordered) };
}

function unknownResource(path: string, name: string, resources: ReadonlyMap<string, Resource>): SetupError {
  const known = [...resources.keys()].join(', ') || 'none';
  return new SetupError(
    `${path}: the document has no resource "${name}". It has: ${known}. Rename or remove the file.`,
  );
}

async function listFiles(directory: string): Promise<string[]> {
  let files: string[];
  try {
    files = await readdir(directory);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOTDIR' ? 'is a file, not a directory' : code === 'ENOENT' ? 'does not exist' : `(${code})`;
    throw new SetupError(
      `The fixtures directory ${directory} ${why}. Name a directory with a file for each resource.`,
      {
        cause,
      },
    );
  }
  return files.filter((file) => FIXTURE_FILE.test(file)).sort();
}

function readEntries(source: Source, resource: Resource, schemas: SchemaChecker): [string, Entity][] {
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
    const [violation = findInexact(entity, resource.singular)] = schemas.check(
      resource.schema,
      entity,
      resource.singular,
    );
    if (violation) throw fail(`${violation.location} ${violation.message}`);
    const key = entity[resource.key.property];
    if (key === undefined) throw fail(`${resource.singular}.${resource.key.property} is required`);
    if (entries.has(String(key))) throw fail(`the ${resource.key.property} ${key} is taken already`);
    entries.set(String(key), entity);
  }
  return [...entries];
}
