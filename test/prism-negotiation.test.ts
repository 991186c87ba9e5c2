import { fileURLToPath } from 'node:url';
import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { OWN_DOCUMENT } from '../src/package-files.ts';

const DOCUMENTS = fileURLToPath(new URL('./documents/', import.meta.url));

type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** An example of a document, and what to ask for to get it. */
interface Wanted {
  readonly operation: PrismOperation;
  readonly status: number;
  readonly mediaType: string;
  /** `undefined` for the first one that there is. */
  readonly name: string | undefined;
}

/** What an answer shows: all that negotiation decides. */
interface Shown {
  readonly status: number;
  readonly mediaType: string | null | undefined;
  readonly body: unknown;
}

const noop = () => {};
const silent: Record<string, unknown> = { child: () => silent };
for (const level of ['success', 'info', 'warn', 'error', 'debug', 'trace', 'fatal']) silent[level] = noop;

async function askPrism({ operation, status, mediaType, name }: Wanted): Promise<Shown> {
  const prism = createInstance(
    {
      ...{ isProxy: false, checkSecurity: false, validateRequest: false, validateResponse: false },
      ...{ errors: false, upstreamProxy: undefined },
      mock: { dynamic: false, code: status, mediaTypes: [mediaType], ...(name && { exampleKey: name }) },
    },
    { logger: silent as never, route: () => ({ _tag: 'Right', right: operation }) },
  );
  const request = { method: operation.method as 'get', url: { path: operation.path } };
  const result = await prism.request(request, [operation])();
  if (result._tag === 'Left') throw result.left;
  const { statusCode, headers, body } = result.right.output;
  return { status: statusCode, mediaType: headers?.['Content-type'], body };
}

async function askMock(mock: Mock, { operation, status, mediaType, name }: Wanted): Promise<Shown> {
  const example = name === undefined ? '' : `, example=${JSON.stringify(name)}`;
  const answer = await mock.fetch(operation.path.replace(/\{[^{}]+\}/g, '1'), {
    method: operation.method.toUpperCase(),
    headers: { Accept: mediaType, Prefer: `code=${status}${example}` },
  });
  return { status: answer.status, mediaType: answer.headers.get('Content-Type'), body: await answer.json() };
}

/** Every example of a JSON answer of a status, by its name and without it. */
function findExamples(operations: readonly PrismOperation[]): Wanted[] {
  return operations.flatMap((operation) =>
    operation.responses
      .filter(({ code }) => /^\d+$/.test(code))
      .flatMap(({ code, contents = [] }) =>
        contents
          .filter(({ mediaType, examples = [] }) => /^[^*]*json$/.test(mediaType) && examples.length > 0)
          .flatMap(({ mediaType, examples = [] }) =>
            [undefined, ...examples.map(({ key }) => key)].map((name) => ({
              ...{ operation, status: Number(code), mediaType, name },
            })),
          ),
      ),
  );
}

const FILES = [OWN_DOCUMENT, ...['media-types.yaml', 'negotiation.yaml'].map((name) => DOCUMENTS + name)];

describe.each(FILES)('The examples of %s', (file) => {
  let mock: Mock;
  let wanted: readonly Wanted[];

  beforeAll(async () => {
    mock = await createMock({ spec: file, stateless: true, auth: false });
    wanted = findExamples(await getHttpOperationsFromSpec(file));
  });

  test('are answered as Prism answers with them', async () => {
    expect(wanted).not.toEqual([]);
    for (const each of wanted) {
      const { method, path } = each.operation;
      const what = `${method} ${path} ${each.status} ${each.mediaType} ${each.name}`;
      expect({ what, ...(await askMock(mock, each)) }).toEqual({ what, ...(await askPrism(each)) });
    }
  });
});
