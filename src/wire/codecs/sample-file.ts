import { once } from '../../base/once.ts';
import { toMediaType } from './media-type.ts';

/** A small valid file of a media type, the same in every answer; `undefined` if there is none. */
export function toSampleFile(mediaType: string): Uint8Array | string | undefined {
  const type = toMediaType(mediaType) ?? '';
  return Object.hasOwn(SAMPLES, type) ? SAMPLES[type]?.() : undefined;
}

/** Bytes for a binary type without a sample: each of the 256, so that a client cannot mistake them for text. */
export const SAMPLE_BYTES: () => Uint8Array = once(() => Uint8Array.from({ length: 256 }, (_, byte) => byte));

/** The images are one gray pixel. */
const SAMPLES: Readonly<Record<string, () => Uint8Array | string>> = {
  'image/png': fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mOYCQAAmwCaAKYyOQAAAABJRU5ErkJggg==',
  ),
  'image/jpeg': fromBase64(
    `/9j/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/aAAgBAQAAAAB//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPwB//9k=`,
  ),
  'image/gif': fromBase64('R0lGODlhAQABAIAAAJmZmQAAACwAAAAAAQABAAACAkQBADs='),
  'image/webp': fromBase64('UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQzGY2s/+BiOh/AAA='),
  'image/svg+xml': () =>
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><path fill="#999" d="M0 0h1v1H0z"/></svg>',
  'application/pdf': once(writePdf),
  // The directory of an archive without files.
  'application/zip': once(() => Buffer.from(`PK\u0005\u0006${'\0'.repeat(18)}`, 'latin1')),
  'application/octet-stream': SAMPLE_BYTES,
  'text/csv': () => 'id,name\r\n1,amber\r\n2,birch\r\n',
  'text/event-stream': () => 'data: {}\n\n',
};

function fromBase64(text: string): () => Uint8Array {
  return once(() => Buffer.from(text, 'base64'));
}

/** Writes a document of one empty page (ISO 32000-1 section 7.5), in which a table has the position of each object. */
function writePdf(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
  ];
  let text = '%PDF-1.4\n';
  let table = '0000000000 65535 f \n';
  for (const [index, object] of objects.entries()) {
    table += `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj${object}endobj\n`;
  }
  const size = objects.length + 1;
  const trailer = `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n${table}${trailer}`);
}
