import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, hash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readRelease } from '../../../electron/server/update/signedRelease.ts';
import { updateFeed } from '../../../tools/packages/updateFeed.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

type Step = { run?: string; uses?: string; env?: Record<string, string> };
type Workflow = { env: Record<string, string>; jobs: Record<string, Job> };
type Job = { steps: Step[]; env?: Record<string, string>; environment?: string };

const WORKFLOW = parse(readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8')) as Workflow;
const PRIVATE_KEY = 'secrets.PICKSTATION_RELEASE_KEY_TEXT';
const names = (value: unknown, text: string): boolean => JSON.stringify(value).includes(text);

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function keys(): { private: string; public: string } {
  const pair = generateKeyPairSync('ed25519');
  return {
    private: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    public: pair.publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

/** Writes a package and its list as electron-builder writes it. */
function packed(content: string, url = 'pickstation-1.2.3-linux-x64.AppImage'): string {
  const sha512 = hash('sha512', content, 'base64');
  return [
    'version: 1.2.3',
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `    size: ${content.length}`,
    '    blockMapSize: 12',
    `path: ${url}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-11-23T00:00:00.000Z'",
    '',
  ].join('\n');
}

/** Runs the tool that signs, in a copy of the repository without packages. */
function sign(folder: string, key: string) {
  for (const path of ['tools/release.ts', 'electron/server/update', 'package.json'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'key.pem'), key);
  return spawnSync(process.execPath, ['tools/release.ts', 'feed', 'built'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PICKSTATION_RELEASE_KEY: 'key.pem' },
  });
}

test('the key that signs updates is known to one job, which installs and builds nothing', () => {
  expect(names(WORKFLOW.env, 'secrets.')).toBe(false);
  const knowing = Object.entries(WORKFLOW.jobs).filter(([, job]) => names(job, PRIVATE_KEY));
  expect(knowing.map(([name]) => name)).toEqual(['sign']);
  const [, job] = knowing[0] ?? [];
  expect(job?.environment).toBe('release');
  expect(names(job?.env ?? {}, 'secrets.')).toBe(false);
  for (const { run = '', uses = '' } of job?.steps ?? []) {
    expect(run).not.toMatch(/\bnpm\b|\bnpx\b|node_modules|curl|wget/);
    expect(uses).toMatch(/^(?:|actions\/[\w-]+@[0-9a-f]{40})$/);
  }
});

test('no step that installs packages has a secret in its environment', () => {
  for (const [name, { env = {}, steps }] of Object.entries(WORKFLOW.jobs)) {
    const installs = steps.filter(({ run = '' }) => /\bnpm ci\b/.test(run));
    if (installs.length === 0) continue;
    expect(names([env, installs], 'secrets.'), name).toBe(false);
  }
});

test('a build knows the public key only', () => {
  const folder = temporary();
  const { private: secret, public: known } = keys();
  writeFileSync(join(folder, 'public.pem'), known);
  writeFileSync(join(folder, 'private.pem'), secret);
  const url = 'https://releases.example/';
  const publicFile = join(folder, 'public.pem');
  expect(updateFeed({ PICKSTATION_UPDATE_KEY: publicFile }, url)).toEqual({ url, key: known });
  expect(updateFeed({}, url)).toBeUndefined();
  expect(() => updateFeed({ PICKSTATION_UPDATE_KEY: publicFile }, undefined)).toThrow('-c.publish.url');
  expect(() => updateFeed({ PICKSTATION_UPDATE_KEY: join(folder, 'private.pem') }, url)).toThrow('private key');
  const both = { PICKSTATION_UPDATE_KEY: publicFile, PICKSTATION_RELEASE_KEY: join(folder, 'private.pem') };
  expect(() => updateFeed(both, url)).toThrow('PICKSTATION_RELEASE_KEY');
});

test('lists are signed without any package, if the files are those that were built', () => {
  const folder = temporary();
  const { private: secret, public: known } = keys();
  for (const name of ['feed', 'built']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'built', 'latest-linux.yml'), packed('program'));
  const file = join(folder, 'feed', 'pickstation-1.2.3-linux-x64.AppImage');
  expect(sign(folder, secret).stderr).toContain('pickstation-1.2.3-linux-x64.AppImage is not in feed');
  writeFileSync(file, 'another');
  expect(sign(folder, secret).stderr).toContain('pickstation-1.2.3-linux-x64.AppImage is not the file of the list');
  writeFileSync(file, 'program');
  expect(sign(folder, secret)).toMatchObject({ status: 0 });
  const text = readFileSync(join(folder, 'feed', 'latest-linux.json'), 'utf8');
  const release = readRelease(text, 'latest-linux', known);
  expect(release).toMatchObject({
    version: '1.2.3',
    files: [{ url: 'pickstation-1.2.3-linux-x64.AppImage', size: 7 }],
  });
});

test('a list with anything else in it is not signed', () => {
  const folder = temporary();
  const { private: secret } = keys();
  for (const name of ['feed', 'built']) mkdirSync(join(folder, name));
  for (const url of ['../pickstation.AppImage', 'https://elsewhere.example/pickstation.AppImage']) {
    writeFileSync(join(folder, 'built', 'latest-linux.yml'), packed('program', url));
    expect(sign(folder, secret).stderr).toContain('is not the name of a file');
  }
  writeFileSync(join(folder, 'built', 'latest-linux.yml'), `${packed('program')}stagingPercentage: 10\n`);
  expect(sign(folder, secret).stderr).toContain('stagingPercentage');
});
