import type { SchemaNode } from '../schema/schema.ts';

const MAX_DEPTH = 4;

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  email: 'anna@example.com',
  uuid: '6f1c2a3e-58b7-4d0a-9c1d-2f6e8b7a4c10',
  uri: 'https://example.com/',
  url: 'https://example.com/',
};

/** A small value for a schema: the document's own example, else a plain one with the members that are required. It may be invalid. */
export function toSample(schema: SchemaNode, depth = 0): unknown {
  return givenValue(schema) ?? toPlain(schema, depth);
}

/** A value that the document itself gives. */
function givenValue({ keywords }: SchemaNode): unknown {
  const { examples, default: usual, const: only, enum: members } = keywords;
  const lists = [examples, [usual, only], members].filter(Array.isArray);
  return lists.flat().find((value) => value !== undefined);
}

function toPlain(schema: SchemaNode, depth: number): unknown {
  const [type = 'object'] = schema.types;
  const toScalar = SCALARS[type];
  if (toScalar) return toScalar(schema.keywords);
  if (depth === MAX_DEPTH) return type === 'array' ? [] : {};
  if (type === 'array') return schema.items ? [toSample(schema.items, depth + 1)] : [];
  const members = schema.sharedProperties;
  const [branch] = schema.branches;
  if (members.size === 0 && branch) return toSample(branch, depth + 1);
  const needed = schema.required.flatMap((name) => {
    const member = members.get(name);
    return member ? [[name, toSample(member, depth + 1)] as const] : [];
  });
  return Object.fromEntries(needed);
}

const toNumber = ({ minimum }: SchemaNode['keywords']) =>
  typeof minimum === 'number' && minimum > 1 ? minimum : 1;

const SCALARS: Readonly<Record<string, (keywords: SchemaNode['keywords']) => unknown>> = {
  string: ({ format, minLength }) => BY_FORMAT[String(format)] ?? 'text'.padEnd(Number(minLength ?? 0), '.'),
  integer: toNumber,
  number: toNumber,
  boolean: () => true,
};
