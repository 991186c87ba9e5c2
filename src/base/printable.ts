/** The control characters, and those that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const UNPRINTABLE_IN_LINES = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\n]/gu;

/**
 * Escapes characters by which a client or a document could move the cursor of a terminal, change its colors, or show text in another
 * order.
 */
export function escapeControls(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** Escapes the same characters except line breaks. */
export function escapeControlsInLines(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
