import { expect, test } from 'vitest';
import { findCycles, listImports } from '../../tools/codeImports.ts';

test('no files import each other in a circle, not even types', () => {
  expect(findCycles(listImports())).toEqual([]);
});

test('a circle is found through several files, and a chain is none', () => {
  const imports = ['a b', 'b c', 'c a', 'c d', 'd e'].map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return { from, to };
  });
  expect(findCycles(imports)).toEqual([['a', 'b', 'c']]);
});

test('imports of types, values, bare imports and imports on demand are read', () => {
  const imports = listImports();
  expect(imports).toContainEqual({
    from: 'electron/server/turbo/links/networkLinks.ts',
    to: 'electron/server/turbo/types.ts',
    isType: true,
  });
  expect(imports).toContainEqual({
    from: 'electron/server/mqtt/switch.ts',
    to: 'electron/server/mqtt/bridge.ts',
    isType: false,
  });
});
