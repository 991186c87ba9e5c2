import type { SchemaNode } from '../../schema/schema.ts';

const MAX_DEPTH = 4;
/** A line for the shell that is longer than a few screens helps nobody. */
const MAX_MEMBERS = 100;
const MAX_LENGTH = 100;

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
export function toSample(schema: SchemaNode): unknown {
  return sample(schema, 0, { left: MAX_MEMBERS });
}

/** How many members one value may still get. */
interface Allowance {
  left: number;
}

function sample(schema: SchemaNode, depth: number, allowance: Allowance): unknown {
  return givenValue(schema) ?? toPlain(schema, depth, allowance);
}

/** A value that the document itself gives. */
function givenValue({ keywords }: SchemaNode): unknown {
  const { examples, default: usual, const: only, enum: members } = keywords;
  const lists = [examples, [usual, only], members].filter(Array.isArray);
  return lists.flat().find((value) => value !== undefined);
}

function toPlain(schema: SchemaNode, depth: number, allowance: Allowance): unknown {
  const [type = 'object'] = schema.types;
  const toScalar = SCALARS[type];
  if (toScalar) return toScalar(schema.keywords);
  if (depth === MAX_DEPTH) return type === 'array' ? [] : {};
  if (type === 'array') return schema.items ? [sample(schema.items, depth + 1, allowance)] : [];
  const members = schema.sharedProperties;
  const [branch] = schema.branches;
  if (members.size === 0 && branch) return sample(branch, depth + 1, allowance);
  const needed = schema.required.flatMap((name) => {
    const member = members.get(name);
    if (!member || allowance.left === 0) return [];
    allowance.left -= 1;
    return [[name, sample(member, depth + 1, allowance)] as const];
  });
  return Object.fromEntries(needed);
}

const toNumber = ({ minimum }: SchemaNode['keywords']) =>
  typeof minimum === 'number' && minimum > 1 ? minimum : 1;

const SCALARS: Readonly<Record<string, (keywords: SchemaNode['keywords']) => unknown>> = {
  string: ({ format, minLength }) =>
    BY_FORMAT[String(format)] ?? 'text'.padEnd(Math.min(Number(minLength ?? 0), MAX_LENGTH), '.'),
  integer: toNumber,
  number: toNumber,
  boolean: () => true,
};
