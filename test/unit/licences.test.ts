import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

type Package = { dev?: boolean; optional?: boolean; peer?: boolean; link?: boolean };

test('every library that is packaged on every system brings its licence, or has it here', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Package>;
  };
  const libraries = Object.entries(packages).flatMap(([path, { dev, optional, peer, link }]) =>
    path.includes('node_modules/') && dev !== true && optional !== true && peer !== true && link !== true ? path : [],
  );
  expect(libraries.length).toBeGreaterThan(50);
  const bare = libraries.filter(
    (path) => !readdirSync(join(ROOT, path)).some((name) => /licen[cs]e|copying/i.test(name)),
  );
  for (const path of bare)
    expect(existsSync(join(ROOT, 'resources', 'licences', `${basename(path)}.txt`)), path).toBe(true);
  expect(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')).toContain('\n  - resources/licences/*.txt\n');
});
