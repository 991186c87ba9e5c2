import { type Service, toStateLists } from '../../core/service/service.ts';
import { OWN_MEMBER } from '../../state/seeding/seeding.ts';
import type { Snapshot } from '../../state/store/store.ts';
import { toJson } from '../../wire/codecs/codecs.ts';
import { type OwnPart, toOwnPart } from './own-part.ts';

/** The length from which a part of the text is handed over, so that others have their turn before the next one. */
const PART_LENGTH = 64 * 1024;

/**
 * Writes a state in the shape of fixtures, an entity a line. It comes in parts, because a large state takes long. The first entities
 * must be ready.
 */
export function* toStateText(service: Service, state: Snapshot): Generator<string, undefined> {
  let comma = '{';
  for (const resource of service.model.resources.values()) {
    for (const [name, entities] of toStateLists(service, state, resource)) {
      yield* toParts(toListLines(`${comma}\n  ${JSON.stringify(name)}: `, entities));
      comma = ',';
    }
  }
  yield* toParts(toOwnLines(`${comma}\n  ${JSON.stringify(OWN_MEMBER)}: `, toOwnPart(service, state)));
  yield '\n}\n';
}

function* toListLines(start: string, items: readonly unknown[], indent = '  '): Generator<string, undefined> {
  let before = `${start}[`;
  for (const item of items) {
    yield `${before}\n${indent}  ${toJson(item)}`;
    before = ',';
  }
  yield items.length === 0 ? `${start}[]` : `\n${indent}]`;
}

function* toOwnLines(start: string, { counters, others }: OwnPart): Generator<string, undefined> {
  yield `${start}{\n    "counters": ${toJson(counters)},\n    "others": {`;
  let comma = '';
  for (const [name, entries] of Object.entries(others)) {
    // Uploaded files may be large.
    yield* toListLines(`${comma}\n      ${JSON.stringify(name)}: `, entries, '      ');
    comma = ',';
  }
  yield comma === '' ? '}\n  }' : '\n    }\n  }';
}

/** Joins lines to parts of a size that is worth a write. The last one ends a list, because the next one may have to be made up. */
function* toParts(lines: Iterable<string>): Generator<string, undefined> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
