import { Problem } from '../../base/problem.ts';
import { readParameters } from './header-parameters.ts';
import { type Part, readPart } from './multipart-part.ts';

/**
 * Reads the parts of a `multipart/form-data` body (RFC 7578, RFC 2046 section 5.1.1). Text before the first part and behind the last one is
 * skipped. An empty body has no parts. Throws a 400 Problem with the place for a malformed body. Linear in the length of the body.
 */
export function readMultipart(body: Uint8Array, contentType: string): Part[] {
  if (body.length === 0) return [];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const boundary = readBoundary(contentType);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const parts: Part[] = [];
  let line = findDelimiter(bytes, delimiter, BEFORE_START) ?? refuseWithoutParts(bytes, boundary);
  while (!line.isLast) {
    // The line break of a delimiter may also be that of the next one, if nothing is between them.
    const next = findDelimiter(bytes, delimiter, line.end - LINE_BREAK.length);
    const place = `Part ${parts.length + 1}, at byte ${line.end},`;
    if (!next) throw malformed(`${place} has no end. Close the body with the line "--${boundary}--".`);
    parts.push(readPartOf(bytes.subarray(line.end, Math.max(line.end, next.start)), place));
    line = next;
  }
  return parts;
}

const LINE_BREAK = '\r\n';
const BLANK_LINE = '\r\n\r\n';
/** RFC 2046 section 5.1.1. */
const LONGEST_BOUNDARY = 70;
/** A body may begin with a delimiter, without the line break that belongs to it. */
const BEFORE_START: number = -LINE_BREAK.length;

/** A line between two parts. */
interface Delimiter {
  readonly start: number;
  /** The position behind it. */
  readonly end: number;
  readonly isLast: boolean;
}

function readBoundary(contentType: string): string {
  const boundary = readParameters(contentType).get('boundary') ?? '';
  if (boundary === '') {
    throw malformed(
      'The Content-Type has no boundary. Let your HTTP client set the Content-Type, or send "multipart/form-data; boundary=" with the text that separates the parts.',
    );
  }
  if (boundary.length <= LONGEST_BOUNDARY) return boundary;
  throw malformed(
    `The boundary in the Content-Type has ${boundary.length} characters. Use ${LONGEST_BOUNDARY} at most.`,
  );
}

/** Finds the next delimiter. A line that goes on after the boundary belongs to the content. */
function findDelimiter(bytes: Buffer, delimiter: Buffer, from: number): Delimiter | undefined {
  const first = delimiter.subarray(LINE_BREAK.length);
  const isAtStart = from === BEFORE_START && bytes.subarray(0, first.length).equals(first);
  let start: number | undefined = isAtStart ? BEFORE_START : findNext(bytes, delimiter, from);
  while (start !== undefined) {
    const after: number = start + delimiter.length;
    const line = readLineEnd(bytes, after);
    if (line) return { start, ...line };
    start = findNext(bytes, delimiter, after);
  }
  return undefined;
}

function findNext(bytes: Buffer, delimiter: Buffer, from: number): number | undefined {
  const at = bytes.indexOf(delimiter, Math.max(from, 0));
  return at < 0 ? undefined : at;
}

function readLineEnd(bytes: Buffer, after: number): Omit<Delimiter, 'start'> | undefined {
  const isLast = bytes[after] === DASH && bytes[after + 1] === DASH;
  let at = isLast ? after + 2 : after;
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
  if (bytes[at] === CR && bytes[at + 1] === LF) return { end: at + 2, isLast };
  return isLast && at === bytes.length ? { end: at, isLast } : undefined;
}

const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;

function readPartOf(bytes: Buffer, place: string): Part {
  // Without headers, a part begins with the blank line.
  const headEnd = bytes.indexOf(LINE_BREAK) === 0 ? 0 : bytes.indexOf(BLANK_LINE);
  if (headEnd < 0)
    throw malformed(`${place} has no blank line between its headers and its content. Add one.`);
  const content = bytes.subarray(headEnd + (headEnd === 0 ? LINE_BREAK : BLANK_LINE).length);
  const part = readPart(bytes.subarray(0, headEnd), content);
  if (part) return part;
  throw malformed(`${place} has no name. Give it the header Content-Disposition: form-data; name="...".`);
}

function refuseWithoutParts(bytes: Buffer, boundary: string): never {
  const hasBareBreaks = bytes.includes(`--${boundary}\n`);
  throw malformed(
    hasBareBreaks
      ? 'Its lines end with LF. End the lines of boundaries and headers with CRLF.'
      : `It has no line "--${boundary}", which the boundary in the Content-Type announces. Send the boundary that separates the parts.`,
  );
}

function malformed(reason: string): Problem {
  return new Problem(400, 'malformed_multipart', `The body is not valid multipart/form-data. ${reason}`);
}
