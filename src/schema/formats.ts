import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';

let url: Pattern | undefined;

/** What the formats of the documents mean. */
export const FORMATS: Readonly<Record<string, Format>> = {
  ...fullFormats,
  // The one format of ajv-formats that takes time quadratic in the length of a text.
  url(text: string) {
    url ??= compilePattern((fullFormats.url as RegExp).source, 'iu');
    return url.test(text);
  },
};
