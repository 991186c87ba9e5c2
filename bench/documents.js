// Documents of any size, the same in every run: `node bench/documents.js <operations>`, `node bench/documents.js yaml <operations>`,
// `node bench/documents.js circular <schemas>` and `node bench/documents.js deep` print one.
import { fileURLToPath } from 'node:url';
import { createDeepDocument } from './deep-document.js';

/** What every generated document answers with a value that is made from its schemas. */
export const PROBED_PATH = '/things-0/summary';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const OPERATIONS_OF_A_GROUP = 5;

/** A document with this many operations: collections with items, each with schemas of its own. */
export function createDocument(operations) {
  const paths = {};
  const schemas = { Error: toObject({ code: { type: 'string' }, message: { type: 'string' } }) };
  for (let index = 0; index < operations; index += 1) {
    const group = Math.floor(index / OPERATIONS_OF_A_GROUP);
    const [suffix, method] = MEMBERS[index % OPERATIONS_OF_A_GROUP];
    const path = `/things-${group}${suffix}`;
    paths[path] ??= suffix === '/{id}' ? { parameters: [ID] } : {};
    paths[path][method] = toOperation(
      `${method}Thing${group}${suffix.replace(/\W/g, '')}`,
      group,
      suffix,
      method,
    );
    schemas[`Thing${group}`] ??= toThing(group);
  }
  return toDocument(paths, schemas);
}

/** A document with a few operations whose schemas all lead to each other: about 2 KB each. */
export function createCircularDocument(schemas) {
  const { paths } = createDocument(OPERATIONS_OF_A_GROUP);
  const things = Array.from({ length: schemas }, (_, index) => [
    `Thing${index}`,
    toObject({
      id: { type: 'integer' },
      parent: toReference(`Thing${index}`),
      children: { type: 'array', items: toReference(`Thing${index}`) },
      ...Object.fromEntries(
        [1, 7, 31, 101].map((step) => [`next${step}`, toReference(`Thing${(index + step) % schemas}`)]),
      ),
      ...toMembers(index, 12),
    }),
  ]);
  return toDocument(paths, {
    ...Object.fromEntries(things),
    Error: toObject({ code: { type: 'string' }, message: { type: 'string' } }),
  });
}

/** The one with the answer that is probed comes first, so that the smallest document has it too. */
const MEMBERS = [
  ['/summary', 'get'],
  ['', 'get'],
  ['', 'post'],
  ['/{id}', 'get'],
  ['/{id}', 'delete'],
];

function toOperation(operationId, group, suffix, method) {
  const thing = toReference(`Thing${group}`);
  const body = suffix === '' && method === 'get' ? { type: 'array', items: thing } : thing;
  const status = { post: 201, delete: 204 }[method] ?? 200;
  return {
    operationId,
    summary: `What ${method} does to ${group}`,
    ...(method === 'post' && { requestBody: { content: toContent(thing) } }),
    responses: {
      [status]: { description: 'Done', ...(status !== 204 && { content: toContent(body) }) },
      default: { description: 'Not done', content: toContent(toReference('Error')) },
    },
  };
}

function toThing(index) {
  return toObject({ id: { type: 'integer' }, ...toMembers(index, 8) });
}

function toMembers(index, count) {
  const members = Array.from({ length: count }, (_, place) => [
    `member${place}`,
    {
      type: TYPES[(index + place) % TYPES.length],
      description: `Member ${place} of thing ${index}. `.repeat(3),
    },
  ]);
  return Object.fromEntries(members);
}

const TYPES = ['string', 'integer', 'boolean', 'number'];

function toObject(properties) {
  return { type: 'object', required: [Object.keys(properties)[0]], properties };
}

function toReference(name) {
  return { $ref: `#/components/schemas/${name}` };
}

function toContent(schema) {
  return { 'application/json': { schema } };
}

function toDocument(paths, schemas) {
  return { openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths, components: { schemas } };
}

/** A document as people write it in YAML: in blocks, with quotes only where a text needs some. */
export function toYaml(node, indent = '') {
  if (typeof node !== 'object')
    return ` ${/^[\w/]+( [\w.]+)*$/.test(node) && Number.isNaN(Number(node)) ? node : JSON.stringify(node)}\n`;
  const [lines, deeper] = [Object.entries(node), `${indent}  `];
  if (Array.isArray(node))
    return `\n${lines.map(([, item]) => `${indent}-${toYaml(item, deeper)}`).join('')}`;
  return `\n${lines.map(([key, value]) => `${indent}${toYaml(key).trim()}:${toYaml(value, deeper)}`).join('')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, size = kind] = process.argv.slice(2);
  const create = { circular: createCircularDocument, deep: createDeepDocument }[kind] ?? createDocument;
  const write = kind === 'yaml' ? toYaml : (document) => JSON.stringify(document, undefined, 1);
  if (kind !== 'deep' && !/^[1-9]\d*$/.test(size ?? '')) {
    console.error(
      'Usage: node bench/documents.js [circular | yaml] <how many operations, or schemas> | deep',
    );
    process.exitCode = 2;
  } else process.stdout.write(write(create(Number(size))));
}
