import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type Verification, VerifyError } from '../src/index.ts';
import { type Ask, closeAll, describeInProcess, json } from './support/adapters.ts';

interface Answered {
  readonly ok: boolean;
  readonly matches: readonly number[];
  readonly nearest: readonly { readonly id: number; readonly differences: readonly object[] }[];
  readonly text: string;
}

afterEach(closeAll);

/** Seven requests: 1 to 7. */
async function act(ask: Ask): Promise<void> {
  await ask('/pets/1');
  await ask('/pets?limit=5&tag=a&tag=b', { headers: { 'X-Trace': 'abc' } });
  await ask('/categories', json('POST', { name: 'Dragons', tags: ['x', { deep: [1] }] }));
  await ask('/pets', json('POST', { name: 'Nori', categoryId: 2 }));
  await ask('/pets/999');
  await ask('/nowhere');
  await ask('/pets', json('POST', { name: 'Rex', categoryId: 1 }));
}

/** What is expected, the ids that match, and the text if it fails. */
const CASES: readonly (readonly [expected: Verification, matches: readonly number[], failure?: RegExp])[] = [
  [{ operation: 'createPet' }, [4, 7]],
  [{ operation: 'POST /pets', times: 2 }, [4, 7]],
  [
    { operation: 'createPet', times: 1 },
    [4, 7],
    /^Expected createPet exactly once, but 2 of 7 requests matched\.\n {2}#4 POST \/pets 201\n {2}#7 /,
  ],
  [{ operation: 'createPet', times: { atLeast: 3 } }, [4, 7], /at least 3 times, but 2 of 7/],
  [{ operation: 'createPet', times: { atMost: 1 } }, [4, 7], /at most once, but 2 of 7/],
  [{ operation: 'createPet', times: { atLeast: 1, atMost: 2 } }, [4, 7]],
  [{ operation: 'deletePet', times: { atMost: 2 } }, []],
  [{ operation: 'deletePet', never: true }, []],
  [{ operation: 'createPet', never: true }, [4, 7], /createPet never, but 2 of 7/],
  [{ method: 'post', path: '/pets' }, [4, 7]],
  [{ path: '/pets/{petId}' }, [1, 5]],
  [{ operation: 'getPet', path: { petId: 999 } }, [5]],
  [{ path: '/pets/1' }, [1]],
  [{ status: 404 }, [5, 6]],
  [{ status: '4xx' }, [5, 6]],
  [{ query: { limit: 5 } }, [2]],
  [{ query: { tag: ['a', 'b'] } }, [2]],
  [{ headers: { 'X-Trace': 'abc' } }, [2]],
  [{ body: { name: 'Nori' } }, [4]],
  [{ body: { tags: ['x', { deep: [1] }] } }, [3]],
  [{ body: { tags: ['x'] } }, [], /\/body\/tags: expected \["x"\], got \["x",\{"deep":\[1\]\}\]/],
  [
    { operation: 'createPet', body: { categoryId: 3 } },
    [],
    /\n {2}#7 POST \/pets 201\n {4}\/body\/categoryId: expected 3, got 1\n {2}#4 /,
  ],
  [{ operation: 'createPet', body: { chip: 1 } }, [], /\/body\/chip: expected 1, got nothing/],
  [
    { path: '/pets/{petId}', headers: { 'x-trace': 'abc' } },
    [],
    /\/headers\/x-trace: expected "abc", got nothing/,
  ],
  [{ requests: [{ operation: 'createCategory' }, { operation: 'createPet' }], inOrder: true }, [3, 4, 7]],
  [{ requests: [{ operation: 'getPet' }, { path: '/nowhere' }], inOrder: true }, [1, 5, 6]],
  [
    { requests: [{ operation: 'createPet' }, { operation: 'createCategory' }], inOrder: true },
    [3, 4, 7],
    /^Expected createCategory after createPet, which came last as #4\.\n {2}#3 POST \/categories 201$/,
  ],
  [
    {
      requests: [{ operation: 'getPet' }, { operation: 'createPet' }, { operation: 'getPet' }],
      inOrder: true,
    },
    [1, 4, 5, 7],
  ],
  [
    { breaches: true, never: true },
    [3, 6],
    /^Expected any request that breaks the contract never, but 2 of 7 requests matched\.\n {2}#3 POST \/categories 201: body\.tags is not declared \[member-unknown\]\n {2}#6 GET \/nowhere 404: The document/,
  ],
  [{ breaches: false, times: 5 }, [1, 2, 4, 5, 7]],
  [{ nothingElse: true }, [1, 2, 3, 4, 5, 6, 7]],
  [
    { method: 'GET', nothingElse: true },
    [1, 2, 5, 6],
    /^Expected nothing else, but 3 other requests came\.\n {2}#3 POST/,
  ],
  [{ requests: [{ method: 'GET' }, { method: 'POST' }], nothingElse: true }, [1, 2, 3, 4, 5, 6, 7]],
];

describeInProcess('Verify', ({ open }) => {
  test('compares the journal with what was expected', async () => {
    const { ask, mock } = await open();
    await act(ask);
    for (const [expected, matches, failure] of CASES) {
      const response = await ask('/__mock/verify', json('POST', expected));
      const verdict = (await response.json()) as Answered;
      const shown = [expected, response.status, verdict.matches, verdict.ok];
      expect(shown).toEqual([expected, 200, matches, failure === undefined]);
      if (failure) expect(verdict.text).toMatch(failure);
      const thrown = catchError(() => expect(mock.verify(expected).map(({ id }) => id)).toEqual(matches));
      if (failure) expect(thrown).toMatchObject({ name: 'VerifyError', message: verdict.text, matches });
      else expect(thrown).toBeUndefined();
    }
  });

  test('has the nearest misses as data', async () => {
    const { ask, mock } = await open();
    await act(ask);
    const expected = { operation: 'createPet', body: { categoryId: 3 } };
    const { nearest } = (await (await ask('/__mock/verify', json('POST', expected))).json()) as Answered;
    expect(nearest[0]).toEqual({
      ...{ id: 7, method: 'POST', path: '/pets', status: 201 },
      differences: [{ path: '/body/categoryId', expected: 3, actual: 1 }],
    });
    expect(catchError(() => mock.verify(expected))).toMatchObject({
      nearest: [{ id: 7 }, { id: 4 }],
    });
  });

  const mistakes: readonly (readonly [expected: object, message: RegExp])[] = [
    [{ operation: 'createPets' }, /no operation createPets\. Did you mean createPet\?/],
    [{ path: '/pet/{petId}' }, /no path \/pet\/\{petId\}\. Did you mean \/pets\/\{petId\}\?/],
    [{ opration: 'createPet' }, /opration/],
    [{ status: '6xx' }, /status/],
    [{ times: 1, never: true }, /either times or never/],
    [{ requests: [{ operation: 'createPet' }], operation: 'createPet' }, /operation/],
    [{ requests: [{ tims: 1 }] }, /tims/],
  ];

  test('names the mistake in a pattern', async () => {
    const { ask, mock } = await open();
    for (const [expected, message] of mistakes) {
      const response = await ask('/__mock/verify', json('POST', expected));
      expect([expected, response.status]).toEqual([expected, 422]);
      expect(((await response.json()) as { message: string }).message).toMatch(message);
      expect(() => mock.verify(expected)).toThrow(message);
    }
  });

  test('sees the session that it is asked in', async () => {
    const { ask, mock } = await open();
    await ask('/pets/1', { headers: { 'X-Mock-Session': 'one' } });
    expect(mock.session('one').verify({ operation: 'getPet', times: 1 })).toHaveLength(1);
    expect(mock.verify({ never: true })).toEqual([]);
    const answer = await ask('/__mock/sessions/one/__mock/verify', json('POST', { never: true }));
    expect(await answer.json()).toMatchObject({ ok: false, matches: [1] });
  });

  test('hides credentials over HTTP', async () => {
    const { ask, mock } = await open();
    const headers = { Authorization: 'Bearer hush', Referer: 'http://a.test/?token=hush' };
    await ask('/pets?api_key=hush&x=1', json('POST', { name: { password: 'hush' }, token: 'hush' }, headers));
    const expected = {
      query: { api_key: 'a' },
      headers: { authorization: 'a', referer: 'b' },
      body: { name: 1, token: 'a' },
    };
    const verdict = await (await ask('/__mock/verify', json('POST', expected))).text();
    expect(verdict).not.toContain('hush');
    expect(JSON.parse(verdict)).toMatchObject({ nearest: [{ differences: { length: 5 } }] });
    expect(() => mock.verify(expected)).toThrow('expected "a", got "Bearer hush"');
  });

  test('answers many misses of large bodies shortly', async () => {
    const { ask } = await open();
    for (const body of [{ name: ['x'.repeat(500_000)] }, 'x'.repeat(500_000)])
      await ask('/pets', json('POST', body));
    const requests = Array.from({ length: 50 }, () => ({ body: 1 }));
    const text = await (await ask('/__mock/verify', json('POST', { requests }))).text();
    expect(text.length).toBeLessThan(2_000_000);
    expect(JSON.parse(text)).toMatchObject({ ok: false, nearest: { length: 100 } });
  });

  test('leaves preflights aside, because browsers send them by themselves', async () => {
    const { ask, mock } = await open();
    const headers = { Origin: 'http://a.test', 'Access-Control-Request-Method': 'POST' };
    await ask('/pets', { method: 'OPTIONS', headers });
    await ask('/pets/1');
    expect(mock.verify({ operation: 'getPet', nothingElse: true })).toHaveLength(1);
  });

  test('says that it does not see all requests', async () => {
    const { ask, mock } = await open({ journal: 2 });
    for (let count = 0; count < 3; count += 1) await ask('/pets/1');
    expect(() => mock.verify({ operation: 'getPet', times: 3 })).toThrow(
      /1 entry was dropped, .* --journal and --memory/,
    );
  });
});

describe('A pattern in code', () => {
  const values: readonly (readonly [body: unknown, isMatch: boolean])[] = [
    [{ name: /^No/ }, true],
    [{ name: /x/g }, false],
    [{ categoryId: expect.any(Number) }, true],
    [{ categoryId: expect.any(String) }, false],
    [{ name: undefined }, true],
    [{ toString: 1 }, false],
    [[], false],
    ['Nori', false],
    [expect.objectContaining({ name: 'Nori' }), true],
  ];

  test.each(values)('may have the body %o', async (body, isMatch) => {
    const mock = await createMock();
    await mock.fetch('/pets', json('POST', { name: 'Nori', categoryId: 2 }));
    const thrown = catchError(() => mock.verify({ body }));
    expect(thrown === undefined).toBe(isMatch);
  });

  test('shows expressions and matchers in its text', async () => {
    const mock = await createMock();
    await mock.fetch('/pets', json('POST', { name: 'Nori', categoryId: 2 }));
    expect(() => mock.verify({ body: { name: /x/, categoryId: expect.any(String) } })).toThrow(
      /name: expected "\/x\/", got "Nori"\n {4}\/body\/categoryId: expected "Any<String>", got 2/,
    );
  });
});

describe('The body of a request', () => {
  const form = new FormData();
  form.append('name', 'Nori');
  form.append('file', new Blob(['abc']), 'a.bin');
  const sent: readonly (readonly [what: string, init: RequestInit, body: unknown])[] = [
    ['a form', { body: new URLSearchParams('a=1&b=2&b=3') }, { a: 1, b: [2, 3] }],
    ['a form with files', { body: form }, { name: 'Nori', file: { filename: 'a.bin', size: 3 } }],
    ['a text', { body: 'abc', headers: { 'Content-Type': 'text/plain' } }, 'abc'],
    ['malformed JSON', { body: '{"a":', headers: { 'Content-Type': 'application/json' } }, '{"a":'],
    ['a list', json('', [1, 2]), [1, 2]],
    ['null', json('', null), null],
    ['deep JSON', { body: '['.repeat(300_000), headers: { 'Content-Type': 'application/json' } }, /^\[\[/],
    [
      'deep and valid JSON',
      { body: '['.repeat(300_000) + ']'.repeat(300_000), headers: { 'Content-Type': 'application/json' } },
      /^\[\[/,
    ],
  ];

  test.each(sent)('of %s is compared', async (_, init, body) => {
    const mock = await createMock();
    await mock.fetch('/pets', { ...init, method: 'POST' });
    expect(mock.verify({ body })).toHaveLength(1);
    expect(() => mock.verify({ body: { other: 'x' } })).toThrow(VerifyError);
    const answer = await mock.fetch('/__mock/verify', json('POST', { body: { other: 'x' } }));
    expect(answer.status).toBe(200);
    expect((await mock.fetch('/__mock/journal')).status).toBe(200);
  });

  test('and its pattern may be anything', async () => {
    const mock = await createMock();
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4 }),
        fc.jsonValue({ maxDepth: 4 }),
        fc.string(),
        async (one, other, name) => {
          mock.reset();
          await mock.fetch('/pets', json('POST', one));
          expect(
            (await mock.fetch('/__mock/verify', json('POST', { body: other, query: { [name]: other } })))
              .status,
          ).toBe(200);
          expect(mock.verify({ body: one === null ? undefined : one })).toHaveLength(1);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('waitFor', () => {
  const order = (mock: Mock) => mock.fetch('/categories', json('POST', { name: 'Dragons' }));

  test('resolves at the next request that matches, and to one that came already', async () => {
    const mock = await createMock();
    const waiting = mock.waitFor({ operation: 'createCategory', body: { name: 'Dragons' } });
    await mock.fetch('/categories', json('POST', { name: 'Cats' }));
    await order(mock);
    const { id } = await waiting;
    expect(id).toBe(2);
    expect(await mock.waitFor({ operation: 'createCategory' })).toMatchObject({ id: 1 });
    const later = mock.waitFor({ operation: 'createCategory' }, { after: id });
    await order(mock);
    expect(await later).toMatchObject({ id: 3, status: 201, response: { body: expect.any(String) } });
  });

  test('rejects with the nearest misses when its time is over', async () => {
    const mock = await createMock();
    await order(mock);
    const waiting = mock.waitFor({ operation: 'createCategory', body: { name: 'Cats' } }, { timeout: 20 });
    await expect(waiting).rejects.toThrow(
      'Waited 20 ms for createCategory with body {"name":"Cats"}, but 0 of 1 requests matched.\nThe nearest:\n  #1 POST /categories 201\n    /body/name: expected "Cats", got "Dragons"',
    );
    await expect(waiting).rejects.toBeInstanceOf(VerifyError);
  });

  test('works without a journal, in its session only, and over a reload', async () => {
    const mock = await createMock({ journal: 0 });
    const waiting = mock.session('one').waitFor({ operation: 'createCategory' }, { timeout: 2000 });
    await order(mock);
    await mock.reload();
    await mock.session('one').fetch('/categories', json('POST', { name: 'Cats' }));
    expect(await waiting).toMatchObject({ session: 'one' });
  });

  test('rejects for a mistake in the pattern, and when a matcher throws', async () => {
    const mock = await createMock();
    await expect(mock.waitFor({ operation: 'createCategoy' })).rejects.toThrow(
      'Did you mean createCategory?',
    );
    await expect(mock.waitFor({ times: 1 } as object)).rejects.toThrow('Unknown member times');
    const broken = {
      asymmetricMatch() {
        throw new Error('Broken');
      },
    };
    const waiting = mock.waitFor({ body: broken });
    expect((await order(mock)).status).toBe(201);
    await expect(waiting).rejects.toThrow('Broken');
  });
});

function catchError(run: () => void): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}
