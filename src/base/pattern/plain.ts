import type { Takes } from './machine.ts';
import type { PatternNode } from './parse.ts';

/**
 * Whether `RegExp` itself takes linear time because it never backtracks: the pattern begins with `^`, has no groups, and no
 * repeated character overlaps with one that may follow.
 */
export function isPlain(node: PatternNode, takes: (source: string) => Takes): boolean {
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

/** The source of a part that is a single character, repeated or not; `undefined` for any other part. */
function sourceOf(node: PatternNode): string | undefined {
  const part = node.kind === 'repeat' ? node.part : node;
  return part.kind === 'character' ? part.source : undefined;
}

/** The characters that may come next: those of all parts up to the first required one. */
function findFollowers(parts: readonly PatternNode[]): string[] {
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

/** The sources that match ASCII characters only: a character, an escape, or a class of these. */
const ONLY_ASCII = /^(?:[ -\-/-Z_-~\]^]|\\[dw]|\\[^\w]|\[(?!\^)(?:[ -Z_-~^]|\\[dwtnr]|\\[^\w])*\])$/;
