import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { mayShip } from '../../../tools/lint/licences.ts';
import { collectThirdParty } from '../../../tools/notices/collect.ts';
import { folderOfModule } from '../../../tools/notices/folders.ts';
import { toNotices, toSbom, toText } from '../../../tools/notices/formats.ts';
import { bundledFolders, notices } from '../../../tools/notices/plugin.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const all = collectThirdParty(ROOT, bundledFolders(ROOT));

type Locked = { version?: string; dev?: boolean; optional?: boolean; peer?: boolean; link?: boolean };

test('the notices contain every package that npm installs for production on every system', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const locked = Object.entries(packages).flatMap(([path, { version = '', dev, optional, peer, link }]) => {
    const name = path.split('node_modules/').at(-1) ?? '';
    const isShipped = name !== '' && dev !== true && optional !== true && peer !== true && link !== true;
    return isShipped && name !== '@scarf/scarf' ? `${name} ${version}` : [];
  });
  expect(locked.length).toBeGreaterThan(50);
  const named = all.map(({ name, version }) => `${name} ${version}`);
  expect(locked.filter((one) => !named.includes(one))).toEqual([]);
});

test('each notice has the text of its license, and a license compatible with ours', () => {
  expect(all.filter(({ text }) => text.length < 50 && !text.startsWith('In the public domain'))).toEqual([]);
  expect(all.filter(({ name, licence }) => !mayShip(name, licence))).toEqual([]);
});

test.for([
  ['MIT', true],
  ['GPL-3.0-only OR MIT', true],
  ['(MIT OR Apache-2.0) AND Unicode-3.0', true],
  ['MIT AND GPL-3.0-only', false],
  ['LGPL-2.1-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  ['', false],
] as const)('the license %s may be shipped: %s', ([licence, may]) => {
  expect(mayShip('some package', licence)).toBe(may);
});

test('FFmpeg may have the LGPL license under which Electron distributes it', () => {
  expect(mayShip('FFmpeg', 'LGPL-2.1-or-later')).toBe(true);
});

test('the notices also contain Chromium, Skia and its libraries, SQLite, fonts and signs', () => {
  const named = all.map(({ name, inside }) => (inside === '' ? name : `${inside}: ${name}`));
  for (const name of [
    'electron',
    'electron: Chromium',
    'electron: FFmpeg',
    '@napi-rs/canvas: Skia',
    'better-sqlite3: SQLite',
    'zxing-wasm: ZXing-C++',
    'Terminus Font',
    'DejaVu Fonts',
    'Health Icons',
  ]) {
    expect(named).toContain(name);
  }
  expect(all.find(({ name }) => name === 'SQLite')?.version).toMatch(/^3\.\d+\.\d+$/);
  // Skia's parts are also listed by its binary for this system.
  expect(named.filter((name) => /^@napi-rs\/canvas-.*: (?:cssparser|freetype|harfbuzz|icu)$/.test(name))).toHaveLength(
    4,
  );
});

test('the text version contains each name and each license', () => {
  const text = toText(all);
  for (const one of all) {
    expect(text).toContain(`${one.name} ${one.version}`.trim());
    expect(text).toContain(one.text);
  }
  expect(toNotices(all).texts.length).toBeLessThan(all.length);
});

test('the bill of materials is valid CycloneDX, and lists the same components', async () => {
  const sbom = toSbom(all, { name: 'pickstation', version: '0.1.0' });
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(sbom)).toBeNull();
  const { components } = JSON.parse(sbom) as { components: { name: string; 'bom-ref': string }[] };
  expect(components.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  expect(new Set(components.map((one) => one['bom-ref'])).size).toBe(all.length);
});

test('a component inside two libraries has two entries in the bill of materials', () => {
  const [some] = all;
  if (some === undefined) throw new Error('There are no notices');
  const sbom = toSbom(
    [
      { ...some, inside: 'one' },
      { ...some, inside: 'two' },
    ],
    { name: 'pickstation', version: '0.1.0' },
  );
  const { components } = JSON.parse(sbom) as { components: { 'bom-ref': string }[] };
  expect(new Set(components.map((one) => one['bom-ref'])).size).toBe(2);
});

test.for([
  ['/home/me/program/node_modules/react/index.js', 'node_modules/react'],
  ['C:\\program\\node_modules\\@a\\b\\c\\d.js?url', 'node_modules/@a/b'],
  ['\0/home/me/node_modules/a/node_modules/@b/c/d.js?commonjs-proxy', 'node_modules/a/node_modules/@b/c'],
  ['../node_modules/@fontsource-variable/inter/files/a.woff2', 'node_modules/@fontsource-variable/inter'],
  ['\0rolldown/runtime.js', 'node_modules/rolldown'],
  ['\0vite/preload-helper.js', 'node_modules/vite'],
  ['/home/me/program/renderer/src/main.tsx', undefined],
] as const)('finds the package of the module %j', ([id, folder]) => {
  expect(folderOfModule(id)).toBe(folder);
});

test('a bundle records the packages of its modules, styles, fonts and workers, and no others', async () => {
  const root = folderWith({
    'main.js': `import { a } from 'a'; import 'style/style.css'; import './own.css'; import { unused } from 'unused';
      new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }); document.title = a;`,
    'worker.js': `import { w } from 'w'; postMessage(w);`,
    'own.css': `@font-face { font-family: f; src: url('font/f.woff2'); }`,
    'index.html': '<script type="module" src="./main.js"></script>',
    'node_modules/a/index.js': `import { b } from 'b'; export const a = b + Math.random();`,
    'node_modules/a/node_modules/b/index.js': `export const b = String(Date.now());`,
    'node_modules/w/index.js': `export const w = Date.now();`,
    'node_modules/unused/index.js': `export const unused = 'nothing';`,
    'node_modules/style/style.css': 'body { color: red; }',
    'node_modules/font/f.woff2': 'x'.repeat(10_000),
    ...Object.fromEntries(
      ['a', 'a/node_modules/b', 'w', 'unused', 'style', 'font'].map((name) => [
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', type: 'module', sideEffects: name === 'style' }),
      ]),
    ),
  });
  const { bundle, worker } = notices(root, 'main');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [bundle],
    worker: { format: 'es', plugins: () => [worker] },
    build: { assetsInlineLimit: 0 },
  });
  expect(bundledFolders(root)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/font',
    'node_modules/style',
    'node_modules/w',
  ]);
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}
