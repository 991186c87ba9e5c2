// `npm run test:examples`: packs the package once, and runs the tests of each example project with it. The test runners and React are those of
// this repository, so that nothing has to be fetched.
//
//   node examples/run.js                runs all of them
//   node examples/run.js vitest jest    runs these
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(EXAMPLES, '../node_modules');
const OWN = 'petstore-mock';
const NEEDS_CHROMIUM = new Set(['react-playwright', 'msw-browser']);
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

const asked = process.argv.slice(2);
const projects = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
const unknown = asked.filter((name) => !projects.includes(name));
if (unknown.length > 0)
  throw new Error(`No example ${unknown.join(', ')}. There are ${projects.join(', ')}.`);

const PORT = await findPort();
const folder = await mkdtemp(join(tmpdir(), 'examples-'));
try {
  await pack();
  for (const name of asked.length > 0 ? asked : projects) await check(name);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Unpacks the package as an installation would. It needs no other package. */
async function pack() {
  const packing = ['pack', '--ignore-scripts', '--pack-destination', folder];
  await run('npm', packing, join(EXAMPLES, '..')).then(stopAtFailure);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  const target = join(folder, 'node_modules', OWN);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], folder).then(stopAtFailure);
}

async function check(name) {
  if (NEEDS_CHROMIUM.has(name) && !CHROMIUM) {
    console.log(`skipped ${name}: this machine has no Chromium`);
    return;
  }
  const skipped =
    name === 'playwright' && !CHROMIUM ? ' without its pages: this machine has no Chromium' : '';
  const started = performance.now();
  const project = join(folder, name);
  await cp(join(EXAMPLES, name), project, {
    recursive: true,
    filter: (file) => !/[\\/](node_modules|dist|public|test-results)$/.test(file),
  });
  await linkPackages(project);
  const args = skipped ? ['--', '--project', 'api'] : [];
  const { code, output } = await run('npm', ['test', '--silent', ...args], project);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name}${skipped} (${seconds} s)`);
  if (code === 0) return;
  console.log(output);
  process.exitCode = 1;
}

/** Puts the packages of this repository beside the unpacked one, where the project asks for them. */
async function linkPackages(project) {
  const { devDependencies = {} } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  for (const name of Object.keys(devDependencies)) {
    const link = join(folder, 'node_modules', name);
    if (existsSync(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(MODULES, name), link, 'junction');
  }
}

/** Finds a free port for the server of an app. */
async function findPort() {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

function run(command, args, cwd) {
  const PATH = `${join(MODULES, '.bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, PORT, ...(CHROMIUM && { CHROMIUM }) };
  const child = spawn(command, args, { cwd, env, shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      output += bytes;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function stopAtFailure({ code, output }) {
  if (code !== 0) throw new Error(output);
}
