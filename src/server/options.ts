import type { MockRequest, MockResponse } from '../message.ts';

/** Builds the answer to a request that is not carried out. It must not throw. */
export type Refuse = (status: number, code: string, message: string) => MockResponse;

/** The mock behind a server, as the server sees it. */
export interface HandlerOptions {
  /**
   * Answers a request. `isOver` is true once the server is closed and the connection gone; a request that still waits must
   * not be carried out then.
   */
  readonly answer: (request: MockRequest, isOver: () => boolean) => MockResponse | Promise<MockResponse>;
  readonly refuse: Refuse;
  /** Receives errors that were thrown on the way to an answer. It must not throw. */
  readonly report: (error: unknown) => void;
  /** The largest body that is read, in bytes. */
  readonly bodyLimit: number;
}
