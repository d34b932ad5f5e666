import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTIONS, readConfig, USAGE } from '../../../electron/server/config.ts';
import { settingsChangeSchema } from '#shared/api/settings.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test.for(Object.keys(OPTIONS))('--%s is in the usage text and in the table of options', (name) => {
  expect(USAGE).toMatch(new RegExp(`^ +--${name} `, 'm'));
  const rows = cells.filter(([, option = '']) => new RegExp(`^\`--${name}( [A-Z]+)?\`$`).test(option));
  expect(rows).toHaveLength(1);
});

test.for(Object.keys(settingsChangeSchema.shape))('the setting %s is in the documents', (name) => {
  const pages = globSync('docs/*.md', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  expect(pages.some((text) => text.includes(`\`${name}\``))).toBe(true);
});

test('every variable that the configuration reads is in the usage text and in the table', () => {
  const read = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        read.add(String(name));
        return undefined;
      },
    },
  );
  readConfig([], environment);
  const ours = [...read].filter((name) => name.startsWith('PICKSTATION_'));
  expect(ours).toContain('PICKSTATION_TURBO_PORT');
  for (const name of ours) {
    expect(USAGE).toContain(name);
    expect(cells.map(([, , variable]) => variable)).toContain(`\`${name}\``);
  }
});
