import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toReadError } from '../../base/file-mistake.ts';
import { SetupError } from '../../base/problem.ts';
import { toSetupWarning } from '../../base/setup-code.ts';
import {
  isUrl,
  type KeyPath,
  readSource,
  recognizeFile,
  type Source,
  toPlace,
  toSource,
} from '../../document/document.ts';
import { isObject } from '../../schema/schema.ts';

/** Where fixtures come from: a directory with a file for each resource, one file with all of them, or data. */
export type FixturesOrigin = string | Readonly<Record<string, readonly object[]>>;

/** The entities of one resource, before they are read. */
export interface FixturePart {
  /** The name of the resource. */
  readonly name: string;
  /** The file, or the place in it. */
  readonly place: () => string;
  read(): Promise<FixtureList>;
}

/** A value that should be a list of entities, and its place. */
export interface FixtureList {
  readonly source: Source;
  readonly path: KeyPath;
  readonly data: unknown;
}

/** The member of a state file for what is not an entity. No fixtures need it. */
export const OWN_MEMBER = '$mock';

const FIXTURE_FILE = /^(.+)\.(json|ya?ml)$/i;

/** The parts of fixtures, and sentences about files that have none. */
interface FixtureListing {
  readonly parts: readonly FixturePart[];
  readonly notes: readonly string[];
}

/** Lists the parts of fixtures. Throws a SetupError where there are none to read. */
export async function listFixtureParts(origin: FixturesOrigin): Promise<FixtureListing> {
  if (typeof origin !== 'string')
    return { parts: toParts(toSource(toPlainData(origin), 'the fixtures')), notes: [] };
  if (isUrl(origin))
    throw new SetupError(
      'fixtures-invalid',
      `Fixtures cannot be fetched from ${origin}. Download them, and name the file.`,
    );
  const files = await listFiles(origin);
  if (!files) return { parts: toParts(await readSource(origin, 'fixtures file')), notes: [] };
  const readable = files.filter((file) => FIXTURE_FILE.test(file));
  const unread = files.filter((file) => UNREAD_FILE.test(file)).map((file) => join(origin, file));
  const notes = [
    ...(unread.length === 0
      ? []
      : [
          toSetupWarning(
            `Not read: ${toShort(unread)}. Fixtures are .json, .yaml or .yml files.`,
            'fixtures-ignored',
          ),
        ]),
    ...(readable.length === 0
      ? [toSetupWarning(`${origin} has no fixtures, so the mock starts empty. ${NAMING}`, 'fixtures-ignored')]
      : []),
  ];
  return { parts: readable.map((file) => toPart(origin, file)), notes };
}

/** Formats of data that people may take for fixtures. */
const UNREAD_FILE = /\.(jsonc|json5|jsonl|ndjson|csv|tsv|toml|xml)$/i;

const NAMING = 'Name the files after resources, like pets.json or pets.yaml.';

const SHOWN_FILES = 5;

function toShort(files: readonly string[]): string {
  const more = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} more` : '';
  return files.slice(0, SHOWN_FILES).join(', ') + more;
}

function toPart(directory: string, file: string): FixturePart {
  const place = join(directory, file);
  return {
    name: FIXTURE_FILE.exec(file)?.[1] ?? '',
    place: () => place,
    async read() {
      const source = await readSource(place, 'fixtures file');
      return { source, path: [], data: source.data };
    },
  };
}

/** Lists the files of a directory; `undefined` for a file. */
async function listFiles(directory: string): Promise<string[] | undefined> {
  try {
    return (await readdir(directory)).sort();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR' && (await isFile(directory))) return undefined;
    throw await toReadError(cause, directory, 'fixtures');
  }
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

function toParts(source: Source): FixturePart[] {
  const { data } = source;
  const other = recognizeFile(data);
  if (other && other.option !== 'fixtures')
    throw new SetupError(
      'fixtures-invalid',
      `${source.location} is ${other.name}, not fixtures. ${other.option === 'spec' ? `Serve it with --spec ${source.location}.` : EXPECTED}`,
    );
  if (!isObject(data) || Array.isArray(data)) {
    throw new SetupError(
      'fixtures-invalid',
      `${toPlace(source, [])}: expected an object with a list of entities for each resource. ${EXPECTED}`,
    );
  }
  const lists = Object.entries(data).filter(([name]) => name !== OWN_MEMBER);
  return lists.map(([name, list]) => ({
    name,
    place: () => toPlace(source, [name]),
    read: async () => ({ source, path: [name], data: list }),
  }));
}

const EXPECTED = 'Write lists by the names of resources, like {"pets": []}.';

/** A copy, so that a later change of the data changes no fixtures. Dates become texts, as in every answer. */
function toPlainData(data: object): unknown {
  try {
    return JSON.parse(JSON.stringify(data));
  } catch (cause) {
    throw new SetupError(
      'fixtures-invalid',
      `The fixtures are not plain data: ${(cause as Error).message}.`,
      { cause },
    );
  }
}
