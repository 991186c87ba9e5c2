import { Problem, violationProblem } from '../../base/problem.ts';
import type { DeclaredContent } from '../../model/operations/operations.ts';
import type { Shape } from '../../schema/schema.ts';
import {
  createFormReader,
  decodeBytes,
  decodeUtf8,
  isForm,
  isJson,
  isXml,
  type JsonReading,
  MULTIPART,
  readJson,
  readXml,
  toMediaType,
} from '../../wire/codecs/codecs.ts';

/** Decodes the bytes of a body. Returns a promise for XML. */
export type Decode = (bytes: Uint8Array, contentType: string) => unknown;

/** The parts of a content that decide how it is decoded. */
type Decodable = Pick<DeclaredContent, 'mediaType' | 'encodings'>;

/** Builds the decoder of bodies in a media type. A form without files leaves out the files that a client sends. */
export function buildDecoder({ mediaType, encodings }: Decodable, shape: Shape, takesFiles = true): Decode {
  const type = toMediaType(mediaType) ?? '';
  if (isForm(type)) {
    const form = createFormReader(shape, encodings);
    if (type === MULTIPART) return (bytes, contentType) => form.readMultipart(bytes, contentType, takesFiles);
    return (bytes) => form.readEncoded(decodeText(bytes, 'malformed_form'));
  }
  if (isXml(type)) {
    return async (bytes) => readXml(decodeText(bytes, 'malformed_xml'), shape);
  }
  const decodeJson: Decode = (bytes) => parse(decodeText(bytes, 'malformed_json'), shape);
  if (isJson(type)) return decodeJson;
  if (type.startsWith('text/')) return (bytes) => decodeText(bytes, 'malformed_text');
  // A media type range may cover JSON, so the type that the client sent decides.
  return (bytes, contentType) =>
    isJson(toMediaType(contentType) ?? '') ? decodeJson(bytes, contentType) : decodeBytes(bytes);
}

function decodeText(bytes: Uint8Array, code: string): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw new Problem(400, code, 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string, shape: Shape): unknown {
  const reading = readBody(text, shape);
  if ('value' in reading) return reading.value;
  throw violationProblem(422, 'validation_failed', [reading.violation]);
}

function readBody(text: string, shape: Shape): JsonReading {
  try {
    return readJson(text, shape, 'body');
  } catch (cause) {
    const message = `The body is not valid JSON: ${(cause as Error).message}.`;
    throw new Problem(400, 'malformed_json', message, { cause });
  }
}
