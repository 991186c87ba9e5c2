import { createHandler, type Handler } from '../../src/core/handle/handle.ts';
import type { JournalEntry } from '../../src/core/journal/journal.ts';
import {
  buildService,
  createSessions,
  type Service,
  type ServiceOptions,
  type Sessions,
} from '../../src/core/service/service.ts';
import { petstoreRules } from '../../src/petstore/petstore.ts';
import type { MockRequest, MockResponse } from '../../src/wire/message/message.ts';

/** A service below the public surface, and what answers for it. */
export interface Opened {
  readonly service: Service;
  readonly sessions: Sessions;
  readonly handler: Handler;
  /** Answers a plain request, and gives what the journal has of it. */
  ask(request: MockRequest): Promise<{ readonly response: MockResponse; readonly entry: JournalEntry }>;
}

export async function openService(options: ServiceOptions): Promise<Opened> {
  const service = await buildService(options, petstoreRules);
  const sessions = createSessions(service, { undisturbed: true });
  const handler = createHandler({ sessions });
  return {
    service,
    sessions,
    handler,
    async ask(request) {
      // An entry is made of every exchange in the journal, and a test may ask 20,000 times.
      sessions.use().journal.clear();
      const response = await handler.answer(request);
      return { response, entry: sessions.use().journal.entries().at(-1) as JournalEntry };
    },
  };
}
