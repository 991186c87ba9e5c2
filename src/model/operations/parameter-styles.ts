import { toScalar } from '../../schema/schema.ts';
import { readJson, toTextValue } from '../../wire/codecs/codecs.ts';
import { buildBrackets } from './parameter-brackets.ts';
import { buildDeep, buildPairs, buildSpread } from './parameter-objects.ts';
import { buildGather, type ParameterSource } from './parameter-source.ts';
import {
  buildParts,
  NOT_IN_STYLE,
  type ParameterReading,
  type ParameterStyle,
  spreads,
  toPrefix,
  toPrefixFault,
  toStyleFault,
} from './parameter-split.ts';

/** Reads one parameter of a request; `undefined` if it is absent. */
export type ReadParameter = (source: ParameterSource) => ParameterReading | undefined;

/** Decides once how to read the values of a parameter. */
export function buildReader(style: ParameterStyle): ReadParameter {
  const { types, scalars } = style.shape;
  if (style.json) return buildJson(style);
  if (style.style === 'deepObject') return buildDeep(style);
  if (types.includes('object')) return spreads(style) ? buildSpread(style) : buildPairs(style);
  if (!types.includes('array')) return buildScalar(style);
  return scalars.length > 0 ? buildEither(style) : buildListReader(style);
}

function buildScalar(style: ParameterStyle): ReadParameter {
  const gather = buildGather(style.place, style.name);
  const { scalars } = style.shape;
  const prefix = toPrefix(style);
  return (source) => {
    const raw = gather(source);
    if (raw === undefined) return undefined;
    if (raw.length > 1) return REPEATED;
    const [text = ''] = raw;
    if (text === '' && style.empty && !scalars.includes('string')) return WITHOUT_VALUE;
    if (prefix === '') return { value: toScalar(scalars, text) };
    return text.startsWith(prefix)
      ? { value: toScalar(scalars, text.slice(prefix.length)) }
      : toPrefixFault(prefix);
  };
}

const REPEATED: ParameterReading = { fault: 'must be given only once' };
const WITHOUT_VALUE: ParameterReading = { value: undefined };

function buildListReader(style: ParameterStyle): ReadParameter {
  const parts = buildParts(style, false);
  const brackets = buildBrackets(style);
  const items = style.shape.items();
  return (source) => {
    const texts = parts(source);
    const others = brackets(source);
    if (texts === undefined) return others;
    if (texts === NOT_IN_STYLE) return toStyleFault(style);
    return withItems(
      texts.map((text) => toTextValue(text, items)),
      others,
    );
  };
}

function withItems(list: readonly unknown[], others: ParameterReading | undefined): ParameterReading {
  if (!others) return { value: list };
  if ('fault' in others || !Array.isArray(others.value)) return others;
  return { value: [...list, ...others.value] };
}

/** Reads a list, or a single value if the schema also allows one. */
function buildEither(style: ParameterStyle): ReadParameter {
  const readList = buildListReader(style);
  const readScalar = buildScalar(style);
  return (source) => {
    const list = readList(source);
    const several = list && 'value' in list && Array.isArray(list.value) && list.value.length > 1;
    return several ? list : (readScalar(source) ?? list);
  };
}

function buildJson(style: ParameterStyle): ReadParameter {
  const gather = buildGather(style.place, style.name);
  return (source) => {
    const raw = gather(source);
    if (raw === undefined) return undefined;
    if (raw.length > 1) return REPEATED;
    try {
      const reading = readJson(raw[0] ?? '', style.shape, '');
      return 'value' in reading ? reading : { fault: reading.violation.message };
    } catch {
      return { fault: 'must be JSON' };
    }
  };
}
