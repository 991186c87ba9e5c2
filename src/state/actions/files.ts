import { Problem } from '../../base/problem.ts';
import type { Input } from '../../model/operations/operations.ts';
import { findResponse, mediaTypesOf, notAcceptable } from '../../model/operations/operations.ts';
import { type FileAction, keyOf, type Resource } from '../../model/resources/resources.ts';
import {
  isCovered,
  isFile,
  MULTIPART,
  negotiateMediaType,
  type Part,
  readMultipart,
  toActualType,
  toMediaType,
} from '../../wire/codecs/codecs.ts';
import { isToken, type MockRequest, type Outcome } from '../../wire/message/message.ts';
import { type Entity, toScope } from '../store/store.ts';
import { type ActionContext, readEntity, scopeKeys } from './context.ts';
import { findFile, putFile, type StoredFile } from './stored-files.ts';

/** One call of an operation on a file. */
interface FileContext extends Pick<ActionContext, 'operation' | 'request' | 'store' | 'input'> {
  readonly file: FileAction;
  /** The context of the entity that the file belongs to, if its path names one. */
  readonly owner: ActionContext | undefined;
}

/** Carries out an operation on a file. Leaves the answer to the document, except that of a download. Throws a 404 Problem without an owner. */
export function actOnFile(context: FileContext): Outcome | undefined {
  const { file, store, request } = context;
  const owner = context.owner ? toOwner(context.owner, readEntity(context.owner)) : '';
  const id = toFileId(owner, file, context.input);
  if (file.role === 'download') return toDownload(context, findFile(store, id));
  if (file.role === 'discard') {
    checkPresent(findFile(store, id));
    putFile(store, { id, owner, isGone: true });
    return undefined;
  }
  const sent = readSent(request, file);
  if (sent) putFile(store, { id, owner, ...sent });
  return undefined;
}

/** Stores the file that came with a new entity. */
export function putCreatedFile(context: ActionContext, entity: Entity): void {
  const { spec, store, request, input } = context;
  // The file of an existing entity is stored by an action of its own.
  if (spec.file?.role !== 'upload' || spec.file.owner) return;
  const owner = toOwner(context, entity);
  const sent = readSent(request, spec.file);
  if (sent) putFile(store, { id: toFileId(owner, spec.file, input), owner, ...sent });
}

function toOwner(context: ActionContext, entity: Entity): string {
  const { resource } = context.spec;
  return toOwnerId(resource, [...scopeKeys(context), keyOf(resource, entity)]);
}

/** The owner of files, by the keys of the items above it and its own. */
export function toOwnerId({ name }: Resource, keys: readonly unknown[]): string {
  return toScope([name, ...keys]);
}

function toFileId(owner: string, { id, parameters }: FileAction, { path }: Input): string {
  return `${owner} ${id} ${toScope(parameters.map((name) => path[name]))}`;
}

function readSent(
  { body, headers }: MockRequest,
  { parts }: FileAction,
): { readonly mediaType: string; readonly base64: string } | undefined {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined;
  const contentType = headers['content-type'] ?? '';
  const isForm = toMediaType(contentType) === MULTIPART;
  const sent = isForm ? findPart(readMultipart(body, contentType), parts) : { contentType, bytes: body };
  if (!sent) return undefined;
  const { buffer, byteOffset, length } = sent.bytes;
  return {
    mediaType: toSentType(sent.contentType),
    base64: Buffer.from(buffer, byteOffset, length).toString('base64'),
  };
}

/** The first file in a form, preferably one that the document names. */
function findPart(sent: readonly Part[], names: readonly string[]): Part | undefined {
  const files = sent.filter((part) => isFile(part) && part.bytes.length > 0);
  return files.find(({ name }) => names.includes(name)) ?? files[0];
}

const UNKNOWN_TYPE = 'application/octet-stream';

function toSentType(contentType: string | undefined): string {
  const type = toMediaType(contentType) ?? '';
  const [main = '', sub = '', ...others] = type.length > LONGEST_TYPE ? [] : type.split('/');
  return others.length === 0 && isToken(main) && isToken(sub) && !type.includes('*') ? type : UNKNOWN_TYPE;
}

/** RFC 6838 section 4.2. */
const LONGEST_TYPE = 255;

function toDownload(
  { operation, request }: FileContext,
  stored: StoredFile | undefined,
): Outcome | undefined {
  checkPresent(stored);
  if (!stored || 'isGone' in stored) return undefined;
  const declared = mediaTypesOf(findResponse(operation, operation.successStatus));
  const carried = findCarrying(declared, stored.mediaType);
  if (carried === undefined) return undefined;
  const mediaType = toCarriedType(carried, stored.mediaType);
  const offered = declared.map((each) => (each === carried ? mediaType : toActualType(each)));
  const { accept } = request.headers;
  const chosen = negotiateMediaType(accept, offered);
  if (chosen === undefined) throw notAcceptable(operation, accept, offered);
  if (chosen !== mediaType) return undefined;
  return { file: { mediaType, bytes: Buffer.from(stored.base64, 'base64') } };
}

/** Throws a 404 Problem for a file that was removed. */
function checkPresent(stored: StoredFile | undefined): void {
  if (!stored || !('isGone' in stored)) return;
  throw new Problem(404, 'file_not_found', 'The file was removed. Upload another one.');
}

/** Finds the declared type that can carry a file. Bytes of an unknown type may be of any. */
function findCarrying(declared: readonly string[], sent: string): string | undefined {
  const covering = declared.find((each) => isCovered(each, sent));
  if (covering !== undefined) return covering;
  const plain = declared.find((each) => toMediaType(each) === UNKNOWN_TYPE);
  const isUnknown = sent === UNKNOWN_TYPE;
  return plain ?? (isUnknown ? declared.find((each) => !TEXTUAL.test(each)) : undefined);
}

const TEXTUAL = /^text\/|[/+](json|xml)\b/i;

/** The type of an answer: that of the file where the document declares a range. */
function toCarriedType(carried: string, sent: string): string {
  if (!carried.includes('*')) return carried;
  return isCovered(carried, sent) ? sent : UNKNOWN_TYPE;
}
