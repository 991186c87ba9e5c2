import MarkdownIt from 'markdown-it';

/** A block of code of a Markdown text. */
export interface CodeBlock {
  /** The number of its first line. */
  readonly line: number;
  /** The language that its fence names; empty for an indented block. */
  readonly language: string;
  readonly text: string;
}

/** A command of an indented block, and what is printed below it. */
export interface Command {
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

/** All blocks of code of a Markdown text, in order. */
export function findCodeBlocks(markdown: string): CodeBlock[] {
  const tokens = new MarkdownIt().parse(markdown, {});
  return tokens
    .filter(({ type }) => type === 'fence' || type === 'code_block')
    .map(({ type, map, info, content }) => ({
      line: (map?.[0] ?? 0) + (type === 'fence' ? 2 : 1),
      language: info,
      text: content.trimEnd(),
    }));
}

/** The commands of an indented block: the lines after `$`, or every line where none has one. */
export function findCommands({ line, text }: CodeBlock): Command[] {
  const lines = text.split('\n');
  if (!lines.some((each) => each.startsWith('$ '))) {
    return lines.map((command, index) => ({ line: line + index, command, output: '' }));
  }
  const commands: { line: number; command: string; output: string[] }[] = [];
  for (const [index, each] of lines.entries()) {
    const last = commands.at(-1);
    if (each.startsWith('$ ')) commands.push({ line: line + index, command: each.slice(2), output: [] });
    else if (last?.command.endsWith('\\')) last.command += `\n${each}`;
    else last?.output.push(each);
  }
  return commands.map(({ output, ...each }) => ({ ...each, output: output.join('\n').trimEnd() }));
}

/** Matches an expected text, in which a line of three dots stands for any lines. */
export function toPattern(expected: string): RegExp {
  const lines = expected.split('\n').map((line) => (line === '...' ? '(?:.*\n)*?' : `${toLiteral(line)}\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
