export const DIM = 2;
export const YELLOW = 33;

/** Colors a text for a terminal. */
export function paint(isColored: boolean, code: number, text: string): string {
  return isColored ? `\u001b[${code}m${text}\u001b[0m` : text;
}
