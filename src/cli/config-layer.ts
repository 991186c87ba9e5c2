import { resolve } from 'node:path';
import { findNearest } from '../base/find-nearest.ts';
import { toSetupWarning } from '../base/setup-code.ts';
import type { Option } from '../core/service/service.ts';
import {
  COMMAND_OPTIONS,
  findConflict,
  toConflict,
  toSentence,
  toUnknownOptions,
  type UnknownOption,
} from '../core/service/service.ts';
import { isUrl } from '../document/document.ts';

/** The options that one source gives. */
export interface Layer {
  readonly entries: readonly GivenOption[];
  /** The message for its unknown options, if there are any. */
  readonly unknown: readonly string[];
  /** The reason why the whole source is unreadable. */
  readonly mistake?: string;
}

interface GivenOption {
  readonly option: Option;
  /** The option as its source writes it, with its place. */
  readonly label: string;
  readonly value: unknown;
  /** The directory that a relative path starts from; empty for the working directory. */
  readonly base: string;
}

/** The source that has the last word about an option. */
export interface GivenBy {
  readonly layer: Layer;
  readonly label: string;
}

/** Puts the values of a layer over the settings so far. Returns a message for every value that is wrong. */
export function readLayer(
  layer: Layer,
  settings: Record<string, unknown>,
  given: Map<string, GivenBy>,
): string[] {
  if (layer.mistake !== undefined) return [layer.mistake];
  return layer.entries.flatMap(({ option, label, value, base }) => {
    const result = option.read(value);
    if ('mistake' in result) return [toSentence(`${label} ${result.mistake}`)];
    // Setting it again would leave it at its former place.
    given.delete(option.name);
    given.set(option.name, { layer, label });
    settings[option.name] = option.path ? resolveFrom(String(result.value), base) : result.value;
    return [];
  });
}

/** Refuses options of one source that exclude each other. Of two sources, the stronger one wins, with a warning. */
export function settleConflict(
  settings: Record<string, unknown>,
  given: ReadonlyMap<string, GivenBy>,
): { readonly mistake?: string; readonly warnings: readonly string[] } {
  const conflict = findConflict(settings);
  const names = conflict ? [conflict.winner, conflict.loser] : [];
  const [one, other] = names.map((name) => given.get(name));
  if (!conflict || !one || !other) return { warnings: [] };
  if (one.layer === other.layer)
    return { mistake: toConflict(conflict, (name) => given.get(name)?.label ?? name), warnings: [] };
  // The sources were read from the weakest to the strongest.
  const isWeaker = [...given.keys()].indexOf(conflict.winner) < [...given.keys()].indexOf(conflict.loser);
  const [ignored, stronger] = isWeaker ? [one, other] : [other, one];
  const option = COMMAND_OPTIONS.find(({ name }) => name === (isWeaker ? conflict.winner : conflict.loser));
  if (option) settings[option.name] = option.default;
  return {
    warnings: [
      toSetupWarning(
        `Ignored "${ignored.label}", because ${stronger.label} excludes it and wins.`,
        'option-ignored',
      ),
    ],
  };
}

/** The place of a source, for messages. */
interface LayerOrigin {
  /** The file, and the line of an option in it. */
  readonly file?: string;
  readonly line?: (written: string) => string;
  readonly base?: string;
  /** Finds the option that an unknown name probably stands for. */
  readonly suggest?: (written: string) => string | undefined;
}

/** The options of one source, as they are written there. */
export type Values = readonly (readonly [written: string, value: unknown])[];

/** Finds the options that a source gives, and those that it misspells. */
export function toLayer(
  values: Values,
  options: readonly Option[],
  write: (option: Option) => string,
  { file, line = () => '', base = '', suggest }: LayerOrigin = {},
): Layer {
  const byWritten = new Map(options.map((option) => [write(option), option]));
  const byName = new Map(options.map((option) => [option.name, write(option)]));
  const findWritten =
    suggest ?? ((written: string) => byName.get(findNearest(written, [...byName.keys()]) ?? ''));
  const entries: GivenOption[] = [];
  const unknown: UnknownOption[] = [];
  const toLabel = (written: string) =>
    file === undefined ? written : `${file}, ${line(written)}: ${written}`;
  for (const [written, value] of values) {
    const option = byWritten.get(written);
    if (option) entries.push({ option, label: toLabel(written), value, base });
    else unknown.push({ name: written, nearest: findWritten(written), place: line(written) });
  }
  const [first, second] = unknown;
  if (!first) return { entries, unknown: [] };
  const place = file === undefined ? '' : second ? `${file}: ` : `${file}, ${first.place}: `;
  return { entries, unknown: [place + toUnknownOptions(unknown)] };
}

function resolveFrom(location: string, base: string): string {
  return base === '' || location === '-' || isUrl(location) ? location : resolve(base, location);
}
