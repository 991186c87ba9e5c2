import {
  type DocumentFiles,
  type Missing,
  NOWHERE,
  type ReferenceTarget,
  readTarget,
  toReferenceTarget,
} from './files.ts';
import type { Kind } from './format.ts';
import { isMapping, type Mapping } from './mapping.ts';
import type { Source } from './source.ts';
import {
  below,
  complain,
  createUnit,
  type DocumentWalk,
  type Here,
  ignore,
  type Referred,
  type Sanitize,
  type SharedPart,
  toPosition,
  use,
} from './unit.ts';

/**
 * Replaces a reference for a document in one file: by a reference to a shared part, by a reference to a schema that becomes shared,
 * or by any other target itself. A dangling reference is a mistake of its unit.
 */
export function sanitizeReference(
  reference: string,
  siblings: Mapping,
  kind: Kind,
  here: Here,
  sanitize: Sanitize,
): unknown {
  const { walk } = here;
  // Most references lead to a few shared parts.
  const id = here.source === walk.files.main ? `${kind} ${reference}` : undefined;
  const known = id === undefined ? undefined : walk.shared.get(id);
  if (known) return toShared(known, siblings, here);
  const target = resolveTarget(walk.files, here.source, reference);
  if ('reason' in target) {
    const isInside = kind === 'schema' && isInSchema(here);
    return isInside
      ? replaceReference(reference, target, here)
      : complainAboutReference(reference, target, here);
  }
  const found = toSharedName(walk, kind, target);
  if (found !== undefined) {
    const { section, name } = found;
    const shared = {
      unit: referShared(walk, section, name).unit,
      pointer: toSharedPointer(walk, section, name),
    };
    if (id !== undefined) walk.shared.set(id, shared);
    return toShared(shared, siblings, here);
  }
  const { referred, name } = referElsewhere(here.walk, kind, target, sanitize);
  use(here.unit, referred.unit);
  if (kind === 'schema') return { ...siblings, $ref: `${SHARED_SCHEMAS}${toPlainName(name)}` };
  return referred.value;
}

function toShared({ unit, pointer }: SharedPart, siblings: object, here: Here): object {
  use(here.unit, unit);
  return { ...siblings, $ref: pointer };
}

interface Followed {
  readonly node: unknown;
  readonly here: Here;
}

/** Follows a node that is a reference to its end; returns `undefined` for a mistake. */
export function follow(node: unknown, here: Here): Followed | undefined {
  return followWith(complainAboutReference, node, here);
}

/** Follows references to their end. Returns `undefined`, without a diagnostic, where they lead nowhere. */
export function resolveQuietly(node: unknown, here: Here): Followed | undefined {
  return followWith(() => undefined, node, here);
}

function followWith(
  complainAbout: typeof complainAboutReference,
  node: unknown,
  here: Here,
): Followed | undefined {
  if (!isMapping(node) || typeof node.$ref !== 'string') return { node, here };
  const { files } = here.walk;
  const target = resolveTarget(files, here.source, node.$ref);
  if ('reason' in target) return complainAbout(node.$ref, target, here);
  const source = files.byLocation.get(target.location) ?? here.source;
  return followWith(complainAbout, readTarget(files, target), {
    ...here,
    source,
    position: toPosition(target.tokens),
  });
}

/**
 * Refers to a variant of a target: a copy that `make` builds in a unit of its own. All references to the same variant share the copy, so
 * it may refer to itself.
 */
export function referVariant(
  reference: string,
  variant: string,
  here: Here,
  make: (node: unknown, here: Here) => unknown,
): object {
  const { walk, scope } = here;
  const target = resolveTarget(walk.files, here.source, reference);
  if ('reason' in target) return replaceReference(reference, target, here);
  const id = scope ? `${variant} ${scope.id}` : variant;
  const { referred, name } = referElsewhere(walk, 'schema', target, (node, _, at) => make(node, at), id);
  use(here.unit, referred.unit);
  return { $ref: `${SHARED_SCHEMAS}${toPlainName(name)}` };
}

/** Returns the shared part with a section and a name. */
export function referShared(walk: DocumentWalk, section: string, name: string): Referred {
  const path = [...walk.format.sharedIn, section, name];
  const id = JSON.stringify(path);
  const known = walk.referred.get(id) ?? { unit: createUnit(walk, `#/${path.join('/')}`) };
  walk.referred.set(id, known);
  return known;
}

/** Returns the name of a shared part in the prepared document. The conversion does not recognize references with other names. */
export function toPlainName(name: string): string {
  return POINTER_SAFE.test(name) ? name : `_${Buffer.from(name).toString('hex')}`;
}

const POINTER_SAFE = /^(?!__proto__$)[\w.-]+$/;

/** Whether a schema stands inside another one. */
function isInSchema({ position }: Here): boolean {
  const keys = [position?.key, position?.above?.key];
  return keys.some((key) => INNER_KEYWORDS.has(String(key)));
}

const INNER_KEYWORDS = new Set(['properties', 'items', 'additionalProperties', 'allOf', 'oneOf', 'anyOf']);

/** Lets a schema without a target allow anything: a single property should not cost its operations. */
function replaceReference(reference: string, { code, reason, remedy }: Missing, here: Here): object {
  ignore(
    below(here, '$ref'),
    code,
    `the reference "${reference}" ${reason}, so any value is allowed there`,
    remedy,
  );
  return {};
}

function complainAboutReference(reference: string, missing: Missing, here: Here): undefined {
  const { code, reason, remedy } = missing;
  return complain(below(here, '$ref'), code, `the reference "${reference}" ${reason}`, remedy);
}

/** The beginning of references to schemas in a converted document, whatever its format. */
export const SHARED_SCHEMAS = '#/components/schemas/';

function toSharedPointer({ format }: DocumentWalk, section: string, name: string): string {
  const plain = toPlainName(name);
  if (section === format.schemas) return `${SHARED_SCHEMAS}${plain}`;
  return `#/${[...format.sharedIn, section, plain].join('/')}`;
}

function toSharedName({ files, format }: DocumentWalk, kind: Kind, { location, tokens }: ReferenceTarget) {
  const [section, name, ...deeper] = tokens.slice(format.sharedIn.length);
  const isShared =
    location === files.main.location &&
    format.sharedIn.every((key, index) => tokens[index] === key) &&
    section !== undefined &&
    name !== undefined &&
    deeper.length === 0 &&
    Object.hasOwn(format.sections, section) &&
    format.sections[section] === kind;
  return isShared ? { section, name } : undefined;
}

/** Reserves the name before sanitizing the target, so that a schema may refer to itself. */
function referElsewhere(
  walk: DocumentWalk,
  kind: Kind,
  target: ReferenceTarget,
  sanitize: Sanitize,
  variant = '',
) {
  const { location, tokens } = target;
  const id = JSON.stringify([kind, variant, location, ...tokens]);
  const known = walk.referred.get(id);
  const name = known?.unit.label ?? toFreshName(walk, target);
  const referred = known ?? { unit: createUnit(walk, name) };
  if (known) return { referred, name };
  walk.referred.set(id, referred);
  if (kind === 'schema') walk.moved.set(name, referred);
  const source = walk.files.byLocation.get(location) ?? walk.files.main;
  const here = { walk, unit: referred.unit, source, position: toPosition(tokens) };
  referred.value = sanitize(readTarget(walk.files, target), kind, here);
  return { referred, name };
}

function toFreshName({ files, format, moved }: DocumentWalk, { location, tokens }: ReferenceTarget): string {
  const [word = 'Schema'] = /[\w-]+(?=(?:\.\w+)?$)/.exec(tokens.at(-1) ?? location) ?? [];
  const taken = readTarget(files, {
    location: files.main.location,
    tokens: [...format.sharedIn, format.schemas],
  });
  let name = word;
  for (let count = 2; (isMapping(taken) && Object.hasOwn(taken, name)) || moved.has(name); count++)
    name = `${word}_${count}`;
  return name;
}

/** Resolves a reference to its target, or to the reason why there is none. */
function resolveTarget(files: DocumentFiles, source: Source, reference: string) {
  const target = toReferenceTarget(source, reference);
  if ('reason' in target) return target;
  const missing = files.missing.get(target.location);
  if (missing) return missing;
  const node = readTarget(files, target);
  if (node === undefined) return NOWHERE;
  return isEndless(files, target, node) ? ENDLESS_REFERENCE : target;
}

const ENDLESS_REFERENCE: Missing = {
  code: 'reference-circular',
  reason: 'leads only to other references',
  remedy: 'Point one of them at a definition.',
};
const HOP_LIMIT = 100;

/** Whether following a target meets only references. */
function isEndless(files: DocumentFiles, start: ReferenceTarget, first: unknown): boolean {
  let target = start;
  let node = first;
  for (let hops = 0; hops < HOP_LIMIT; hops++) {
    const source = files.byLocation.get(target.location);
    if (!source || !isMapping(node) || typeof node.$ref !== 'string') return false;
    const next = toReferenceTarget(source, node.$ref);
    if ('reason' in next) return false;
    target = next;
    node = readTarget(files, target);
  }
  return true;
}
