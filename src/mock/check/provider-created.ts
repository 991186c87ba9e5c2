import type { Service } from '../../core/service/service.ts';
import { type Operation, templateNames } from '../../model/operations/operations.ts';
import type { MockResponse } from '../../wire/message/message.ts';
import { findShownEntity, readJsonBody } from './answer.ts';
import { alignKeys } from './keys.ts';

type Values = Readonly<Record<string, string>>;

/** The entities that a check has created on the provider's server, one of each resource. */
export interface Created {
  /** Remembers the entity in the answer to an operation that creates. */
  add(operation: Operation, values: Values, response: MockResponse): void;
  /** The values of the path for an operation on such an entity. */
  find(operation: Operation): Values | undefined;
}

/** Remembers what a check creates, so that it changes and deletes nothing else. */
export function rememberCreated({ model }: Service): Created {
  const known = new Map<string, readonly string[]>();
  return {
    add({ id }, values, response) {
      const { name, resource } = model.actions.get(id) ?? {};
      if (name !== 'create' || !resource?.key || response.status >= 300) return;
      const { property } = resource.key;
      const key = findShownEntity(readJsonBody(response), property)?.[property];
      if (key !== undefined)
        known.set(resource.name, [...Object.values(values), encodeURIComponent(String(key))]);
    },
    find(operation) {
      const raw = known.get(model.actions.get(operation.id)?.resource.name ?? '');
      return raw?.length === templateNames(operation.path).length ? alignKeys(operation, raw) : undefined;
    },
  };
}
