import { createRequire } from 'node:module';
import type { Format } from 'ajv';
import { once } from '../base/once.ts';
import { compilePattern } from '../base/pattern/pattern.ts';

const require = createRequire(import.meta.url);

/** Loads the checks of all formats, by name. */
export function loadFormatChecks(): Readonly<Record<string, Format>> {
  const { fullFormats } =
    require('ajv-formats/dist/formats.js') as typeof import('ajv-formats/dist/formats.js');
  // The only format of ajv-formats that takes time quadratic in the length of a text.
  const url = once(() => compilePattern((fullFormats.url as RegExp).source, 'iu'));
  return { ...fullFormats, url: (text: string) => url().test(text) };
}
