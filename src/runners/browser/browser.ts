import { createMock as createMockOf, type Mock, type MockOptions, SetupError } from '../../index.ts';

export { SetupError, VerifyError } from '../../index.ts';

/** The options of a mock in a page. */
export interface BrowserOptions extends Omit<MockOptions, 'spec' | 'fixtures' | 'state' | 'control'> {
  /** The OpenAPI document as an object, or its URL. */
  readonly spec: object | string;
  /** The entities to start with, by the names of their lists. Default: generated entities. */
  readonly fixtures?: Readonly<Record<string, readonly object[]>>;
}

/** A mock in a page. It has neither files nor servers, no control API, and is not reloaded. */
export interface BrowserMock extends Omit<Mock, 'listen' | 'check' | 'reload' | 'files' | 'stateFile'> {}

/** Creates a mock without Node. Rejects with a SetupError that lists the mistakes in options, document or fixtures. */
export async function createMock(options: BrowserOptions): Promise<BrowserMock> {
  const { spec, fixtures } = options ?? {};
  if (typeof spec !== 'object' && !/^https?:\/\//i.test(spec ?? '')) {
    throw new SetupError(
      'option-invalid',
      'A page has no files. Give the document as an object, or as an http(s) URL: createMock({ spec }).',
    );
  }
  if (typeof fixtures === 'string')
    throw new SetupError('option-invalid', 'A page has no files. Give the fixtures as an object.');
  return createMockOf({ ...options, control: false });
}
