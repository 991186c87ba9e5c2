import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { plainEnvironment } from './support/command.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The tests of a project: they call the operations of their shard, or all of the first list. */
const TESTS = `
const CALLS = {
  unit: ['GET /pets', 'GET /pets/1', 'GET /pets/1/profile', 'DELETE /pets/1', 'GET /categories', 'GET /categories/1',
    'DELETE /categories/8', 'GET /store/orders', 'GET /store/orders/1', 'GET /store/inventory', 'GET /store/inventory/2'],
  '1/2': ['GET /pets', 'GET /store/inventory/summary'],
  '2/2': ['DELETE /store/orders/13'],
};
const shard = process.argv.find((word) => word.startsWith('--shard='))?.slice('--shard='.length) ?? 'unit';
for (const call of CALLS[shard].slice(0, process.env.MOST_CALLS)) {
  const [method, path] = call.split(' ');
  await fetch(process.env.PETSTORE_MOCK_URL + path, { method });
}`;

/** Has a folder for each job, and the artifacts that jobs hand on. */
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Sets a project up in a folder of its own, as a runner does for each job. */
async function checkOut(job: string): Promise<string> {
  const project = join(folder, job);
  const own = join(project, 'node_modules/petstore-mock');
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(ROOT, own, 'junction');
  await symlink(join(own, 'bin/petstore-mock.js'), join(project, 'node_modules/.bin/petstore-mock'));
  const scripts = { test: 'node tests.mjs', e2e: 'node tests.mjs' };
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, scripts }));
  await writeFile(join(project, 'tests.mjs'), TESTS);
  return project;
}

/** Runs lines in one shell each, as a runner does, until one of them fails. */
async function runLines(lines: readonly string[], cwd: string, given: NodeJS.ProcessEnv = {}) {
  const env = { ...plainEnvironment(), npm_config_offline: 'true', ...given };
  let output = '';
  for (const line of lines) {
    const code = await new Promise<number>((resolve) => {
      execFile('bash', ['-eo', 'pipefail', '-c', line], { cwd, env }, (error, stdout, stderr) => {
        output += stdout + stderr;
        resolve(error ? Number(error.code) : 0);
      });
    });
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

interface GitHubStep {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface GitHubJob {
  readonly steps: readonly GitHubStep[];
  readonly strategy?: { readonly matrix: { readonly shard: readonly number[] } };
}

/** Runs the steps of a job in each shard. */
async function runGitHub(name: string, { steps, strategy }: GitHubJob, env: NodeJS.ProcessEnv = {}) {
  const shards = strategy?.matrix.shard ?? [0];
  const runs = shards.map(async (shard) => {
    const cwd = await checkOut(`${name}-${shard}`);
    let code = 0;
    for (const step of JSON.parse(JSON.stringify(steps).replaceAll(`\${{ matrix.shard }}`, String(shard)))) {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: The syntax of GitHub.
      if (code === 0 || step.if === '${{ !cancelled() }}') code = (await runStep(step, cwd, env)) || code;
    }
    return { code, cwd };
  });
  return await Promise.all(runs);
}

async function runStep({ uses = '', run, ...step }: GitHubStep, cwd: string, env: NodeJS.ProcessEnv) {
  const { path = '', name = '' } = step.with ?? {};
  const artifacts = join(folder, 'artifacts');
  if (uses.startsWith('actions/upload-artifact')) await cp(join(cwd, path), join(artifacts, name, path));
  if (uses.startsWith('actions/download-artifact')) await cp(artifacts, join(cwd, path), { recursive: true });
  if (run === undefined || run === 'npm ci') return 0;
  const { code } = await runLines([run], cwd, { GITHUB_STEP_SUMMARY: 'summary.md', ...env });
  return code;
}

const github = await readExample('github-actions.yml');
const gitlab = await readExample('gitlab-ci.yml');

async function readExample(file: string) {
  return parse(await readFile(join(ROOT, 'examples/ci', file), 'utf8'));
}

test('The pipeline of GitHub merges its shards, and shows the coverage on its page', async () => {
  const { unit, e2e, contract } = github.jobs;
  const jobs = [...(await runGitHub('unit', unit)), ...(await runGitHub('e2e', e2e))];
  expect(jobs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(contract.needs).toEqual(['unit', 'e2e']);
  const [merged] = await runGitHub('contract', contract);
  expect(merged?.code).toBe(0);
  expect(await readFile(join(String(merged?.cwd), 'summary.md'), 'utf8')).toContain('13 of 21 | 61 %');
  expect(await readFile(join(folder, 'artifacts/contract/contract.html'), 'utf8')).toContain('13 of 21');
});

test('The pipeline of GitHub fails where too little is covered, and shows the coverage all the same', async () => {
  const [unit] = await runGitHub('unit', github.jobs.unit, { MOST_CALLS: '10' });
  expect(unit?.code).toBe(1);
  expect(await readFile(join(String(unit?.cwd), 'summary.md'), 'utf8')).toContain('10 of 21 | 47 %');
});

interface GitLabJob {
  readonly script: readonly string[];
  readonly parallel?: number;
  readonly artifacts: { readonly paths: readonly string[]; readonly reports?: { readonly junit: string } };
}

/** Runs the script of a job, as often as it says, with the artifacts of those before. */
async function runGitLab(name: string, { script, parallel = 1, artifacts }: GitLabJob) {
  const handed = join(folder, 'artifacts');
  await mkdir(handed, { recursive: true });
  const runs = Array.from({ length: parallel }, async (_, place) => {
    const cwd = await checkOut(`${name}-${place}`);
    await cp(handed, cwd, { recursive: true });
    const env = { CI_NODE_INDEX: String(place + 1), CI_NODE_TOTAL: String(parallel) };
    return { cwd, ran: await runLines(script, cwd, env) };
  });
  const ended = await Promise.all(runs);
  // One after the other, because shards hand over files of the same folder.
  for (const { cwd } of ended)
    for (const path of [...artifacts.paths, ...Object.values(artifacts.reports ?? {})]) {
      await mkdir(dirname(join(handed, path)), { recursive: true });
      await cp(join(cwd, path), join(handed, path), { recursive: true });
    }
  return ended.map(({ ran }) => ran);
}

test('The pipeline of GitLab merges its shards, and shows the coverage in the merge request', async () => {
  const { unit, e2e, contract, stages } = gitlab;
  const jobs = [...(await runGitLab('unit', unit)), ...(await runGitLab('e2e', e2e))];
  expect(jobs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect([unit.stage, e2e.stage, contract.stage]).toEqual(['test', 'test', 'contract']);
  expect(stages).toEqual(['test', 'contract']);
  const [merged] = await runGitLab('contract', contract);
  expect(merged?.code).toBe(0);
  // GitLab takes the number that the expression finds in the log.
  const share = new RegExp(contract.coverage.slice(1, -1), 'm').exec(String(merged?.output));
  expect(share?.[1]).toBe('61');
  expect(await readFile(join(folder, 'artifacts/contract.xml'), 'utf8')).toContain('<testsuite');
  expect(await readFile(join(folder, 'artifacts/contract.html'), 'utf8')).toContain('13 of 21');
});
