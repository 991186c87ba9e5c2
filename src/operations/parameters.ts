import { isJson, toMediaType } from '../codecs/codecs.ts';
import type { DocumentRoot, HttpOperation, HttpParameter } from '../document/document.ts';
import { type Schema, toShape } from '../schema/schema.ts';
import type { Place } from './parameter-source.ts';
import { buildReader, type ReadParameter } from './parameter-styles.ts';
import { templateNames } from './router.ts';

export type ParameterPlace = Place;

/** A declared parameter, with what was decided about it at load. */
export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  /** `query.limit`: how it is called where something is wrong with it. */
  readonly location: string;
  readonly required: boolean;
  readonly schema: Schema;
  /** Whether its value, or each item of it, must be an integer. */
  readonly whole: boolean;
  /** Its typed value in a request. */
  readonly read: ReadParameter;
}

const STYLES: Readonly<Record<ParameterPlace, readonly [usual: string, ...others: string[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'commaDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** The parameters of an operation: the declared ones, and those that only its path names. */
export function buildParameters(root: DocumentRoot, { path, request = {} }: HttpOperation): Parameter[] {
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
  const undeclared = templateNames(path)
    .filter((name) => !declared.some(([place, parameter]) => place === 'path' && parameter.name === name))
    .map((name): [ParameterPlace, HttpParameter] => ['path', { name, schema: { type: 'string' } }]);
  return [...declared, ...undeclared]
    .filter(([place, { name }]) => place !== 'header' || !SPOKEN_OF_ELSEWHERE.test(name))
    .map(([place, parameter]) => buildParameter(root, place, parameter));
}

/** Media types and security speak of these; as parameters they are ignored (OpenAPI 3.0.3, Parameter Object). */
const SPOKEN_OF_ELSEWHERE = /^(accept|content-type|authorization)$/i;

/** Decides once how a parameter's raw values will be read. */
export function buildParameter(root: unknown, place: ParameterPlace, declared: HttpParameter): Parameter {
  const { schema = {}, content = {}, style: asked = '' } = declared;
  const [usual] = STYLES[place];
  // Swagger's parameters that are no arrays have no style, and a style of another place says nothing.
  const style = STYLES[place].includes(asked) ? asked : usual;
  const name = place === 'header' ? declared.name.toLowerCase() : declared.name;
  const [mediaType] = Object.keys(content);
  const shape = toShape(root, schema);
  const { scalars } = shape.types.includes('array') && shape.scalars.length === 0 ? shape.items() : shape;
  return {
    in: place,
    name,
    location: `${place}.${name}`,
    required: place === 'path' || declared.required === true,
    schema,
    whole: scalars.length === 1 && scalars[0] === 'integer',
    read: buildReader({
      place,
      name,
      style,
      explode: declared.explode ?? (style === 'form' || style === 'deepObject'),
      empty: place === 'query' && declared.allowEmptyValue === true,
      json: mediaType !== undefined && isJson(toMediaType(mediaType) ?? ''),
      shape,
    }),
  };
}
