import type { Takes } from './machine.ts';
import type { Node } from './parse.ts';

/**
 * Whether `RegExp` itself decides about any text in linear time, because it never has a choice: the pattern begins with `^`, has
 * no groups, and no repeated character can be taken for one that may follow.
 */
export function isPlain(node: Node, takes: (source: string) => Takes): boolean {
  const [first, ...parts] = node.kind === 'sequence' ? node.parts : [];
  if (first?.kind !== 'edge' || first.at !== 'start') return false;
  return parts.every((part, index) => {
    if (part.kind === 'edge') return part.at === 'end' && index === parts.length - 1;
    const source = sourceOf(part);
    if (source === undefined) return false;
    if (part.kind !== 'repeat' || part.least === part.most) return true;
    return findFollowers(parts.slice(index + 1)).every((other) => areDisjoint(source, other, takes));
  });
}

/** What a part reads, once or several times; `undefined` where it is not a single character. */
function sourceOf(node: Node): string | undefined {
  const part = node.kind === 'repeat' ? node.part : node;
  return part.kind === 'character' ? part.source : undefined;
}

/** The characters that may come next: those of all parts up to the first one that must be there. */
function findFollowers(parts: readonly Node[]): string[] {
  const required = parts.findIndex((part) => part.kind !== 'repeat' || part.least > 0);
  const reached = required < 0 ? parts : parts.slice(0, required + 1);
  return reached.flatMap((part) => sourceOf(part) ?? []);
}

const ASCII = Array.from({ length: 128 }, (_, code) => code);

function areDisjoint(one: string, other: string, takes: (source: string) => Takes): boolean {
  if (!ONLY_ASCII.test(one) && !ONLY_ASCII.test(other)) return false;
  const [takesOne, takesOther] = [takes(one), takes(other)];
  return !ASCII.some((code) => takesOne(code) && takesOther(code));
}

/** What surely stands for nothing but ASCII characters: a character, or a class of some. */
const ONLY_ASCII = /^(?:[ -\-/-Z_-~\]^]|\\[dw]|\\[^\w]|\[(?!\^)(?:[ -Z_-~^]|\\[dwtnr]|\\[^\w])*\])$/;
