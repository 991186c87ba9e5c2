import { toDate } from '../../base/clock.ts';
import type { Diagnostic } from '../../document/document.ts';
import type { Operation } from '../../model/operations/operations.ts';
import {
  type ActionName,
  type Edit,
  type FileAction,
  isOpenAnswer,
  type Resource,
} from '../../model/resources/resources.ts';
import type { Service } from './build.ts';
import { findLargeAnswers } from './large-answers.ts';

export type { Diagnostic, DiagnosticCode } from '../../document/document.ts';

/** The document that is served. */
export interface DocumentInfo {
  /** The file or URL. */
  readonly location: string;
  readonly title: string;
  /** The parts of it that are left out, ignored or served in another way. */
  readonly notes: readonly Diagnostic[];
  /** The headers, query parameters and cookies that its security schemes declare. Their values are hidden in logs and exports. */
  readonly credentialNames: readonly string[];
}

/** An operation of the document, as `routes` shows it. */
export interface OperationInfo {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
  /** The date from which it may be gone. */
  readonly sunset: Date | undefined;
  readonly stability: string | undefined;
  /** The credentials that a request needs, as in `X-API-Key header or Bearer token`. */
  readonly credentials: string | undefined;
  /** A notice for clients that it is deprecated or unstable. */
  readonly notice: string | undefined;
  /** Whether it is answered from the document alone. */
  readonly stateless: boolean;
  /** Whether the document leaves the body of its answer open. */
  readonly undeclared: boolean;
}

/** A resource that has state, as `routes --resources` shows it. */
export interface ResourceInfo {
  readonly name: string;
  readonly collectionPath: string;
  /** `undefined` for a singleton. */
  readonly itemPath: string | undefined;
  /** The property that identifies an entity; `undefined` for a singleton. */
  readonly key: string | undefined;
  /** The actions of its operations: `list`, `create`, `read`, `find`, `replace`, `update`, `remove`, `act`, `login`, `refresh`, `logout`. */
  readonly actions: readonly string[];
  /** The effects of the operations below its items, such as `POST /orders/{id}/cancel`. */
  readonly effects: readonly EffectInfo[];
  readonly reason: string;
  /** The number of entities in a fresh session; `undefined` if they are generated on first use. */
  readonly entities: number | undefined;
}

/** The effect of an operation on an entity. */
export interface EffectInfo {
  readonly method: string;
  readonly path: string;
  /**
   * Each property, with its value where that is fixed: `status "cancelled"`, `likesCount +1`, `cancelledAt`, `items`. `(the file)` and
   * `(no file)` for an upload and its removal.
   */
  readonly sets: readonly string[];
}

const infos = new WeakMap<Service, DocumentInfo>();

/** Describes the document of a service, once, because every line of the log asks for its credentials. */
export function toDocumentInfo(service: Service): DocumentInfo {
  const known = infos.get(service);
  if (known) return known;
  const { location, title, notes } = service.document;
  const info = {
    location,
    title,
    get notes() {
      return [...notes, ...findLargeAnswers(service)];
    },
    credentialNames: listCredentialNames(service),
  };
  infos.set(service, info);
  return info;
}

/** Lists the names that the security schemes of a document declare. */
function listCredentialNames(service: Service): readonly string[] {
  const schemes = new Set([...service.document.security.values()].flat(2));
  return [...schemes].flatMap((scheme) => ('in' in scheme ? [scheme.name] : []));
}

export function toOperationInfos(service: Service): OperationInfo[] {
  return service.table.operations.map((operation) => toOperationInfo(service, operation));
}

export function toResourceInfos(service: Service): ResourceInfo[] {
  const names = new Map<Resource, Set<ActionName>>();
  for (const { resource, name } of service.model.actions.values())
    names.set(resource, (names.get(resource) ?? new Set()).add(name));
  return [...service.model.resources.values()].map((resource) =>
    toResourceInfo(service, resource, [...(names.get(resource) ?? [])]),
  );
}

function toOperationInfo({ lifecycles, security, actions }: Service, operation: Operation): OperationInfo {
  const lifecycle = lifecycles.get(operation);
  const { id, method, path, summary } = operation;
  return {
    id,
    method,
    path,
    summary,
    deprecated: lifecycle?.deprecated ?? false,
    sunset: lifecycle?.sunset === undefined ? undefined : toDate(lifecycle.sunset * 1000),
    stability: lifecycle?.stability,
    credentials: security?.describe(operation),
    notice: lifecycle?.notice,
    stateless: !actions.has(operation),
    get undeclared() {
      return isOpenAnswer(operation);
    },
  };
}

function toResourceInfo(
  { initial, model, table }: Service,
  resource: Resource,
  actions: readonly ActionName[],
): ResourceInfo {
  const { name, collectionPath, itemPath, key, reason } = resource;
  return {
    name,
    collectionPath,
    itemPath,
    key: key?.property,
    actions,
    get effects() {
      return toEffects({ model, table }, resource);
    },
    reason,
    entities: initial.countOf(name),
  };
}

/** Lists the effects of the operations below the items of a resource. */
function toEffects({ model, table }: Pick<Service, 'model' | 'table'>, resource: Resource): EffectInfo[] {
  return table.operations.flatMap(({ id, method, path }) => {
    const action = model.actions.get(id);
    const file = model.files.get(id);
    const effect = action?.resource === resource ? action.effect : undefined;
    const sets = [
      ...(effect?.edits ?? []).map(describeEdit),
      ...(effect?.parts ? [effect.parts.property] : []),
      ...(file && (file.owner ?? action)?.resource === resource ? describeFile(file) : []),
    ];
    return sets.length === 0 ? [] : [{ method, path, sets }];
  });
}

function describeFile({ role }: FileAction): string[] {
  if (role === 'download') return [];
  return [role === 'upload' ? '(the file)' : '(no file)'];
}

function describeEdit(edit: Edit): string {
  if (edit.kind === 'time') return edit.property;
  if (edit.kind === 'count') return `${edit.property} ${edit.by > 0 ? '+1' : '-1'}`;
  return `${edit.property} ${JSON.stringify(edit.value)}`;
}
