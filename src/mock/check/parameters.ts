import type { ParameterPlace } from '../../model/operations/operations.ts';

/** The form of a parameter in a request. */
export interface ParameterForm {
  readonly place: ParameterPlace;
  readonly name: string;
  /** The style of OpenAPI, or the one converted from Swagger's `collectionFormat`; the default of the place unless given. */
  readonly style: string | undefined;
  readonly explode: boolean | undefined;
}

/** Writes a value for the path, where it is percent-encoded, or for a header. */
export function writeValue(parameter: ParameterForm, value: unknown): string {
  const encode = parameter.place === 'header' ? String : encodeURIComponent;
  const style = parameter.style ?? 'simple';
  const explode = parameter.explode ?? false;
  const { start, separator } = PATH_STYLES[style] ?? SIMPLE;
  const name = style === 'matrix' ? `${parameter.name}=` : '';
  const between = explode ? separator : ',';
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(toParameterText(item)));
    return explode
      ? start + items.map((item) => name + item).join(separator)
      : start + name + items.join(',');
  }
  if (typeof value !== 'object' || value === null) return start + name + encode(toParameterText(value));
  const members = toMembers(value).map(
    ([key, member]) => `${encode(key)}${explode ? '=' : ','}${encode(member)}`,
  );
  return start + (explode ? '' : name) + members.join(between);
}

/** Writes a query or cookie parameter as `name=value` pairs, not yet encoded. */
export function writePairs(parameter: ParameterForm, value: unknown): [name: string, value: string][] {
  const { name, style = 'form' } = parameter;
  const explode = parameter.explode ?? style === 'form';
  const delimiter = DELIMITERS[style] ?? ',';
  if (Array.isArray(value)) {
    const items = value.map(toParameterText);
    return explode ? items.map((item) => [name, item]) : [[name, items.join(delimiter)]];
  }
  if (typeof value !== 'object' || value === null) return [[name, toParameterText(value)]];
  const members = toMembers(value);
  if (style === 'deepObject') return members.map(([key, member]) => [`${name}[${key}]`, member]);
  return explode ? members : [[name, members.flat().join(delimiter)]];
}

interface PathStyle {
  readonly start: string;
  /** Between the parts of an exploded value. */
  readonly separator: string;
}

const SIMPLE: PathStyle = { start: '', separator: ',' };
const PATH_STYLES: Readonly<Record<string, PathStyle>> = {
  label: { start: '.', separator: '.' },
  matrix: { start: ';', separator: ';' },
};
const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

function toMembers(value: object): [string, string][] {
  return Object.entries(value).map(([key, member]) => [key, toParameterText(member)]);
}

function toParameterText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
