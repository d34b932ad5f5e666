import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../renderer/src');
const IMPORT = /(?:from|import\(|composes:[^;]* from)\s*'(\.[^']+)'/g;

/** What a feature may use of other features. A feature that is not here uses none; what two pages share is no part of either. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  callbacks: ['timeline'],
  devicePanel: ['composer', 'timeline'],
  devices: ['replace'],
  firstRun: ['connect'],
  history: ['timeline'],
  locations: ['importing', 'replace'],
  orders: ['importing', 'timeline', 'work'],
  sequences: ['work'],
  station: ['composer', 'devicePanel'],
  turbos: ['connect'],
  work: ['timeline'],
};

function listPairs(): Set<string> {
  const pairs = new Set<string>();
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|tsx|css)$/.test(name)) continue;
    const [folder = '', feature = ''] = name.split(/[\\/]/);
    const from = folder === 'features' ? feature : folder;
    for (const [, path = ''] of readFileSync(join(SOURCES, name), 'utf8').matchAll(IMPORT)) {
      const [top, other = ''] = relative(SOURCES, join(SOURCES, dirname(name), path)).split(/[\\/]/);
      if (top === 'features' && other !== from) pairs.add(`${from} > ${other}`);
    }
  }
  return pairs;
}

test('a feature imports only what the table allows, and a page nothing of another page', () => {
  // The frame joins the pages.
  const pairs = [...listPairs()].filter((pair) => !/^(App|pages)\.tsx/.test(pair));
  const allowed = Object.entries(ALLOWED).flatMap(([from, others]) => others.map((other) => `${from} > ${other}`));
  expect(pairs.toSorted()).toEqual(allowed.toSorted());
});
