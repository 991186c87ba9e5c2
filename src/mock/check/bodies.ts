import type { HttpContent, HttpEncoding } from '../../document/document.ts';
import { isObject } from '../../schema/schema.ts';
import { isJson, MULTIPART, toMediaType, URL_ENCODED } from '../../wire/codecs/codecs.ts';
import { type ParameterForm, writePairs } from './parameters.ts';

/** The bytes of a request body, with its Content-Type. */
export interface WrittenBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Writes a value as a body; `undefined` for an unsupported media type. */
export function writeBody(
  { mediaType, encodings = [] }: Pick<HttpContent, 'mediaType' | 'encodings'>,
  value: unknown,
): WrittenBody | undefined {
  const type = toMediaType(mediaType) ?? '';
  const write = isJson(type)
    ? writeJson
    : (WRITERS[type] ?? (type.startsWith('text/') ? writeText : undefined));
  return write?.(type, value, encodings);
}

type Writer = (
  mediaType: string,
  value: unknown,
  encodings: readonly HttpEncoding[],
) => WrittenBody | undefined;

const writeJson: Writer = (mediaType, value) => toBody(mediaType, JSON.stringify(value));

const writeText: Writer = (mediaType, value) =>
  typeof value === 'string' ? toBody(mediaType, value) : undefined;

const BOUNDARY = 'petstore-mock-check';

const WRITERS: Readonly<Record<string, Writer>> = {
  '*/*': (_, value) => writeJson('application/json', value, []),
  'application/*': (_, value) => writeJson('application/json', value, []),
  'application/octet-stream': writeText,
  // An example of the document may be XML as text. Values are not converted to XML here.
  'application/xml': writeText,
  'text/xml': writeText,
  [URL_ENCODED]: (mediaType, value, encodings) =>
    isObject(value) ? toBody(mediaType, String(new URLSearchParams(toFields(value, encodings)))) : undefined,
  [MULTIPART]: (mediaType, value, encodings) => {
    if (!isObject(value)) return undefined;
    const parts = toFields(value, encodings).map(
      ([name, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    return toBody(`${mediaType}; boundary=${BOUNDARY}`, `${parts.join('')}--${BOUNDARY}--\r\n`);
  },
};

function toBody(contentType: string, text: string): WrittenBody {
  return { contentType, bytes: new TextEncoder().encode(text) };
}

function toFields(
  value: Readonly<Record<string, unknown>>,
  encodings: readonly HttpEncoding[],
): [string, string][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const encoding = encodings.find(({ property }) => property === name);
    if (encoding?.style !== undefined) return writePairs(toPropertyForm(encoding), member);
    return (Array.isArray(member) ? member : [member]).map((item): [string, string] => [
      name,
      isObject(item) ? JSON.stringify(item) : String(item),
    ]);
  });
}

function toPropertyForm({ property: name, style, explode }: HttpEncoding): ParameterForm {
  return {
    place: 'query',
    name,
    style: style === 'commaDelimited' ? 'form' : style,
    explode: explode ?? style === 'form',
  };
}
