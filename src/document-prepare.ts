import { type DocumentFiles, type ReferenceTarget, readTarget, toTarget } from './document-files.ts';
import { isData, isNamed, memberPlace, type Place, ROOT, referenceOf } from './document-walk.ts';
import { isObject } from './schema.ts';
import type { Source } from './source.ts';

/**
 * One document out of its files, in which what the conversion stumbles over is mended: schemas that stand elsewhere than among
 * the shared ones are moved there, anything else that is referred to elsewhere is put in place of the reference, and
 * `nullable` beside no `type`, which means nothing and which a validator refuses to compile, is left out.
 */
export function prepareDocument(files: DocumentFiles): object {
  const swagger = isObject(files.main.data) && files.main.data.swagger !== undefined;
  const preparation: Preparation = {
    files,
    shared: swagger ? SHARED_IN_SWAGGER : SHARED_IN_OPENAPI,
    schemaPath: swagger ? ['definitions'] : ['components', 'schemas'],
    moved: new Map(),
    schemas: {},
    prepared: new Map(),
  };
  const document = prepare(files.main.data, ROOT, files.main, preparation) as object;
  const schemas = preparation.schemaPath.reduce(memberOf, document as Record<string, unknown>);
  for (const [name, schema] of Object.entries(preparation.schemas)) define(schemas, name, schema);
  return document;
}

interface Preparation {
  readonly files: DocumentFiles;
  /** The beginnings of references that the conversion resolves by itself. */
  readonly shared: readonly string[];
  /** Where shared schemas stand. */
  readonly schemaPath: readonly string[];
  /** Target → the name under which its schema is shared now. */
  readonly moved: Map<string, string>;
  readonly schemas: Record<string, unknown>;
  /** What was prepared already: references may lead in circles. */
  readonly prepared: Map<object, object>;
}

const SHARED_IN_OPENAPI = ['#/components/'];
const SHARED_IN_SWAGGER = ['#/definitions/', '#/parameters/', '#/responses/'];

function prepare(node: unknown, place: Place, source: Source, preparation: Preparation): unknown {
  if (!isObject(node)) return node;
  const reference = referenceOf(node, place);
  if (reference !== undefined) return prepareReference(node, reference, place, source, preparation);
  const known = preparation.prepared.get(node);
  if (known) return known;
  const copy = Array.isArray(node) ? [] : {};
  preparation.prepared.set(node, copy);
  for (const [key, value] of Object.entries(node)) {
    if (isEmptyNullable(node, key, place)) continue;
    if (isLoneExample(node, key, place)) define(copy, 'examples', { default: { value } });
    else if (isData(key, place)) define(copy, key, value);
    else define(copy, key, prepare(value, memberPlace(node, key, place), source, preparation));
  }
  return copy;
}

function prepareReference(
  node: object,
  reference: string,
  place: Place,
  source: Source,
  preparation: Preparation,
): unknown {
  const { files, shared, schemaPath } = preparation;
  const target = toTarget(source, reference, place.path);
  const local = target.location === files.main.location;
  if (local && shared.some((start) => target.fragment.startsWith(start)))
    return { ...node, $ref: target.fragment };
  const owner = files.byLocation.get(target.location) ?? source;
  if (place.kind !== 'schema') return prepare(readTarget(files, target), place, owner, preparation);
  const name = preparation.moved.get(toId(target)) ?? moveSchema(target, owner, preparation);
  return { $ref: `#/${[...schemaPath, name].join('/')}` };
}

/** The name is taken before the schema is prepared, so that a schema may refer to itself. */
function moveSchema(target: ReferenceTarget, owner: Source, preparation: Preparation): string {
  const { files, moved, schemas, schemaPath } = preparation;
  const word =
    /([\w-]+?)(?:\.\w+)?$/.exec(target.fragment === '#' ? target.location : target.fragment)?.[1] ?? 'Schema';
  const taken =
    schemaPath.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), files.main.data) ??
    {};
  let name = word;
  for (let count = 2; Object.hasOwn(taken, name) || Object.hasOwn(schemas, name); count++)
    name = `${word}_${count}`;
  moved.set(toId(target), name);
  schemas[name] = {};
  schemas[name] = prepare(readTarget(files, target), { path: [], kind: 'schema' }, owner, preparation);
  return name;
}

function toId({ location, fragment }: ReferenceTarget): string {
  return location + fragment;
}

/** A member that is a mapping; it is made if it is not there. */
function memberOf(node: Record<string, unknown>, key: string): Record<string, unknown> {
  const member = node[key];
  if (isObject(member)) return member;
  const made = {};
  define(node, key, made);
  return made;
}

/** The `example` of a media type or parameter: the conversion would take a `$ref` in it for a reference. */
function isLoneExample(node: Record<string, unknown>, key: string, place: Place): boolean {
  if (key !== 'example' || place.kind !== 'other' || isNamed(place)) return false;
  return node.schema !== undefined && node.examples === undefined;
}

function isEmptyNullable(node: Record<string, unknown>, key: string, { kind }: Place): boolean {
  return key === 'nullable' && kind === 'schema' && node.nullable === true && node.type === undefined;
}

/** Assigning would give a member named `__proto__` a meaning. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
