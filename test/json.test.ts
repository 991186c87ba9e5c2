import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStore, type Entity } from '../src/state/store/store.ts';
import { toJson } from '../src/wire/codecs/write-json.ts';

const entity = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Entity>;
const around = fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined }));

/** The entities as a store has them. */
function store(entities: readonly Entity[]): Entity[] {
  const things = createStore([{ name: 'things', indexes: [] }]).collection('things');
  return entities.map((each, index) => things.put(String(index), each));
}

test('What an answer shows is the JSON that everybody would write, also when it is written again', () =>
  fc.assert(
    fc.property(fc.array(entity), around, fc.string(), fc.jsonValue(), (plain, wrapper, name, other) => {
      const entities = store(plain);
      const wrapped = { ...wrapper, [name]: entities };
      for (const value of [entities, wrapped, [...entities, other], entities[0], wrapper, other]) {
        if (value === undefined) continue;
        expect(toJson(value)).toBe(JSON.stringify(value));
        expect(toJson(value)).toBe(JSON.stringify(value));
      }
    }),
  ));
