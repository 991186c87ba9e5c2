export { buildIsCredential, HIDDEN, type IsCredential, isUsualCredential } from './credential-names.ts';
export { buildHideValues } from './hide-values.ts';
export { redactBody, redactHeaders, redactQuery } from './redact-content.ts';
export { redactJson } from './redact-json.ts';
