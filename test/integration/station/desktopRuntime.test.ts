import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fetchRuntime, findRuntime, sandboxAdvice } from '../../../electron/headless/runtime.ts';

/** Creates a program folder whose Electron package has this install script. */
function rootWith(script: string): { root: string; note: string; tries: string; program: string } {
  const root = mkdtempSync(join(tmpdir(), 'pickstation-runtime-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const electron = join(root, 'node_modules', 'electron');
  mkdirSync(electron, { recursive: true });
  writeFileSync(join(electron, 'package.json'), '{"version":"45.0.0"}');
  writeFileSync(join(electron, 'install.js'), script);
  const program = join(electron, 'dist', 'electron');
  return { root, note: join(root, 'dist', 'no-electron.txt'), tries: join(electron, 'tries'), program };
}

/** Starts a server that imitates the runtime's download server. `looks` returns the number of requests so far. */
async function mirror(): Promise<{ url: string; looks: () => number; close: () => Promise<void> }> {
  let looks = 0;
  const server = createServer((_req, res) => {
    looks += 1;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/`, looks: () => looks, close };
}

const FAILS = `require('node:fs').writeFileSync(__dirname + '/tries', 'one'); process.exit(1);`;
const WORKS = `const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync(__dirname + '/dist');
writeFileSync(__dirname + '/dist/electron', '');
writeFileSync(__dirname + '/path.txt', 'electron');`;

test.runIf(process.platform === 'linux')('downloads the runtime if possible, and finds it afterwards', async () => {
  const { root, note, program } = rootWith(WORKS);
  const { url } = await mirror();
  expect(findRuntime(root, {})).toBeUndefined();
  expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: url })).toBe(program);
  expect(findRuntime(root, {})).toBe(program);
  expect(existsSync(note)).toBe(false);
});

test('does not retry a failed download until the version changes', async () => {
  const { root, note, tries } = rootWith(FAILS);
  const { url, looks } = await mirror();
  expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: url })).toBeUndefined();
  expect([existsSync(tries), looks()]).toEqual([true, 1]);
  expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: url })).toBeUndefined();
  expect(looks()).toBe(1);
  writeFileSync(join(root, 'node_modules', 'electron', 'package.json'), '{"version":"46.0.0"}');
  expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: url })).toBeUndefined();
  expect(looks()).toBe(2);
});

test('does not run the install script without internet', async () => {
  const { root, note, tries } = rootWith(FAILS);
  const { url: gone, close } = await mirror();
  await close();
  expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: gone })).toBeUndefined();
  expect([existsSync(tries), existsSync(note)]).toEqual([false, true]);
});

test('does not download if the environment names a runtime or forbids the download', async () => {
  const { root, note, tries } = rootWith(FAILS);
  const { url, looks } = await mirror();
  for (const name of ['ELECTRON_OVERRIDE_DIST_PATH', 'ELECTRON_SKIP_BINARY_DOWNLOAD']) {
    expect(await fetchRuntime(root, note, { ELECTRON_MIRROR: url, [name]: '/elsewhere' })).toBeUndefined();
  }
  expect([existsSync(tries), existsSync(note), looks()]).toEqual([false, false, 0]);
});

test('does not download without the Electron package', async () => {
  const { root, note } = rootWith(FAILS);
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(await fetchRuntime(root, note, {})).toBeUndefined();
  expect(existsSync(note)).toBe(false);
});

const isUser = process.platform === 'linux' && process.getuid?.() !== 0;

test.runIf(isUser)('reports that the system forbids namespaces, and how to allow the sandbox', () => {
  const { root, program } = rootWith(WORKS);
  const kernel = join(root, 'proc', 'kernel');
  mkdirSync(kernel, { recursive: true });
  expect(sandboxAdvice(program, join(root, 'proc'))).toBeUndefined();
  writeFileSync(join(kernel, 'apparmor_restrict_unprivileged_userns'), '1\n');
  expect(sandboxAdvice(program, join(root, 'proc'))).toContain('sudo chmod 4755');
});

test.runIf(process.platform === 'linux' && !isUser)('does not give sandbox advice to root', () => {
  const { program } = rootWith(WORKS);
  expect(sandboxAdvice(program, '/nowhere')).toBeUndefined();
});
