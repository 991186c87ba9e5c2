import type { MockResponse } from './plain-message.ts';

/**
 * Makes the strong ETag of a body (RFC 9110 section 8.8.3), which changes with every byte. Two lanes of 32 bits, in which a step that
 * takes one unit can always be undone, so bodies that differ in one place never share a tag.
 */
export function toEntityTag(body: NonNullable<MockResponse['body']>): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  const { length } = body;
  const isText = typeof body === 'string';
  // Two characters or bytes at a time, which halves the work for a list.
  for (let at = 0; at < length; at += 2) {
    const unit = isText
      ? body.charCodeAt(at) | (body.charCodeAt(at + 1) << 16)
      : (body[at] as number) | ((body[at + 1] ?? 0) << 16);
    one = Math.imul(one ^ unit, 2654435761);
    one ^= one >>> 15;
    other = Math.imul(other ^ unit, 1597334677);
    other ^= other >>> 13;
  }
  return `"${length.toString(36)}-${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}"`;
}

/** Whether a list of ETags, as `If-None-Match` has it, names one, weak or strong (RFC 9110 section 8.8.3.2). */
export function hasWeakly(list: string, tag: string): boolean {
  return list.trim() === '*' || tagsOf(list).some((each) => each.replace(/^W\//, '') === tag);
}

/** Whether a list of ETags, as `If-Match` has it, names a strong one. */
export function hasStrongly(list: string, tag: string): boolean {
  return list.trim() === '*' || tagsOf(list).includes(tag);
}

/** A tag may have commas inside of its quotes. */
function tagsOf(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
