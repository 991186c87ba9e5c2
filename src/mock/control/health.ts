import { readVersion } from '../../package-files.ts';
import { toAge } from './age.ts';

const STARTED = performance.now();

/** The state of the mock itself. */
export function toHealth(): object {
  return { status: 'ok', name: 'petstore-mock', version: readVersion(), uptime: toAge(STARTED) };
}
