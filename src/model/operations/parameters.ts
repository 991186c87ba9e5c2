import type { HttpOperation, HttpParameter } from '../../document/document.ts';
import { type SchemaNode, type SchemaReader, toShape } from '../../schema/schema.ts';
import { isJson, toMediaType } from '../../wire/codecs/codecs.ts';
import { buildLanguageReader } from './language.ts';
import type { ParameterPlace } from './parameter-source.ts';
import { type ParameterStyle, spreads } from './parameter-split.ts';
import { buildReader, type ReadParameter } from './parameter-styles.ts';
import { templateNames } from './router.ts';

/** A declared parameter, with everything that is decided at load. */
export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  /** The name in error messages, such as `query.limit`. */
  readonly location: string;
  readonly required: boolean;
  readonly schema: SchemaNode;
  /** How a query has the members of an object: each under its own name, or as `name[member]`; `undefined` for neither. */
  readonly members: 'own' | 'bracketed' | undefined;
  /** Whether its value, or each item, must be an integer. */
  readonly whole: boolean;
  /** Reads its typed value from a request. */
  readonly read: ReadParameter;
}

const STYLES: Readonly<Record<ParameterPlace, readonly [usual: string, ...others: string[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'commaDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Builds the parameters of an operation: those it declares, and those that only its path names. */
export function buildParameters(reader: SchemaReader, { path, request = {} }: HttpOperation): Parameter[] {
  const declared = (
    [
      ['path', request.path],
      ['query', request.query],
      ['header', request.headers],
      ['cookie', request.cookie],
    ] as const
  ).flatMap(([place, parameters]) =>
    (parameters ?? []).map((parameter): [ParameterPlace, HttpParameter] => [place, parameter]),
  );
  const names = templateNames(path);
  const undeclared = names
    .filter((name) => !declared.some(([place, parameter]) => place === 'path' && parameter.name === name))
    .map((name): [ParameterPlace, HttpParameter] => ['path', { name, schema: { type: 'string' } }]);
  return (
    [...declared, ...undeclared]
      .filter(([place, { name }]) => place !== 'header' || !IGNORED_HEADERS.test(name))
      // No client can send a parameter that the path does not have.
      .filter(([place, { name }]) => place !== 'path' || names.includes(name))
      .map(([place, parameter]) => buildParameter(reader, place, parameter))
  );
}

/** Media types and security define these headers; OpenAPI 3.0.3 ignores them as parameters (Parameter Object). */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/** Languages are matched; any other parameter is read as it stands. */
function chooseReader(name: string): (style: ParameterStyle) => ReadParameter {
  return name === 'accept-language' ? buildLanguageReader : buildReader;
}

/** Decides once how to read a parameter. */
export function buildParameter(
  reader: SchemaReader,
  place: ParameterPlace,
  declared: HttpParameter,
): Parameter {
  const { content = {}, style: declaredStyle = '' } = declared;
  const schema = reader.read(declared.schema);
  const [usual] = STYLES[place];
  // Only array parameters of Swagger have a style, and a style for another place is ignored.
  const style = STYLES[place].includes(declaredStyle) ? declaredStyle : usual;
  const name = place === 'header' ? declared.name.toLowerCase() : declared.name;
  const [mediaType] = Object.keys(content);
  const shape = toShape(schema);
  const { scalars } = shape.types.includes('array') && shape.scalars.length === 0 ? shape.items() : shape;
  const parts: ParameterStyle = {
    place,
    name,
    style,
    explode: declared.explode ?? (style === 'form' || style === 'deepObject'),
    empty: place === 'query' && declared.allowEmptyValue === true,
    json: mediaType !== undefined && isJson(toMediaType(mediaType) ?? ''),
    shape,
    members: Array.isArray(schema.keywords.enum) ? schema.keywords.enum : undefined,
  };
  return {
    in: place,
    name,
    location: `${place}.${name}`,
    required: place === 'path' || declared.required === true,
    schema,
    members: toMemberPlaces(parts),
    whole: scalars.length === 1 && scalars[0] === 'integer',
    read: chooseReader(name)(parts),
  };
}

function toMemberPlaces(style: ParameterStyle): Parameter['members'] {
  if (style.json) return undefined;
  if (style.style === 'deepObject') return 'bracketed';
  return style.shape.types.includes('object') && spreads(style) ? 'own' : undefined;
}
