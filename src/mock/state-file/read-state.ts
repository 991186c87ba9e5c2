import { Problem, SetupError } from '../../base/problem.ts';
import { readStateOver, type Service } from '../../core/service/service.ts';
import { parseSource } from '../../document/document.ts';
import { toShape } from '../../schema/schema.ts';
import { OWN_MEMBER } from '../../state/seeding/seeding.ts';
import { type Entity, isEntity, type Store } from '../../state/store/store.ts';
import { decodeUtf8, readJson } from '../../wire/codecs/codecs.ts';
import { putOwnPart } from './own-part.ts';

/** Reads the state of a file. Throws a SetupError that says what is wrong with it and what to do. */
export function readStateFile(service: Service, file: string, bytes: Uint8Array): Store {
  try {
    const { [OWN_MEMBER]: own, ...lists } = parseState(file, bytes);
    const store = readStateOver(service, lists, (name) => name);
    const mistake = own === undefined ? undefined : putOwnPart(service, store, own);
    if (mistake !== undefined) throw invalid(file, mistake, OWN_REMEDY);
    service.rules?.complete(store);
    return store;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    if (error instanceof Problem) throw toMisfit(file, error);
    throw invalid(file, `${(error as Error).message}.`, REMEDY, error);
  }
}

const REMEDY = 'Correct it there, or move the file away to begin without it.';
const OWN_REMEDY = `Remove that member, which has the counters, sign-ins and uploaded files, or move the file away to begin without it.`;

/** Finding the line of a mistake takes a minute in a text of many megabytes. */
const MOST_LINED = 1024 * 1024;

function parseState(file: string, bytes: Uint8Array): Entity {
  const text = decode(file, bytes).replace(/^\uFEFF/, '');
  if (text.trim() === '') throw invalid(file, 'It is empty.', 'Move it away to begin without it.');
  const data = parse(file, text);
  if (isEntity(data)) return data;
  throw invalid(file, 'It must be an object with a list for each resource, like { "pets": [] }.');
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch (cause) {
    throw invalid(file, 'It is not a text in UTF-8.', 'Move it away to begin without it.', cause);
  }
}

function parse(file: string, text: string): unknown {
  try {
    const reading = readJson(text, toShape(undefined), '');
    if ('value' in reading) return reading.value;
    throw invalid(file, `${reading.violation.location} ${reading.violation.message}.`);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const found = text.length > MOST_LINED ? undefined : findSyntaxMistake(file, text);
    const [first = `It is not JSON: ${cause.message}.`, ...frame] = found?.split('\n') ?? [];
    throw invalid(file, first, [REMEDY, ...frame].join('\n'), cause);
  }
}

/** The syntax mistake with its line, and that line below it; `undefined` for a text in YAML. */
function findSyntaxMistake(file: string, text: string): string | undefined {
  try {
    parseSource(text, file, 'state file');
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.slice(message.indexOf(file) + file.length + 2).replace(' Correct the syntax there.', '');
  }
}

const SHOWN = 10;

/** Words the findings for entities that do not fit the document. */
function toMisfit(file: string, { violations, message }: Problem): SetupError {
  const found = violations.map(({ location, message }) => `${location} ${message}`);
  const [first = message, second] = found;
  if (second === undefined) return invalid(file, `${first}.`);
  const rest = found.length > SHOWN ? [`  ... and ${found.length - SHOWN} more`] : [];
  const lines = found.slice(0, SHOWN).map((each) => `  ${each}`);
  return invalid(
    file,
    'It does not fit the document:',
    [...lines, ...rest, REMEDY].join('\n'),
    undefined,
    '\n',
  );
}

function invalid(
  file: string,
  reason: string,
  remedy: string = REMEDY,
  cause?: unknown,
  space = ' ',
): SetupError {
  return new SetupError(
    'state-file-invalid',
    `Failed to read the state file ${file}: ${lowerFirst(reason)}${space}${remedy}`,
    { cause },
  );
}

/** A sentence that goes on after a colon. */
function lowerFirst(text: string): string {
  return text.startsWith('It ') ? `it ${text.slice(3)}` : text;
}
