import { expect, test } from 'vitest';
import { findCycles, listImports } from '../../tools/codeImports.ts';

/** Circles through imports of types that are left. Remove a row with its circle; add none. */
const KNOWN: readonly (readonly string[])[] = [
  ['electron/server/services/backups/backups.ts', 'electron/server/services/backups/build.ts'],
  [
    'electron/server/services/commands/commands.ts',
    'electron/server/services/commands/kill.ts',
    'electron/server/services/commands/presses.ts',
    'electron/server/services/commands/queue.ts',
    'electron/server/services/commands/screens.ts',
    'electron/server/services/commands/sending.ts',
    'electron/server/services/commands/shownFirst.ts',
  ],
  ['electron/server/services/commands/index.ts', 'electron/server/services/deadlines.ts'],
  [
    'electron/server/services/imports/context.ts',
    'electron/server/services/imports/judgeOrders.ts',
    'electron/server/services/imports/keptPreviews.ts',
  ],
  ['electron/server/services/imports/readFile.ts', 'electron/server/services/imports/rememberedColumns.ts'],
  [
    'electron/server/services/orders/newOrder.ts',
    'electron/server/services/orders/orders.ts',
    'electron/server/services/orders/pickers.ts',
  ],
  [
    'electron/server/services/places/map.ts',
    'electron/server/services/places/mapChange.ts',
    'electron/server/services/places/racks.ts',
  ],
  [
    'shared/lib/tables/orderLine.ts',
    'shared/lib/tables/orderNumbers.ts',
    'shared/lib/tables/orderRows.ts',
    'shared/lib/tables/orders.ts',
    'shared/lib/tables/readMemo.ts',
  ],
];

test('no files import each other in a circle, not even types, except those that are known', () => {
  const found = findCycles(listImports()).map((files) => files.join(' '));
  const known = KNOWN.map((files) => files.join(' '));
  expect(found.filter((files) => !known.includes(files))).toEqual([]);
});

test('each known circle still exists', () => {
  const found = findCycles(listImports()).map((files) => files.join(' '));
  expect(KNOWN.map((files) => files.join(' ')).filter((files) => !found.includes(files))).toEqual([]);
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
