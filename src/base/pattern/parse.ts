/** A regular expression as a tree. */
export type PatternNode =
  /** One character: itself, an escape, a class or a dot. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }
  /** A condition on the characters next to a position. */
  | { readonly kind: 'edge'; readonly at: Edge }
  /** A lookahead or lookbehind. */
  | {
      readonly kind: 'look';
      readonly part: PatternNode;
      readonly behind: boolean;
      readonly negative: boolean;
    };

export type Edge = 'start' | 'end' | 'word' | 'not word';

/**
 * Parses a regular expression that `RegExp` compiles with the flag `u`. Returns an explanation if it cannot be matched in linear
 * time.
 */
export function parsePattern(source: string): PatternNode | string {
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

class Unsupported extends Error {}

/** Far beyond any real pattern, well within the call stack. */
const DEEPEST_GROUP = 100;

const EDGES: Readonly<Record<string, Edge>> = { '^': 'start', $: 'end', '\\b': 'word', '\\B': 'not word' };

class Parser {
  private at = 0;
  private depth = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  parse(): PatternNode {
    if (this.depth++ === DEEPEST_GROUP) throw new Unsupported('it nests too deeply');
    const options: PatternNode[] = [];
    do options.push(this.parseSequence());
    while (this.take(/\|/) !== undefined);
    this.depth--;
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', parts: options };
  }

  private parseSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) {
      parts.push(this.parseQuantifier(this.parseTerm()));
    }
    return { kind: 'sequence', parts };
  }

  private parseTerm(): PatternNode {
    const edge = this.take(/[\^$]|\\[bB]/);
    if (edge !== undefined) return { kind: 'edge', at: EDGES[edge[0]] ?? 'start' };
    if (this.take(/\\[1-9]|\\k</) !== undefined) throw new Unsupported('it refers back to a group');
    const look = this.take(/\(\?(<?)([=!])/);
    if (look) {
      const part = this.parseGroup();
      return { kind: 'look', part, behind: look[1] === '<', negative: look[2] === '!' };
    }
    if (this.take(/\(\?:|\(\?<[^>]*>|\((?!\?)/) !== undefined) return this.parseGroup();
    const character = this.take(CHARACTER);
    if (character === undefined) throw new Unsupported('it sets flags of its own');
    return { kind: 'character', source: character[0] };
  }

  private parseGroup(): PatternNode {
    const part = this.parse();
    this.take(/\)/);
    return part;
  }

  /** Ignores laziness: a greedy and a lazy quantifier match the same texts. */
  private parseQuantifier(part: PatternNode): PatternNode {
    const found = this.take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/);
    if (!found) return part;
    const [, sign, from, comma, to] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : UNLIMITED };
    }
    const least = Number(from);
    return { kind: 'repeat', part, least, most: comma === undefined ? least : to ? Number(to) : UNLIMITED };
  }

  private take(token: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(token.source, 'suy');
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    if (!found) return undefined;
    this.at = sticky.lastIndex;
    return found;
  }
}

const UNLIMITED = Number.POSITIVE_INFINITY;

const CHARACTER =
  /\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.|[^()]/s;
