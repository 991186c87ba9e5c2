import { createInstance, getHttpOperationsFromSpec, type IHttpResponse } from '@stoplight/prism-http';

/** Everything in which an answer to an operation breaks the document, in Prism's words. */
export type Judge = (
  operation: { readonly method: string; readonly path: string },
  response: Response,
) => Promise<string[]>;

const noop = () => {};
const silent: Record<string, unknown> = { child: () => silent };
for (const level of ['success', 'info', 'warn', 'error', 'debug', 'trace', 'fatal']) silent[level] = noop;

/** Prism as a judge that shares nothing with the code under test: it reads the document by itself. */
export async function createJudge(document: string | object): Promise<Judge> {
  const resources = await getHttpOperationsFromSpec(document);
  return async ({ method, path }, response) => {
    const resource = resources.find((each) => each.method.toUpperCase() === method && each.path === path);
    if (!resource) throw new Error(`Prism does not know ${method} ${path}`);
    const text = await response.text();
    const isJson = /json\b/.test(response.headers.get('Content-Type') ?? '');
    const answer: IHttpResponse = {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      ...(text !== '' && { body: isJson ? (JSON.parse(text) as unknown) : text }),
    };
    const prism = createInstance(
      {
        isProxy: false,
        checkSecurity: false,
        validateRequest: false,
        validateResponse: true,
        errors: false,
        mock: { dynamic: false },
        upstreamProxy: undefined,
      },
      {
        logger: silent as never,
        route: () => ({ _tag: 'Right', right: resource }),
        mock: () => () => ({ _tag: 'Right', right: answer }),
      },
    );
    const request = { method: resource.method as 'get', url: { path } };
    const result = await prism.request(request, [resource])();
    if (result._tag === 'Left') throw result.left;
    return result.right.validations.output
      .filter((finding) => !isBeyondPrism(response, finding))
      .map(({ message, path: place }) => `${place?.join('.')}: ${message}`);
  };
}

interface Finding {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** Prism misses the type of an answer that must have no body, and compares any text with a schema as if it were JSON. */
function isBeyondPrism({ status, headers }: Response, { message, path: [place] = [] }: Finding): boolean {
  if (status === 204 || status === 304) return place !== 'header';
  const type = headers.get('Content-Type') ?? '';
  return (
    place === 'body' &&
    !/json/.test(type) &&
    /body must be (object|array|integer|number|boolean)/.test(message)
  );
}
