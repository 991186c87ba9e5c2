import { createRequire } from 'node:module';
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv';
import type { Twins } from './twins.ts';

const require = createRequire(import.meta.url);

/** Stands where the document has `$ref`, which Ajv would follow as soon as it compiles. */
export const REFERENCE = 'document:ref';

/** Decides about one value. */
export type Follow = (value: unknown) => boolean;

/** What finds the validator of a reference, and that of a schema, once a value is there for it. */
export interface Followers {
  ofReference(reference: string): Follow;
  ofSchema(schema: unknown): Follow;
}

/** From this length on a list of values is looked up instead of compared with. */
const LONG_ENUM = 20;

/** Replaces the keywords of Ajv that take time quadratic in the size of a value, or long in that of the document. */
export function replaceKeywords(ajv: Ajv, followers: Followers, twins: Twins): void {
  const { _ } = require('ajv') as typeof import('ajv');
  const withValue = (message: string) => ({
    message,
    params: ({ data, schemaValue }: Pick<KeywordCxt, 'data' | 'schemaValue'>) =>
      _`{value: ${data}, schema: ${schemaValue}}`,
  });
  const use = ({ gen }: KeywordCxt, ref: unknown) => gen.scopeValue('keyword', { ref });
  const replace = (
    keyword: string,
    change: (original: CodeKeywordDefinition) => Partial<CodeKeywordDefinition>,
  ) => {
    const original = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword({ ...original, ...change(original) });
  };
  ajv.addKeyword({
    keyword: REFERENCE,
    before: '$ref',
    error: withValue('must hold to what is referred to'),
    code: (cxt) => cxt.pass(_`${use(cxt, followers.ofReference(cxt.schema))}(${cxt.data})`),
  });
  replace('uniqueItems', () => ({
    error: withValue('must NOT have duplicate items'),
    code: (cxt) => {
      if (cxt.schema) cxt.fail(_`${use(cxt, twins.find)}(${cxt.data})`);
    },
  }));
  replace('contains', () => ({
    code: (cxt) => {
      const follow = followers.ofSchema(cxt.schema);
      cxt.setParams({ min: 1 });
      cxt.pass(_`${cxt.data}.some(${use(cxt, (item: unknown) => follow(item))})`);
    },
  }));
  replace('enum', ({ code }) => ({
    code: (cxt) => {
      const values: readonly unknown[] = cxt.schema;
      if (values.length < LONG_ENUM || values.some((value) => typeof value === 'object')) code(cxt);
      else cxt.pass(_`${use(cxt, new Set(values))}.has(${cxt.data})`);
    },
  }));
}

/** With so many errors a validator looks at no further member: nobody reads them, and a client could send millions. */
const MOST_ERRORS = 10_000;

/** The longest text that a finding has for a place or a message, and that a validator writes for a member's name. */
export const LONGEST_TEXT = 5000;

/** The code of a validator, with every loop over members ended at that many errors, and long names cut in their paths. */
export function limitErrors(code: string): string {
  return code
    .replace(LOOP, `$&if(errors>=${MOST_ERRORS})break;`)
    .replace(NAME_IN_PATH, `$1.slice(0,${LONGEST_TEXT})$2`);
}

const LOOP = /\bfor\((?:let i\d+=\d+; i\d+<len\d+; i\d+\+\+|const key\d+ of Object\.keys\(\w+\))\)\{/g;
const NAME_IN_PATH = /\b(key\d+)(\.replace\(\/~\/g)/g;
