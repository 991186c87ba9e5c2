import {
  deleteStateEntity,
  type GivenState,
  mergeStateEntity,
  mergeStateList,
  putStateEntity,
  readLongState,
  readStateEntity,
  readStateList,
  replaceState,
  replaceStateList,
} from '../../core/service/service.ts';
import type { Input } from '../../model/operations/operations.ts';
import type { ControlActions } from './control-action.ts';

/** The actions on the state. */
export const STATE_ACTIONS: ControlActions = {
  readState: ({ session }) => ({ body: readLongState(session), isLong: true }),
  replaceState({ session, input }) {
    replaceState(session, input.body as GivenState, (name) => `body.${name}`);
    return {};
  },
  readStateList: ({ session, input }) => ({
    body: readStateList(session, toListName(input)),
    isLong: true,
  }),
  replaceStateList({ session, input }) {
    replaceStateList(session, toListName(input), input.body);
    return {};
  },
  mergeStateList({ session, input }) {
    mergeStateList(session, toListName(input), input.body as readonly unknown[]);
    return {};
  },
  clearStateList({ session, input }) {
    replaceStateList(session, toListName(input), []);
    return {};
  },
  readStateEntity: ({ session, input }) => ({
    body: readStateEntity(session, toListName(input), toKey(input)),
  }),
  putStateEntity: ({ session, input }) => ({
    body: putStateEntity(session, toListName(input), toKey(input), input.body),
  }),
  mergeStateEntity: ({ session, input }) => ({
    body: mergeStateEntity(session, toListName(input), toKey(input), input.body as Entity),
  }),
  deleteStateEntity({ session, input }) {
    deleteStateEntity(session, toListName(input), toKey(input));
    return {};
  },
};

type Entity = Parameters<typeof mergeStateEntity>[3];

function toListName({ path }: Input): string {
  return String(path.resource);
}

function toKey({ path }: Input): string {
  return String(path.key);
}
