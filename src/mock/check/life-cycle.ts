import type { Operation } from '../../model/operations/operations.ts';
import { findBodyEntity, type Resource } from '../../model/resources/resources.ts';
import type { Entity } from '../../state/store/store.ts';
import type { MockResponse } from '../../wire/message/message.ts';
import type { Ask } from './answer.ts';
import { toExcerpt } from './answer.ts';
import { type Born, create, findExisting, likeOf } from './born.ts';
import { toFinding } from './check-finding.ts';
import { compareEntities, findUnchanged } from './compare.ts';
import { findInAnswer, withoutOtherForms } from './entity-in-answer.ts';
import { type Expected, isRefusal } from './judge.ts';
import { showsKey, takesKeyInBody } from './key-place.ts';
import { findAction } from './keys.ts';
import { FINE, type Life, take, takeBodies } from './life-step.ts';
import { toListValues } from './list-values.ts';
import { isListed } from './listing.ts';
import type { CheckContext } from './operation.ts';
import type { Probe } from './probe.ts';

/**
 * Leads one entity of a resource through its life cycle, as far as the resource has the operations: create, read, list, replace,
 * update and remove. Resets the state afterwards.
 */
export async function checkLifeCycle(
  context: CheckContext,
  resource: Resource,
  probe: Probe,
  ask: Ask,
): Promise<void> {
  const life: Life = {
    context,
    resource,
    probe,
    ask,
    find: (name) => findAction(context.service, resource, name),
  };
  try {
    const born = (await create(life)) ?? (await findExisting(life));
    if (!born) {
      probe.skip(`${resource.name} has no entity and no operation that creates one.`);
      return;
    }
    let entity = await expectShown(life, born, 'read');
    await expectListed(life, born, { expected: true, entity: entity ?? storedOf(life, born) });
    for (const name of ['replace', 'update'] as const) entity = await change(life, born, name, entity);
    await remove(life, born, { retry: true, entity: entity ?? storedOf(life, born) });
  } finally {
    context.restore();
  }
}

const GONE: Expected = { statuses: [404, 410] };

async function expectShown(life: Life, born: Born, name: string, sent?: Sent): Promise<Entity | undefined> {
  const operation = life.find('read');
  if (!operation) return born.entity;
  let shown: Entity | undefined;
  await take(life, {
    name,
    operation,
    values: born.item,
    also: (response) => {
      shown = findInAnswer({ operation, resource: life.resource, key: born.key }, response);
      if (!shown)
        return response.status < 300
          ? [
              toFinding(
                'entity-missing',
                `It does not show ${describeEntity(life, born)}: ${toExcerpt(response)}`,
              ),
            ]
          : [];
      return sent
        ? [...compareEntities(sent.answered, shown), ...findUnchanged(sent, shown)]
        : compareEntities(born.entity, shown);
    },
  });
  return shown;
}

/** A change: the value that was sent, the entity before it, and the entity in the answer. */
interface Sent {
  readonly value: unknown;
  readonly before: Entity | undefined;
  readonly answered: Entity | undefined;
}

async function change(
  life: Life,
  born: Born,
  name: 'replace' | 'update',
  before: Entity | undefined,
): Promise<Entity | undefined> {
  const operation = life.find(name);
  if (!operation) return before;
  const property = life.resource.key?.property ?? '';
  const path = [...(findBodyEntity(operation, life.resource)?.path ?? []), property];
  const keyValue = (before ?? storedOf(life, born))?.[property];
  const bodies = life.context.requests
    .bodies(operation, before ?? likeOf(life))
    .filter(({ mediaType }) => !mediaType.startsWith('application/json-patch'))
    .map((body) =>
      // If the path does not name the entity, the body must.
      takesKeyInBody(life.context, operation) ? body.including(path, keyValue) : body.with(path, keyValue),
    );
  const made = await takeBodies(life, { name, operation, values: born.item }, bodies);
  if (!made) return before;
  const answered = findAnswered(life, born, operation, made.response);
  const sent = { value: made.body?.value, before, answered };
  return (await expectShown(life, born, `read after ${name}`, sent)) ?? before;
}

/** The entity in the answer to a change, with the properties that a read shows in the same form. */
function findAnswered(
  { resource, find }: Life,
  { key }: Born,
  operation: Operation,
  response: MockResponse,
): Entity | undefined {
  const showing = { operation, resource, key, status: response.status };
  const found = findInAnswer(showing, response);
  const read = find('read');
  return found && read ? withoutOtherForms(found, showing, read) : found;
}

/** An entity to remove: as it is now, and whether to try another one if it cannot be removed. */
interface Removal {
  readonly retry: boolean;
  readonly entity: Entity | undefined;
}

async function remove(life: Life, born: Born, { retry, entity }: Removal): Promise<void> {
  const operation = life.find('remove');
  if (!operation) return;
  const step = { operation, values: born.item };
  // A business rule may refuse to remove an entity that was changed or that others need. Then only a fresh one can be removed.
  const refusable = retry || !born.fresh;
  const response = await take(life, { ...step, name: 'remove', expected: { ...FINE, refusable } });
  if (!response) return;
  if (response.status >= 300) {
    const another = retry && isRefusal(response) ? await create(life) : undefined;
    if (another) await remove(life, another, { retry: false, entity: another.entity });
    return;
  }
  const read = life.find('read');
  if (read)
    await take(life, { name: 'read after remove', operation: read, values: born.item, expected: GONE });
  await expectListed(life, born, { expected: false, entity });
  await take(life, { ...step, name: 'remove again', expected: GONE });
}

/** Whether a list has an entity: as it is now, or as it was before it was removed. */
interface Listing {
  readonly expected: boolean;
  readonly entity: Entity | undefined;
}

async function expectListed(life: Life, born: Born, { expected, entity }: Listing): Promise<void> {
  const operation = life.find('list');
  const { key } = born;
  if (!operation || key === undefined || !showsKey(operation, life.resource)) return;
  const chosen = toListValues(life.context.service.requestSchemas, operation, life.resource, entity);
  if ('unfit' in chosen) {
    const why = `its parameter ${chosen.unfit} always selects and takes no value of it`;
    life.probe.skip(`${operation.label} was not asked for ${describeEntity(life, born)}, because ${why}.`);
    return;
  }
  await take(life, {
    name: expected ? 'list' : 'list after remove',
    operation,
    values: born.parents,
    query: chosen.values,
    also: async (response, request) => {
      if (response.status >= 300) return [];
      const listed = await isListed(life.ask, operation, request, life.resource.key?.property ?? '', key);
      if (listed === undefined || listed === expected) return [];
      const entity = describeEntity(life, born);
      return expected
        ? [toFinding('list-incomplete', `It does not list ${entity}.`)]
        : [toFinding('list-stale', `It still lists ${entity}.`)];
    },
  });
}

/** Returns the entity in the store, for properties that no answer shows. */
function storedOf({ context, resource }: Life, { key }: Born): Entity | undefined {
  return key === undefined ? undefined : context.findEntity(resource, key);
}

function describeEntity({ resource }: Life, { key }: Born): string {
  return `the ${resource.singular}${key === undefined ? '' : ` ${key}`}`;
}
