import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { isObject } from './reference.ts';
import type { Twins } from './twins.ts';

/** Replaces `$ref`, which Ajv would follow at compile time. */
export const REFERENCE = 'document:ref';

/** Whether a value is valid. */
export type Follow = (value: unknown) => boolean;

/** Validators of references and schemas, compiled with their first value. */
export interface Followers {
  ofReference(reference: string): Follow;
  ofSchema(schema: unknown): Follow;
}

/** Enums of this length or more use a lookup instead of comparisons. */
const LONG_ENUM = 20;

type CodeTag = typeof import('ajv')._;

/** Replaces the keywords of Ajv that take time quadratic in the size of a value, or too long in a big document. */
export function replaceKeywords(ajv: Ajv, _: CodeTag, followers: Followers, twins: Twins): void {
  const withValue = (message: string) => ({
    message,
    params: ({ data, schemaValue }: Pick<KeywordCxt, 'data' | 'schemaValue'>) =>
      _`{value: ${data}, schema: ${schemaValue}}`,
  });
  const use = ({ gen }: KeywordCxt, ref: unknown) => gen.scopeValue('keyword', { ref });
  const replace = (
    keyword: string,
    code: (cxt: KeywordCxt, original: CodeKeywordDefinition['code']) => void,
    changes: Partial<CodeKeywordDefinition> = {},
  ) => {
    const original = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    const replaced = (cxt: KeywordCxt) => code(cxt, original.code);
    ajv.removeKeyword(keyword).addKeyword({ ...original, ...changes, code: replaced });
  };
  ajv.addKeyword({
    keyword: REFERENCE,
    before: '$ref',
    error: withValue('must match the referenced schema'),
    code: (cxt) => cxt.pass(_`${use(cxt, followers.ofReference(cxt.schema))}(${cxt.data})`),
  });
  replace('uniqueItems', (cxt) => cxt.schema && cxt.fail(_`${use(cxt, twins.find)}(${cxt.data})`), {
    error: withValue('must NOT have duplicate items'),
  });
  replace('contains', (cxt) => {
    const follow = followers.ofSchema(cxt.schema);
    cxt.setParams({ min: 1 });
    cxt.pass(_`${cxt.data}.some(${use(cxt, (item: unknown) => follow(item))})`);
  });
  replace('enum', (cxt, original) => {
    const values: readonly unknown[] = cxt.schema;
    if (values.length < LONG_ENUM || values.some(isObject)) original(cxt);
    else cxt.pass(_`${use(cxt, new Set(values))}.has(${cxt.data})`);
  });
}

/** A validator stops after this many errors. A client could cause millions that nobody reads. */
const MOST_ERRORS = 10_000;

/** The longest location or message of a finding, and the longest member name in a validator's path. */
export const LONGEST_TEXT = 5000;

/** Rewrites the code of a validator: ends its loops after `MOST_ERRORS`, and truncates long names in its paths. */
export function limitErrors(code: string): string {
  return code
    .replace(LOOP, `$&if(errors>=${MOST_ERRORS})break;`)
    .replace(NAME_IN_PATH, `$1.slice(0,${LONGEST_TEXT})$2`);
}

const LOOP = /\bfor\((?:let i\d+=\d+; i\d+<len\d+; i\d+\+\+|const key\d+ of Object\.keys\(\w+\))\)\{/g;
const NAME_IN_PATH = /\b(key\d+)(\.replace\(\/~\/g)/g;
