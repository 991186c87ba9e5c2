import { isBinary, isFileSchema, isJson, isXml, MULTIPART, toMediaType } from '../../wire/codecs/codecs.ts';
import { findCode, type Operation, type OutlineContent, templateNames } from '../operations/operations.ts';
import type { ActionTarget, FileAction, Resource, ResourceAction } from './model.ts';
import type { PlacedOperation } from './placed-operation.ts';
import { toNameless } from './places.ts';
import { toSnake } from './snake-case.ts';

/** Finds the item at a path, or the user of the request. */
type FindOwner = (path: string) => ActionTarget | undefined;

interface FileParts {
  readonly actions: ReadonlyMap<string, ResourceAction>;
  readonly findOwner: FindOwner;
}

/**
 * Infers the operations that take a file, give it back or remove it, by operation id. Starts from the GETs that answer with a file, so a
 * document without any costs nothing. An upload stands at the path of its download, beside it below the same item
 * (`POST /pets/{id}/uploadPhoto`), or creates the item above it (`POST /files`).
 */
export function inferFiles(
  placed: readonly PlacedOperation[],
  parts: FileParts,
): ReadonlyMap<string, FileAction> {
  const operations = placed.map(({ declared }) => declared);
  const files = new Map<string, FileAction>();
  const places: FilePlace[] = [];
  for (const operation of operations) {
    if (parts.actions.has(operation.id) || !answersFile(operation)) continue;
    const place = toFilePlace(operation, parts.findOwner);
    places.push(place);
    files.set(operation.id, { ...place.action, role: 'download' });
  }
  if (places.length === 0) return files;
  for (const operation of operations) {
    const action = toFileAction(operation, places, parts);
    if (action) files.set(operation.id, action);
  }
  return withUploads(files);
}

/** A download without an upload always answers from the document. */
function withUploads(files: ReadonlyMap<string, FileAction>): ReadonlyMap<string, FileAction> {
  const isTaken = new Set([...files.values()].flatMap(({ role, id }) => (role === 'upload' ? [id] : [])));
  return new Map([...files].filter(([, { id }]) => isTaken.has(id)));
}

/** The place of a download. */
interface FilePlace {
  /** Its path without the names of parameters. */
  readonly path: string;
  /** The words of its path that distinguish it from other files of the item. */
  readonly word: string;
  readonly action: Omit<FileAction, 'role'>;
}

function toFilePlace({ path }: Operation, findOwner: FindOwner): FilePlace {
  const [owner, prefix] = findOwnerAbove(path, findOwner);
  const rest = path.slice(prefix.length);
  const id = owner ? `${owner.resource.name} ${toNameless(rest)}` : toNameless(path);
  return {
    path: toNameless(path),
    word: toFileWord(rest),
    action: { id, owner, parameters: templateNames(rest), parts: [] },
  };
}

/** Finds the item nearest to the end of a path, and the path up to it. */
function findOwnerAbove(path: string, findOwner: FindOwner): [ActionTarget | undefined, prefix: string] {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const prefix = path.slice(0, end);
    const owner = findOwner(prefix);
    if (owner) return [owner, prefix];
  }
  return [undefined, ''];
}

/** The word for a file: `photo` for `/photo`, `/uploadPhoto` and `/photo/download`; empty where the path only says that it is one. */
function toFileWord(rest: string): string {
  const words = toSnake(rest.replace(/\{[^{}]*\}/g, '')).split(/[^a-z0-9]+/);
  return words.filter((word) => !GENERAL_WORDS.has(word)).join('_');
}

const GENERAL_WORDS: ReadonlySet<string> = new Set(
  ' upload download get set put add content contents data raw file files binary'.split(' '),
);

function toFileAction(
  operation: Operation,
  places: readonly FilePlace[],
  { actions, findOwner }: FileParts,
): FileAction | undefined {
  const { method, id } = operation;
  const { path, action: at } = toFilePlace(operation, findOwner);
  const own = places.find((place) => place.path === path);
  const action = actions.get(id);
  if (method === 'DELETE') return own && !action ? { ...at, role: 'discard' } : undefined;
  const parts = UPLOADS.has(method) ? findFileParts(operation) : undefined;
  if (!parts) return undefined;
  if (own) return { ...at, role: 'upload', parts };
  const isCreation = action?.name === 'create';
  const resource = isCreation ? action.resource : at.owner?.resource;
  const words = isCreation ? parts.map(toFileWord) : [toFileWordOf(operation)];
  const alike = resource && at.parameters.length === 0 ? findAlike(places, resource, words) : undefined;
  const owner = isCreation ? undefined : at.owner;
  return alike && { id: alike.action.id, owner, parameters: [], role: 'upload', parts };
}

const UPLOADS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function toFileWordOf({ path }: Operation): string {
  return toFileWord(path.slice(path.lastIndexOf('}') + 1));
}

/** Finds the file of an item that one of some words names, or its only one. */
function findAlike(
  places: readonly FilePlace[],
  resource: Resource,
  words: readonly string[],
): FilePlace | undefined {
  const own = places.filter(
    ({ action }) => action.owner?.resource === resource && action.parameters.length === 0,
  );
  const [only, ...others] = own;
  const isGeneral = others.length === 0 && (only?.word === '' || words.includes(''));
  return own.find(({ word }) => words.includes(word)) ?? (isGeneral ? only : undefined);
}

function answersFile(operation: Operation): boolean {
  if (operation.method !== 'GET') return false;
  const code = findCode(operation, operation.successStatus);
  return code !== undefined && operation.outline.answerContents(code).some(isFileContent);
}

function isFileContent({ mediaType, schema }: OutlineContent): boolean {
  const type = toMediaType(mediaType) ?? '';
  if (isBinary(type) || type.startsWith('image/')) return true;
  return !isJson(type) && !isXml(type) && schema !== undefined && isFileSchema(schema);
}

/** The names of the files in the form that an operation takes; empty if its body is a file, and `undefined` if it takes none. */
function findFileParts({ outline }: Operation): readonly string[] | undefined {
  const contents = outline.bodyContents();
  const form = contents.find(({ mediaType }) => toMediaType(mediaType) === MULTIPART)?.schema;
  const files = [...(form?.sharedProperties ?? [])].filter(([, member]) =>
    isFileSchema(member.types.includes('array') ? (member.items ?? member) : member),
  );
  if (files.length > 0) return files.map(([name]) => name);
  return contents.some(isFileContent) ? [] : undefined;
}
