import type { Session, Sessions } from '../../core/service/service.ts';
import type { Input } from '../../model/operations/operations.ts';
import type { Outcome } from '../../wire/message/message.ts';
import type { Coverage } from '../coverage/coverage.ts';

/** A valid control request. */
interface ControlCall {
  readonly sessions: Sessions;
  readonly coverage: Coverage;
  /** The session that the request means. */
  readonly session: Session;
  readonly input: Input;
  /** The media type that the answer will have, of those that are declared. */
  readonly mediaType: string | undefined;
}

/** Carries out an operation of the control document. Throws a Problem where it cannot. */
type ControlAction = (call: ControlCall) => Outcome;

/** Actions by operationId. */
export type ControlActions = Readonly<Record<string, ControlAction>>;
