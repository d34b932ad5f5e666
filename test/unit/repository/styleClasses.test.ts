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

/**
 * Maximum number of declarations that two style sheets may share. If they share more, one sheet must reuse the other's class through
 * `composes`.
 */
const SHARED = 4;

test('no two style sheets have a class with the same long list of declarations', () => {
  const sheets = new Map<string, Set<string>>();
  for (const file of globSync('**/*.css', { cwd: SOURCE })) {
    const css = readFileSync(join(SOURCE, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    for (const [, body = ''] of css.matchAll(/^\.\w+ \{([^{}]*)\}/gm)) {
      const declarations = body.split(';').flatMap((each) => each.trim() || []);
      const same = declarations.toSorted().join('; ');
      if (declarations.length > SHARED) sheets.set(same, (sheets.get(same) ?? new Set()).add(file));
    }
  }
  expect(sheets.size).toBeGreaterThan(300);
  expect([...sheets].filter(([, files]) => files.size > 1).map(([body, files]) => [body, ...files])).toEqual([]);
});
