/** A question that the provider did not answer. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** Whether the server took the question, but not in time. */
  readonly isLate: boolean;

  constructor(
    message: string,
    { isLate = false, ...options }: ErrorOptions & { readonly isLate?: boolean } = {},
  ) {
    super(message, options);
    this.isLate = isLate;
  }
}

/** Says why a question got no answer, as a clause about the server: `nothing listens there`. */
export function toProviderFailure(error: unknown, timeout: number): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const { name } = error as Error;
  if (name === 'TimeoutError')
    return new ProviderFailure(`it did not answer within ${timeout} ms`, { cause: error, isLate: true });
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  const code = cause?.code ?? '';
  if (cause?.message === 'bad port')
    return new ProviderFailure('no client may use its port', { cause: error });
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it did not answer';
  return new ProviderFailure(code === '' ? reason : `${reason} (${code})`, { cause: error });
}

const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'no such host is known'],
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection to it can be made'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/,
    'no authority that Node knows has signed its certificate; NODE_EXTRA_CA_CERTS=FILE names one',
  ],
  [/^(EPROTO|ERR_SSL_.*)$/, 'it does not speak TLS; try http:// instead'],
  [/^(HPE_.*|UND_ERR_.*)$/, 'it does not answer in HTTP'],
];
