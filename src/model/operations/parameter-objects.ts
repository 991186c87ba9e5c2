import type { Shape } from '../../schema/schema.ts';
import { addField, createField, type Field, toFieldValue } from '../../wire/codecs/codecs.ts';
import { type Pair, type ParameterSource, toCookiePairs, toPair } from './parameter-source.ts';
import {
  buildParts,
  NOT_IN_STYLE,
  type ParameterReading,
  type ParameterStyle,
  toStyleFault,
} from './parameter-split.ts';

type ReadObject = (source: ParameterSource) => ParameterReading | undefined;

/** Reads an object in one value: `R,100,G,200`, or exploded `R=100,G=200`. */
export function buildPairs(style: ParameterStyle): ReadObject {
  const parts = buildParts(style, true);
  const { shape } = style;
  const shown = style.explode ? 'as name=value pairs' : 'as names and values in turn';
  return (source) => {
    const texts = parts(source);
    if (texts === undefined) return undefined;
    if (texts === NOT_IN_STYLE) return toStyleFault(style);
    const pairs = style.explode ? texts.map(toPair) : toPairs(texts);
    if (!pairs?.every((pair) => pair !== undefined)) return { fault: `must be given ${shown}` };
    return toObjectReading(pairs, shape);
  };
}

function toPairs(texts: readonly string[]): Pair[] | undefined {
  if (texts.length % 2 === 1) return undefined;
  return texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? ''] as const] : []));
}

/** Reads an object whose members are parameters of their own: `?R=100&G=200`. */
export function buildSpread({ place, shape }: ParameterStyle): ReadObject {
  const names = [...shape.properties().keys()];
  const known = new Set(names);
  const others = shape.open && names.length === 0;
  return ({ query, headers, declared }) => {
    const fields = place === 'query' ? (query ?? []) : toCookiePairs(headers.cookie);
    const pairs = [...fields].filter(
      ([name]) => known.has(name) || (others && !name.startsWith('__') && !isDeclared(declared, name)),
    );
    return pairs.length === 0 ? undefined : toObjectReading(pairs, shape);
  };
}

function isDeclared(declared: ParameterSource['declared'], field: string): boolean {
  const [name] = field.split('[', 1);
  return declared.some((parameter) => parameter.name === field || parameter.name === name);
}

/** Collects repeated members into lists. */
function toObjectReading(pairs: readonly Pair[], shape: Shape): ParameterReading {
  const whole = createField();
  for (const [name, text] of pairs) {
    const field = whole.members.get(name) ?? createField();
    whole.members.set(name, field);
    field.texts.push(text);
  }
  const members = [...whole.members].map(([name, field]) => [name, toFieldValue(field, shape.member(name))]);
  return { value: Object.fromEntries(members) };
}

/** Reads `a[b]=1&a[c][d]=2`, or `a=1` if the schema also allows other values than objects. */
export function buildDeep({ name, shape }: ParameterStyle): ReadObject {
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

function toDeepReading(field: Field, shape: Shape): ParameterReading | undefined {
  const { texts, members } = field;
  if (members.size === 0 && texts.length === 0) return undefined;
  if (members.size > 0 && texts.length > 0) {
    return { fault: 'must not be given as a value and by its members at once' };
  }
  return { value: toFieldValue(field, shape) };
}
