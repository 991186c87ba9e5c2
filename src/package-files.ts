import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The sources and the built program both lie one folder below the package, so one address serves both.

/** The pet store's own document, served unless another one is named. */
export const OWN_DOCUMENT: string = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

/** The pet store's own fixtures. */
export const OWN_FIXTURES: string = fileURLToPath(new URL('../fixtures', import.meta.url));

/** The own document as the build converted it. It lies beside the built program; the sources have none. */
export const PREPARED_DOCUMENT: URL = new URL('./own-document.json', import.meta.url);

/** The version of this package. */
export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
