const ACCEPT = { Accept: 'application/json' };

const ITEM = { method: 'GET', path: '/categories/1', headers: ACCEPT };
const LIST = { method: 'GET', path: '/pets?limit=20', headers: ACCEPT };

/**
 * The requests that are measured, in the order in which each server gets them: the one that fills petstore-mock's
 * state comes last, so that the others always meet the store that the fixtures made. Where they are `distinct`, each has a
 * header of its own, so that no server can give an answer again.
 */
export const SCENARIOS = [
  { key: 'item', title: 'GET item', ...ITEM },
  { key: 'list', title: 'GET list of 20', ...LIST },
  { key: 'new item', title: 'GET item, each new', ...ITEM, distinct: true },
  { key: 'new list', title: 'GET list, each new', ...LIST, distinct: true },
  {
    key: 'post',
    title: 'POST',
    method: 'POST',
    path: '/categories',
    headers: { ...ACCEPT, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ferrets', description: 'Long, curious, and awake at night' }),
  },
];
