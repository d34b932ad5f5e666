import { expect, test } from 'vitest';
import { findCycles, listImports } from '../../../tools/codeImports.ts';

test('files never import each other in a cycle, not even for types', () => {
  expect(findCycles(listImports())).toEqual([]);
});

test('finds a cycle through several files, and none in a chain', () => {
  const imports = ['a b', 'b c', 'c a', 'c d', 'd e'].map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return { from, to };
  });
  expect(findCycles(imports)).toEqual([['a', 'b', 'c']]);
});

test('reads imports of types and values, bare imports and dynamic imports', () => {
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
