import { VARIANTS } from '../../src/answer/variants/variants.ts';
import { loadDocument } from '../../src/document/document.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { createJudge, type Judge } from '../../src/mock/check/judge.ts';
import { buildOperationTable, type Operation } from '../../src/model/operations/operations.ts';
import type { MockResponse } from '../../src/wire/message/message.ts';

/** What the variants of a document came to. */
export interface VariantSweep {
  /** How many answers were pushed. */
  readonly pushed: number;
  /** How many of them differ from the usual answer. */
  readonly changed: number;
  /** Every answer that is wrong, with the reason. */
  readonly mistakes: readonly string[];
  /** The longest that one answer took, in milliseconds. */
  readonly slowest: number;
}

/** Asks for every variant of every GET of a document, and has Prism judge the answers. */
export async function sweepVariants(file: string): Promise<VariantSweep> {
  const document = await loadDocument(file, { allowRemoteRefs: false, auth: false });
  const table = buildOperationTable(document);
  const parts = { judge: await createJudge(document), mock: await createMock({ spec: file, auth: false }) };
  const answers: Pushed[] = [];
  for (const operation of table.operations.filter(({ method }) => method === 'GET'))
    answers.push(...(await sweepOperation(parts, operation)));
  await parts.mock.close();
  return {
    pushed: answers.length,
    changed: answers.filter(({ isChanged }) => isChanged).length,
    mistakes: answers.flatMap(({ mistakes }) => mistakes),
    slowest: answers.toSorted((one, other) => other.time - one.time)[0]?.time ?? 0,
  };
}

interface Pushed {
  readonly isChanged: boolean;
  readonly mistakes: readonly string[];
  readonly time: number;
}

interface SweepParts {
  readonly judge: Judge;
  readonly mock: Mock;
}

async function sweepOperation({ judge, mock }: SweepParts, operation: Operation): Promise<Pushed[]> {
  const path = await findPath(mock, operation.path);
  const usual = await readAnswer(mock, path);
  if (usual.status >= 300 || !isJson(usual)) return [];
  const request = { method: 'GET', path, query: '', headers: {} };
  // The usual answer may break the document already, where nothing better is found.
  const before = await judge(operation, request, usual);
  const answers: Pushed[] = [];
  for (const variant of VARIANTS) {
    const start = performance.now();
    const answer = await readAnswer(mock, path, { Prefer: `variant=${variant}` });
    const time = performance.now() - start;
    const found = await judge(operation, request, answer);
    const mistakes = [
      ...(answer.status === usual.status ? [] : [`the status ${answer.status}`]),
      ...(answer.headers['preference-applied'] === `variant=${variant}` ? [] : ['not applied']),
      ...(found.length > before.length ? [JSON.stringify(found)] : []),
      ...findOtherKeys(JSON.parse(usual.body), JSON.parse(answer.body)).map((place) => `a key at ${place}`),
    ].map((mistake) => `${path} ${variant}: ${mistake} in ${answer.body.slice(0, 500)}`);
    answers.push({ isChanged: answer.body !== usual.body, mistakes, time });
  }
  return answers;
}

interface Answer extends MockResponse {
  readonly body: string;
}

async function readAnswer(mock: Mock, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await mock.fetch(path, { headers });
  const type = response.headers.get('Content-Type') ?? '';
  const { status } = response;
  // `check` reads the name as it is written in answers.
  const all = { ...Object.fromEntries(response.headers), 'Content-Type': type };
  return { status, headers: all, body: await response.text() };
}

function isJson({ headers }: MockResponse): boolean {
  return /json/.test(String(headers['Content-Type']));
}

/** A path with the keys of entities that exist, as far as the list above an item shows them. */
async function findPath(mock: Mock, template: string): Promise<string> {
  let path = '';
  for (const segment of template.split('/').slice(1)) {
    if (!segment.includes('{')) {
      path += `/${segment}`;
      continue;
    }
    const list = await readAnswer(mock, path || '/');
    const key = list.status < 300 && isJson(list) ? findKey(JSON.parse(list.body)) : 1;
    path += `/${segment.replace(/\{[^}]*\}/g, encodeURIComponent(String(key)))}`;
  }
  return path;
}

/** The key of the first item in a list, alone or in an envelope. */
function findKey(value: unknown): unknown {
  const lists = [value, ...Object.values(value ?? {})];
  const [item] = (lists.find(Array.isArray) ?? []) as readonly Record<string, unknown>[];
  if (typeof item !== 'object') return item ?? 1;
  const values = Object.entries(item ?? {});
  const found = values.find(([name]) => /^_?(id|uuid|key|slug)$/i.test(name)) ?? values[0];
  return found?.[1] ?? 1;
}

/** Where two values have different keys. An emptied list has no keys. */
function findOtherKeys(one: unknown, other: unknown, place = ''): string[] {
  const isKey = /\/_?(id|uuid)$/.test(place);
  if (!isParent(one) || !isParent(other)) return isKey && one !== other ? [place] : [];
  return Object.entries(one).flatMap(([name, member]) => {
    const own = `${place}/${name}`;
    if (Object.hasOwn(other, name)) return findOtherKeys(member, other[name], own);
    return /^_?(id|uuid)$/.test(name) ? [own] : [];
  });
}

function isParent(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
