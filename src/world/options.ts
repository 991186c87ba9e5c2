import { resolve } from 'node:path';
import { OWN_DOCUMENT } from '../document.ts';
import type { FaultRule } from '../faults.ts';
import { OWN_FIXTURES } from '../fixtures.ts';
import type { LifecycleFacts } from '../lifecycle/facts.ts';
import type { Operation } from '../operations.ts';
import { inferResources, type ResourceModel, type ResourceOverrides, STATELESS } from '../resources.ts';

/** What decides about a mock's answers. */
export interface WorldOptions {
  /** File, URL or object of the OpenAPI document; the pet store's own unless given. */
  readonly spec?: string | object;
  /** Whether the document's references may lead to other hosts; false unless given. */
  readonly allowRemoteRefs?: boolean;
  /** Check that requests have the credentials that the document asks for; true unless given. None is ever verified. */
  readonly auth?: boolean;
  /** Directory with a file of entities for each resource; the pet store's own for its own document. */
  readonly fixtures?: string;
  /** Start without entities. */
  readonly empty?: boolean;
  /** Keep no state, or none of these resources: answers come from the document's examples and schemas. */
  readonly stateless?: boolean | readonly string[];
  /** What has state, by the name of the resource, over what is inferred from the document. */
  readonly resources?: ResourceOverrides;
  /** Decides every generated value and every chance; 1 unless given. */
  readonly seed?: number;
  /** Milliseconds to wait before every answer, or the bounds between which each wait falls. */
  readonly delay?: number | readonly [from: number, to: number];
  /** Error rules, in their short form or as objects. The first one that hits a request decides. */
  readonly errors?: readonly (string | FaultRule)[];
  /** Deprecation and stability, by operationId or label, over what the document says. */
  readonly lifecycle?: Readonly<Record<string, LifecycleFacts>>;
}

/** What has state: as it is inferred, and as the options have it. Throws a SetupError for what cannot be. */
export function buildModel(
  root: unknown,
  operations: readonly Operation[],
  options: WorldOptions,
): ResourceModel {
  if (options.stateless === true) return STATELESS;
  const off = namesOff(options).map((name) => [name, false] as const);
  return inferResources(root, operations, { ...options.resources, ...Object.fromEntries(off) });
}

/** The resources that the options switch off. */
export function namesOff({ stateless, resources = {} }: WorldOptions): string[] {
  const off = Object.keys(resources).filter((name) => resources[name] === false);
  return [...new Set([...off, ...(Array.isArray(stateless) ? (stateless as readonly string[]) : [])])];
}

/** Where fixtures are read from, if there are any. */
export function toFixturesDirectory({ spec, fixtures, empty, stateless }: WorldOptions): string | undefined {
  if (empty || stateless === true) return undefined;
  const own = spec === undefined || (typeof spec === 'string' && resolve(spec) === OWN_DOCUMENT);
  return fixtures ?? (own ? OWN_FIXTURES : undefined);
}
