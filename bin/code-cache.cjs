// Keeps the compiled code of the program for the next start, as Node 22 and later do by themselves.
const {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { createRequire, Module } = require('node:module');
const { homedir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

/** The parts of the program, whose names tell their content. */
const PART = /-[A-Z\d]{8}\.cjs$/;
/** The folder of the packages that are loaded late, beside the parts. */
const LATE = 'late';
/** By then, a start has run what the next one will need. */
const STORE_MS = 1_000;
const MOST_TRIES = 30;
/** A program has a few parts, so this is enough for several versions. */
const MOST_FILES = 32;
const CHECKSUM_BYTES = 4;
const OPEN = '(function (exports, require, module, __filename, __dirname) {';

/** Compiles the parts of the program in a folder from what an earlier process has kept. Without a safe place for it, all is as ever. */
exports.keepCompiledCode = function keepCompiledCode(program) {
  const { env } = process;
  // Code that was compiled before counts no calls for a report of coverage.
  if (!process.getuid || env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return;
  const folder = quietly(() => findFolder(env.XDG_CACHE_HOME));
  if (folder === undefined) return;
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (source, file, ...rest) {
    if (!isKept(file, program)) return compile.call(this, source, file, ...rest);
    const run = compileKept(source, file, folder).runInThisContext();
    return run.call(this.exports, this.exports, createRequire(file), this, file, dirname(file));
  };
};

function isKept(file, program) {
  const folder = dirname(file);
  return folder === program ? PART.test(file) : folder === join(program, LATE);
}

function findFolder(base = '') {
  const { arch, version } = process;
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'petstore-mock', `${version}-${arch}`);
}

function compileKept(source, file, folder) {
  const kept = join(folder, `${basename(file)}.bin`);
  const cachedData = read(kept, source, folder);
  const script = new Script(`${OPEN}${source}\n})`, {
    filename: file,
    columnOffset: -OPEN.length,
    cachedData,
  });
  if (!cachedData || script.cachedDataRejected) storeSoon(kept, script, source, cachedDataVersionTag());
  return script;
}

/** V8 takes compiled code only under the flags that it was stored with, and a start that takes long may have changed one by then. */
function storeSoon(kept, script, source, tag, tries = MOST_TRIES) {
  setTimeout(() => {
    if (cachedDataVersionTag() === tag) quietly(() => store(kept, script, source));
    else if (tries > 1) storeSoon(kept, script, source, tag, tries - 1);
  }, STORE_MS).unref();
}

/** V8 trusts what it is given, so nothing is read that another user could have written, or that is not what was stored. */
function read(kept, source, folder) {
  return quietly(() => {
    if (!isOwn(folder)) return undefined;
    const bytes = readFileSync(kept);
    const code = bytes.subarray(0, -CHECKSUM_BYTES);
    return bytes.readUInt32LE(code.length) === toChecksum(code, source) ? code : undefined;
  });
}

function store(kept, script, source) {
  const folder = dirname(kept);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOwn(folder)) return;
  const code = script.createCachedData();
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(toChecksum(code, source));
  const temporary = `${kept}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([code, checksum]), { mode: 0o600 });
    // Another process may store or read the same at this moment.
    renameSync(temporary, kept);
  } finally {
    rmSync(temporary, { force: true });
  }
  removeOldest(folder);
}

/** Removes what was stored first, such as that of builds that are gone. */
function removeOldest(folder) {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const byTime = files.map((file) => ({ file, time: lstatSync(file).mtimeMs }));
  byTime.sort((one, other) => other.time - one.time);
  for (const { file } of byTime.slice(MOST_FILES)) rmSync(file, { force: true });
}

function isOwn(folder) {
  const { mode, uid } = lstatSync(folder);
  return uid === process.getuid() && (mode & 0o170_022) === 0o040_000;
}

function toChecksum(code, source) {
  return crc32(source, crc32(code));
}

function quietly(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
