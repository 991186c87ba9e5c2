import { afterEach, expect, test } from 'vitest';
import { closeAll, describeAdapters, json } from './support/adapters.ts';
import { create } from './support/asking.ts';
import {
  INTEGER,
  inPath,
  TEXT,
  toCrud,
  toDocument,
  toList,
  toObject,
  toReference,
} from './support/small-documents.ts';

afterEach(closeAll);

const SHELF = toObject({ id: INTEGER, label: TEXT }, 'label');
const TAG = toObject({ id: INTEGER, word: TEXT }, 'word');
const BOOK = toObject(
  {
    id: INTEGER,
    title: TEXT,
    shelf: toReference('Shelf'),
    tags: toList(toReference('Tag')),
    shelfId: INTEGER,
  },
  'title',
);
const DOCUMENT = toDocument(
  {
    ...toCrud('/shelves', inPath('id'), toReference('Shelf')),
    ...toCrud('/tags', inPath('id'), toReference('Tag')),
    ...toCrud('/books', inPath('id'), toReference('Book')),
  },
  { Shelf: SHELF, Tag: TAG, Book: BOOK },
);

describeAdapters('an entity inside another one', ({ open }) => {
  test.each<[what: string, sent: object, shown: object]>([
    ['its key beside it', { shelfId: 1 }, { shelf: { id: 1, label: 'Travel' } }],
    ['a part of it with its key', { shelf: { id: 1, label: '?' } }, { shelf: { id: 1, label: 'Travel' } }],
    ['a key that nothing has', { shelf: { id: 7, label: 'New' } }, { shelf: { id: 7, label: 'New' } }],
    [
      'parts in a list',
      {
        tags: [
          { id: 2, word: '?' },
          { id: 9, word: 'own' },
        ],
      },
      {
        tags: [
          { id: 2, word: 'warm' },
          { id: 9, word: 'own' },
        ],
      },
    ],
  ])('is the stored one where a client sends %s', async (_, sent, shown) => {
    const { ask } = await open({ spec: DOCUMENT, empty: true });
    await create(ask, '/shelves', { label: 'Travel' });
    for (const word of ['cold', 'warm']) await create(ask, '/tags', { word });
    const made = await create(ask, '/books', { title: 'Iceland', ...sent });
    expect(made).toMatchObject({ title: 'Iceland', ...shown });
    await create(ask, '/shelves', { label: 'Other' });
    const changed = await ask(`/books/${made.id}`, json('PATCH', { shelfId: 2 }));
    expect(await changed.json()).toMatchObject({ shelfId: 2, shelf: { id: 2, label: 'Other' } });
  });
});
