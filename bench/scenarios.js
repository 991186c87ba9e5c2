const ACCEPT = { Accept: 'application/json' };

/**
 * The requests that are measured, in the order in which each server gets them: the one that fills petstore-mock's
 * state comes last, so that the others always meet the store that the fixtures made.
 */
export const SCENARIOS = [
  { key: 'item', title: 'GET item', method: 'GET', path: '/categories/1', headers: ACCEPT },
  { key: 'list', title: 'GET list of 20', method: 'GET', path: '/pets?limit=20', headers: ACCEPT },
  {
    key: 'post',
    title: 'POST',
    method: 'POST',
    path: '/categories',
    headers: { ...ACCEPT, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ferrets', description: 'Long, curious, and awake at night' }),
  },
];
