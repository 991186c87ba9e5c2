import { isMapping, type Mapping } from './mapping.ts';

const ENTITIES = 'the data of json-server';

/** Files that people take for OpenAPI documents, by what gives them away. */
const OTHERS: readonly (readonly [what: string, is: (data: Mapping) => boolean])[] = [
  ['an AsyncAPI document', ({ asyncapi }) => asyncapi !== undefined],
  ['a Postman collection', ({ info, item }) => Array.isArray(item) && isMapping(info)],
  ['an Insomnia export', ({ _type: type, resources }) => type === 'export' && Array.isArray(resources)],
  ['a HAR file', ({ log }) => isMapping(log) && Array.isArray(log.entries)],
  [
    'a GraphQL schema',
    ({ __schema: schema, data }) => isMapping(schema) || (isMapping(data) && '__schema' in data),
  ],
  [
    'a package.json',
    ({ name, version, dependencies, scripts }) => Boolean(name && version && (dependencies || scripts)),
  ],
  ['a JSON Schema', (data) => typeof data.$schema === 'string' && /json-schema\.org/.test(data.$schema)],
  [
    ENTITIES,
    (data) =>
      Object.keys(data).length > 0 &&
      Object.values(data).every(isData) &&
      Object.values(data).some(Array.isArray),
  ],
];

/** Recognizes a file that was named for the wrong option: a document, or any other known file. */
export function recognizeFile(data: unknown): RecognizedFile | undefined {
  if (isMapping(data) && data.openapi !== undefined && (data.paths !== undefined || isMapping(data.info)))
    return { name: 'an OpenAPI document', option: 'spec' };
  if (isMapping(data) && data.swagger !== undefined && isMapping(data.paths))
    return { name: 'a Swagger document', option: 'spec' };
  const name = recognize(data);
  if (name === undefined) return undefined;
  return name === ENTITIES ? { name, option: 'fixtures' } : { name };
}

/** The name of a file, and the option that takes such files. */
interface RecognizedFile {
  readonly name: string;
  readonly option?: 'spec' | 'fixtures';
}

/** Names the format of a file other than an OpenAPI document, by its data or else by its extension; `undefined` if it is unknown. */
export function recognize(data: unknown, location = ''): string | undefined {
  const extension = /\.([a-z]+)$/i.exec(location)?.[1]?.toLowerCase() ?? '';
  const byExtension = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  return recognizeData(data) ?? byExtension;
}

/** Formats that YAML may read by chance. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  ...{ graphql: 'a GraphQL schema', gql: 'a GraphQL schema', graphqls: 'a GraphQL schema' },
  ...{ proto: 'a Protocol Buffers file', raml: 'a RAML document', md: 'a Markdown file' },
  ...{ ts: 'a program', js: 'a program', mjs: 'a program', cjs: 'a program' },
};

function recognizeData(data: unknown): string | undefined {
  if (typeof data === 'string') return recognizeText(data);
  return isMapping(data) ? OTHERS.find(([, is]) => is(data))?.[0] : undefined;
}

/** YAML reads a text of any other format as one string. */
function recognizeText(text: string): string | undefined {
  if (/^\s*<!doctype html|^\s*<html/i.test(text)) return 'an HTML page';
  return /^\s*</.test(text) ? 'an XML file' : undefined;
}

function isData(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isMapping) : isMapping(value);
}
