import { ACTIONS, type Action } from './actions.ts';
import type { Faults } from './faults.ts';
import type { Random } from './generate.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MockRequest, MockResponse } from './message.ts';
import type { Negotiator } from './negotiate.ts';
import type { Match, Operation, OperationTable } from './operations.ts';
import type { Rules } from './petstore.ts';
import { type Preferences, parsePrefer, toPreferenceApplied } from './prefer.ts';
import type { Prism } from './prism.ts';
import { type Problem, toProblem } from './problem.ts';
import type { ResourceModel } from './resources.ts';
import { chooseMediaType, toProblemResponse, toResponse, withHeaders, withoutContent } from './respond.ts';
import type { SchemaChecker } from './schemas.ts';
import type { Store } from './store.ts';
import { type Input, readInput, toInput, validateInput } from './validator.ts';

/** What a request goes through, all of it built at load. */
export interface HandlerParts {
  readonly table: OperationTable;
  readonly model: ResourceModel;
  readonly rules: Rules | undefined;
  readonly store: Store;
  readonly schemas: SchemaChecker;
  readonly lifecycles: ReadonlyMap<Operation, Lifecycle>;
  readonly faults: Faults;
  readonly negotiate: Negotiator;
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

/** Answers one request: at once, or later where there is a delay to wait for or Prism to ask. It never throws. */
export type Handler = (request: MockRequest) => Handled | Promise<Handled>;

export function createHandler(parts: HandlerParts): Handler {
  const actions = bindActions(parts);
  return (request) => {
    let match: Match | undefined;
    const finish = (response: MockResponse) => decorate(parts, request, match, response);
    const fail = (error: unknown) => {
      const problem = toProblem(error);
      return decorate(parts, request, match, toProblemResponse(problem), problem);
    };
    try {
      match = matchRequest(parts, request);
      const response = match ? answer(parts, actions, request, match) : answerOptions(parts, request);
      return response instanceof Promise ? response.then(finish, fail) : finish(response);
    } catch (error) {
      return fail(error);
    }
  };
}

type BoundAction = (request: MockRequest, input: Input) => ReturnType<Action>;

/** Each stateful operation with its rule, else its generic action, and everything but the request filled in. */
function bindActions({
  table,
  model,
  rules,
  store,
  schemas,
}: HandlerParts): ReadonlyMap<Operation, BoundAction> {
  const session = store.session();
  const bound = new Map<Operation, BoundAction>();
  for (const operation of table.operations) {
    const inferred = model.actions.get(operation.id);
    const action = rules?.actions.get(operation.id) ?? (inferred && ACTIONS[inferred.name]);
    const resource = inferred?.resource ?? resourceAbove(model, operation);
    if (!action || !resource) continue;
    bound.set(operation, (request, input) =>
      action({ operation, resource, input, request, session, schemas }),
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
  const declared = request.path !== '*' && table.declares('OPTIONS', request.path);
  return declared ? table.match('OPTIONS', request.path) : undefined;
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
  const { from, to, random } = parts.delay;
  const fault = parts.faults.decide(operation);
  const delay = (to > 0 ? from + random() * (to - from) : 0) + (fault?.delay ?? 0);
  const proceed = () => {
    if (fault?.problem) throw fault.problem;
    return answerFaultless(parts, actions.get(operation), request, match);
  };
  return delay > 0 ? wait(delay).then(proceed) : proceed();
}

function answerFaultless(
  parts: HandlerParts,
  action: BoundAction | undefined,
  request: MockRequest,
  match: Match,
): MockResponse | Promise<MockResponse> {
  const { operation } = match;
  const preferences = parsePrefer(request.headers.prefer);
  if (action ? isForced(operation, preferences) : preferences.code !== undefined) {
    return negotiatePreferred(parts, operation, preferences, request);
  }
  const act = (input: Input) => {
    if (!action) return negotiatePreferred(parts, operation, preferences, request);
    const mediaType = chooseMediaType(operation, request);
    return toResponse(operation, action(request, input), mediaType);
  };
  const raw = readInput(request, match);
  if (operation.lane === 'compiled') return act(validateInput(operation, raw, parts.schemas));
  return parts
    .prism()
    .then((prism) => prism.validate(operation, request, raw.body?.value))
    .then(() => act(toInput(operation, raw)));
}

/** A preference that state would not fulfil by itself: another status, or an example by name. */
function isForced(operation: Operation, { code, example }: Preferences): boolean {
  return example !== undefined || (code !== undefined && code !== operation.successStatus);
}

async function negotiatePreferred(
  { negotiate }: HandlerParts,
  operation: Operation,
  preferences: Preferences,
  { headers }: MockRequest,
): Promise<MockResponse> {
  const response = await negotiate(operation, preferences, headers.accept);
  const applied = toPreferenceApplied(preferences);
  return applied === undefined ? response : withHeaders(response, { 'Preference-Applied': applied });
}

function decorate(
  { lifecycles }: HandlerParts,
  request: MockRequest,
  match: Match | undefined,
  response: MockResponse,
  problem?: Problem,
): Handled {
  const lifecycle = match && lifecycles.get(match.operation);
  const announced =
    match && lifecycle ? withHeaders(response, lifecycle.headers(match.parameters)) : response;
  // Whether a preference was there decides about the answer (RFC 7240 section 2).
  const varied = match ? withHeaders(announced, { Vary: 'Accept, Prefer' }) : announced;
  return {
    response: request.method === 'HEAD' ? withoutContent(varied) : varied,
    operation: match?.operation,
    lifecycle,
    problem,
  };
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
