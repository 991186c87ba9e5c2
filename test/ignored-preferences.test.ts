import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { findPreferenceMistakes } from '../src/answer/respond/respond.ts';
import { toFindingText } from '../src/base/problem.ts';
import { createMock } from '../src/index.ts';
import { closeAll, describeInProcess } from './support/adapters.ts';
import { documentOf, jsonAnswer } from './support/documents.ts';
import { runCommand } from './support/run-command.ts';

afterAll(closeAll);

const CODE = 'is ignored; a code is a status from 200 to 599 [preference-ignored]';
const DYNAMIC = 'is ignored; dynamic is true or false [preference-ignored]';
const NAMES = 'is ignored; the preferences are code example dynamic seed variant [preference-ignored]';

const IGNORED: readonly (readonly [header: string | undefined, query: string, warning: string])[] = [
  ['code=abc', '', `Prefer: code=abc ${CODE}`],
  ['code', '', `Prefer: code ${CODE}`],
  ['CODE=700', '', `Prefer: code=700 ${CODE}`],
  ['code="4 04"', '', `Prefer: code=4 04 ${CODE}`],
  ['dynamic=yes', '', `Prefer: dynamic=yes ${DYNAMIC}`],
  ['example=', '', 'Prefer: example is ignored; name an example of the document [preference-ignored]'],
  ['seed', '', 'Prefer: seed is ignored; name a seed, such as 7 [preference-ignored]'],
  ['cod=404', '', 'Prefer: cod is ignored; did you mean code? [preference-ignored]'],
  ['exmaple=none', '', 'Prefer: exmaple is ignored; did you mean example? [preference-ignored]'],
  ['X', '', `Prefer: x ${NAMES}`],
  ['code=abc, return=minimal', '', `Prefer: code=abc ${CODE}`],
  ['code=abc, dynamic=1', '', `Prefer: code=abc ${CODE}, Prefer: dynamic=1 ${DYNAMIC}`],
  [undefined, '__code=abc', `query.__code=abc ${CODE}`],
  [undefined, '__dynamic=', `query.__dynamic ${DYNAMIC}`],
  [undefined, '__cdoe=404', 'query.__cdoe is ignored; did you mean code? [preference-ignored]'],
  ['code=a', '__code=b', `Prefer: code=a ${CODE}, query.__code=b ${CODE}`],
  [undefined, '__code=%0D%0Ax%3A%20y', `query.__code=%0D%0Ax: y ${CODE}`],
  [undefined, `__code=${'x'.repeat(5000)}`, `query.__code=${'x'.repeat(40)}... ${CODE}`],
];

const OBEYED: readonly (readonly [header: string | undefined, query: string])[] = [
  ['code=200', ''],
  ['dynamic=false, seed=x', ''],
  ['return=minimal', ''],
  ['respond-async, wait=10, handling=lenient', ''],
  ['odata.maxpagesize=5', ''],
  ['', ''],
  [undefined, '__code=200&__seed=1'],
  [undefined, '__t=1&__cache_buster=2&code=abc'],
];

const toInit = (header: string | undefined) => (header === undefined ? {} : { headers: { Prefer: header } });

describeInProcess('A preference without effect', (adapter) => {
  it.each(IGNORED)('is named in a header and in the journal: %s %s', async (header, query, warning) => {
    const { ask, mock } = await adapter.open();
    for (let i = 0; i < 2; i++) {
      const response = await ask(`/pets?${query}`, toInit(header));
      expect([response.status, response.headers.get('x-mock-warnings')]).toEqual([200, warning]);
    }
    expect(mock.journal.at(-1)?.warnings.length).toBeGreaterThan(0);
  });

  it.each(OBEYED)('is not one that is obeyed, or meant for others: %s %s', async (header, query) => {
    const { ask } = await adapter.open();
    const response = await ask(`/pets?${query}`, toInit(header));
    expect([response.status, response.headers.get('x-mock-warnings')]).toEqual([200, null]);
  });

  it('is named beside undeclared input, and beside another preference', async () => {
    const { ask } = await adapter.open({ strict: true });
    const both = await ask('/pets?limt=1', toInit('seed'));
    expect([both.status, both.headers.get('x-mock-violations')]).toEqual([
      400,
      expect.stringContaining('limt'),
    ]);
    const forced = await ask('/pets/1', toInit('code=404, dynamic=x'));
    expect([forced.status, forced.headers.get('x-mock-warnings')]).toEqual([
      404,
      `Prefer: dynamic=x ${DYNAMIC}`,
    ]);
    const lenient = await adapter.open();
    const answer = await lenient.ask('/pets?limt=1', toInit('seed'));
    expect(answer.headers.get('x-mock-warnings')).toBe(
      'Prefer: seed is ignored; name a seed, such as 7 [preference-ignored], query.limt is not declared; did you mean limit? [parameter-unknown]',
    );
  });

  it('is left to a document that declares the header', async () => {
    const parameters = [{ name: 'prefer', in: 'header', schema: { type: 'string' } }];
    const spec = documentOf({ '/a': { get: { parameters, responses: jsonAnswer({ type: 'object' }) } } });
    const { ask } = await adapter.open({ spec });
    expect((await ask('/a', toInit('fields=x'))).headers.get('x-mock-warnings')).toBeNull();
    expect((await ask('/a', toInit('code=x'))).headers.get('x-mock-warnings')).toContain('code=x');
  });
});

describe('The search for preferences without effect', () => {
  test('takes any header and any query, and reports five at most, all short', () => {
    const word = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('code', 'cod', '"', '\\', '__'),
    );
    const list = fc.array(fc.tuple(word, word), { maxLength: 50 });
    fc.assert(
      fc.property(list, list, (preferences, parameters) => {
        const header = preferences.map((pair) => pair.join('=')).join(', ');
        const query = parameters.map(([name, value]) => `__${name}=${value}`).join('&');
        const found = findPreferenceMistakes(header, query, false);
        expect(found.length).toBeLessThanOrEqual(5);
        for (const each of found) expect(toFindingText(each).length).toBeLessThan(200);
      }),
    );
  });

  test('sends headers that HTTP allows, whatever a client sends', async () => {
    const mock = await createMock();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const response = await mock.fetch(`/pets?${new URLSearchParams({ __code: text })}`);
        expect(response.headers.get('x-mock-warnings') ?? '').toMatch(/^[\t -~]*$/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('An error code that the document does not show', () => {
  test.each<[rule: string, warning: string | undefined]>([
    [
      'getPet=404:pet_not_fuond',
      'has a code that the document does not show for status 404. Did you mean pet_not_found? [error-code-undeclared]',
    ],
    [
      'getPet=404:no_such_code',
      'has a code that the document does not show for status 404. The document shows pet_not_found there. [error-code-undeclared]',
    ],
    ['getPet=404:PetNotFound', undefined],
    ['getPet=404', undefined],
    // The document declares no 409 of its own for it, only `default`.
    ['createPet=409:duplicate_pet', undefined],
  ])('is a warning: %s', async (rule, warning) => {
    const { warnings } = await createMock({ errors: [rule] });
    expect(warnings).toEqual(warning === undefined ? [] : [`The fault ${rule} ${warning}`]);
  });

  test('is sent all the same', async () => {
    const mock = await createMock({ errors: ['getPet=404:no_such_code'] });
    expect(await (await mock.fetch('/pets/1')).json()).toMatchObject({ code: 'no_such_code', status: 404 });
  });

  test('is compared with the values of an enum, too', async () => {
    const code = { type: 'string', enum: ['GONE_AWAY'] };
    const schema = {
      type: 'object',
      properties: { error: { type: 'object', properties: { errorCode: code } } },
    };
    const responses = {
      ...jsonAnswer(schema),
      410: { description: '', content: { 'application/json': { schema } } },
    };
    const spec = documentOf({ '/a': { get: { operationId: 'getA', responses } } });
    const { warnings } = await createMock({ spec, errors: ['getA=410:gone_awya', 'getA=410:gone_away'] });
    expect(warnings).toEqual([expect.stringContaining('getA=410:gone_awya has a code')]);
  });

  test('is named at the start and by commands', async () => {
    const { out } = await runCommand(['--port', '0', '--error', 'getPet=404:nope']);
    expect(out).toMatch(/^The fault getPet=404:nope has a code that .*\n/m);
    const { err } = await runCommand(['routes', '--error', 'getPet=404:nope']);
    expect(err).toMatch(/^The fault getPet=404:nope has a code/);
  });
});
