import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The sources and the build are both one folder below the package root, so these paths fit both.

/** The pet store's own document, the default for `--spec`. */
export const OWN_DOCUMENT: string = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

/** The pet store's own fixtures. */
export const OWN_FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url));

/** The document of the control API. */
export const CONTROL_DOCUMENT: string = fileURLToPath(new URL('../spec/control.yaml', import.meta.url));

/** The page that explains all codes. */
export const CODES_PAGE: URL = new URL('../docs/codes.md', import.meta.url);

/** The own document in converted form, which only a build has. */
export const PREPARED_DOCUMENT: URL = new URL('./own-document.json', import.meta.url);

let version: string | undefined;

/** Reads the version of this package, once, because health checks ask for it again and again. */
export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  version ??= (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return version;
}
