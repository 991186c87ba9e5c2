import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { once } from '../once.ts';
import { compilePattern } from '../pattern/pattern.ts';

// The one format of ajv-formats that takes time quadratic in the length of a text.
const url = once(() => compilePattern((fullFormats.url as RegExp).source, 'iu'));

/** The checks of all formats, by name. */
export const FORMAT_CHECKS: Readonly<Record<string, Format>> = {
  ...fullFormats,
  url: (text: string) => url().test(text),
};
