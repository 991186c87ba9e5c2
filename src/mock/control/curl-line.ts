import type { Service, Session } from '../../core/service/service.ts';
import { type Operation, type OutlineParameter, templateNames } from '../../model/operations/operations.ts';
import { bodySchema, keyOf } from '../../model/resources/resources.ts';
import type { SchemaNode } from '../../schema/schema.ts';
import { toJson, toShellWord } from '../../wire/codecs/codecs.ts';
import { toSample } from './sample.ts';

interface CurlParts {
  readonly service: Service;
  readonly session: Session;
  readonly operation: Operation;
  /** The URL before every path, such as `http://127.0.0.1:4010`. */
  readonly base: string;
}

/** Writes a line for the shell that sends an operation, with the key of an entity that exists and the parameters that are required. */
export function toCurlLine(parts: CurlParts): string {
  const { operation, base, service } = parts;
  const parameters = operation.outline.parameters();
  const names = templateNames(operation.path);
  const path = names.reduce(
    (filled, name) => filled.replace(`{${name}}`, encode(toPathValue(parts, parameters, name))),
    operation.path,
  );
  const required = (place: string) => parameters.filter((each) => each.in === place && each.required);
  const query = required('query').map(({ name, schema }) => `${encode(name)}=${encode(toText(schema))}`);
  const body = METHODS_WITH_BODY.has(operation.method) ? bodySchema(operation) : undefined;
  const words = [
    'curl',
    ...(operation.method === 'GET' ? [] : operation.method === 'HEAD' ? ['-I'] : ['-X', operation.method]),
    base + path + (query.length === 0 ? '' : `?${query.join('&')}`),
    ...required('header').flatMap(({ name, schema }) => ['-H', `${name}: ${toText(schema)}`]),
    ...(service.security?.describe(operation)?.includes('Bearer')
      ? ['-H', 'Authorization: Bearer test']
      : []),
    ...(body ? ['-H', 'Content-Type: application/json', '-d', toJson(toSample(body))] : []),
  ];
  return words.map(toShellWord).join(' ');
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Encodes a part of a URL. Half of a surrogate pair has no encoding, and would end the whole overview in an error. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** The value of a path parameter: the key of the first entity, if it names one and they are known. */
function toPathValue(
  { service, session, operation }: CurlParts,
  parameters: readonly OutlineParameter[],
  name: string,
): string {
  const action = service.model.actions.get(operation.id);
  const isKey = typeof action?.key === 'object' && 'parameter' in action.key && action.key.parameter === name;
  const parent = action?.parents.find((each) => each.parameter === name)?.resource;
  const resource = isKey ? action.resource : service.model.resources.get(parent ?? '');
  const isKnown =
    resource && (session.store.used.includes(resource.name) || service.initial.countOf(resource.name));
  const first = isKnown ? session.store.collection(resource.name).all().slice(0, 1)[0] : undefined;
  if (resource && first) return keyOf(resource, first);
  return toText(parameters.find((each) => each.in === 'path' && each.name === name)?.schema);
}

/** A value for a parameter, from the document where it has one. */
function toText(schema: SchemaNode | undefined): string {
  const { examples, default: usual, enum: members } = schema?.keywords ?? {};
  const lists = [examples, [usual], members].filter(Array.isArray);
  const [first] = lists.flat().filter((value) => typeof value === 'string' || typeof value === 'number');
  return String(first ?? 1);
}
