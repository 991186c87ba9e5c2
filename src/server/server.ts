export { createBoundary } from './boundary.ts';
export { readFetch } from './fetch.ts';
export { type Listening, serve } from './http.ts';
