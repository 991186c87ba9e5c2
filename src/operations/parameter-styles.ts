import { addField, createField, type Field, readJson, toFieldValue, toTextValue } from '../codecs/codecs.ts';
import type { Shape } from '../schema/schema.ts';
import { toScalar } from '../schema/schema.ts';
import {
  buildGather,
  type Gather,
  type Pair,
  type ParameterSource,
  type Place,
  toCookiePairs,
  toPair,
} from './parameter-source.ts';

/** What a request gives for a parameter: `value`, `undefined` where it is given but empty; or what keeps it from being read. */
export type Reading = { readonly value: unknown } | { readonly fault: string };

/** Reads one parameter of a request; `undefined` where it is absent. */
export type ReadParameter = (source: ParameterSource) => Reading | undefined;

/** What decides how a parameter is read. */
export interface Style {
  readonly place: Place;
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
  /** Whether it may be given without a value. */
  readonly empty: boolean;
  /** Whether its value is JSON text. */
  readonly json: boolean;
  readonly shape: Shape;
}

/** Decides once how the values of a parameter are read. */
export function buildReader(style: Style): ReadParameter {
  const { types, scalars } = style.shape;
  if (style.json) return buildJson(style);
  if (style.style === 'deepObject') return buildDeep(style);
  if (types.includes('object')) return spreads(style) ? buildSpread(style) : buildPairs(style);
  if (!types.includes('array')) return buildScalar(style);
  return scalars.length > 0 ? buildEither(style) : buildList(style);
}

/** Whether lists are given by repeating the parameter, and members of objects as parameters of their own. */
function spreads({ place, explode }: Style): boolean {
  return explode && (place === 'query' || place === 'cookie');
}

function buildScalar(style: Style): ReadParameter {
  const gather = buildGather(style.place, style.name);
  const { scalars } = style.shape;
  const prefix = toPrefix(style);
  return (source) => {
    const raw = gather(source);
    if (raw === undefined) return undefined;
    if (raw.length > 1) return ONCE;
    const [text = ''] = raw;
    if (text === '' && style.empty && !scalars.includes('string')) return EMPTY;
    if (prefix === '') return { value: toScalar(scalars, text) };
    return text.startsWith(prefix)
      ? { value: toScalar(scalars, text.slice(prefix.length)) }
      : toPrefixFault(prefix);
  };
}

const ONCE: Reading = { fault: 'must be given only once' };
const EMPTY: Reading = { value: undefined };

function toPrefixFault(prefix: string): Reading {
  return { fault: `must begin with "${prefix}"` };
}

/** What stands before a value in a path. */
function toPrefix({ style, name }: Style): string {
  if (style === 'label') return '.';
  return style === 'matrix' ? `;${name}=` : '';
}

const SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** The parts of a raw value of a list or an object; `undefined` where it is not in the style. */
type Split = (text: string) => readonly string[] | undefined;

function buildSplit(style: Style, ofObject: boolean): Split {
  const { place, explode, name } = style;
  if (explode && style.style === 'matrix') return buildMatrixSplit(ofObject ? '' : `${name}=`);
  const prefix = toPrefix(style);
  const separator = explode && style.style === 'label' ? '.' : (SEPARATORS[style.style] ?? ',');
  const split = (text: string) => (text === '' ? [] : text.split(separator));
  // Several headers of one name arrive joined by a comma and a blank (RFC 9110 section 5.3).
  if (place === 'header') return (text) => split(text).map((part) => part.trim());
  if (prefix === '') return split;
  return (text) => (text.startsWith(prefix) ? split(text.slice(prefix.length)) : undefined);
}

/** `;a=1;a=2` */
function buildMatrixSplit(prefix: string): Split {
  return (text) => {
    const [before, ...parts] = text.split(';');
    if (before !== '' || !parts.every((part) => part.startsWith(prefix))) return undefined;
    return parts.map((part) => part.slice(prefix.length));
  };
}

function buildParts(style: Style, ofObject: boolean): Gather {
  const gather = buildGather(style.place, style.name);
  if (spreads(style)) {
    if (style.place === 'query') return gather;
    // In a cookie the repeated form stands in one value: `a=1&a=2`.
    return (source) => gather(source)?.flatMap((text) => text.split(`&${style.name}=`));
  }
  const split = buildSplit(style, ofObject);
  return (source) => {
    const parts = gather(source)?.map(split);
    return parts?.some((part) => part === undefined) ? NOT_IN_STYLE : parts?.flatMap((part) => part ?? []);
  };
}

const NOT_IN_STYLE: readonly string[] = [];

function toStyleFault(style: Style): Reading {
  const { name, explode } = style;
  return explode && style.style === 'matrix'
    ? { fault: `must be given in the style matrix, such as ";${name}=…"` }
    : toPrefixFault(toPrefix(style));
}

function buildList(style: Style): ReadParameter {
  const parts = buildParts(style, false);
  const items = style.shape.items();
  return (source) => {
    const texts = parts(source);
    if (texts === undefined) return undefined;
    if (texts === NOT_IN_STYLE) return toStyleFault(style);
    return { value: texts.map((text) => toTextValue(text, items)) };
  };
}

/** A list, or a single value that needs not be one. */
function buildEither(style: Style): ReadParameter {
  const readList = buildList(style);
  const readScalar = buildScalar(style);
  return (source) => {
    const list = readList(source);
    const several = list && 'value' in list && Array.isArray(list.value) && list.value.length > 1;
    return several ? list : readScalar(source);
  };
}

/** An object in one value: `R,100,G,200`, or exploded `R=100,G=200`. */
function buildPairs(style: Style): ReadParameter {
  const parts = buildParts(style, true);
  const { shape } = style;
  const shown = style.explode ? 'as name=value pairs' : 'as names and values in turn';
  return (source) => {
    const texts = parts(source);
    if (texts === undefined) return undefined;
    if (texts === NOT_IN_STYLE) return toStyleFault(style);
    const pairs = style.explode ? texts.map(toPair) : toPairs(texts);
    if (!pairs?.every((pair) => pair !== undefined)) return { fault: `must be given ${shown}` };
    return toObject(pairs, shape);
  };
}

function toPairs(texts: readonly string[]): Pair[] | undefined {
  if (texts.length % 2 === 1) return undefined;
  return texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? ''] as const] : []));
}

/** An object whose members are parameters of their own: `?R=100&G=200`. */
function buildSpread({ place, shape }: Style): ReadParameter {
  const names = [...shape.properties().keys()];
  const known = new Set(names);
  const others = shape.open && names.length === 0;
  return ({ query, headers, declared }) => {
    const fields = place === 'query' ? (query ?? []) : toCookiePairs(headers.cookie);
    const pairs = [...fields].filter(
      ([name]) => known.has(name) || (others && !name.startsWith('__') && !isDeclared(declared, name)),
    );
    return pairs.length === 0 ? undefined : toObject(pairs, shape);
  };
}

function isDeclared(declared: ParameterSource['declared'], field: string): boolean {
  const [name] = field.split('[', 1);
  return declared.some((parameter) => parameter.name === field || parameter.name === name);
}

/** Members that are given several times are lists. */
function toObject(pairs: readonly Pair[], shape: Shape): Reading {
  const whole = createField();
  for (const [name, text] of pairs) {
    const field = whole.members.get(name) ?? createField();
    whole.members.set(name, field);
    field.texts.push(text);
  }
  const members = [...whole.members].map(([name, field]) => [name, toFieldValue(field, shape.member(name))]);
  return { value: Object.fromEntries(members) };
}

/** `a[b]=1&a[c][d]=2`, or `a=1` where the schema takes a value that is no object too. */
function buildDeep({ name, shape }: Style): ReadParameter {
  const start = `${name}[`;
  return ({ query }) => {
    const field = createField();
    for (const [key, text] of query ?? []) {
      if (key === name) field.texts.push(text);
      else if (key.startsWith(start) && !addField(field, key.slice(name.length), text)) {
        return { fault: `must be given as ${name}[member]=value, not "${key.slice(0, 100)}"` };
      }
    }
    return toDeepReading(field, shape);
  };
}

function toDeepReading(field: Field, shape: Shape): Reading | undefined {
  const { texts, members } = field;
  if (members.size === 0 && texts.length === 0) return undefined;
  if (members.size > 0 && texts.length > 0) {
    return { fault: 'must not be given as a value and by its members at once' };
  }
  return { value: toFieldValue(field, shape) };
}

function buildJson(style: Style): ReadParameter {
  const gather = buildGather(style.place, style.name);
  return (source) => {
    const raw = gather(source);
    if (raw === undefined) return undefined;
    if (raw.length > 1) return ONCE;
    try {
      const reading = readJson(raw[0] ?? '', style.shape, '');
      return 'value' in reading ? reading : { fault: reading.violation.message };
    } catch {
      return { fault: 'must be JSON' };
    }
  };
}
