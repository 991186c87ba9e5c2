export { buildIsCredential, HIDDEN, type IsCredential, isUsualCredential } from './credential-names.ts';
export { redactBody } from './redact-body.ts';
export { redactJson } from './redact-json.ts';
export { redactHeaders, redactQuery } from './redact-query.ts';
