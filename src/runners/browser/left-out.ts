import { SetupError } from '../../base/problem.ts';

// The build puts these in the place of rooms that only Node can have.

function refuse(what: string): never {
  throw new SetupError('option-invalid', `A page cannot ${what}. Use petstore-mock in Node for it.`);
}

export async function serve(): Promise<never> {
  return refuse('listen on a port');
}

export async function openStateFile(): Promise<never> {
  return refuse('keep its state in a file');
}

export async function checkService(): Promise<never> {
  return refuse('check the mock');
}

export const checkAgainst: () => Promise<never> = checkService;

/** A page has no control API. */
export const buildIsCaller = (): never => refuse('control the mock');

/** Nothing in a page runs below a command. */
export const SHARDS_VARIABLE = '';
export async function writeShard(): Promise<void> {}
export const readShards: () => Promise<never> = async () => refuse('read reports');
