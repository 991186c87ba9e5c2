import type { HttpParameter } from '../../document/document.ts';
import type { Operation, ParameterPlace } from '../../model/operations/operations.ts';
import type { SchemaReader } from '../../schema/schema.ts';
import { type ParameterForm, writePairs, writeValue } from './parameters.ts';
import type { Samples } from './samples.ts';

type Pairs = [name: string, value: string][];

/** Generates and writes the parameters of requests. */
interface ParameterSamples {
  /** Generates the raw value of a path parameter; `undefined` if no valid one was found. */
  pathValue(operation: Operation, name: string): string | undefined;
  /** Writes all other parameters, optional ones too if `all` is set: the given values of the query, else generated ones. Names a required one without a valid value as missing. */
  collect(
    operation: Operation,
    all: boolean,
    query?: Readonly<Record<string, unknown>>,
  ): { readonly pairs: Readonly<Record<ParameterPlace, Pairs>>; readonly missing: string | undefined };
}

/** Creates the samples. With `onlyExamples`, a parameter of a path has no value but those of the document. */
export function createParameterSamples(
  reader: SchemaReader,
  samples: Samples,
  onlyExamples = false,
): ParameterSamples {
  const sample = (operation: Operation, parameter: PlacedParameter) =>
    samples.parameter(parameter, `${operation.label} ${parameter.place} ${parameter.name}`);
  return {
    pathValue(operation, name) {
      const placed = placedParametersOf(reader, operation);
      const parameter = placed.find((each) => each.place === 'path' && each.name === name);
      if (onlyExamples && !(parameter && hasExample(reader, parameter))) return undefined;
      // An undeclared name in the path takes any text.
      const value = parameter ? sample(operation, parameter) : 'check';
      return value === undefined
        ? undefined
        : writeValue(parameter ? toParameterForm(parameter) : PLAIN_PATH, value);
    },
    collect(operation, all, query = {}) {
      const pairs: Record<ParameterPlace, Pairs> = { path: [], query: [], header: [], cookie: [] };
      const wanted = placedParametersOf(reader, operation).filter(
        (parameter) => isInQuery(parameter, query) || isWanted(parameter, all),
      );
      for (const parameter of wanted) {
        const { place, name, required } = parameter;
        const value = isInQuery(parameter, query) ? query[name] : sample(operation, parameter);
        if (value === undefined && required) return { pairs, missing: name };
        if (value !== undefined) pairs[place].push(...writeParameter(parameter, value));
      }
      return { pairs, missing: undefined };
    },
  };
}

type PlacedParameter = HttpParameter & { readonly place: ParameterPlace };

function placedParametersOf(
  reader: SchemaReader,
  { source: { request = {} } }: Operation,
): PlacedParameter[] {
  const places = [
    ['path', request.path],
    ['query', request.query],
    ['header', request.headers],
    ['cookie', request.cookie],
  ] as const;
  return places.flatMap(([place, nodes = []]) =>
    nodes.map((node) => ({ ...(reader.resolve(node) as HttpParameter), place })),
  );
}

function hasExample(reader: SchemaReader, { schema, examples = [] }: PlacedParameter): boolean {
  const {
    examples: own,
    default: usual,
    enum: members,
    const: only,
  } = schema ? reader.read(schema).keywords : {};
  return (
    [examples, own, members].some((list) => Array.isArray(list) && list.length > 0) ||
    (usual ?? only) !== undefined
  );
}

function writeParameter(parameter: PlacedParameter, value: unknown): Pairs {
  const form = toParameterForm(parameter);
  return parameter.place === 'header' ? [[parameter.name, writeValue(form, value)]] : writePairs(form, value);
}

const PLAIN_PATH: ParameterForm = { place: 'path', name: '', style: 'simple', explode: false };

function toParameterForm({ place, name, style, explode }: PlacedParameter): ParameterForm {
  const swagger = style === 'unspecified' || style === 'commaDelimited';
  return { place, name, style: swagger ? undefined : style, explode: swagger ? false : explode };
}

/** Headers that are not parameters of an operation, even if a document lists them (OpenAPI 3.0.3, Parameter Object). */
const FOREIGN_HEADERS = /^(accept|content-type|authorization|prefer|range|host|if-.*)$/i;

function isInQuery({ place, name }: PlacedParameter, query: Readonly<Record<string, unknown>>): boolean {
  return place === 'query' && Object.hasOwn(query, name);
}

function isWanted(parameter: PlacedParameter, all: boolean): boolean {
  return parameter.place !== 'path' && (parameter.required === true || (all && isSendable(parameter)));
}

function isSendable({ place, name }: PlacedParameter): boolean {
  return place !== 'header' || !FOREIGN_HEADERS.test(name);
}
