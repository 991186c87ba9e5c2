import {
  type DocumentFiles,
  type Missing,
  NOWHERE,
  type ReferenceTarget,
  readTarget,
  toTarget,
} from './files.ts';
import { isMapping } from './note.ts';
import type { Kind } from './shapes.ts';
import type { Source } from './source.ts';
import {
  below,
  complain,
  createUnit,
  type Here,
  type Mend,
  type Referred,
  type SharedPart,
  toPlaceOf,
  type Walk,
} from './unit.ts';

/**
 * What stands in place of a reference in one document: a reference to a shared part; a reference to a schema that is shared
 * from now on; or whatever else it leads to. A reference that leads nowhere is a mistake of its unit.
 */
export function mendReference(
  reference: string,
  siblings: Readonly<Record<string, unknown>>,
  kind: Kind,
  here: Here,
  mend: Mend,
): unknown {
  const { walk } = here;
  // Most references are to a few shared parts.
  const id = here.source === walk.files.main ? `${kind} ${reference}` : undefined;
  const known = id === undefined ? undefined : walk.shared.get(id);
  if (known) return toShared(known, siblings, here);
  const target = findTarget(walk.files, here.source, reference);
  if ('reason' in target) return refuse(reference, target, here);
  const found = toSharedName(walk, kind, target);
  if (found !== undefined) {
    const { section, name } = found;
    const shared = { unit: referShared(walk, section, name).unit, pointer: toPointer(walk, section, name) };
    if (id !== undefined) walk.shared.set(id, shared);
    return toShared(shared, siblings, here);
  }
  const { referred, name } = referElsewhere(here.walk, kind, target, mend);
  here.unit.uses.add(referred.unit);
  if (kind === 'schema') return { ...siblings, $ref: `${SHARED_SCHEMAS}${toPlainName(name)}` };
  return referred.value;
}

function toShared({ unit, pointer }: SharedPart, siblings: object, here: Here): object {
  here.unit.uses.add(unit);
  return { ...siblings, $ref: pointer };
}

/** Where a reference leads to instead of a node, if it is one; `undefined` for a mistake. */
export function follow(
  node: unknown,
  here: Here,
): { readonly node: unknown; readonly here: Here } | undefined {
  if (!isMapping(node) || typeof node.$ref !== 'string') return { node, here };
  const { files } = here.walk;
  const target = findTarget(files, here.source, node.$ref);
  if ('reason' in target) return refuse(node.$ref, target, here);
  const source = files.byLocation.get(target.location) ?? here.source;
  return follow(readTarget(files, target), { ...here, source, place: toPlaceOf(target.tokens) });
}

/** The shared part that is known by a section and a name. */
export function referShared(walk: Walk, section: string, name: string): Referred {
  const path = [...walk.format.sharedIn, section, name];
  const id = JSON.stringify(path);
  const known = walk.referred.get(id) ?? { unit: createUnit(walk, `#/${path.join('/')}`) };
  walk.referred.set(id, known);
  return known;
}

/** The name of a shared part in the document that comes out of the walk: the conversion takes no other for a reference. */
export function toPlainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `_${Buffer.from(name).toString('hex')}`;
}

const PLAIN_NAME = /^(?!__proto__$)[\w.-]+$/;

function refuse(reference: string, { reason, remedy }: Missing, here: Here): undefined {
  return complain(below(here, '$ref'), `the reference "${reference}" ${reason}`, remedy);
}

/** Where references to schemas lead in a converted document, whatever its format. */
export const SHARED_SCHEMAS = '#/components/schemas/';

function toPointer({ format }: Walk, section: string, name: string): string {
  const plain = toPlainName(name);
  if (section === format.schemas) return `${SHARED_SCHEMAS}${plain}`;
  return `#/${[...format.sharedIn, section, plain].join('/')}`;
}

function toSharedName({ files, format }: Walk, kind: Kind, { location, tokens }: ReferenceTarget) {
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

/** The name is taken before the target is mended, so that a schema may refer to itself. */
function referElsewhere(walk: Walk, kind: Kind, target: ReferenceTarget, mend: Mend) {
  const { location, tokens } = target;
  const id = JSON.stringify([kind, location, ...tokens]);
  const known = walk.referred.get(id);
  const name = known?.unit.label ?? toFreshName(walk, target);
  const referred = known ?? { unit: createUnit(walk, name) };
  if (known) return { referred, name };
  walk.referred.set(id, referred);
  if (kind === 'schema') walk.moved.set(name, referred);
  const source = walk.files.byLocation.get(location) ?? walk.files.main;
  const here = { walk, unit: referred.unit, source, place: toPlaceOf(tokens) };
  referred.value = mend(readTarget(walk.files, target), kind, here);
  return { referred, name };
}

function toFreshName({ files, format, moved }: Walk, { location, tokens }: ReferenceTarget): string {
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

/** What a reference leads to, or why it leads to nothing. */
function findTarget(files: DocumentFiles, source: Source, reference: string) {
  const target = toTarget(source, reference);
  if ('reason' in target) return target;
  const missing = files.missing.get(target.location);
  if (missing) return missing;
  const node = readTarget(files, target);
  if (node === undefined) return NOWHERE;
  return isEndless(files, target, node) ? ENDLESS : target;
}

const ENDLESS = {
  reason: 'only ever leads to other references',
  remedy: 'Let one of them lead to something.',
};
const HOPS = 100;

/** Whether there is nothing but references on the way. */
function isEndless(files: DocumentFiles, start: ReferenceTarget, first: unknown): boolean {
  let target = start;
  let node = first;
  for (let hops = 0; hops < HOPS; hops++) {
    const source = files.byLocation.get(target.location);
    if (!source || !isMapping(node) || typeof node.$ref !== 'string') return false;
    const next = toTarget(source, node.$ref);
    if ('reason' in next) return false;
    target = next;
    node = readTarget(files, target);
  }
  return true;
}
