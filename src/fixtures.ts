import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './problem.ts';
import type { Resource } from './resources.ts';
import { isObject } from './schema.ts';
import type { SchemaChecker } from './schemas.ts';
import { readSource, type Source, toPlace } from './source.ts';
import type { Entity, Snapshot } from './store.ts';

/** The pet store's own fixtures. */
export const OWN_FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url));

const FIXTURE_FILE = /^(.+)\.(json|ya?ml)$/i;

/**
 * Reads the entities that a fresh session starts with: one JSON or YAML file with a list for each resource. Throws a
 * SetupError, naming file and line, for a file of no resource or an entity that breaks its schema.
 */
export async function loadFixtures(
  directory: string,
  resources: ReadonlyMap<string, Resource>,
  schemas: SchemaChecker,
): Promise<Snapshot> {
  const collections: Record<string, Snapshot['collections'][string]> = {};
  for (const file of await listFiles(directory)) {
    const name = FIXTURE_FILE.exec(file)?.[1] ?? '';
    const resource = resources.get(name);
    const path = join(directory, file);
    if (!resource) {
      const known = [...resources.keys()].join(', ') || 'none';
      throw new SetupError(
        `${path}: the document has no resource "${name}". It has: ${known}. Rename or remove the file.`,
      );
    }
    if (collections[name])
      throw new SetupError(`${path}: there are two files for "${name}". Keep one of them.`);
    const source = await readSource(path, 'fixtures file');
    collections[name] = { nextKey: 1, entries: readEntries(source, resource, schemas) };
  }
  return { collections };
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
    const [violation] = schemas.check(resource.schema, entity, resource.singular);
    if (violation) throw fail(`${violation.location} ${violation.message}`);
    const key = entity[resource.key.property];
    if (key === undefined) throw fail(`${resource.singular}.${resource.key.property} is required`);
    if (entries.has(String(key))) throw fail(`the ${resource.key.property} ${key} is taken already`);
    entries.set(String(key), entity);
  }
  return [...entries];
}
