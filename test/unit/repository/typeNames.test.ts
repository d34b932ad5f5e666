import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const EXPORTED = /^export (?:type|interface|class|abstract class) (\w+)/gm;

test('each exported type has a unique name', () => {
  const files = new Map<string, string[]>();
  for (const folder of ['bench', 'electron', 'renderer/src', 'shared', 'test', 'tools']) {
    for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file)) continue;
      for (const [, name = ''] of readFileSync(join(ROOT, folder, file), 'utf8').matchAll(EXPORTED)) {
        files.set(name, [...(files.get(name) ?? []), `${folder}/${file}`]);
      }
    }
  }
  expect([...files].filter(([, declared]) => declared.length > 1)).toEqual([]);
  expect(files.size).toBeGreaterThan(500);
});
