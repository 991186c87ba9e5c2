// Runs the server from src/ and restarts it at every save: `npm run dev`. Arguments go to the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import { build, context } from 'esbuild';
import { BUNDLE, ROOT, removeLeftovers, toLateBundle } from './bundle.js';

/** Editors save in several steps. A change counts when the files have been left alone for this long. */
const SETTLE_MS = 50;
/** How long a server may take to answer its open requests when it is stopped. */
const STOP_MS = 500;

/** What `bin/petstore-mock.js` does. The channel closes when this process is killed, and then the server must end too. */
const START = `
  import { main } from './src/cli/cli.ts';
  process.once('disconnect', () => process.exit());
  process.channel.unref();
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
`;

/** Two thirds of all the code, and only `check` loads it. */
const UNBUNDLED = ['@stoplight/prism-http'];

const PREFIX = '.dev-';
/** One folder for each process, so that two of them can run in one checkout. It lies as deep as `dist/`. */
const folder = join(ROOT, PREFIX + process.pid);
const args = process.argv.slice(2);

let program;
let watcher;
/** The running server, and the file that it was started from. */
let server;
let served;
/** Restarts and the end take turns. */
let turn = Promise.resolve();
let isEnding = false;

// npm passes on a Ctrl+C that the terminal has sent already, so a signal may come twice.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!isEnding) turn = turn.then(end);
    isEnding = true;
  });
}

takeTurn(prepare);
takeTurn(restart);

function takeTurn(act) {
  turn = turn.then(() => (isEnding ? undefined : act()));
}

async function prepare() {
  await removeLeftovers(PREFIX);
  await build({ ...toLateBundle(UNBUNDLED), outdir: join(folder, 'late') });
  program = await context({
    ...BUNDLE,
    stdin: { contents: START, sourcefile: 'start.js', resolveDir: ROOT },
    outdir: folder,
    // With a hash in each name, a build goes beside the files of the running server, never over them.
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    metafile: true,
    minifySyntax: false,
    minifyWhitespace: false,
    sourcemap: 'linked',
    sourcesContent: false,
    external: UNBUNDLED,
  });
  watcher = watch(['src', 'spec', 'fixtures'], { cwd: ROOT, ignoreInitial: true, ignored: isOther });
  await once(watcher, 'ready');
  let timer;
  watcher.on('all', (_, path) => {
    // A running server reloads its document and fixtures itself, and keeps its state.
    if (server && !path.startsWith('src')) return;
    clearTimeout(timer);
    timer = setTimeout(() => takeTurn(() => restart(path)), SETTLE_MS);
  });
}

/** Whether a file is something else than a source, such as what editors leave beside those that they save. */
function isOther(path, stats) {
  return stats?.isFile() === true && !/^[^.].*\.(ts|ya?ml|json)$/.test(basename(path));
}

/** Builds, and changes servers if that worked. */
async function restart(changed) {
  const started = performance.now();
  const built = await rebuild();
  if (!built) {
    say(server ? 'The last good server goes on.' : 'Nothing runs until the next save.');
    return;
  }
  // The name has a hash of everything, so an equal name is an equal program: one save can count twice.
  if (server && served === built.entry) return;
  if (changed) say(`${changed} changed. Built in ${Math.round(performance.now() - started)} ms.`);
  await stop();
  if (!isEnding) start(built.entry);
  await removeAllBut(built.files);
}

/** A fresh build; `undefined` if it failed. esbuild has explained that already. */
async function rebuild() {
  try {
    const { outputs } = (await program.rebuild()).metafile;
    const entry = Object.keys(outputs).find((name) => outputs[name].entryPoint === 'start.js');
    return { entry: join(ROOT, entry), files: Object.keys(outputs).map((name) => basename(name)) };
  } catch {
    return undefined;
  }
}

function start(entry) {
  const started = spawn(process.execPath, ['--enable-source-maps', entry, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { PETSTORE_MOCK_WATCH: 'true', ...process.env },
  });
  started.on('exit', (code) => {
    if (server !== started) return;
    server = undefined;
    if (code !== 0 && !isEnding) say('The server has ended. The next save starts it again.');
  });
  server = started;
  served = entry;
}

async function stop() {
  const stopped = server;
  if (!stopped) return;
  server = undefined;
  const exited = once(stopped, 'exit');
  stopped.kill();
  const force = setTimeout(() => stopped.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(force);
}

async function end() {
  await watcher?.close();
  await stop();
  await program?.dispose();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

async function removeAllBut(files) {
  const names = (await readdir(folder)).filter((name) => name !== 'late' && !files.includes(name));
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

function say(text) {
  console.log(`dev: ${text}`);
}
