import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const execute = promisify(execFile);

/** What leaks shows soon, and `GROWTH=full` takes three minutes to see that it never does. */
const FULL = process.env.GROWTH === 'full';
const RELOADS = FULL ? 1_000 : 100;
const REQUESTS = FULL ? 1_000_000 : 30_000;

/** The built library: what a user runs, and what no test tool has instrumented. */
const LIBRARY = new URL('../dist/index.js', import.meta.url).href;

/** Runs a part of a program that says how much more memory is in use in the end, in MiB. */
async function measureGrowth(body: string): Promise<number> {
  const program = `
    import { createMock } from ${JSON.stringify(LIBRARY)};
    const use = () => {
      // What the first collection finalizes, the second one frees.
      gc();
      gc();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    const mock = await createMock();
    const ask = async (path, init) => {
      const response = await mock.fetch(path, init);
      await response.text();
      return response;
    };
    const send = (path, method, body) =>
      ask(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const live = async (name) => {
      const created = await send('/pets', 'POST', { name, categoryId: 1 });
      await ask(created.headers.get('Location'), { method: 'DELETE' });
    };
    ${body}`;
  const { stdout } = await execute(process.execPath, ['--expose-gc', '--input-type=module', '-e', program]);
  return Number(stdout);
}

describe('Memory stays where it was', { timeout: 400_000 }, () => {
  test(`after ${RELOADS.toLocaleString('en-US')} reloads, each with requests that have their schemas compiled`, async () => {
    const growth = await measureGrowth(`
      const reload = async (times) => {
        for (let count = 0; count < times; count++) {
          await mock.reload();
          await live('Rex');
          await ask('/pets?limit=5');
          await ask('/pets/1', { headers: { Prefer: 'code=404' } });
        }
      };
      await reload(50);
      const before = use();
      await reload(${RELOADS});
      console.log(use() - before);`);
    // A document in each of a thousand would be 300, its validators 100. V8 itself keeps 2.5 kB of code for each.
    expect(growth).toBeLessThan(5);
  });

  test(`after ${REQUESTS.toLocaleString('en-US')} requests, each like no other`, async () => {
    const growth = await measureGrowth(`
      const request = async (times) => {
        for (let count = 0; count < times / 5; count++) {
          await live('Rex ' + count);
          await ask('/pets?limit=5&offset=' + count);
          await ask('/nothing/' + count);
          await ask('/pets/' + (1000 + count), { headers: { Prefer: 'code=404', Accept: 'a/b' + count + ', */*' } });
        }
      };
      await request(10_000);
      const before = use();
      await request(${REQUESTS});
      console.log(use() - before);`);
    // A hundred bytes for each of thirty thousand would be 3.
    expect(growth).toBeLessThan(1.5);
  });
});

test('20,000 logins hold at most 8 MiB', { timeout: 400_000 }, async () => {
  const spec = fileURLToPath(new URL('./documents/accounts.yaml', import.meta.url));
  const growth = await measureGrowth(`
    const users = await createMock({ spec: ${JSON.stringify(spec)} });
    const body = 'username=anna%40example.com&password=any';
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const login = async (times) => {
      for (let count = 0; count < times; count++)
        await (await users.fetch('/auth/token', { method: 'POST', headers, body })).text();
    };
    await login(1000);
    const before = use();
    await login(20_000);
    console.log(use() - before);
    await users.fetch('/users/me');`);
  expect(growth).toBeLessThan(8);
});
