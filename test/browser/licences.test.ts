import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { build, type Rolldown } from 'vite';
import type { Notices } from '#shared/lib/station/thirdParty.ts';
import { mayShip } from '../../tools/lint/licences.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures } from './window.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'dist', 'renderer');

const shop = useShop('licences');

beforeEach(() => shop.start(1));

const readNotices = () => JSON.parse(readFileSync(join(PAGE, 'notices.json'), 'utf8')) as Notices;

test('Help leads to the licenses of every package in this build', async () => {
  const { packages, texts } = readNotices();
  const window = await shop.open();
  const { page, complaints } = window;
  await page.goto(`${shop.url}help`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  expect(asked).not.toContain('/notices.json');
  await page.getByRole('link', { name: 'Licenses' }).click();
  const list = page.getByRole('list', { name: 'Licenses by name' });
  await list.waitFor();
  expect(asked).toContain('/notices.json');
  expect(await list.getByRole('listitem').count()).toBe(packages.length);
  expect(await findBarriers(window)).toEqual([]);
  await takePictures(window, 'licences');

  await page.getByText('cssparser', { exact: true }).click();
  await page.getByText('Mozilla Public License Version 2.0').waitFor();
  const text = texts[packages.find(({ name }) => name === 'cssparser')?.text ?? -1] ?? '';
  expect(await list.locator('pre').textContent()).toBe(text);
  expect(await findBarriers(window)).toEqual([]);
  await takePictures(window, 'licences-open');
  for (const width of [1_280, 820, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await measureOverflow(page), `${width}`).toBe(0);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await takePictures(window, 'licences-phone');

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'All as text' }).click(),
  ]);
  expect(readFileSync(await saved.path(), 'utf8')).toBe(readFileSync(join(PAGE, 'THIRD-PARTY-NOTICES.txt'), 'utf8'));
  expect(complaints).toEqual([]);
});

test('the built notices contain every bundled package with its text and a license compatible with ours', async () => {
  const { packages, texts } = readNotices();
  const named = new Set(packages.map(({ name }) => name));
  expect(packages.filter(({ text }) => (texts[text] ?? '') === '')).toEqual([]);
  expect(packages.filter(({ name, licence }) => !mayShip(name, licence))).toEqual([]);

  // Find the packages in the source maps, which the build does not use for the notices.
  const built = (await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false, sourcemap: true },
  })) as Rolldown.RolldownOutput;
  const maps = built.output.flatMap((one) => {
    if (one.type === 'chunk') return one.map === null ? [] : [one.map.sources];
    return one.fileName.endsWith('.js.map') ? [(JSON.parse(String(one.source)) as { sources: string[] }).sources] : [];
  });
  const inPage = packagesOf(maps.flat());
  expect(inPage.size).toBeGreaterThan(15);
  for (const name of ['react-dom', 'zxing-wasm', 'zustand']) expect(inPage).toContain(name);
  expect([...inPage].filter((name) => !named.has(name))).toEqual([]);

  // Main process and preload are not minified: each module has a comment, and external packages are imports.
  const code = ['main', 'preload']
    .map((part) => join(ROOT, 'dist', part))
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const inside = packagesOf(Array.from(code.matchAll(/^\/\/#region (.*)$/gm), ([, path = '']) => path));
  const imported = Array.from(code.matchAll(/^import\b.*["']([^"']+)["'];$/gm), ([, from = '']) => from);
  const foreign = imported
    .filter((from) => !/^(?:\.|node:|(?:electron|original-fs)$)/.test(from))
    .map((from) => /^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
  expect(foreign).toContain('express');
  expect([...inside, ...foreign].filter((name) => !named.has(name))).toEqual([]);
});

function packagesOf(paths: readonly string[]): Set<string> {
  return new Set(
    paths.flatMap((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1] ?? []),
  );
}
