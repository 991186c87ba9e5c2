// A document as big as those of the largest public APIs, in which everything is shared: the same in every run.

/** What GitHub's document has, about. */
const COUNTS = { operations: 1223, schemas: 900, parameters: 230, examples: 560 };
const MEMBERS = 20;
const TYPES = ['string', 'integer', 'boolean', 'string'];

/** Answered with a value of a few members: to make up a deep one takes as long in a document of any size. */
export const DEEP_PATH = '/teams/a/things-0/summary';

/**
 * 1,223 operations in 13 MB: parameters, headers, responses and examples are references, and every schema leads to others, many levels
 * deep.
 */
export function createDeepDocument() {
  return {
    openapi: '3.0.3',
    info: { title: 'Deep things', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    tags: [{ name: 'things', description: toText('Things of teams', 4) }],
    paths: createPaths(),
    components: {
      schemas: {
        Error: toObject({ code: { type: 'string' }, message: { type: 'string' } }),
        ...createParts('Thing', COUNTS.schemas, createSchema),
      },
      parameters: { team: TEAM, id: ID, ...createParts('filter', COUNTS.parameters, createParameter) },
      headers: { link: { description: 'Other pages', schema: { type: 'string' } } },
      responses: createParts('error', 10, createError),
      examples: createParts('example', COUNTS.examples, createExample),
    },
  };
}

const TEAM = { name: 'team', in: 'path', required: true, schema: { type: 'string' } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** The one that is asked for first needs no id. */
const OPERATIONS = [
  ['/summary', 'get'],
  ['', 'get'],
  ['', 'post'],
  ['/{id}', 'get'],
  ['/{id}', 'patch'],
  ['/{id}', 'delete'],
];

function createPaths() {
  const paths = {};
  for (let index = 0; index < COUNTS.operations; index += 1) {
    const group = Math.floor(index / OPERATIONS.length);
    const [suffix, method] = OPERATIONS[index % OPERATIONS.length];
    const path = `/teams/{team}/things-${group}${suffix}`;
    paths[path] ??= {};
    paths[path][method] = createOperation(index, group, suffix, method);
  }
  return paths;
}

function createOperation(index, group, suffix, method) {
  const thing = toReference('schemas', `Thing${group}`);
  const bodies = { '/summary': createMembersOf(index, 6), '': { type: 'array', items: thing } };
  const body = (method === 'get' && bodies[suffix]) || thing;
  const status = { post: 201, delete: 204 }[method] ?? 200;
  const changes = method === 'post' || method === 'patch';
  return {
    summary: `What ${method} does to ${group}`,
    description: toText(`What ${method} does to things of group ${group}`, 8),
    tags: ['things'],
    operationId: `things-${group}/${method}${suffix.replace(/\W/g, '-')}`,
    externalDocs: { description: 'About it', url: `https://docs.example.com/things/${group}#${method}` },
    parameters: [
      toReference('parameters', 'team'),
      ...(suffix === '/{id}' ? [toReference('parameters', 'id')] : []),
      ...[1, 2, 3].map((step) => toReference('parameters', `filter${(index + step) % COUNTS.parameters}`)),
      createParameter(index),
    ],
    ...(changes && {
      requestBody: { required: true, content: toContent(createMembersOf(index, 8), index) },
    }),
    responses: {
      [status]: {
        description: 'Done',
        ...(status !== 204 && {
          content: suffix === '/summary' ? { 'application/json': { schema: body } } : toContent(body, index),
        }),
        ...(suffix === '' && { headers: { Link: toReference('headers', 'link') } }),
      },
      404: toReference('responses', 'error0'),
      422: toReference('responses', `error${1 + (index % 9)}`),
    },
    'x-things': { preview: false, category: 'things', subcategory: `group ${group}` },
  };
}

function toContent(schema, index) {
  const examples = { default: toReference('examples', `example${index % COUNTS.examples}`) };
  return { 'application/json': { schema, examples } };
}

function createError(index) {
  return {
    description: `Error ${index}`,
    content: { 'application/json': { schema: toReference('schemas', 'Error') } },
  };
}

function createParameter(index) {
  return {
    name: `filter_${index}`,
    in: 'query',
    description: toText(`Filter number ${index}`, 3),
    schema: { type: TYPES[index % TYPES.length] },
  };
}

/** Some of its members are objects of their own, some lead to other schemas, which lead on. */
function createSchema(index) {
  const next = [1, 31, 307].map((step) => [
    `next_${step}`,
    {
      allOf: [toReference('schemas', `Thing${(index + step) % COUNTS.schemas}`)],
      nullable: true,
    },
  ]);
  const lists = [3].map((step) => [
    `list_${step}`,
    { type: 'array', items: toReference('schemas', `Thing${(index * step) % COUNTS.schemas}`) },
  ]);
  const { properties } = createMembersOf(index, MEMBERS);
  return {
    ...toObject({
      id: { type: 'integer', format: 'int64', example: index },
      ...properties,
      permissions: createMembersOf(index, 5),
      owner: toObject({ id: { type: 'integer' }, plan: createMembersOf(index + 1, 4) }),
      ...Object.fromEntries([...next, ...lists]),
    }),
    title: `Thing ${index}`,
    description: toText(`A thing of group ${index}`, 2),
  };
}

function createMembersOf(index, count) {
  const members = Array.from({ length: count }, (_, place) => [
    `member_${place}`,
    {
      type: TYPES[(index + place) % TYPES.length],
      description: toText(`Member ${place} of thing ${index}`, 2),
      ...((index + place) % TYPES.length === 0 && { example: `value ${place} of ${index}` }),
      ...((index + place) % 5 === 0 && { nullable: true }),
    },
  ]);
  return toObject(Object.fromEntries(members));
}

function createExample(index) {
  const thing = (id) =>
    Object.fromEntries([
      ['id', id],
      ...Array.from({ length: MEMBERS }, (_, place) => [
        `member_${place}`,
        VALUES[TYPES[(index + place) % TYPES.length]](place, index),
      ]),
      ['owner', { id: 1, plan: { member_0: 'small' } }],
    ]);
  return { value: Array.from({ length: 6 }, (_, place) => thing(index + place)) };
}

const VALUES = {
  string: (place, index) => `https://api.example.com/things/${index}/members/${place}`,
  integer: (place, index) => index * 100 + place,
  boolean: (place) => place % 2 === 0,
};

function createParts(word, count, create) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${word}${index}`, create(index)]));
}

function toText(sentence, times) {
  return `${sentence}, as it is described at length. `.repeat(times).trim();
}

function toObject(properties) {
  return { type: 'object', required: [Object.keys(properties)[0]], properties };
}

function toReference(section, name) {
  return { $ref: `#/components/${section}/${name}` };
}
