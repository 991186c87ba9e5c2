import type { Shape } from '../../schema/schema.ts';
import { buildGather, type Gather, type ParameterPlace } from './parameter-source.ts';

/** The value of a parameter, `undefined` if it is empty; or the reason why it cannot be read. */
export type ParameterReading = { readonly value: unknown } | { readonly fault: string };

/** The properties that decide how to read a parameter. */
export interface ParameterStyle {
  readonly place: ParameterPlace;
  readonly name: string;
  readonly style: string;
  readonly explode: boolean;
  /** Whether it may come without a value. */
  readonly empty: boolean;
  /** Whether its value is JSON text. */
  readonly json: boolean;
  readonly shape: Shape;
  /** The only values that it may have. */
  readonly members?: readonly unknown[] | undefined;
}

/** Whether a list repeats the parameter, and the members of an object are parameters of their own. */
export function spreads({ place, explode }: ParameterStyle): boolean {
  return explode && (place === 'query' || place === 'cookie');
}

/** Returns the prefix of a value in a path. */
export function toPrefix({ style, name }: ParameterStyle): string {
  if (style === 'label') return '.';
  return style === 'matrix' ? `;${name}=` : '';
}

export function toPrefixFault(prefix: string): ParameterReading {
  return { fault: `must begin with "${prefix}"` };
}

/** Builds a function that finds the raw parts of a list or an object; `NOT_IN_STYLE` if a value does not follow the style. */
export function buildParts(style: ParameterStyle, ofObject: boolean): Gather {
  const gather = buildGather(style.place, style.name);
  if (spreads(style)) {
    if (style.place === 'query') return gather;
    // In a cookie, one value contains the repeated form: `a=1&a=2`.
    return (source) => gather(source)?.flatMap((text) => text.split(`&${style.name}=`));
  }
  const split = buildSplit(style, ofObject);
  return (source) => {
    const parts = gather(source)?.map(split);
    return parts?.some((part) => part === undefined) ? NOT_IN_STYLE : parts?.flatMap((part) => part ?? []);
  };
}

export const NOT_IN_STYLE: readonly string[] = [];

export function toStyleFault(style: ParameterStyle): ParameterReading {
  const { name, explode } = style;
  return explode && style.style === 'matrix'
    ? { fault: `must be given in the style matrix, such as ";${name}=…"` }
    : toPrefixFault(toPrefix(style));
}

/** Splits a raw value into parts; returns `undefined` if it does not follow the style. */
type Split = (text: string) => readonly string[] | undefined;

const STYLE_SEPARATORS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

function buildSplit(style: ParameterStyle, ofObject: boolean): Split {
  const { place, explode, name } = style;
  if (explode && style.style === 'matrix') return buildMatrixSplit(ofObject ? '' : `${name}=`);
  const prefix = toPrefix(style);
  const separator = explode && style.style === 'label' ? '.' : (STYLE_SEPARATORS[style.style] ?? ',');
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
