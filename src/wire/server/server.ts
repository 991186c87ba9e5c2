export { createBoundary } from './boundary.ts';
export { findSignal, raceSignal, readFetch } from './fetch.ts';
export { type Listening, serve } from './http.ts';
export { createServers, type ListenOptions } from './servers.ts';
