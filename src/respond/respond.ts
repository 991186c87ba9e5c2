export { buildNegotiate, type Negotiate, type Negotiated } from './negotiate.ts';
export { type Preferences, readPreferences, toPreferenceApplied } from './prefer.ts';
export { findPreferenceMistakes } from './preference-mistakes.ts';
export { createResponder, type Responder } from './responder.ts';
