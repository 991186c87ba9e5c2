import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock, type LifecycleFacts, type MockOptions, SetupError } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, failingExample, jsonAnswer } from './support/documents.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

const DEPRECATION = /^@-?\d{1,12}$/;
const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
const WARNING = /^299 - "(?:[ !#-[\]-~]|\\["\\])+"$/;
const LINKS =
  /^<[!#-;=?-~]+>; ?rel="[a-z-]+"(?:; ?type="[a-z/]+")?(?:, <[!#-;=?-~]+>; ?rel="[a-z-]+"(?:; ?type="[a-z/]+")?)*$/;
const NAMES = ['deprecation', 'sunset', 'link', 'warning', 'x-stability'];

/** The links of a response, target by relation. A relation that comes twice fails the test. */
function linksOf(response: Response): Record<string, string> {
  const header = response.headers.get('link');
  if (header === null) return {};
  expect(header).toMatch(LINKS);
  const links: Record<string, string> = {};
  for (const [, target = '', relation = ''] of header.matchAll(/<([^>]*)>; ?rel="([^"]*)"/g)) {
    expect(Object.keys(links), header).not.toContain(relation);
    links[relation] = target;
  }
  return links;
}

function announcementsOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => NAMES.includes(name)));
}

/** A document with one operation, `GET /old/{id}`, and one that could succeed it. */
function documentWith(operation: object, answer: object = jsonAnswer({ type: 'string' })): object {
  return documentOf({
    '/old/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getOld', responses: { ...answer, ...DEFAULT_ERROR }, ...operation },
    },
    '/new/{id}/full': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getNew', responses: jsonAnswer({ type: 'string' }) },
    },
  });
}

async function readOld(options: MockOptions, path = '/old/7'): Promise<Response> {
  return (await createMock(options)).fetch(path);
}

async function failToCreate(options: MockOptions): Promise<SetupError> {
  const error = await createMock(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SetupError);
  return error as SetupError;
}

const GET_PET = {
  deprecation: '@1780272000',
  sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
};

describeAdapters('every answer of a deprecated operation says so', (adapter) => {
  const opened = once(() => adapter.open());

  it.each([
    ['a success', '/pets/1', {}, 200, '/pets/1/profile'],
    ['HEAD', '/pets/1', { method: 'HEAD' }, 200, '/pets/1/profile'],
    ['an unknown id', '/pets/4711', {}, 404, '/pets/4711/profile'],
    ['an id that is none', '/pets/1e3', {}, 400, '/pets/1e3/profile'],
    ['an id with a slash', '/pets/1%2F2', {}, 400, '/pets/1%2F2/profile'],
    [
      'an id that tries to break out',
      '/pets/%22%3E%3B%0D%0AX:1',
      {},
      400,
      '/pets/%22%3E%3B%0D%0AX%3A1/profile',
    ],
    ['an Accept that cannot be met', '/pets/1', { headers: { Accept: 'a/b' } }, 406, '/pets/1/profile'],
    ['a preference for 404', '/pets/8', { headers: { Prefer: 'code=404' } }, 404, '/pets/8/profile'],
    ['a preference for 500', '/pets/8', { headers: { Prefer: 'code=500' } }, 500, '/pets/8/profile'],
    ['a preference for 201', '/pets/8', { headers: { Prefer: 'code=201' } }, 201, '/pets/8/profile'],
  ])('%s', async (_, path, init, status, successor) => {
    const { ask } = await opened();
    const response = await ask(path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('deprecation')).toBe(GET_PET.deprecation);
    expect(response.headers.get('deprecation')).toMatch(DEPRECATION);
    expect(response.headers.get('sunset')).toBe(GET_PET.sunset);
    expect(response.headers.get('sunset')).toMatch(IMF_FIXDATE);
    expect(response.headers.get('warning')).toMatch(WARNING);
    expect(response.headers.get('warning')).toMatch(
      /getPet is deprecated since 2026-06-01 .*2027-06-30.*getPetProfile/,
    );
    expect(response.headers.get('x-stability')).toBeNull();
    expect(linksOf(response)).toEqual({
      deprecation: 'https://petstore.example/deprecations#getPet',
      sunset: 'https://petstore.example/deprecations#sunset-policy',
      'successor-version': successor,
    });
  });

  it('an example, whose own links are about another pet', async () => {
    const { ask } = await opened();
    const response = await ask('/pets/8', { headers: { Prefer: 'example=pending' } });
    expect(await response.json()).toMatchObject({ id: 8 });
    expect(announcementsOf(response)).toMatchObject(GET_PET);
    expect(response.headers.get('link')).toMatch(LINKS);
    expect(response.headers.get('link')).toContain('</pets/8/profile>; rel="successor-version"');
  });

  it('a fault', async () => {
    const { ask } = await adapter.open({ errors: ['getPet=503'] });
    const response = await ask('/pets/1');
    expect(response.status).toBe(503);
    expect(announcementsOf(response)).toMatchObject(GET_PET);
  });

  it('an answer that was delayed', async () => {
    const { ask } = await adapter.open({ delay: 1 });
    expect(announcementsOf(await ask('/pets/1'))).toMatchObject(GET_PET);
  });

  it.each([
    ['malformed JSON', 400, { body: '{', headers: { 'Content-Type': 'application/json' } }],
    ['a body that is too large', 413, json('POST', ' '.repeat(1024 * 1024))],
    ['a wrong media type', 415, { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
    ['a bad body', 422, json('POST', {})],
    ['a success without content', 204, json('POST', 1)],
  ])('%s', async (_, status, init) => {
    const content = { 'application/json': { schema: { type: 'integer' } } };
    const responses = { 204: { description: 'Done.' }, ...DEFAULT_ERROR };
    const operation = { deprecated: true, requestBody: { required: true, content }, responses };
    const { ask } = await adapter.open({ spec: documentOf({ '/old': { post: operation } }) });
    const response = await ask('/old', { method: 'POST', ...init });
    expect(response.status).toBe(status);
    expect(response.headers.get('deprecation')).toBe('@0');
  });

  it('a failure of the server', async () => {
    const operation = { deprecated: true, responses: jsonAnswer({}, { example: failingExample() }) };
    const { ask } = await adapter.open({ spec: documentOf({ '/old': { post: operation } }) });
    const response = await ask('/old', json('POST', 'x'));
    expect(response.status).toBe(500);
    expect(response.headers.get('deprecation')).toBe('@0');
  });

  it.each([
    ['another method of the path', '/pets/1', json('PATCH', { name: 'Rex' }), 200],
    ['a method that the path does not have', '/pets/1', { method: 'POST' }, 405],
    ['OPTIONS', '/pets/1', { method: 'OPTIONS' }, 204],
    ['another path', '/pets', {}, 200],
    ['an unknown path', '/pets/', {}, 404],
  ])('but not %s', async (_, path, init, status) => {
    const { ask } = await adapter.open();
    const response = await ask(path, init);
    expect(response.status).toBe(status);
    expect(announcementsOf(response)).toEqual({});
  });
});

describeInProcess('X-Stability', (adapter) => {
  const opened = once(() =>
    adapter.open({ errors: [{ operation: 'getInventorySummary', status: 500, times: 1 }] }),
  );

  it.each([
    ['/pets/1/profile', 200, 'beta'],
    ['/pets/4711/profile', 404, 'beta'],
    ['/pets/x/profile', 400, 'beta'],
    ['/store/inventory/summary', 500, 'experimental'],
    ['/store/inventory/summary', 200, 'experimental'],
    ['/pets', 200, null],
  ])('of %s, answered %d, is %s', async (path, status, stability) => {
    const { ask } = await opened();
    const response = await ask(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-stability')).toBe(stability);
    expect(response.headers.get('deprecation')).toBeNull();
    expect(response.headers.get('warning')).toBeNull();
  });
});

const JUNE = '@1780272000';
const SUNSET = 'Wed, 30 Jun 2027 00:00:00 GMT';

describe('what a document says', () => {
  it.each<[string, object, Record<string, string | undefined>]>([
    [
      'nothing',
      {},
      { deprecation: undefined, sunset: undefined, warning: undefined, 'x-stability': undefined },
    ],
    ['deprecated: true', { deprecated: true }, { deprecation: '@0', sunset: undefined, link: undefined }],
    ['deprecated: false', { deprecated: false }, { deprecation: undefined, warning: undefined }],
    ['x-deprecated-at', { deprecated: true, 'x-deprecated-at': '2026-06-01' }, { deprecation: JUNE }],
    ['x-deprecated-at alone', { 'x-deprecated-at': '2026-06-01' }, { deprecation: JUNE }],
    [
      'x-deprecated-at with deprecated: false',
      { deprecated: false, 'x-deprecated-at': '2026-06-01' },
      { deprecation: JUNE },
    ],
    ['x-sunset', { deprecated: true, 'x-sunset': '2027-06-30' }, { deprecation: '@0', sunset: SUNSET }],
    ['x-deprecated-sunset', { deprecated: true, 'x-deprecated-sunset': '2027-06-30' }, { sunset: SUNSET }],
    ['x-remove-on', { deprecated: true, 'x-remove-on': '2027-06-30' }, { sunset: SUNSET }],
    [
      'x-ms-deprecation',
      {
        deprecated: true,
        'x-ms-deprecation': { date: '2026-06-01', removalDate: '2027-06-30', version: '2' },
      },
      { deprecation: JUNE, sunset: SUNSET },
    ],
    [
      'x-github',
      {
        deprecated: true,
        'x-github': { deprecationDate: '2026-06-01', removalDate: '2027-06-30', category: 'a' },
      },
      { deprecation: JUNE, sunset: SUNSET },
    ],
    ['x-github without dates', { 'x-github': { category: 'repos' } }, { deprecation: undefined }],
    ['x-github that is no object', { deprecated: true, 'x-github': 'yes' }, { deprecation: '@0' }],
    [
      'the key that comes first in the list',
      { deprecated: true, 'x-sunset': '2027-06-30', 'x-github': { removalDate: '2030-01-01' } },
      { sunset: SUNSET },
    ],
    [
      'the same day twice',
      { 'x-deprecated-at': '2026-06-01', 'x-sunset': '2026-06-01' },
      { deprecation: JUNE, sunset: 'Mon, 01 Jun 2026 00:00:00 GMT' },
    ],
    [
      'times with a zone',
      { 'x-deprecated-at': '2026-06-01T02:00:00+02:00', 'x-sunset': '2027-06-30T23:59:59.5Z' },
      { deprecation: JUNE, sunset: 'Wed, 30 Jun 2027 23:59:59 GMT' },
    ],
    [
      'dates that are Date objects',
      { 'x-deprecated-at': new Date('2026-06-01'), 'x-sunset': new Date('2027-06-30') },
      { deprecation: JUNE, sunset: SUNSET },
    ],
    ['a date before 1970', { 'x-deprecated-at': '1969-12-31' }, { deprecation: '@-86400' }],
    ['a date to come', { 'x-deprecated-at': '2999-01-01' }, { deprecation: '@32472144000' }],
    [
      'x-sunset of what is not deprecated',
      { 'x-sunset': '2027-06-30' },
      { sunset: undefined, deprecation: undefined },
    ],
    [
      'x-replaced-by',
      { deprecated: true, 'x-replaced-by': 'getNew' },
      { link: '</new/7/full>; rel="successor-version"' },
    ],
    [
      'x-speakeasy-deprecation-replacement',
      { deprecated: true, 'x-speakeasy-deprecation-replacement': 'getNew' },
      { link: '</new/7/full>; rel="successor-version"' },
    ],
    [
      'x-deprecation-link and x-sunset-link',
      { deprecated: true, 'x-deprecation-link': 'https://a.example/x?y=1&z=2#d', 'x-sunset-link': '/policy' },
      { link: '<https://a.example/x?y=1&z=2#d>; rel="deprecation", </policy>; rel="sunset"' },
    ],
    [
      'links of what is not deprecated',
      { 'x-sunset-link': '/policy', 'x-replaced-by': 'getNew' },
      { link: undefined },
    ],
    [
      'x-stability',
      { 'x-stability': 'experimental' },
      { 'x-stability': 'experimental', deprecation: undefined },
    ],
    ['x-stability: alpha', { 'x-stability': 'alpha' }, { 'x-stability': 'alpha' }],
    ['x-stability: stable', { 'x-stability': 'stable' }, { 'x-stability': undefined }],
    ['x-stability-level', { 'x-stability-level': 'draft' }, { 'x-stability': 'draft' }],
    ['x-scalar-stability', { 'x-scalar-stability': 'experimental' }, { 'x-stability': 'experimental' }],
    ['x-scalar-stability: deprecated', { 'x-scalar-stability': 'deprecated' }, { 'x-stability': undefined }],
    ['x-fern-availability', { 'x-fern-availability': 'preview' }, { 'x-stability': 'preview' }],
    [
      'x-fern-availability: generally-available',
      { 'x-fern-availability': 'generally-available' },
      { 'x-stability': undefined },
    ],
    ['x-beta', { 'x-beta': true }, { 'x-stability': 'beta' }],
    ['x-beta: false', { 'x-beta': false }, { 'x-stability': undefined }],
    [
      'both deprecated and unstable',
      { deprecated: true, 'x-stability': 'beta' },
      { deprecation: '@0', 'x-stability': 'beta' },
    ],
  ])('by %s', async (_, operation, expected) => {
    const response = await readOld({ spec: documentWith(operation) });
    expect(response.status).toBe(200);
    for (const [name, value] of Object.entries(expected)) {
      expect(response.headers.get(name), name).toBe(value ?? null);
    }
    const { deprecation, sunset, warning } = announcementsOf(response);
    if (deprecation !== undefined) {
      expect(deprecation).toMatch(DEPRECATION);
      expect(warning).toMatch(WARNING);
    }
    if (sunset !== undefined) expect(sunset).toMatch(IMF_FIXDATE);
    linksOf(response);
  });

  it.each<[string, object, RegExp]>([
    ['a day that does not exist', { 'x-deprecated-at': '2026-02-30' }, /deprecation date "2026-02-30"/],
    [
      'a sunset that does not exist',
      { deprecated: true, 'x-sunset': '2026-02-30' },
      /sunset date "2026-02-30"/,
    ],
    [
      'a time without zone',
      { deprecated: true, 'x-sunset': '2026-12-31T23:59:59' },
      /sunset date "2026-12-31T23:59:59"/,
    ],
    ['a number', { deprecated: true, 'x-sunset': 1_780_272_000 }, /sunset date "1780272000"/],
    ['a word', { deprecated: true, 'x-sunset': 'soon' }, /sunset date "soon"/],
    ['a mapping', { deprecated: true, 'x-sunset': { date: '2027-06-30' } }, /sunset date/],
    ['a bad member', { 'x-github': { deprecationDate: '2026-13-01' } }, /deprecation date "2026-13-01"/],
    [
      'a sunset before its deprecation',
      { 'x-deprecated-at': '2027-06-30', 'x-sunset': '2027-06-29' },
      /sunset 2027-06-29 is before the deprecation 2027-06-30/,
    ],
    [
      'a sunset a second before its deprecation',
      { 'x-deprecated-at': '2027-06-30', 'x-sunset': '2027-06-29T23:59:59Z' },
      /is before the deprecation/,
    ],
    [
      'a successor that nobody knows',
      { deprecated: true, 'x-replaced-by': 'getNowhere' },
      /successor "getNowhere"/,
    ],
    [
      'a link with a blank',
      { deprecated: true, 'x-sunset-link': 'see the wiki' },
      /sunset link "see the wiki"/,
    ],
    ['a link that breaks out', { deprecated: true, 'x-deprecation-link': 'a>; rel="b' }, /deprecation link/],
    ['a link with a line break', { deprecated: true, 'x-deprecation-link': 'a\r\nX: 1' }, /deprecation link/],
    ['a link that is no text', { deprecated: true, 'x-deprecation-link': { href: 'a' } }, /deprecation link/],
    [
      'a successor that is no text',
      { deprecated: true, 'x-replaced-by': { operationId: 'getNew' } },
      /successor/,
    ],
    ['a stability with a line break', { 'x-stability': 'beta\r\nX: 1' }, /stability/],
    ['a stability that is no text', { 'x-stability': { level: 'beta' } }, /stability/],
  ])('is ignored in a document, and told: %s', async (_, operation, reason) => {
    const mock = await createMock({ spec: documentWith(operation) });
    expect((await mock.fetch('/old/7')).status).toBe(200);
    expect(mock.document.notes.map((note) => note.effect)).toEqual(['ignored']);
    const [note] = mock.document.notes;
    expect(note?.reason).toMatch(reason);
    expect(note?.place).toContain(`#/paths/~1old~1{id}/get/${note?.what.replace('.', '/')}`);
    expect(note?.remedy).toBe('Correct or remove it.');
  });

  it('costs only itself', async () => {
    const operation = {
      'x-deprecated-at': '2026-06-01',
      'x-sunset': 'soon',
      'x-stability': {},
      'x-replaced-by': 'getNew',
    };
    const mock = await createMock({ spec: documentWith(operation) });
    const {
      deprecation,
      sunset,
      'x-stability': stability,
      link,
    } = announcementsOf(await mock.fetch('/old/7'));
    expect([deprecation, sunset, stability, link]).toEqual([
      JUNE,
      undefined,
      undefined,
      '</new/7/full>; rel="successor-version"',
    ]);
    expect(mock.document.notes.map(({ what }) => what)).toEqual(['x-sunset', 'x-stability']);
  });

  it('is told with its line', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lifecycle-'));
    const file = join(directory, 'openapi.yaml');
    const text =
      'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      x-stability: {}\n';
    await writeFile(file, text);
    const { notes } = (await createMock({ spec: file })).document;
    expect(notes.map(({ place }) => place)).toEqual([`${file}: line 6: #/paths/~1a/get/x-stability`]);
    await rm(directory, { recursive: true });
  });

  it('is as good as not there if it is nothing', async () => {
    const mock = await createMock({ spec: documentWith({ deprecated: true, 'x-sunset': null }) });
    expect(mock.document.notes).toEqual([]);
  });
});

describe('the successor', () => {
  it.each([
    ['an operationId', 'getNew', '/old/7', '/new/7/full'],
    ['a label', 'GET /new/{id}/full', '/old/7', '/new/7/full'],
    ['a path template', '/new/{id}/full', '/old/7', '/new/7/full'],
    ['a template with another name', '/v2/{key}', '/old/7', '/v2/7'],
    ['a path', '/v2/things', '/old/7', '/v2/things'],
    ['a URL', 'https://v2.example/things/{id}?full=1', '/old/7', 'https://v2.example/things/7?full=1'],
    ['a template with one name twice', '/{id}/of/{id}', '/old/7', '/7/of/7'],
    ['a value that needs encoding', 'getNew', '/old/a%20b%2Fc%3F%3E', '/new/a%20b%2Fc%3F%3E/full'],
    [
      'a value that tries to break out',
      'getNew',
      '/old/x%3E%3B%20rel=%22a',
      '/new/x%3E%3B%20rel%3D%22a/full',
    ],
    ['a value beyond ASCII', 'getNew', '/old/%E7%8A%AC', '/new/%E7%8A%AC/full'],
    ['a value that looks like a template', 'getNew', '/old/$&%7Bid%7D', '/new/%24%26%7Bid%7D/full'],
  ])('given as %s has the parameters of the request', async (_, successor, path, target) => {
    const spec = documentWith({ deprecated: true, 'x-replaced-by': successor });
    expect(linksOf(await readOld({ spec }, path))).toEqual({ 'successor-version': target });
  });

  it('is left out where the request does not have all of its parameters', async () => {
    const spec = documentWith({ deprecated: true, 'x-replaced-by': '/{tenant}/things/{id}' });
    const response = await readOld({ spec });
    expect(response.headers.get('deprecation')).toBe('@0');
    expect(response.headers.get('link')).toBeNull();
  });

  it('has parameters by name, whatever their order', async () => {
    const responses = jsonAnswer({ type: 'string' });
    const parameters = ['a', 'b'].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const spec = documentOf({
      '/old/{a}/{b}': { parameters, get: { deprecated: true, 'x-replaced-by': 'getNew', responses } },
      '/new/{b}/{a}': { parameters, get: { operationId: 'getNew', responses } },
    });
    expect(linksOf(await readOld({ spec }, '/old/1/2'))).toEqual({ 'successor-version': '/new/2/1' });
  });
});

describe('the lifecycle option', () => {
  const DATED = { deprecated: true, 'x-deprecated-at': '2026-06-01', 'x-sunset': '2027-06-30' };

  it.each<[string, object, LifecycleFacts, Record<string, string>]>([
    ['a date of deprecation', {}, { deprecation: '2026-06-01' }, { deprecation: JUNE }],
    ['deprecated: true', {}, { deprecated: true }, { deprecation: '@0' }],
    [
      'both dates',
      {},
      { deprecation: '2026-06-01', sunset: '2027-06-30' },
      { deprecation: JUNE, sunset: SUNSET },
    ],
    [
      'another sunset',
      DATED,
      { sunset: '2030-01-01' },
      { deprecation: JUNE, sunset: 'Tue, 01 Jan 2030 00:00:00 GMT' },
    ],
    [
      'another deprecation',
      DATED,
      { deprecation: '2026-06-02' },
      { deprecation: '@1780358400', sunset: SUNSET },
    ],
    ['deprecated: false', DATED, { deprecated: false }, {}],
    [
      'a successor',
      { deprecated: true },
      { successor: '/v2' },
      { deprecation: '@0', link: '</v2>; rel="successor-version"' },
    ],
    [
      'links',
      { deprecated: true },
      { deprecationLink: '/a', sunsetLink: '/b' },
      { deprecation: '@0', link: '</a>; rel="deprecation", </b>; rel="sunset"' },
    ],
    ['a stability', {}, { stability: 'alpha' }, { 'x-stability': 'alpha' }],
    ['stable', { 'x-stability': 'beta' }, { stability: 'stable' }, {}],
  ])('overrides the document with %s', async (_, operation, facts, expected) => {
    for (const name of ['getOld', 'GET /old/{id}']) {
      const response = await readOld({ spec: documentWith(operation), lifecycle: { [name]: facts } });
      const { warning, ...rest } = announcementsOf(response);
      expect(rest).toEqual(expected);
      expect(warning !== undefined).toBe('deprecation' in expected);
    }
  });

  it.each<[string, Record<string, LifecycleFacts>, RegExp]>([
    ['an unknown operation', { getNothing: { deprecated: true } }, /"getNothing".*no such operation/],
    ['a bad date', { getOld: { deprecation: '2026-02-30' } }, /deprecation date "2026-02-30"/],
    ['a bad sunset', { getOld: { deprecated: true, sunset: '2026-02-30' } }, /sunset date "2026-02-30"/],
    [
      'a bad sunset of what is not deprecated',
      { getOld: { sunset: '2026-02-30' } },
      /sunset date "2026-02-30"/,
    ],
    [
      'a sunset before the deprecation',
      { getOld: { deprecation: '2027-01-02', sunset: '2027-01-01' } },
      /is before/,
    ],
    [
      'an unknown successor',
      { getOld: { deprecated: true, successor: 'getNowhere' } },
      /successor "getNowhere"/,
    ],
    ['an unknown key', { getOld: { sunsett: '2027-01-01' } as LifecycleFacts }, /sunsett/],
  ])('is refused for %s', async (_, lifecycle, message) => {
    const error = await failToCreate({ spec: documentWith({}), lifecycle });
    expect(error.message).toMatch(message);
  });

  it('announces a sunset that it names, though the document deprecates nothing', async () => {
    const response = await readOld({
      spec: documentWith({}),
      lifecycle: { getOld: { sunset: '2027-06-30' } },
    });
    expect(response.headers.get('sunset')).toBe(SUNSET);
  });

  it('shows in what the mock says of its operations', async () => {
    const mock = await createMock({
      lifecycle: { listPets: { deprecation: '2026-06-01', sunset: '2027-06-30' } },
    });
    const info = mock.operations.find(({ id }) => id === 'listPets');
    expect(info).toMatchObject({ deprecated: true, sunset: new Date('2027-06-30'), stability: undefined });
    expect(info?.notice).toBe('listPets is deprecated since 2026-06-01 and ends on 2027-06-30');
  });
});

describeAdapters('links of the response itself are kept', (adapter) => {
  async function followAll(ask: Ask, path: string): Promise<string[]> {
    const ids: string[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const response: Response = await ask(next);
      ids.push(...((await response.json()) as { id: number }[]).map(({ id }) => String(id)));
      next = linksOf(response).next;
    }
    return ids;
  }

  it('beside those of the deprecation: pages of pets', async () => {
    const { ask } = await adapter.open({
      lifecycle: { listPets: { deprecation: '2026-06-01', successor: '/v2/pets', deprecationLink: '/why' } },
    });
    const links = linksOf(await ask('/pets?limit=10&offset=10'));
    expect(links).toEqual({
      first: '/pets?limit=10&offset=0',
      prev: '/pets?limit=10&offset=0',
      next: '/pets?limit=10&offset=20',
      last: '/pets?limit=10&offset=20',
      deprecation: '/why',
      'successor-version': '/v2/pets',
    });
    expect((await followAll(ask, '/pets?limit=10')).length).toBe(28);
  });

  it.each(['Link', 'link', 'LINK'])(
    'beside those of the deprecation: a declared example of %s',
    async (name) => {
      const headers = { [name]: { schema: { type: 'string' }, example: '</about>; rel="describedby"' } };
      const content = { 'application/json': { schema: { type: 'string' }, example: 'x' } };
      const answer = { 200: { description: 'Fine.', headers, content } };
      const { ask } = await adapter.open({
        spec: documentWith({ deprecated: true, 'x-replaced-by': 'getNew' }, answer),
      });
      expect(linksOf(await ask('/old/7'))).toEqual({
        describedby: '/about',
        'successor-version': '/new/7/full',
      });
    },
  );

  it('alone, where nothing is deprecated', async () => {
    const headers = { Link: { schema: { type: 'string' }, example: '</about>; rel="describedby"' } };
    const answer = { 200: { description: 'Fine.', headers } };
    const { ask } = await adapter.open({ spec: documentWith({}, answer) });
    expect(linksOf(await ask('/old/7'))).toEqual({ describedby: '/about' });
  });

  it('while Deprecation and Sunset are those of the lifecycle, each once', async () => {
    const headers = {
      Deprecation: { schema: { type: 'string' }, example: '@1' },
      sunset: { schema: { type: 'string' }, example: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    };
    const answer = { 200: { description: 'Fine.', headers } };
    const { ask } = await adapter.open({
      spec: documentWith({ 'x-deprecated-at': '2026-06-01', 'x-sunset': '2027-06-30' }, answer),
    });
    const response = await ask('/old/7');
    expect(response.headers.get('deprecation')).toBe(JUNE);
    expect(response.headers.get('sunset')).toBe(SUNSET);
  });
});
