import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergePatch } from '../src/state/actions/merge-patch.ts';

describe('a JSON merge patch', () => {
  // RFC 7396 appendix A, row by row.
  test.each<[original: string, patch: string, result: string]>([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('turns %s by %s into %s', (original, patch, result) => {
    expect(merge(original, patch)).toBe(result);
  });

  // RFC 7396 section 3.
  test('changes a document as the RFC shows', () => {
    const original =
      '{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},' +
      '"tags":["example","sample"],"content":"This will be unchanged"}';
    const patch =
      '{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}';
    expect(merge(original, patch)).toBe(
      '{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],' +
        '"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}',
    );
  });

  test.each<[original: string, patch: string, result: string]>([
    ['{"a":1}', '{"__proto__":{"b":2}}', '{"a":1,"__proto__":{"b":2}}'],
    ['{"__proto__":{"a":1,"b":2}}', '{"__proto__":{"a":null}}', '{"__proto__":{"b":2}}'],
    ['{"__proto__":1,"a":1}', '{"__proto__":null}', '{"a":1}'],
    ['{"a":1}', '{"__proto__":null}', '{"a":1}'],
    ['{}', '{"a":{"__proto__":{"b":2}}}', '{"a":{"__proto__":{"b":2}}}'],
    ['{}', '{"constructor":{"prototype":{"b":2}}}', '{"constructor":{"prototype":{"b":2}}}'],
    ['{}', '{"toString":{"a":null}}', '{"toString":{}}'],
    ['{}', '{"hasOwnProperty":null,"":1}', '{"":1}'],
  ])('takes hostile names for names: %s by %s', (original, patch, result) => {
    expect(merge(original, patch)).toBe(result);
    const { b } = {} as { b?: unknown };
    expect(b).toBeUndefined();
  });

  test('leaves nulls in lists and in the target alone', () => {
    expect(merge('{"keep":null,"a":{"keep":null}}', '{"list":[null,{"x":null}],"a":{"b":1}}')).toBe(
      '{"keep":null,"a":{"keep":null,"b":1},"list":[null,{"x":null}]}',
    );
  });

  test('changes neither of its arguments', () => {
    fc.assert(
      fc.property(json(), json(), (original, patch) => {
        const [target, change] = [JSON.parse(original), JSON.parse(patch)];
        mergePatch(freeze(target), freeze(change));
        expect([JSON.stringify(target), JSON.stringify(change)]).toEqual([original, patch]);
      }),
    );
  });

  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(json(), json(), (original, patch) => {
        const once = merge(original, patch);
        expect(merge(once, patch)).toBe(once);
      }),
    );
  });

  test('changes nothing if empty, and applied to an empty target is itself without its nulls', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const original = JSON.stringify(object);
        expect(merge(original, '{}')).toBe(original);
        const once = merge('0', original);
        expect(once).toBe(merge('[]', original));
        expect(merge(once, original)).toBe(once);
      }),
    );
  });
});

function merge(original: string, patch: string): string {
  return JSON.stringify(mergePatch(JSON.parse(original), JSON.parse(patch)));
}

/** JSON text; objects with few names, so that two of them share some. */
function json(): fc.Arbitrary<string> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, 0, 'x', [null], []),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 2 }),
    ),
  }));
  return value.map((each) => JSON.stringify(each));
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
