/** A regular expression as a tree. */
export type Node =
  /** One character: itself, an escape, a class or a dot. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }
  /** A condition on the characters around a place. */
  | { readonly kind: 'edge'; readonly at: Edge }
  /** A condition on what stands ahead of a place, or behind it. */
  | { readonly kind: 'look'; readonly part: Node; readonly behind: boolean; readonly negative: boolean };

export type Edge = 'start' | 'end' | 'word' | 'not word';

/**
 * Parses a regular expression that `RegExp` compiles with the flag `u`. Returns the reason, in words, for one that no engine
 * matches in linear time.
 */
export function parsePattern(source: string): Node | string {
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

class Unsupported extends Error {}

/** How deep groups may nest. Far beyond any real pattern, well within the call stack. */
const DEPTH_LIMIT = 100;

const EDGES: Readonly<Record<string, Edge>> = { '^': 'start', $: 'end', '\\b': 'word', '\\B': 'not word' };

class Parser {
  private at = 0;
  private depth = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  parse(): Node {
    if (this.depth++ === DEPTH_LIMIT) throw new Unsupported('it nests too deeply');
    const options: Node[] = [];
    do options.push(this.parseSequence());
    while (this.take(/\|/) !== undefined);
    this.depth--;
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', parts: options };
  }

  private parseSequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) {
      parts.push(this.parseQuantifier(this.parseTerm()));
    }
    return { kind: 'sequence', parts };
  }

  private parseTerm(): Node {
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

  private parseGroup(): Node {
    const part = this.parse();
    this.take(/\)/);
    return part;
  }

  /** Greedy or not, a quantifier finds the same texts. */
  private parseQuantifier(part: Node): Node {
    const found = this.take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/);
    if (!found) return part;
    const [, sign, from, comma, to] = found;
    if (sign !== undefined) {
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : ENDLESS };
    }
    const least = Number(from);
    return { kind: 'repeat', part, least, most: comma === undefined ? least : to ? Number(to) : ENDLESS };
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

const ENDLESS: number = Number.POSITIVE_INFINITY;

const CHARACTER =
  /\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.|[^()]/s;
