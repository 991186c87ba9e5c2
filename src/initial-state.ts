import type { ExampleParts } from './entity-examples.ts';
import { inKeyOrder, loadFixtures } from './fixtures.ts';
import type { Rules } from './petstore.ts';
import { SetupError } from './problem.ts';
import type { SchemaChecker } from './schemas.ts';
import { seedEntities } from './seeding.ts';
import type { Session, Snapshot } from './store.ts';

/** What the first state of a session is made of. */
export interface InitialStateParts extends ExampleParts {
  readonly schemas: SchemaChecker;
  readonly rules: Rules | undefined;
  readonly session: Session;
  readonly seed: number;
}

/** Where the first entities come from. */
export interface InitialStateSource {
  /** The fixtures; without them the document itself shows what there may be. */
  readonly directory: string | undefined;
  readonly empty: boolean;
}

/** Fills a session, and returns the state that it has then. Throws a SetupError for fixtures that contradict the rules. */
export async function buildInitialState(
  parts: InitialStateParts,
  { directory, empty }: InitialStateSource,
): Promise<Snapshot> {
  const { session } = parts;
  if (empty) return session.snapshot();
  await (directory === undefined ? seed(parts) : fixate(parts, directory));
  session.restore(inKeyOrder(session.snapshot()));
  return session.snapshot();
}

async function fixate(
  { model, schemas, rules, session }: InitialStateParts,
  directory: string,
): Promise<void> {
  const fixtures = await loadFixtures(directory, model.resources, schemas);
  session.restore(fixtures.snapshot);
  rules?.complete(session);
  const [contradiction] = rules?.findContradictions(session) ?? [];
  if (contradiction) {
    const place = fixtures.locate(contradiction.entity.resource, contradiction.entity.key);
    throw new SetupError(`${place}: ${contradiction.message}. Correct the one or the other.`);
  }
}

/** Nobody wrote these entities down as a state, so what contradicts the rules is left out in silence. */
async function seed(parts: InitialStateParts): Promise<void> {
  const { rules, session } = parts;
  session.restore(await seedEntities({ ...parts, withoutCompanions: rules !== undefined }));
  if (!rules) return;
  for (;;) {
    rules.complete(session);
    const contradictions = rules.findContradictions(session);
    if (contradictions.length === 0) return;
    const left = contradictions.filter(({ entity }) =>
      session.collection(entity.resource).delete(entity.key),
    );
    // Keys that are not those of the rules leave nothing to mend.
    if (left.length === 0) return session.restore({ collections: {} });
  }
}
