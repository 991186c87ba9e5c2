/** A key that does something while the server runs. */
interface Key {
  readonly key: string;
  readonly does: string;
  press(): void;
}

/** The effects of the keys on the running server. */
export interface KeyActions {
  reset(): void;
  open(): void;
  stop(): void;
  say(text: string): void;
}

/** Returns the function that handles the keys of a terminal, and the line that names them. */
export function createKeys({ reset, open, stop, say }: KeyActions): {
  readonly press: (key: string) => void;
  readonly hint: string;
} {
  const keys: readonly Key[] = [
    { key: 'r', does: 'reset the state', press: reset },
    { key: 'o', does: 'open the overview in a browser', press: open },
    { key: 'q', does: 'quit', press: stop },
    { key: 'h', does: 'show these keys', press: () => say(help) },
  ];
  const help = keys.map(({ key, does }) => `  ${key}  ${does}`).join('\n');
  return {
    hint: 'Press h for the keys.',
    press(pressed) {
      // A terminal in raw mode sends Ctrl+C as a character.
      if (pressed === '\u0003') stop();
      else keys.find(({ key }) => key === pressed.toLowerCase())?.press();
    },
  };
}
