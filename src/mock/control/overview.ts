import type { Service, Session } from '../../core/service/service.ts';
import type { Operation } from '../../model/operations/operations.ts';
import { readVersion } from '../../package-files.ts';
import type { PublicAddress } from '../../wire/message/message.ts';
import { toCurlLine } from './curl-line.ts';

/** The mock and its document, as `GET /` shows them. */
export interface Overview {
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly links: Readonly<Record<'openapi' | 'yaml' | 'health', string>>;
  readonly resources: readonly ResourceOverview[];
  readonly operations: readonly OperationOverview[];
}

interface ResourceOverview {
  readonly name: string;
  /** As the client reaches it. */
  readonly path: string;
  /** `undefined` where they are generated on first use. */
  readonly entities: number | undefined;
}

export interface OperationOverview {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** A line for the shell that sends it. */
  readonly curl: string;
}

/** Collects the overview for a client that reached the mock at `address`. */
export function toOverview(service: Service, session: Session, { origin, prefix }: PublicAddress): Overview {
  const { document, table, model } = service;
  return {
    name: 'petstore-mock',
    version: readVersion(),
    document: document.title,
    links: {
      openapi: `${prefix}/openapi.json`,
      yaml: `${prefix}/openapi.yaml`,
      health: `${prefix}${service.controlPath}/health`,
    },
    resources: [...model.resources.values()].map(({ name, collectionPath }) => ({
      name,
      path: prefix + collectionPath,
      entities: countEntities(service, session, name),
    })),
    operations: table.operations.map((operation) =>
      toOperationOverview(service, session, operation, origin + prefix),
    ),
  };
}

function toOperationOverview(
  service: Service,
  session: Session,
  operation: Operation,
  base: string,
): OperationOverview {
  const { id, method, path, summary, deprecated, source } = operation;
  const tags = (source.tags ?? []).map((tag) => (typeof tag === 'string' ? tag : tag.name));
  const curl = toCurlLine({ service, session, operation, base });
  return { id, method, path, summary, tags, deprecated, curl };
}

/** The entities of a resource, unless counting them would generate them. */
function countEntities({ initial }: Service, { store }: Session, name: string): number | undefined {
  const isKnown = store.used.includes(name) || initial.countOf(name) !== undefined;
  return isKnown ? store.collection(name).size : undefined;
}
