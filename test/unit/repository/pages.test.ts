import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '#shared/lib/station/pageRoutes.ts';
import { pages as names } from '../../../renderer/src/words/pages.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Components of the pages without the frame, which have their own titles. */
const UNFRAMED: Readonly<Record<string, string>> = { welcome: 'WelcomePage', board: 'BoardPage' };

/** The first address of each page. */
const ADDRESSES = new Map<string, string>(Object.entries(ROUTES).map(([id, [address]]) => [id, address]));
const IDS = [...ADDRESSES.keys()];

/** The component of each page in `PAGES`. Pages of Connections that consist of settings share one component. */
const COMPONENTS = new Map(
  Array.from(read('renderer/src/app/pages.tsx').matchAll(/\bid: '(\w+)',[^{}]*?component: ([\w.]+)/gs), (row) => [
    row[1] ?? '',
    (row[2] ?? '').replace(/^SettingsOf\.\w+$/, 'ConnectionSettingsPage'),
  ]),
);

const TESTS = globSync('test/{renderer,browser}/**/*.{ts,tsx}', { cwd: ROOT }).map(read);

test.for(IDS)('the page %s has words and a row in the table of pages', (id) => {
  if (id in UNFRAMED) return;
  expect(Object.keys(names)).toContain(id);
  expect(read('renderer/src/app/pages.tsx')).toMatch(new RegExp(`id: '${id}',[^{}]*named\\(words\\.${id}\\)`, 's'));
});

test.for(IDS)('the page %s has a test that renders the page or opens its address', (id) => {
  const component = UNFRAMED[id] ?? COMPONENTS.get(id) ?? '';
  expect(component).not.toBe('');
  const shown = new RegExp(`<${component}\\b|[^\\w]${ADDRESSES.get(id)?.slice(1)}['"\`/?#]`);
  expect(TESTS.filter((text) => shown.test(text)).length, component).toBeGreaterThan(0);
});

test('finds the pages in both tables', () => {
  expect(IDS.length).toBeGreaterThan(20);
  expect([...COMPONENTS.keys(), ...Object.keys(UNFRAMED)].toSorted()).toEqual(IDS.toSorted());
});
