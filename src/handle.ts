import { ACTIONS, type Action } from './actions.ts';
import type { ErrorShapes } from './error-shape.ts';
import type { Faults } from './faults.ts';
import type { Random } from './generate.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MockRequest, MockResponse } from './message.ts';
import type { Negotiator } from './negotiate.ts';
import type { Match, Operation, OperationTable } from './operations.ts';
import type { Rules } from './petstore.ts';
import { type Preferences, readPreferences, toPreferenceApplied } from './prefer.ts';
import type { Prism } from './prism.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Resource, ResourceModel } from './resources.ts';
import { chooseMediaType, toResponse, withHeaders, withoutContent } from './respond.ts';
import type { SchemaChecker } from './schemas.ts';
import type { Entity, Store } from './store.ts';
import { acceptInput, findViolations, type Input, readInput } from './validator.ts';

/** What a request goes through, all of it built at load. */
export interface HandlerParts {
  readonly table: OperationTable;
  readonly model: ResourceModel;
  readonly rules: Rules | undefined;
  readonly store: Store;
  /** Checks what is stored and answered. */
  readonly schemas: SchemaChecker;
  /** Checks what is asked. */
  readonly requestSchemas: SchemaChecker;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly faults: Faults;
  readonly errors: ErrorShapes;
  readonly negotiate: Negotiator;
  /** A generated entity of a resource, the same for the same key. */
  readonly generate: (resource: Resource, key: string) => Entity;
  readonly prism: () => Promise<Prism>;
  /** The bounds of the wait before every answer, in milliseconds, and where in between a request falls. */
  readonly delay: { readonly from: number; readonly to: number; readonly random: Random };
}

/** An answer, and what there is to say about it beside what the client sees. */
export interface Handled {
  readonly response: MockResponse;
  readonly operation: Operation | undefined;
  readonly lifecycle: Lifecycle | undefined;
  readonly problem: Problem | undefined;
}

/** What an error rule or a delay holds a request up with. */
export interface Admission {
  /** Milliseconds to wait before the request is answered. */
  readonly delay: number;
  /** What to answer instead of the answer. */
  readonly problem: Problem | undefined;
}

/** Answers requests. None of it throws. */
export interface Handler {
  /** Decides about delay and fault; `undefined` for a request that nothing holds up. */
  admit(request: MockRequest): Admission | undefined;
  /** Answers at once, or later where Prism is asked. */
  answer(request: MockRequest, fault?: Problem): Handled | Promise<Handled>;
  /** The answer to what is no request of an operation. */
  refuse(problem: Problem): MockResponse;
}

export function createHandler(parts: HandlerParts): Handler {
  const actions = bindActions(parts);
  return {
    admit: (request) => admit(parts, request),
    refuse: (problem) => parts.errors.respond(problem, undefined, ''),
    answer(request, fault) {
      let match: Match | undefined;
      const finish = (response: MockResponse) => decorate(parts, request, match, response);
      const fail = (error: unknown) => {
        const problem = toProblem(error);
        const response = parts.errors.respond(problem, match?.operation, request.path);
        return decorate(parts, request, match, response, problem);
      };
      try {
        match = matchRequest(parts, request);
        if (fault) throw fault;
        const response = match ? answer(parts, actions, request, match) : answerOptions(parts, request);
        return response instanceof Promise ? response.then(finish, fail) : finish(response);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

function admit({ table, faults, delay }: HandlerParts, request: MockRequest): Admission | undefined {
  if (faults.none && delay.to === 0) return undefined;
  const operation = table.probe(request.method, request.path);
  if (!operation) return undefined;
  const fault = faults.decide(operation);
  const general = delay.to > 0 ? delay.from + delay.random() * (delay.to - delay.from) : 0;
  return { delay: general + (fault?.delay ?? 0), problem: fault?.problem };
}

type BoundAction = (request: MockRequest, input: Input, base: string) => ReturnType<Action>;

/** Each stateful operation with its rule, else its generic action, and everything but the request filled in. */
function bindActions({
  table,
  model,
  rules,
  store,
  schemas,
  generate,
}: HandlerParts): ReadonlyMap<Operation, BoundAction> {
  const session = store.session();
  const bound = new Map<Operation, BoundAction>();
  for (const operation of table.operations) {
    const inferred = model.actions.get(operation.id);
    const rule =
      (inferred && rules?.actions.get(`${inferred.name} ${inferred.resource.name}`)) ??
      rules?.actions.get(operation.id);
    const action = rule ?? (inferred && ACTIONS[inferred.name]);
    const resource = inferred?.resource ?? resourceAbove(model, operation);
    if (!action || !resource) continue;
    bound.set(operation, (request, input, base) =>
      action({ operation, resource, input, base, request, session, schemas, generate }),
    );
  }
  return bound;
}

/** A rule may serve an operation of which nothing was inferred: the resource is that of the path it stands below. */
function resourceAbove({ resources }: ResourceModel, operation: Operation) {
  const candidates = [...resources.values()];
  return (
    candidates.find(({ itemPath }) => operation.path.startsWith(`${itemPath}/`)) ??
    candidates.find(({ itemPath }) =>
      operation.path.startsWith(itemPath.slice(0, itemPath.lastIndexOf('/') + 1)),
    )
  );
}

function matchRequest({ table }: HandlerParts, request: MockRequest): Match | undefined {
  if (request.method !== 'OPTIONS') return table.match(request.method, request.path);
  return table.probe('OPTIONS', request.path) && table.match('OPTIONS', request.path);
}

function answerOptions({ table }: HandlerParts, { path }: MockRequest): MockResponse {
  const allow = path === '*' ? 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' : table.allow(path);
  return { status: 204, headers: { Allow: allow } };
}

function answer(
  parts: HandlerParts,
  actions: ReadonlyMap<Operation, BoundAction>,
  request: MockRequest,
  match: Match,
): MockResponse | Promise<MockResponse> {
  const { operation } = match;
  const action = actions.get(operation);
  const preferences = readPreferences(request.headers.prefer, request.query);
  if (action ? isForced(operation, preferences) : preferences.code !== undefined) {
    return negotiatePreferred(parts, operation, preferences, request);
  }
  const act = (input: Input) => {
    if (!action) return negotiatePreferred(parts, operation, preferences, request);
    const mediaType = chooseMediaType(operation, request);
    return toResponse(operation, action(request, input, match.base), mediaType);
  };
  const raw = readInput(request, match);
  const found = findViolations(operation, raw, parts.requestSchemas);
  if (operation.lane === 'compiled') return act(acceptInput(operation, raw, found));
  return parts
    .prism()
    .then((prism) => prism.validate(operation, request, raw.body?.value))
    .then((also) =>
      act(
        acceptInput(operation, raw, {
          parameters: [...found.parameters, ...also.parameters],
          body: also.body,
        }),
      ),
    );
}

/** A preference that state would not fulfil by itself: another status, or an example by name. */
function isForced(operation: Operation, { code, example }: Preferences): boolean {
  return example !== undefined || (code !== undefined && code !== operation.successStatus);
}

async function negotiatePreferred(
  { negotiate }: HandlerParts,
  operation: Operation,
  preferences: Preferences,
  request: MockRequest,
): Promise<MockResponse> {
  const response = await negotiate(operation, preferences, request);
  const applied = toPreferenceApplied(preferences);
  return applied === undefined ? response : withHeaders(response, { 'Preference-Applied': applied });
}

function decorate(
  { lifecycles, table }: HandlerParts,
  request: MockRequest,
  match: Match | undefined,
  response: MockResponse,
  problem?: Problem,
): Handled {
  const lifecycle = match && lifecycles.get(match.operation);
  const announced =
    match && lifecycle ? withHeaders(response, lifecycle.headers(match.parameters, match.base)) : response;
  // Whether a preference was there decides about the answer (RFC 7240 section 2).
  const varied = match
    ? withHeaders(announced, { Vary: 'Accept, Prefer', ...required(table, match, response) })
    : announced;
  return {
    response: request.method === 'HEAD' ? withoutContent(varied) : varied,
    operation: match?.operation,
    lifecycle,
    problem,
  };
}

/** What RFC 9110 makes part of some statuses (sections 15.5.2 and 15.5.6), also of those that a rule asks for. */
function required(table: OperationTable, { operation }: Match, { status, headers }: MockResponse) {
  if (status === 401 && headers['WWW-Authenticate'] === undefined) {
    return { 'WWW-Authenticate': 'Bearer realm="petstore-mock"' };
  }
  if (status === 405 && headers.Allow === undefined) return { Allow: table.allow(operation.path) };
  return undefined;
}
