import type { Entity } from '../store/store.ts';
import { type ActionContext, withPathParents } from './context.ts';
import { toUrl } from './location.ts';

/** The body of an answer with an entity and a status; `undefined` where such an answer shows no entity. */
export function toShown(context: ActionContext, entity: Entity, status: number): unknown {
  return context.spec.toBody(withPathParents(context, entity), status, (each) => toUrl(context, each));
}
