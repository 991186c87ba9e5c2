import { resolve, sep } from 'node:path';
import { SetupError } from '../../base/problem.ts';
import { DEFAULT_SESSION, type Service, type Sessions } from '../../core/service/service.ts';
import { openDiskFile } from './disk-file.ts';
import { Keeper, type StateFileReports } from './keeper.ts';
import { readStateFile } from './read-state.ts';

/** The file that keeps the state of the default session over restarts. */
export interface StateFileInfo {
  readonly path: string;
  /** How many entities it had at the start; `undefined` if it did not exist. */
  readonly entities: number | undefined;
}

/** A state file in use. */
export interface StateFile {
  readonly info: StateFileInfo;
  readonly keeper: Keeper;
}

/**
 * Puts the state of a file into the default session, if the file exists, and writes each later state to it. Throws a SetupError for a
 * file that cannot be used, which stays as it is.
 */
export async function openStateFile(
  sessions: Sessions,
  given: string,
  reports: StateFileReports,
): Promise<StateFile> {
  const { service } = sessions;
  const file = await openDiskFile(given, 'state file');
  checkPlace(service, file.path);
  const session = sessions.use(DEFAULT_SESSION);
  let entities: number | undefined;
  if (file.found) {
    session.store = readStateFile(service, file.path, file.found);
    const { collections } = session.store.snapshot();
    const sizes = [...service.model.resources.keys()].map((name) => collections[name]?.size ?? 0);
    entities = sizes.reduce((sum, size) => sum + size, 0);
  }
  return { keeper: new Keeper(session, file, reports), info: { path: file.path, entities } };
}

/** Refuses a file that the mock is loaded from: each write would be a reload, and no reset would lead back. */
function checkPlace({ files }: Service, path: string): void {
  const source = files
    .map((each) => resolve(each))
    .find((each) => path === each || path.startsWith(each + sep));
  if (source === undefined) return;
  const where = source === path ? 'is' : `is in ${source}, which is`;
  throw new SetupError(
    'option-conflict',
    `The state file ${path} ${where} a source of the mock already, so a reset could not return to it. Choose another file with --state.`,
    { usage: true },
  );
}
