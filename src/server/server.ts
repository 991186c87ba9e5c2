export { createBoundary } from './boundary.ts';
export { findSignal, raceSignal, readFetch } from './fetch.ts';
export { type Listening, serve } from './http.ts';
export { toListenError } from './listen-error.ts';
