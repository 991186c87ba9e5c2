import { resolve } from 'node:path';
import type { Operation } from '../../model/operations/operations.ts';
import { inferResources, type ResourceModel, STATELESS } from '../../model/resources/resources.ts';
import { OWN_DOCUMENT, OWN_FIXTURES } from '../../package-files.ts';
import type { ServiceOptions } from './service-options.ts';

/** Infers which resources have state, unless the options say so. Throws a SetupError for options that do not fit the document. */
export function buildModel(operations: readonly Operation[], options: ServiceOptions): ResourceModel {
  if (options.stateless === true) return STATELESS;
  const off = namesOff(options).map((name) => [name, false] as const);
  return inferResources(operations, { ...options.resources, ...Object.fromEntries(off) });
}

/** Lists the resources that the options switch off. */
export function namesOff({ stateless, resources = {} }: ServiceOptions): string[] {
  const off = Object.keys(resources).filter((name) => resources[name] === false);
  return [...new Set([...off, ...(Array.isArray(stateless) ? (stateless as readonly string[]) : [])])];
}

/** Returns where to read fixtures from; `undefined` if there are none to read. */
export function toFixturesOrigin({
  spec,
  fixtures,
  empty,
  stateless,
}: ServiceOptions): ServiceOptions['fixtures'] {
  if (empty || stateless === true) return undefined;
  const own = spec === undefined || (typeof spec === 'string' && resolve(spec) === OWN_DOCUMENT);
  return fixtures ?? (own ? OWN_FIXTURES : undefined);
}
