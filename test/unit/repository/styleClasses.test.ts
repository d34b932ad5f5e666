import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', '..', '..', 'renderer', 'src');

test('each class that a page uses is in the style sheet that it imports', () => {
  const missing: string[] = [];
  for (const file of globSync('**/*.tsx', { cwd: SOURCE })) {
    const code = readFileSync(join(SOURCE, file), 'utf8');
    for (const [, name, sheet = ''] of code.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)) {
      const css = readFileSync(join(SOURCE, dirname(file), sheet), 'utf8');
      const used = new RegExp(`className=.*?\\b${name}\\.(\\w+)`, 'g');
      for (const [, style = ''] of code.matchAll(used)) {
        if (!new RegExp(`\\.${style}\\b`).test(css)) missing.push(`${file}: ${style}`);
      }
    }
  }
  expect(missing).toEqual([]);
});
