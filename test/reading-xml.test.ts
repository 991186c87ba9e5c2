import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../src/base/problem.ts';
import { createSchemaReader, toShape } from '../src/schema/schema.ts';
import { readXml } from '../src/wire/codecs/codecs.ts';

const STRING = { type: 'string' };
/** With the names of components, as a prepared document has them. */
const SCHEMAS = {
  PetInput: {
    key: 'PetInput',
    type: 'object',
    properties: { name: STRING, tags: { type: 'array', xml: { wrapped: true }, items: STRING } },
  },
  Named: { key: 'Named', type: 'object', xml: { name: 'pet' }, properties: { name: STRING } },
  Either: {
    key: 'Either',
    oneOf: [{ $ref: '#/components/schemas/PetInput' }, { $ref: '#/components/schemas/Named' }],
  },
  Names: { key: 'Names', type: 'array', items: STRING },
  Open: { key: 'Open', type: 'object' },
};

const reader = createSchemaReader({ components: { schemas: SCHEMAS } });
const shapeOf = (name: string) => toShape(reader.read({ $ref: `#/components/schemas/${name}` }));

test.each([
  ['PetInput', '<PetInput><name>a</name></PetInput>', { name: 'a' }],
  ['PetInput', '<petinput/>', {}],
  ['PetInput', '<pet><name>a</name></pet>', { name: 'a' }],
  ['PetInput', '<pet><tags><x>a</x></tags></pet>', { tags: ['a'] }],
  ['Named', '<x:pet xmlns:x="urn:x"><name>a</name></x:pet>', { name: 'a' }],
  ['Either', '<anything><name>a</name></anything>', { name: 'a' }],
  ['Names', '<list><x>a</x></list>', ['a']],
  ['Open', '<thing><a>1</a></thing>', { a: '1' }],
])('A %s is read from %s', async (name, xml, value) => {
  expect(await readXml(xml, shapeOf(name))).toEqual(value);
});

test.each([
  ['PetInput', '<pet><nome>a</nome></pet>', 'body: must be the element PetInput, not pet'],
  ['Named', '<Pet><name>a</name></Pet>', 'body: must be the element pet, not Pet'],
  ['Names', '<Names>a, b</Names>', 'body: must hold a list of elements, not text'],
  ['PetInput', '<pet><tags>a, b</tags></pet>', 'body.tags: must hold a list of elements, not text'],
])('A %s is not read from %s', async (name, xml, message) => {
  await expect(readXml(xml, shapeOf(name))).rejects.toMatchObject({ status: 422, message });
});

test('Any XML is read, or refused with a Problem of a client that names a hundred places at most', async () => {
  const names = fc.constantFrom('PetInput', 'pet', 'name', 'tags', 'x:tags', '__proto__', 'constructor');
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('', ' ', 'text', '&amp;', '<![CDATA[<]]>', '<!-- -->'),
      fc
        .tuple(names, fc.array(tie('tree'), { maxLength: 4 }))
        .map(([name, inside]) => `<${name}>${inside.join('')}</${name}>`),
    ),
  }));
  const schemas = fc.constantFrom(...Object.keys(SCHEMAS));
  await fc.assert(
    fc.asyncProperty(schemas, fc.array(tree, { maxLength: 5 }), async (name, parts) => {
      try {
        await readXml(`<pet xmlns:x="urn:x">${parts.join('')}</pet>`, shapeOf(name));
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        const { status, violations } = error as Problem;
        expect([400, 422]).toContain(status);
        expect(violations.length).toBeLessThanOrEqual(100);
      }
    }),
  );
  const many = `<PetInput>${'<tags>a</tags>'.repeat(5000)}</PetInput>`;
  const error = await readXml(many, shapeOf('PetInput')).catch((reason: unknown) => reason);
  expect((error as Problem).violations).toHaveLength(100);
});
