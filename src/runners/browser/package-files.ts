/** The build puts the version here. */
declare const OWN_VERSION: string;

/** Pages have no files of the package, so these names lead nowhere. */
export const OWN_DOCUMENT = '/spec/openapi.yaml';
export const OWN_FIXTURES = '/fixtures';
export const CONTROL_DOCUMENT = '/spec/control.yaml';
export const PREPARED_DOCUMENT = '/own-document.json';

export function readVersion(): string {
  return OWN_VERSION;
}
