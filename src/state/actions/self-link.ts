import { once } from '../../base/once.ts';
import type { Operation } from '../../model/operations/operations.ts';
import {
  findBodyEntity,
  findPlainSelfLink,
  findSelfLink,
  type Resource,
  type ResourceModel,
  type SelfLink,
} from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { isJsonObject, memberOf, withMember } from './json-object.ts';
import { buildView, type View, type ViewParts } from './view.ts';

/** The parts of a service that the specs of its actions are built from. */
export interface SpecParts extends ViewParts {
  readonly model: ResourceModel;
  readonly table: { readonly operations: readonly Operation[] };
}

/** Builds the view of a resource's entities under `schema`. Entities link to themselves if the schema has such a link. */
export function buildLinkedView(parts: SpecParts, resource: Resource, schema: SchemaNode): View {
  const view = buildView(parts, resource, schema);
  const linkSelf = buildLinkSelf(parts, resource, schema);
  if (!linkSelf) return view;
  return (entity, locate) => {
    const url = locate(entity);
    return url === undefined ? view(entity) : linkSelf(view(entity), url);
  };
}

/** Sets the link of a shown entity to itself. */
type LinkSelf = (shown: unknown, url: string) => unknown;

function buildLinkSelf(parts: SpecParts, resource: Resource, schema: SchemaNode): LinkSelf | undefined {
  if (!resource.key || resource.location === undefined) return undefined;
  const word = resource.collectionPath.split('/').at(-1) ?? '';
  const showsKey = schema.sharedProperties.has(resource.key.property);
  const plain = findPlainSelfLink(schema, { word, showsKey });
  const link =
    findSelfLink(schema) ?? (plain && !isClientSet(parts, resource, plain.property) ? plain : undefined);
  if (!link) return undefined;
  const template = once(() => findTemplate(parts, resource, schema.at([link.property]), link));
  return (shown, url) => {
    const made = isJsonObject(shown) ? template() : undefined;
    if (!isJsonObject(shown) || !made) return shown;
    const base = link.isOpen ? made.base : (memberOf(shown, link.property) ?? made.base);
    return { ...shown, [link.property]: putTarget(base, link, made.toTarget(url)) };
  };
}

/** Whether a body may set a property of an entity. */
function isClientSet({ model, table }: SpecParts, resource: Resource, property: string): boolean {
  return table.operations.some((operation) => {
    if (model.actions.get(operation.id)?.resource !== resource) return false;
    const member = findBodyEntity(operation, resource)?.schema.sharedProperties.get(property);
    return member !== undefined && !member.isMarked('readOnly');
  });
}

/** The value around a link, and the form of its target that the document allows. */
interface Template {
  readonly base: unknown;
  readonly toTarget: (url: string) => string;
}

function findTemplate(
  { schemas, generate }: ViewParts,
  resource: Resource,
  node: SchemaNode,
  link: SelfLink,
): Template | undefined {
  const bases = [() => ({}), () => generate(node, `${resource.name} links`)];
  for (const toBase of bases) {
    const base = toBase();
    const toTarget = TARGET_FORMS.find(
      (each) => schemas.check(node, putTarget(base, link, each(SAMPLE_URL)), '').length === 0,
    );
    if (toTarget) return { base, toTarget };
  }
  return undefined;
}

const SAMPLE_URL = 'http://localhost:4010/api/things/1';

/** The whole URL, or its path. */
const TARGET_FORMS: readonly ((url: string) => string)[] = [
  (url) => url,
  (url) => url.replace(/^\w+:\/\/[^/]*/, ''),
];

function putTarget(base: unknown, { form, isObject }: SelfLink, target: string): unknown {
  if (form === 'plain') return target;
  if (form === 'list') return [{ rel: 'self', href: target }];
  return withMember(base, isObject ? ['self', 'href'] : ['self'], target);
}
