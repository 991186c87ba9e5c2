import type { Entity } from '../store/store.ts';
import { type ActionContext, withPathParents } from './context.ts';
import { toUrl } from './location.ts';
import { showUser } from './sign-in.ts';

/** Writes the body of an answer with an entity and a status; `undefined` where such an answer shows no entity. */
export function toShown(context: ActionContext, entity: Entity, status: number): unknown {
  const { spec } = context;
  if (spec.account) return showUser(context, entity);
  return spec.toBody(withPathParents(context, entity), status, (each) => toUrl(context, each));
}
