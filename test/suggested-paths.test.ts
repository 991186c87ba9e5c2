import { afterEach, describe, expect, test } from 'vitest';
import { createDocument } from '../bench/documents.js';
import { createMock } from '../src/index.ts';
import { closeAll, describeInProcess } from './support/adapters.ts';
import { documentOf } from './support/documents.ts';

afterEach(closeAll);

const RESPONSES = { responses: { 200: { description: '' } } };

const SPEC = documentOf(
  Object.fromEntries(
    [
      '/shops',
      '/shops/{shopId}/owners',
      '/shops/{shopId}/orders/{orderId}',
      '/shops/central/offers',
      '/shapes/{shapeId}/corners',
      '/reports/{from}-{to}.csv',
    ].map((path) => [path, { get: RESPONSES }]),
  ),
);

describeInProcess('An unknown path', (adapter) => {
  const suggest = async (spec: object, path: string) => {
    const { ask } = await adapter.open({ spec, auth: false });
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    return / Did you mean (.*)\?$/.exec(((await answer.json()) as { detail: string }).detail)?.[1];
  };

  test.each<[path: string, meant: string | undefined]>([
    ['/shop', '/shops'],
    ['/SHOPS', '/shops'],
    ['/shops/7/onwers', '/shops/7/owners'],
    ['/shops/7/order/3', '/shops/7/orders/3'],
    ['/shops/central/ofers', '/shops/central/offers'],
    // A literal fits as it stands, and a parameter beside it fits the same text.
    ['/shops/central/owner', '/shops/central/owners'],
    // Nearest to `shops` and `shapes` alike, of which only one has the rest.
    ['/shaps/7/corners', '/shapes/7/corners'],
    ['/shaps/7/owners', '/shops/7/owners'],
    ['/report/1-2.csv', '/reports/1-2.csv'],
    ['/shops/', '/shops'],
    // Two mistakes, a missing segment, an empty parameter, one segment too many, nothing alike.
    ['/shop/7/owner', undefined],
    ['/shop/7', undefined],
    ['/shops//owner', undefined],
    ['/shops/7/owners/8/9/10', undefined],
    ['/elsewhere', undefined],
  ])('%s is explained', async (path, meant) => {
    expect(await suggest(SPEC, path)).toBe(meant);
  });
});

describe('The suggestion for an unknown path', () => {
  /** CPU time of a hundred requests, none like the other: the least of several, because others use the machine too. */
  const measure = async (paths: number, toPath: (count: number) => string) => {
    const mock = await createMock({ spec: createDocument(paths), journal: 0 });
    expect(await (await mock.fetch('/thingz-1')).text()).toContain('Did you mean /things-1?');
    let count = 0;
    const ask = async () => {
      const answer = await mock.fetch(toPath(count++));
      expect(answer.status).toBe(404);
      await answer.text();
    };
    for (let warm = 0; warm < 200; warm++) await ask();
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      for (let asked = 0; asked < 100; asked++) await ask();
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };

  // Looking through all paths would take fifty times as long.
  test.each<[kind: string, toPath: (count: number) => string]>([
    ['with one letter wrong', (count) => `/thingz-${count % 40}`],
    ['with two letters wrong', (count) => `/thongz-${count}`],
    ['of thousands of segments', (count) => `/${'a/'.repeat(7_900)}${count}`],
    ['with a long segment', (count) => `/${'things-'.repeat(2_200)}${count}`],
  ])('takes no longer among 2,000 operations than among 40: %s', async (_, toPath) => {
    expect(await measure(2000, toPath)).toBeLessThan(10 * (await measure(40, toPath)));
  });
});
