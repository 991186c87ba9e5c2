/** An option that does not exist, with the one that was probably meant. */
export interface UnknownOption {
  readonly name: string;
  readonly nearest: string | undefined;
  /** Where it is written: `line 3`. */
  readonly place?: string;
}

const SHOWN_UNKNOWN = 20;

/** Words one message for all unknown options of one source, with the names that were probably meant. */
export function toUnknownOptions(unknown: readonly UnknownOption[]): string {
  const [only, second] = unknown;
  if (only && !second)
    return `Unknown option ${only.name}.${only.nearest === undefined ? '' : ` Did you mean ${only.nearest}?`}`;
  const shown = unknown.slice(0, SHOWN_UNKNOWN).map(({ name, nearest, place }) => {
    const notes = [...(place ? [place] : []), ...(nearest === undefined ? [] : [`did you mean ${nearest}?`])];
    return notes.length === 0 ? name : `${name} (${notes.join('; ')})`;
  });
  const more = unknown.length > SHOWN_UNKNOWN ? ` and ${unknown.length - SHOWN_UNKNOWN} more` : '';
  return `Unknown options: ${shown.join(', ')}${more}.`;
}

/** Ends a sentence about an option, unless it ends with a question. */
export function toSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}
