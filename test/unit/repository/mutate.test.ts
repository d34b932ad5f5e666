import { describe, expect, test } from 'vitest';
import { mutated, mutationsOf } from '../../../tools/mutate/mutations.ts';
import { importersOf, nearestTests } from '../../../tools/mutate/nearestTests.ts';

function mutantsOf(source: string): string[] {
  return mutationsOf('sample.ts', source).map((mutation) => mutated(source, mutation));
}

describe('changes one place at a time', () => {
  test.each([
    ['a boundary', 'f = a < 3;', ['f = a <= 3;', 'f = a >= 3;', 'f = a < 4;']],
    ['a comparison', 'f = a === b;', ['f = a !== b;']],
    ['a fallback', 'f = a ?? b;', ['f = a && b;']],
    ['a negation', 'f = !a;', ['f = a;']],
    ['a boolean', 'f = { deep: true };', ['f = { deep: false };']],
    ['a condition', 'if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['an awaited call', 'await save(row);', [';']],
    ['a return value', 'function f() { return a; }', ['function f() { return undefined; }']],
    ['a sum, but not joined text', 'f = a - b; g = a + "!";', ['f = a + b; g = a + "!";']],
  ])('%s', (_, source, expected) => {
    expect(mutantsOf(source)).toEqual(expect.arrayContaining(expected));
  });

  test('skips a mutation that changes nothing', () => {
    expect(mutantsOf('function f() { return undefined; }')).toEqual([]);
    expect(mutantsOf('if (true) b();')).not.toContain('if (true) b();');
  });

  test('does not change types, comments, texts or imports', () => {
    const source = `import { a } from './b.ts';\n// a < 3\ntype T = 3 | true;\nconst text = 'a < 3';`;
    expect(mutantsOf(source)).toEqual([]);
  });
});

test('lists the tests nearest to a file first, and leaves out unrelated tests', () => {
  const sources = new Map([
    ['electron/orders.ts', ''],
    ['electron/station.ts', "import './orders.ts';"],
    ['test/orders.test.ts', "import '../electron/station.ts';"],
    ['test/ordersAlone.test.ts', "import '../electron/orders.ts';"],
    ['test/alerts.test.ts', "import '../electron/station.ts';"],
    ['test/stranger.test.ts', ''],
  ]);
  expect(nearestTests('electron/orders.ts', sources, importersOf(sources))).toEqual([
    'test/ordersAlone.test.ts',
    'test/orders.test.ts',
    'test/alerts.test.ts',
  ]);
});

test('among equally near tests, a rare word ranks the test about the file first', () => {
  const sources = new Map([
    ['electron/guard.ts', "import './station.ts'; check(host, forwarded);"],
    ['electron/station.ts', "import './guard.ts';"],
    ...['alarms', 'backups', 'proxies', 'racks'].map(
      (name) =>
        [
          `test/${name}.test.ts`,
          `import '../electron/station.ts'; host(${name === 'proxies' ? 'forwarded' : name});`,
        ] as const,
    ),
  ]);
  expect(nearestTests('electron/guard.ts', sources, importersOf(sources))[0]).toBe('test/proxies.test.ts');
});
