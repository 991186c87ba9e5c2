import { toJson } from '../codecs/codecs.ts';
import { OWN_MEMBER } from '../seeding/seeding.ts';
import { type Service, toStateLists } from '../service/service.ts';
import type { Snapshot } from '../store/store.ts';
import { toOwnPart } from './own-part.ts';

/** The length from which a part of the text is handed over, so that others have their turn before the next one. */
const PART_LENGTH = 64 * 1024;

/**
 * Writes a state in the shape of fixtures, an entity a line. It comes in parts, because a large state takes long. The first entities
 * must be ready.
 */
export function* toStateText(service: Service, state: Snapshot): Generator<string, undefined> {
  let part = '{';
  for (const line of toLines(service, state)) {
    part += line;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  yield `${part}\n}\n`;
}

function* toLines(service: Service, state: Snapshot): Generator<string, undefined> {
  let comma = '';
  for (const resource of service.model.resources.values()) {
    for (const [name, entities] of toStateLists(service, state, resource)) {
      yield `${comma}\n  ${JSON.stringify(name)}: [`;
      comma = '';
      for (const entity of entities) {
        yield `${comma}\n    ${toJson(entity)}`;
        comma = ',';
      }
      yield comma === '' ? ']' : '\n  ]';
      comma = ',';
    }
  }
  const own = toOwnPart(service, state);
  if (own) yield `${comma}\n  ${JSON.stringify(OWN_MEMBER)}: ${toJson(own)}`;
}
