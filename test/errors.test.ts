import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMock, type JournalEntry } from '../src/index.ts';
import { type Ask, closeAll, describeAdapters, describeInProcess, json } from './support/adapters.ts';
import { DEFAULT_ERROR, documentOf, failingExample, jsonAnswer } from './support/documents.ts';
import { readError } from './support/errors.ts';
import { once } from './support/once.ts';

afterAll(closeAll);

/** A request that fails, and the answer to it. */
interface Failure {
  readonly name: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
  readonly code: string;
  /** What the message has to name: what was wrong, and where. */
  readonly message: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
  readonly absent?: readonly string[];
}

/** The same failure for many paths or bodies. */
function each<T>(values: readonly T[], toFailure: (value: T) => Failure): Failure[] {
  return values.map(toFailure);
}

/** A request whose body is given as text, or as bytes where a client must not name a type. */
function raw(method: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): RequestInit {
  return { method, body, headers: type === '' ? {} : { 'Content-Type': type } };
}

function bytes(...parts: (string | number)[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part)));
}

/** A body of so many nested lists and objects. */
function nested(levels: number): string {
  return `{"name":"Deep","categoryId":1,"tag":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

const MIB = 1024 * 1024;
const VALID_PET = { name: 'Waffles', categoryId: 1 };
const NOT_AN_ID = ['1e3', '0x10', '007', '+7', '%2B7', '%20', '%207', '7%20', '7%0A', '1.0', '1,2', '1%2F2'];
const NOT_AN_ID_EITHER = ['NaN', 'null', 'Infinity', '--1', '1n', '1_000', '%EF%BC%91', '%00', '__proto__'];
const ID_BEYOND_INT64 = ['9223372036854775808', '-9223372036854775809', '1'.repeat(400)];
/** The last one is the highest int64; between it and the first, numbers would be rounded to each other. */
const UNKNOWN_ID = ['0', '4711', '-1', '9007199254740992', '9007199254740993', '-9223372036854775808'];
const HIGHEST_ID = '9223372036854775807';

const BAD_PARAMETERS: readonly Failure[] = [
  ...each([...NOT_AN_ID, ...NOT_AN_ID_EITHER], (id) => ({
    name: `"${id}" is no id of a pet`,
    path: `/pets/${id}`,
    status: 400,
    code: 'invalid_parameter',
    message: /^path\.petId: must be integer$/,
  })),
  ...each(NOT_AN_ID, (id) => ({
    name: `"${id}" is no id of an order to cancel`,
    path: `/store/orders/${id}`,
    init: { method: 'DELETE' },
    status: 400,
    code: 'invalid_parameter',
    message: /^path\.orderId: must be integer$/,
  })),
  ...each(ID_BEYOND_INT64, (id) => ({
    name: `an id beyond int64 (${id.slice(0, 20)}) is out of range`,
    path: `/categories/${id}`,
    status: 400,
    code: 'invalid_parameter',
    message: /^path\.categoryId: must be an integer within int64$/,
  })),
  ...each(
    [
      ['limit=0', /^query\.limit: must be >= 1$/],
      ['limit=-1', /^query\.limit: must be >= 1$/],
      ['limit=many', /^query\.limit: must be integer$/],
      ['limit=1.5', /^query\.limit: must be integer$/],
      ['limit=1e3', /^query\.limit: must be integer$/],
      ['limit=', /^query\.limit: must be integer$/],
      ['limit', /^query\.limit: must be integer$/],
      ['limit=+1', /^query\.limit: must be integer$/],
      ['offset=-1', /^query\.offset: must be >= 0$/],
      ['limit=1&limit=2', /^query\.limit: must be given only once$/],
      ['limit=1&limit=1', /^query\.limit: must be given only once$/],
      ['status=gone', /^query\.status\[0\]: must be one of available, pending, sold$/],
      ['status=sold&status=gone', /^query\.status\[1\]: must be one of available, pending, sold$/],
      ['status=available,pending', /^query\.status\[0\]: must be one of available, pending, sold$/],
      ['status=', /^query\.status\[0\]: must be one of available, pending, sold$/],
      ['status=Available', /^query\.status\[0\]: must be one of available, pending, sold$/],
      ['sort=age', /^query\.sort: must be one of id, -id, name, /],
      ['sort=__proto__', /^query\.sort: must be one of id, -id, name, /],
      ['categoryId=Dogs', /^query\.categoryId: must be integer$/],
      ['categoryId=9223372036854775808', /^query\.categoryId: must be an integer within int64$/],
      [
        'offset=-1&limit=0&status=gone',
        /^query\.status\[0\]: .+; query\.limit: must be >= 1; query\.offset: must be >= 0$/,
      ],
    ] as const,
    ([query, message]) => ({
      name: `GET /pets?${query} has a bad parameter`,
      path: `/pets?${query}`,
      status: 400,
      code: 'invalid_parameter',
      message,
    }),
  ),
  ...each(['TRUE', '1', 'yes', '', 'null'], (value) => ({
    name: `complete=${value} is no boolean`,
    path: `/store/orders?complete=${value}`,
    status: 400,
    code: 'invalid_parameter',
    message: /^query\.complete: must be boolean$/,
  })),
  ...each(['%ZZ', '%', '%E0%A4%A', '1%'], (segment) => ({
    name: `the percent-encoding of /pets/${segment} is broken`,
    path: `/pets/${segment}`,
    status: 400,
    code: 'malformed_path',
    message: new RegExp(`"?${segment}"?`),
  })),
];

const NOT_FOUND: readonly Failure[] = [
  ...each(
    ['/nope', '/PETS', '/petstore', '/pets/1/nope', '/pets/1/profile/nope', '//pets', '/pets//profile'],
    (path) => ({
      name: `the document has no path ${path}`,
      path,
      status: 404,
      code: 'path_not_found',
      message: new RegExp(`no path ${path}[ .]`),
    }),
  ),
  ...each(
    ['/pets%2F1', '/__proto__', '/constructor', '/toString', '/store', '/pets/1;v=1/profile/'],
    (path) => ({
      name: `the document has no path ${path} either`,
      path,
      init: json('POST', VALID_PET),
      status: 404,
      code: 'path_not_found',
      message: /no path/,
    }),
  ),
  ...each(
    ['/pets/', '/pets/1/', '/pets/1/profile/', '/store/orders/', '/store/inventory/summary/'],
    (path) => ({
      name: `${path} is not ${path.slice(0, -1)}`,
      path,
      status: 404,
      code: 'path_not_found',
      message: new RegExp(`no path ${path}\\. Did you mean ${path.slice(0, -1)}\\?`),
    }),
  ),
  {
    name: 'POST to a trailing slash finds no path either',
    path: '/pets/',
    init: json('POST', VALID_PET),
    status: 404,
    code: 'path_not_found',
    message: /Did you mean \/pets\?/,
  },
  ...each([...UNKNOWN_ID, HIGHEST_ID], (id) => ({
    name: `no pet has the id ${id}`,
    path: `/pets/${id}`,
    status: 404,
    code: 'pet_not_found',
    message: new RegExp(`No pet has the id ${id}\\.`),
  })),
  ...each(
    [
      ['GET', '/pets/4711/profile', undefined, 'pet_not_found'],
      ['PUT', '/pets/4711', VALID_PET, 'pet_not_found'],
      ['PATCH', '/pets/4711', { name: 'Rex' }, 'pet_not_found'],
      ['DELETE', '/pets/4711', undefined, 'pet_not_found'],
      ['GET', '/categories/4711', undefined, 'category_not_found'],
      ['PUT', '/categories/4711', { name: 'Dogs' }, 'category_not_found'],
      ['DELETE', '/categories/4711', undefined, 'category_not_found'],
      ['GET', '/store/orders/4711', undefined, 'order_not_found'],
      ['PATCH', '/store/orders/4711', { complete: true }, 'order_not_found'],
      ['DELETE', '/store/orders/4711', undefined, 'order_not_found'],
      ['GET', '/store/inventory/4711', undefined, 'inventory_not_found'],
      ['PUT', '/store/inventory/4711', { quantity: 1 }, 'inventory_not_found'],
    ] as const,
    ([method, path, body, code]) => ({
      name: `${method} ${path} finds nothing`,
      path,
      init: body === undefined ? { method } : json(method, body),
      status: 404,
      code,
      message: /4711/,
    }),
  ),
];

const WRONG_METHOD: readonly Failure[] = [
  ...each(
    [
      ['PUT', '/pets', 'GET, HEAD, OPTIONS, POST'],
      ['PATCH', '/pets', 'GET, HEAD, OPTIONS, POST'],
      ['DELETE', '/pets', 'GET, HEAD, OPTIONS, POST'],
      ['POST', '/pets/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
      ['POST', '/pets/not-an-id', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
      ['DELETE', '/pets/1/profile', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/categories/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['PUT', '/store/orders/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['POST', '/store/inventory', 'GET, HEAD, OPTIONS'],
      ['POST', '/store/inventory/summary', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/store/inventory/1', 'GET, HEAD, OPTIONS, PUT'],
    ] as const,
    ([method, path, allow]) => ({
      name: `${method} ${path} is not allowed`,
      path,
      init: { method },
      status: 405,
      code: 'method_not_allowed',
      message: new RegExp(`${method} .*${path}`),
      headers: { Allow: allow },
    }),
  ),
  {
    name: 'a method that no path knows is not implemented',
    path: '/pets',
    init: { method: 'PROPFIND' },
    status: 501,
    code: 'method_not_implemented',
    message: /PROPFIND/,
  },
  {
    name: 'an unknown path is reported before the method',
    path: '/nope',
    init: { method: 'PROPFIND' },
    status: 404,
    code: 'path_not_found',
    message: /\/nope/,
  },
];

const NOT_ACCEPTABLE: readonly Failure[] = [
  ...each(
    ['application/xml', 'text/*', 'image/png, text/html;q=0.9', 'application/json;q=0', '*/*;q=0'],
    (accept) => ({
      name: `an answer as ${accept} cannot be given`,
      path: '/pets/1',
      init: { headers: { Accept: accept } },
      status: 406,
      code: 'not_acceptable',
      message: new RegExp(`application/json.*${accept.replace(/[*.?/]/g, '\\$&')}`),
    }),
  ),
  ...each(
    [
      ['POST', '/pets', VALID_PET],
      ['PUT', '/pets/1', { ...VALID_PET, name: 'Renamed' }],
      ['PATCH', '/pets/1', { name: 'Renamed' }],
      ['POST', '/categories', { name: 'Insects' }],
      ['POST', '/store/orders', { petId: 1 }],
      ['PATCH', '/store/orders/13', { complete: true }],
      ['PUT', '/store/inventory/1', { quantity: 77 }],
    ] as const,
    ([method, path, body]) => ({
      name: `${method} ${path} is not carried out for a client that takes only XML`,
      path,
      init: json(method, body, { Accept: 'application/xml' }),
      status: 406,
      code: 'not_acceptable',
      message: /application\/json.*application\/xml/,
    }),
  ),
];

const UNREADABLE_BODY: readonly Failure[] = [
  ...each(
    [
      '{',
      '{"name":"Rex",}',
      "{'name':'Rex'}",
      '{"name":"Rex"} trailing',
      'name=Rex',
      ' ',
      'undefined',
      '[1,',
    ],
    (body) => ({
      name: `${JSON.stringify(body)} is not JSON`,
      path: '/pets',
      init: raw('POST', body),
      status: 400,
      code: 'malformed_json',
      message: /body is not valid JSON: .+/i,
    }),
  ),
  ...each(['NaN', 'Infinity', '01', '+1', '.5', '0x10'], (number) => ({
    name: `${number} is no number in JSON`,
    path: '/store/inventory/1',
    init: raw('PUT', `{"quantity":${number}}`),
    status: 400,
    code: 'malformed_json',
    message: /body/,
  })),
  ...each(
    [
      ['a lone byte', bytes('{"name":"', 0xff, '","categoryId":1}')],
      ['half a character', bytes('{"name":"', 0xe2, 0x82, '","categoryId":1}')],
      ['an overlong character', bytes('{"name":"', 0xc0, 0xaf, '","categoryId":1}')],
      ['a surrogate', bytes('{"name":"', 0xed, 0xa0, 0x80, '","categoryId":1}')],
    ] as const,
    ([what, body]) => ({
      name: `${what} is not UTF-8`,
      path: '/pets',
      init: raw('POST', body),
      status: 400,
      code: 'malformed_json',
      message: /body.*UTF-8/i,
    }),
  ),
  ...each(['PUT', 'PATCH'], (method) => ({
    name: `${method} with half a body is not carried out`,
    path: '/pets/1',
    init: raw(method, '{"name":"Renamed","categoryId":1'),
    status: 400,
    code: 'malformed_json',
    message: /body/,
  })),
  ...each(
    [
      ['POST', '/pets', 'application/json'],
      ['PATCH', '/pets/1', 'application/merge-patch+json'],
      ['DELETE', '/pets/22', 'application/json'],
    ] as const,
    ([method, path, type]) => ({
      name: `${method} ${path} with 1 MiB and one byte is too large`,
      path,
      init: raw(method, `{"name":"Rex","categoryId":1}${' '.repeat(MIB - 28)}`, type),
      status: 413,
      code: 'body_too_large',
      message: /body.*1048576 bytes/,
    }),
  ),
];

const WRONG_TYPE: readonly Failure[] = [
  ...each(
    [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/merge-patch+json',
      'json',
      '*/*',
    ],
    (type) => ({
      name: `POST /pets takes no ${type}`,
      path: '/pets',
      init: raw('POST', JSON.stringify(VALID_PET), type),
      status: 415,
      code: 'unsupported_media_type',
      message: new RegExp(type.split(';')[0]?.replace(/[*+.?/]/g, '\\$&') ?? ''),
      headers: { Accept: 'application/json' },
      absent: ['Accept-Patch', 'Accept-Encoding'],
    }),
  ),
  ...each(['/pets/1', '/store/orders/13'], (path) => ({
    name: `PATCH ${path} takes no JSON patch`,
    path,
    init: raw('PATCH', '[{"op":"replace","path":"/name","value":"Rex"}]', 'application/json-patch+json'),
    status: 415,
    code: 'unsupported_media_type',
    message: /application\/json-patch\+json.*application\/merge-patch\+json, application\/json/,
    headers: {
      Accept: 'application/merge-patch+json, application/json',
      'Accept-Patch': 'application/merge-patch+json, application/json',
    },
    absent: ['Accept-Encoding'],
  })),
  ...each(['gzip', 'GZIP', 'br', 'identity, gzip'], (coding) => ({
    name: `a body in the coding ${coding} is not taken`,
    path: '/pets',
    init: json('POST', VALID_PET, { 'Content-Encoding': coding }),
    status: 415,
    code: 'unsupported_media_type',
    message: new RegExp(`coding "${coding}"`),
    headers: { 'Accept-Encoding': 'identity' },
  })),
  ...each(
    ['charset=iso-8859-1', 'charset=utf-16', 'Charset="windows-1252"', 'profile=x; charset=latin1'],
    (charset) => ({
      name: `a body in ${charset} is not taken`,
      path: '/pets',
      init: raw('POST', JSON.stringify(VALID_PET), `application/json; ${charset}`),
      status: 415,
      code: 'unsupported_media_type',
      message: /charset ".+" is not supported/,
      absent: ['Accept-Encoding'],
    }),
  ),
];

const BAD_BODIES = [
  ['POST', '/pets', '{}', /^body\.name: is required; body\.categoryId: is required$/],
  [
    'POST',
    '/pets',
    '{"name":1,"categoryId":"1"}',
    /^body\.name: must be string; body\.categoryId: must be integer$/,
  ],
  ['POST', '/pets', '{"name":"Rex","categoryId":1.5}', /^body\.categoryId: must be integer$/],
  ['POST', '/pets', '{"name":"Rex","categoryId":null}', /^body\.categoryId: must be integer$/],
  [
    'POST',
    '/pets',
    '{"name":"Rex","categoryId":1,"status":"gone"}',
    /^body\.status: must be one of available/,
  ],
  ['POST', '/pets', '{"name":"Rex","categoryId":1,"status":null}', /^body\.status: must be/],
  ['POST', '/pets', 'null', /^body: must be object$/],
  ['POST', '/pets', '[]', /^body: must be object$/],
  ['POST', '/pets', '"Rex"', /^body: must be object$/],
  ['POST', '/pets', '0', /^body: must be object$/],
  ['POST', '/pets', '{"__proto__":{"name":"Rex","categoryId":1}}', /^body\.name: is required/],
  ['POST', '/pets', '{"constructor":{"name":"Rex","categoryId":1}}', /^body\.name: is required/],
  ['PUT', '/pets/1', '{"name":"Renamed"}', /^body\.categoryId: is required$/],
  ['PUT', '/pets/1', '{"name":"Renamed","categoryId":1,"id":2}', /^body\.id: must stay 1/],
  ['PUT', '/pets/1', '{"name":"Renamed","categoryId":1,"id":"1"}', /^body\.id: must stay 1/],
  ['PATCH', '/pets/1', '{"name":null}', /^body\.name: must be string$/],
  ['PATCH', '/pets/1', '{"name":"Renamed","id":2}', /^body\.id: must stay 1/],
  ['PATCH', '/pets/1', '{"id":null}', /^body\.id: must stay 1/],
  ['PATCH', '/pets/1', '{"name":"Renamed","status":"gone"}', /^body\.status: must be one of available/],
  ['PATCH', '/pets/1', '[{"op":"remove","path":"/name"}]', /^body: must be object$/],
  ['PATCH', '/pets/1', 'null', /^body: must be object$/],
  ['POST', '/categories', '{"description":"No name"}', /^body\.name: is required$/],
  ['PUT', '/categories/1', '{"name":["Dogs"]}', /^body\.name: must be string$/],
  ['POST', '/store/orders', '{}', /^body\.petId: is required$/],
  ['POST', '/store/orders', '{"petId":1,"shipDate":"tomorrow"}', /^body\.shipDate: must be .*date-time$/],
  [
    'POST',
    '/store/orders',
    '{"petId":1,"shipDate":"2026-02-30T08:00:00Z"}',
    /^body\.shipDate: must be .*date-time$/,
  ],
  ['POST', '/store/orders', '{"petId":1,"complete":"yes"}', /^body\.complete: must be boolean$/],
  ['PATCH', '/store/orders/13', '{"quantity":null}', /^body\.quantity: must be integer$/],
  ['PATCH', '/store/orders/13', '{"petId":1}', /^body\.petId: must stay 8/],
  ['PATCH', '/store/orders/13', '{"petId":null}', /^body\.petId: must stay 8/],
  ['PATCH', '/store/orders/13', '{"petId":"8"}', /^body\.petId: must stay 8/],
  ['PATCH', '/store/orders/13', '{"id":14}', /^body\.id: must stay 13/],
  ['PUT', '/store/inventory/1', '{}', /^body\.quantity: is required$/],
  ['PUT', '/store/inventory/1', '{"quantity":"7"}', /^body\.quantity: must be integer$/],
  ['PUT', '/store/inventory/1', '{"quantity":7,"petId":2}', /^body\.petId: must stay 1/],
] as const;

/** Numbers beyond their format or the range of a double, wherever in the body they are. */
const BEYOND_BODIES = [
  [
    'POST',
    '/pets',
    '{"name":"Rex","categoryId":9223372036854775808}',
    /^body\.categoryId: must be an integer within int64$/,
  ],
  ['POST', '/pets', '{"name":"Rex","categoryId":4503599627370497.5}', /^body\.categoryId: must be integer$/],
  [
    'POST',
    '/pets',
    '{"name":"Rex","categoryId":1,"chips":[1,[1e400]]}',
    /^body\.chips\[1\]\[0\]: must be between/,
  ],
  ['POST', '/pets', '{"name":"Rex","categoryId":1,"a":{"b":-1e400}}', /^body\.a\.b: must be between/],
  ['POST', '/pets', '{"name":"Rex","categoryId":1,"weight":1e400}', /^body\.weight: must be between/],
  ['PATCH', '/pets/1', '{"chip":1e400}', /^body\.chip: must be between/],
  ['POST', '/store/orders', '{"petId":-9223372036854775809}', /^body\.petId: must be an integer within/],
  ['PUT', '/store/inventory/1', '{"quantity":1e400}', /^body\.quantity: must be between/],
] as const;

const WRONG_BODY: readonly Failure[] = [
  ...each([...BAD_BODIES, ...BEYOND_BODIES], ([method, path, body, message]) => ({
    name: `${method} ${path} with ${body} breaks the schema`,
    path,
    init: raw(method, body),
    status: 422,
    code: 'validation_failed',
    message,
  })),
  ...each([201, 1_000, 400_000], (levels) => ({
    name: `a body of ${levels} levels nests too deep`,
    path: '/pets',
    init: raw('POST', nested(levels)),
    status: 422,
    code: 'validation_failed',
    message: /^body.*: must not nest deeper than 200 levels$/,
  })),
  ...each(
    [
      ['POST', '/pets'],
      ['PUT', '/pets/1'],
      ['PATCH', '/pets/1'],
      ['POST', '/categories'],
      ['POST', '/store/orders'],
      ['PATCH', '/store/orders/13'],
      ['PUT', '/store/inventory/1'],
    ] as const,
    ([method, path]) => ({
      name: `${method} ${path} needs a body`,
      path,
      init: { method },
      status: 422,
      code: 'validation_failed',
      message: /^body: is required$/,
      headers: { 'X-Mock-Violations': '[{"location":"body","message":"is required","code":"required"}]' },
    }),
  ),
  ...each(
    [
      ['POST', '/pets', { name: 'Rex', categoryId: 4711 }],
      ['PUT', '/pets/1', { name: 'Renamed', categoryId: 4711 }],
      ['PATCH', '/pets/1', { categoryId: -1 }],
    ] as const,
    ([method, path, body]) => ({
      name: `${method} ${path} refuses a category that does not exist`,
      path,
      init: json(method, body),
      status: 422,
      code: 'unknown_category',
      message: new RegExp(`^body\\.categoryId: no category has the id ${body.categoryId}\\.`),
    }),
  ),
  {
    name: 'nobody can order a pet that does not exist',
    path: '/store/orders',
    init: json('POST', { petId: 4711 }),
    status: 422,
    code: 'unknown_pet',
    message: /^body\.petId: no pet has the id 4711\./,
  },
  ...each(
    [
      ['POST', '/store/orders', { petId: 1, quantity: 0 }, /^body\.quantity: must be at least 1, not 0/],
      ['POST', '/store/orders', { petId: 1, quantity: -1 }, /^body\.quantity: must be at least 1, not -1/],
      ['PATCH', '/store/orders/13', { quantity: 0 }, /^body\.quantity: must be at least 1, not 0/],
      ['PUT', '/store/inventory/1', { quantity: -1 }, /^body\.quantity: must be at least 0, not -1/],
    ] as const,
    ([method, path, body, message]) => ({
      name: `${method} ${path} refuses the quantity ${body.quantity}`,
      path,
      init: json(method, body),
      status: 422,
      code: 'invalid_quantity',
      message,
    }),
  ),
];

const CONFLICTS: readonly Failure[] = each(
  [
    ['POST', '/store/orders', { petId: 1, quantity: 4711 }, 'out_of_stock', /Pet 1 .*4711/],
    ['POST', '/store/orders', { petId: 8 }, 'out_of_stock', /Pet 8 has 0 in stock/],
    ['PATCH', '/store/orders/13', { quantity: 4711 }, 'out_of_stock', /Pet 8 has 0 in stock/],
    ['PATCH', '/pets/9', { status: 'available' }, 'out_of_stock', /Pet 9 /],
    ['PUT', '/pets/9', { name: 'Pepper', categoryId: 2, status: 'available' }, 'out_of_stock', /Pet 9 /],
    ['DELETE', '/pets/8', undefined, 'pet_has_open_orders', /Pet 8 .*open order/],
    ['DELETE', '/categories/1', undefined, 'category_in_use', /Category 1 .*pets/],
    ['DELETE', '/store/orders/1', undefined, 'order_completed', /Order 1 is completed/],
    ['PATCH', '/store/orders/1', { complete: false }, 'order_completed', /Order 1 is completed/],
    ['PATCH', '/store/orders/1', { quantity: 2 }, 'order_completed', /Order 1 is completed/],
  ] as const,
  ([method, path, body, code, message]) => ({
    name: `${method} ${path} ${JSON.stringify(body) ?? ''} is refused as ${code}`,
    path,
    init: body === undefined ? { method } : json(method, body),
    status: 409,
    code,
    message,
  }),
);

const FAILURES: readonly Failure[] = [
  ...BAD_PARAMETERS,
  ...NOT_FOUND,
  ...WRONG_METHOD,
  ...NOT_ACCEPTABLE,
  ...UNREADABLE_BODY,
  ...WRONG_TYPE,
  ...WRONG_BODY,
  ...CONFLICTS,
];

const LISTS = ['/pets', '/categories', '/store/orders', '/store/inventory', '/store/inventory/summary'];

async function readState(ask: Ask): Promise<string[]> {
  return Promise.all(LISTS.map(async (path) => (await ask(path)).text()));
}

function toTitle({ name, status, code }: Failure): string {
  return `${name}: ${status} ${code}`;
}

interface Violation {
  readonly location: string;
  readonly message: string;
}

function readViolations(response: Response): Violation[] {
  const header = response.headers.get('x-mock-violations') ?? '';
  expect(header).toMatch(/^[ -~]+$/);
  expect(header.length).toBeLessThanOrEqual(4096);
  return JSON.parse(header) as Violation[];
}

describeAdapters('every failure is an Error object, and changes nothing', (adapter) => {
  // What is refused changes nothing, and every case makes sure of it, so that one mock is enough for all of them.
  const opened = once(() => adapter.open());

  it.each(FAILURES.map((failure) => [toTitle(failure), failure] as const))('%s', async (_, failure) => {
    const { ask } = await opened();
    const before = await readState(ask);
    const response = await ask(failure.path, failure.init);
    const body = await readError(response);
    expect({ status: response.status, code: body.code }).toEqual({
      status: failure.status,
      code: failure.code,
    });
    expect(body.message).toMatch(failure.message);
    for (const [name, value] of Object.entries(failure.headers ?? {})) {
      expect(response.headers.get(name), name).toBe(value);
    }
    for (const name of failure.absent ?? []) expect(response.headers.get(name), name).toBeNull();
    expect(await readState(ask)).toEqual(before);
  });

  it('has every error code that can be provoked in the table, and no other', async () => {
    const unprovoked = [
      'malformed_request',
      'headers_too_large',
      'request_timeout',
      'expectation_failed',
      'internal_error',
      'server_busy',
    ];
    const preferred = ['response_not_declared', 'example_not_found'];
    const tested = new Set([...FAILURES.map(({ code }) => code), 'pet_not_available']);
    const readme = await readFile(new URL('../spec/README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^\| `([a-z_]+)` \| \d{3} \|/gm)].map(([, code]) => code);
    expect([...tested, ...unprovoked, ...preferred].sort()).toEqual(listed.sort());
  });
});

describeInProcess('what looks wrong but is right is carried out', (adapter) => {
  it.each([
    ['a charset of UTF-8', raw('POST', JSON.stringify(VALID_PET), 'application/json; charset=UTF-8')],
    ['a quoted charset', raw('POST', JSON.stringify(VALID_PET), 'Application/JSON;charset="utf-8"')],
    ['the identity coding', json('POST', VALID_PET, { 'Content-Encoding': 'identity' })],
    ['no type at all', raw('POST', bytes(JSON.stringify(VALID_PET)), '')],
    ['a byte order mark', raw('POST', bytes(0xef, 0xbb, 0xbf, JSON.stringify(VALID_PET)))],
    ['exactly 1 MiB', raw('POST', `{"name":"Rex","categoryId":1}${' '.repeat(MIB - 29)}`)],
    ['200 levels', raw('POST', nested(200))],
    ['the largest exact integer', json('POST', { ...VALID_PET, chip: Number.MAX_SAFE_INTEGER })],
    ['an Accept with parameters', json('POST', VALID_PET, { Accept: 'text/html, application/*;q=0.1' })],
    ['an id that the server gives', json('POST', { ...VALID_PET, id: 1 })],
  ])('%s', async (_, init) => {
    const { ask } = await adapter.open();
    expect((await ask('/pets', init)).status).toBe(201);
  });

  it.each([
    ['/pets?categoryId=9007199254740993', []],
    ['/store/orders?petId=9223372036854775807', []],
    ['/pets?unknown=1&__proto__=2&toString=3&categoryId=4711', []],
  ])('%s filters everything out', async (path, expected) => {
    const { ask } = await adapter.open();
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(expected);
  });

  it('keeps `__proto__` in a body as a name like any other', async () => {
    const { ask } = await adapter.open();
    const body = '{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"},"constructor":{"prototype":1}}';
    const created = await ask('/pets', raw('POST', body));
    const pet = await created.text();
    expect(created.status).toBe(201);
    expect(pet).toContain('"__proto__":{"status":"sold"}');
    expect(JSON.parse(pet)).toMatchObject({ name: 'Rex', status: 'available' });

    const path = created.headers.get('location') ?? '';
    await ask(path, raw('PATCH', '{"__proto__":{"name":"Polluted","admin":true},"constructor":null}'));
    const read = await (await ask(path)).text();
    expect(read).toContain('"__proto__":{"status":"sold","name":"Polluted","admin":true}');
    expect(JSON.parse(read)).toMatchObject({ name: 'Rex' });
    expect(Object.hasOwn(JSON.parse(read) as object, 'constructor')).toBe(false);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});

describeInProcess('an id beyond 2^53', (adapter) => {
  it('never finds its neighbour', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-mock-'));
    try {
      const categories = [{ id: Number.MAX_SAFE_INTEGER, name: 'Last' }];
      await writeFile(join(directory, 'categories.json'), JSON.stringify(categories));
      const { ask } = await adapter.open({ fixtures: directory });
      const statusOf = async (id: string) => (await ask(`/categories/${id}`)).status;
      expect(await statusOf('9007199254740991')).toBe(200);
      expect(await statusOf('9007199254740992')).toBe(404);
      expect(await statusOf('9007199254740993')).toBe(404);
      const created = await Promise.all([1, 2].map(() => ask('/categories', json('POST', { name: 'New' }))));
      const ids = await Promise.all(
        created.map(async (response) => (await response.json()) as { id: number }),
      );
      expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
      expect(ids.every(({ id }) => id < 2 ** 31)).toBe(true);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describeInProcess('a pet that is not available', (adapter) => {
  it('cannot be ordered, though there is stock', async () => {
    const { ask } = await adapter.open();
    await ask('/pets/1', json('PATCH', { status: 'pending' }));
    const before = await readState(ask);
    const response = await ask('/store/orders', json('POST', { petId: 1 }));
    expect(await readError(response)).toMatchObject({ code: 'pet_not_available', status: 409 });
    expect(await readState(ask)).toEqual(before);
  });
});

describeInProcess('X-Mock-Violations', (adapter) => {
  const opened = once(() => adapter.open());

  it.each([...BAD_BODIES, ...BEYOND_BODIES].map(([method, path, body]) => [method, path, body] as const))(
    'has what the message has, in its order: %s %s %s',
    async (method, path, body) => {
      const { ask } = await opened();
      const response = await ask(path, raw(method, body));
      const violations = readViolations(response);
      const { message } = await readError(response);
      expect(violations.length).toBeGreaterThan(0);
      expect(violations.map((violation) => `${violation.location}: ${violation.message}`).join('; ')).toBe(
        message,
      );
    },
  );

  it('is there for parameters', async () => {
    const { ask } = await adapter.open();
    expect(readViolations(await ask('/pets?limit=0&offset=-1'))).toEqual([
      { location: 'query.limit', message: 'must be >= 1', code: 'minimum' },
      { location: 'query.offset', message: 'must be >= 0', code: 'minimum' },
    ]);
  });

  it.each(['/pets/4711', '/nope', '/store/orders?x='])('is not there for %s', async (path) => {
    const { ask } = await adapter.open();
    expect((await ask(path)).headers.get('x-mock-violations')).toBeNull();
  });

  it.each(['größe', '犬', '🐕', 'a\nb\r\nX-Injected: 1', '"quoted" \\ back', '\u007f\u0000', '\u2028'])(
    'is ASCII where the body says %j',
    async (key) => {
      const { ask } = await adapter.open();
      const response = await ask('/pets', raw('POST', JSON.stringify({ [key]: 0 }).replace(':0', ':1e400')));
      expect(response.status).toBe(422);
      expect(response.headers.get('x-injected')).toBeNull();
      expect(readViolations(response).map(({ location }) => location)).toEqual([`body.${key}`]);
      expect((await readError(response)).message).toContain(`body.${key}: `);
    },
  );

  it('is bounded and never cut, with thousands of violations', async () => {
    const { ask } = await adapter.open({ spec: NUMBERS });
    const response = await ask('/numbers', json('POST', new Array(5_000).fill('x')));
    const violations = readViolations(response);
    expect(violations.length).toBeGreaterThan(10);
    expect(violations).toEqual(
      violations.map((_, index) => ({
        location: `body[${index}]`,
        message: 'must be integer',
        code: 'type',
      })),
    );
    const { message } = await readError(response);
    const shown = violations.slice(0, 10).map((violation) => `${violation.location}: ${violation.message}`);
    expect(message).toBe(`${shown.join('; ')}; and 4990 more`);
  });

  it('leaves out a violation that is too long, not those behind it', async () => {
    const { ask } = await adapter.open({ spec: NUMBERS });
    const response = await ask('/strict', json('POST', { ['x'.repeat(5_000)]: 1, short: 1 }));
    expect(readViolations(response)).toEqual([
      { location: 'body.short', message: 'is not allowed here', code: 'additionalProperties' },
    ]);
    expect((await readError(response)).message).toContain('body.short: is not allowed here');
  });
});

const NUMBERS = documentOf({
  '/numbers': {
    post: {
      operationId: 'addNumbers',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } },
      },
      responses: { 204: { description: 'Added.' }, ...DEFAULT_ERROR },
    },
  },
  '/strict': {
    post: {
      operationId: 'addStrictly',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', additionalProperties: false } } },
      },
      responses: { 204: { description: 'Added.' }, ...DEFAULT_ERROR },
    },
  },
});

/** A document with an answer that fails the server itself. */
const BROKEN = documentOf({
  '/broken': {
    post: {
      operationId: 'breakDown',
      deprecated: true,
      responses: { ...jsonAnswer({}, { example: failingExample('secret-internal') }), ...DEFAULT_ERROR },
    },
  },
});

describeAdapters('a fault of the server itself', (adapter) => {
  it('is answered as a bare 500 that gives nothing internal away', async () => {
    const exchanges: JournalEntry[] = [];
    const { ask } = await adapter.open({
      spec: BROKEN,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    const response = await ask('/broken', json('POST', 'text'));
    expect(response.status).toBe(500);
    const everything = JSON.stringify([...response.headers]);
    const body = await readError(response);
    expect(body.code).toBe('internal_error');
    expect(everything + body.message).not.toMatch(/secret|toJSON|\bat \b|\.ts|\.js|node_modules|\/src/);
    expect(exchanges.map(({ status, problem }) => [status, problem?.cause instanceof Error])).toEqual([
      [500, true],
    ]);
  });

  it('does not disturb the requests after it', async () => {
    const { ask } = await adapter.open({ spec: BROKEN });
    const statuses = [];
    for (const path of ['/broken', '/nope', '/broken']) {
      statuses.push((await ask(path, json('POST', 'text'))).status);
    }
    expect(statuses).toEqual([500, 404, 500]);
  });
});

describe('a mock in process', () => {
  it('answers one failing request while another one waits', async () => {
    const mock = await createMock({ errors: [{ operation: 'listPets', delay: 50 }] });
    const order: number[] = [];
    const ask = async (path: string) => order.push((await mock.fetch(path)).status);
    await Promise.all([ask('/pets'), ask('/pets/4711'), ask('/nope')]);
    expect(order).toEqual([404, 404, 200]);
  });
});
