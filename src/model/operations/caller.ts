import type { MockRequest } from '../../wire/message/message.ts';

/** The part of a request's credentials that identifies its user. */
export type Caller = { readonly token: string } | { readonly name: string; readonly password: string };

/** Reads the caller of a request; `undefined` without credentials. */
export type ReadCaller = (request: MockRequest) => Caller | undefined;
