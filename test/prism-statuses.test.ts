import { fileURLToPath } from 'node:url';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { describe, expect, test } from 'vitest';
import { createRequests } from '../src/mock/check/requests.ts';
import { createSamples } from '../src/mock/check/samples.ts';
import { OWN_DOCUMENT } from '../src/package-files.ts';
import type { MockRequest } from '../src/wire/message/message.ts';
import { documentOf } from './support/documents.ts';
import { MISTAKES, type Pair } from './support/mistakes.ts';
import { askPrism } from './support/prism-statuses.ts';
import { openService } from './support/services.ts';

const FOLDER = fileURLToPath(new URL('./documents/', import.meta.url));

/** Documents that differ in what wrong requests need. The others in the folder add no reason. */
const FILES = [
  'accounts.yaml',
  'circular.yaml',
  'error-shapes.yaml',
  'filters.yaml',
  'key-in-query.yaml',
  'openapi-3.1.yaml',
  'parameters.yaml',
  'ranges-and-headers.yaml',
  'security.yaml',
  'swagger-2.json',
  'undeclared-bodies.yaml',
];

/** A request for which Prism has another status. */
interface Difference extends Pair {
  readonly mistake: string;
  readonly request: MockRequest;
  readonly prism: unknown;
  readonly status: number;
}

/** Why the mock has another status on purpose. */
interface Reason {
  readonly because: string;
  readonly is: (difference: Difference) => boolean;
}

const REASONS: readonly Reason[] = [
  {
    because: 'a wrong parameter is a 400 rather than a 422, where both may be sent',
    is: ({ mistake, ours, prism, status }) =>
      /parameter|header/.test(mistake) &&
      status === 400 &&
      prism === 422 &&
      ours.codes.some((code) => /^(400|4XX|default)$/i.test(code)),
  },
  {
    because: 'HTTP has 415 for a body of another type, declared or not',
    is: ({ mistake, prism, status }) =>
      mistake === 'a body of another type' && status === 415 && [400, 422].includes(prism as number),
  },
  {
    because: 'a body without a type is read as the declared one, as RFC 9110 (8.3) allows',
    is: ({ mistake, status, prism }) =>
      mistake === 'a body without its type' && status < 300 && [400, 422].includes(prism as number),
  },
  {
    because:
      'clients send bodies that no document needs, so they are ignored with a warning unless 415 is declared',
    is: ({ mistake, ours, status, prism }) =>
      mistake === 'an undeclared body' &&
      status < 300 &&
      !ours.codes.includes('415') &&
      [400, 415, 422].includes(prism as number),
  },
  {
    because: 'null is a body, but not an object',
    is: ({ mistake, status }) => mistake === 'null as body' && [400, 422].includes(status),
  },
  {
    because: 'Prism takes any body where it cannot compile the schema, as for an enum with null',
    is: ({ mistake, ours, prism }) =>
      / as body$/.test(mistake) && ours.label === 'PATCH /pets/{petId}' && prism === 200,
  },
  {
    because: 'a path without parameters has methods of its own, whatever /users/{id} has',
    is: ({ mistake, ours, status }) =>
      mistake === 'another method' && ours.path === '/users/me' && status === 405,
  },
  {
    because: 'credentials that are optional may be of any kind',
    is: ({ mistake, prisms, prism }) =>
      mistake === 'another scheme' &&
      prisms.security?.some((all) => all.length === 0) === true &&
      prism === 401,
  },
  {
    because: 'Prism throws over parameters in the styles of a path',
    is: ({ prism }) => typeof prism === 'string' && /style|split/.test(prism),
  },
  {
    because: 'Prism misses an object of optional members that has none of them',
    is: ({ ours, prism }) => ours.label === 'GET /loans' && prism === 422,
  },
  {
    because: 'Prism wants from a client what is readOnly, where a schema leads to itself',
    is: ({ ours, prism }) => ours.label === 'POST /departments' && prism === 422,
  },
];

/** Every mistake in every operation of a document for which Prism has another status, and the number of all. */
async function compare(spec: string | object): Promise<{ asked: number; differences: Difference[] }> {
  const { service, ask } = await openService({ spec, stateless: true });
  const operations = (await getHttpOperationsFromSpec(spec)).map((each) => ({ ...each, callbacks: [] }));
  const requests = createRequests(service.document.reader, createSamples(service.document, 1));
  const differences: Difference[] = [];
  let asked = 0;
  for (const ours of service.table.operations) {
    const prisms = operations.find(
      ({ method, path }) => method.toUpperCase() === ours.method && path === ours.path,
    );
    const body = requests.bodies(ours).find(({ mediaType }) => /json$/.test(mediaType));
    const valid = requests.build(ours, {}, { body });
    if (!prisms || typeof valid === 'string' || (ours.body && !body)) continue;
    const pair: Pair = { ours, prisms, operations };
    for (const [mistake, make] of Object.entries(MISTAKES)) {
      const request = make(valid, pair);
      if (!request) continue;
      asked += 1;
      const { status } = (await ask(request)).response;
      const prism = await askPrism(operations, request);
      if (prism !== status) differences.push({ ...pair, mistake, request, prism, status });
    }
  }
  return { asked, differences };
}

/** Documents with one operation, which declares these statuses. */
const DECLARED = [
  '200',
  '200 400',
  '200 422',
  '200 400 422',
  '200 4XX',
  '200 default',
  '200 401 406 415',
  '204 404',
];

function declaring(codes: string): object {
  const content = { 'application/json': { schema: { type: 'object', required: ['name'] } } };
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'n', in: 'query', required: true, schema: { type: 'integer' } },
    { name: 'X-Count', in: 'header', required: true, schema: { type: 'integer' } },
  ];
  const answers = codes
    .split(' ')
    .map((code) => [code, { description: code, ...(code !== '204' && { content }) }]);
  const operation = {
    parameters,
    requestBody: { required: true, content },
    responses: Object.fromEntries(answers),
  };
  const security = { security: [{ key: [] }, { token: [] }] };
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    token: { type: 'http', scheme: 'bearer' },
  };
  return documentOf(
    { '/do/{id}': { post: operation, put: { ...operation, ...security } } },
    { securitySchemes },
  );
}

describe('The status of a wrong request', () => {
  const needed = new Set<string>();

  const documents: [name: string, spec: string | object][] = [
    ...DECLARED.map((codes): [string, object] => [`a document with ${codes}`, declaring(codes)]),
    ['the own document', OWN_DOCUMENT],
    ...FILES.map((name): [string, string] => [name, FOLDER + name]),
  ];

  test.each(documents)('is that of Prism, but for what is better otherwise: %s', async (_, spec) => {
    const { asked, differences } = await compare(spec);
    const unexplained = differences.filter((difference) => {
      const reason = REASONS.find(({ is }) => is(difference));
      if (reason) needed.add(reason.because);
      return !reason;
    });
    const found = unexplained.map(
      ({ mistake, ours: { label, codes }, prism, status }) =>
        `${mistake}: ${label} with ${codes.join(' ')} is ${status}, for Prism ${prism}`,
    );
    expect(found).toEqual([]);
    expect(asked).toBeGreaterThan(0);
  });

  test.each(REASONS)('differs, because $because', ({ because }) => {
    expect(needed).toContain(because);
  });
});
