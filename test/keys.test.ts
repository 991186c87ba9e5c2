import { describe, expect, test } from 'vitest';
import { findAddresses } from '../src/cli/addresses.ts';
import { main } from '../src/cli/cli.ts';
import { isColored, type Terminal } from '../src/cli/terminal.ts';

/** A terminal with a keyboard, and everything that was printed and opened. */
function createTerminal(given: Partial<Terminal> = {}) {
  const printed: string[] = [];
  const opened: string[] = [];
  let press = (_: string) => {};
  const terminal: Terminal = {
    ...{ env: {}, cwd: '/', isTTY: true },
    out: (text) => void printed.push(text),
    err: (text) => void printed.push(text),
    stopped: () => new Promise(() => {}),
    onKey(listener) {
      press = listener;
      return () => {};
    },
    open: async (url) => void opened.push(url),
    ...given,
  };
  return { terminal, text: () => printed.join(''), opened, press: (key: string) => press(key) };
}

async function waitFor(text: () => string, wanted: string | RegExp): Promise<void> {
  await expect.poll(text, { timeout: 5000 }).toMatch(wanted);
}

describe('At a terminal', () => {
  test('keys reset the state, open the overview and quit', async () => {
    const { terminal, text, opened, press } = createTerminal();
    const ended = main(['--port', '0', '--no-color'], terminal);
    await waitFor(text, /Ctrl\+C stops it\. Press h for the keys\./);
    const [, url = ''] = /listens on (\S+)/.exec(text()) ?? [];
    await fetch(`${url}/pets/1`, { method: 'DELETE' });
    expect((await fetch(`${url}/pets/1/profile`)).status).toBe(404);
    press('r');
    expect((await fetch(`${url}/pets/1/profile`)).status).toBe(200);
    press('o');
    expect(opened).toEqual([url]);
    press('h');
    expect(text()).toContain('  r  reset the state\n  o  open the overview in a browser\n  q  quit\n');
    press('q');
    expect(await ended).toBe(0);
  });

  test('Ctrl+C is a character, and ends the server', async () => {
    const { terminal, text, press } = createTerminal();
    const ended = main(['--port', '0'], terminal);
    await waitFor(text, 'Press h');
    press('\u0003');
    expect(await ended).toBe(0);
  });

  test('--open opens the overview, or says where it is', async () => {
    const fine = createTerminal();
    void main(['--port', '0', '--open'], fine.terminal);
    await expect.poll(() => fine.opened).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
    fine.press('q');
    const broken = createTerminal({ open: () => Promise.reject(new Error('no browser')) });
    const ended = main(['--port', '0', '--open'], broken.terminal);
    await waitFor(broken.text, /No browser could be opened \(no browser\)\. Open http:\S+ yourself\./);
    broken.press('q');
    expect(await ended).toBe(0);
  });
});

test.each<[env: Terminal['env'], isTTY: boolean, colored: boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
])('Colors with %j and a terminal: %j', (env, isTTY, colored) => {
  expect(isColored(createTerminal({ env, isTTY }).terminal)).toBe(colored);
});

test('A server for every network has a local URL', () => {
  expect(findAddresses('http://127.0.0.1:4010')).toEqual({ local: 'http://127.0.0.1:4010', network: [] });
  const { local, network } = findAddresses('http://0.0.0.0:4010');
  expect(local).toBe('http://127.0.0.1:4010');
  for (const url of network) expect(url).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:4010$/);
});
