export { writeLong } from './long-answer.ts';
export { buildNegotiate, type Negotiate, type Negotiated } from './negotiate.ts';
export { type Preferences, readPreferences, toPreferenceApplied } from './prefer.ts';
export { findPreferenceMistakes } from './preference-mistakes.ts';
export { createResponder, PLAIN_JSON, type Responder } from './responder.ts';
export { toPreferredOutcome } from './return-preference.ts';
