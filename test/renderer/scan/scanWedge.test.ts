import { expect, test } from 'vitest';
import { typedOnUsLayout } from '../../../renderer/src/scan/usLayout.ts';
import {
  GAP_MS,
  type KeyScan,
  nextKey,
  nextSilence,
  NO_KEYS,
  type WedgeKey,
  type WedgeState,
} from '../../../renderer/src/scan/wedge.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { type KeyLayout, scannerKeys, type ScannerOptions } from './scannerKeys.ts';

/** Feeds timed keys to the state machine. Returns the scans and the keys that reach the page. */
function run(keys: readonly WedgeKey[], inField = false) {
  let state: WedgeState = NO_KEYS;
  const scans: KeyScan[] = [];
  let reached = '';
  for (const [index, key] of keys.entries()) {
    const pause = key.at - (keys[index - 1]?.at ?? -Infinity);
    if (pause >= GAP_MS) {
      const silence = nextSilence(state);
      state = silence.state;
      reached += silence.released ?? '';
    }
    const step = nextKey(state, key, inField);
    state = step.state;
    reached += step.released ?? '';
    if (!step.hold && (key.key.length === 1 || key.key === 'Enter')) reached += key.key === 'Enter' ? '⏎' : key.key;
    if (step.scan !== undefined) scans.push(step.scan);
  }
  reached += nextSilence(state).released ?? '';
  return { scans, reached };
}

const scan = (text: string, everyMs = 8, more: Partial<ScannerOptions> = {}) => scannerKeys(text, { ...more, everyMs });

function pressed(char: string): WedgeKey {
  const key = scan(char).at(-1);
  if (key === undefined) throw new Error('No key types nothing.');
  return key;
}

test.each([
  ['8 ms', 8],
  ['49 ms', 49],
])('keys %s apart followed by Enter are a scan, and only the first key reaches the page', (_name, everyMs) => {
  const { scans, reached } = run(scan('a-3-2\r', everyMs));
  expect(scans).toEqual([{ code: 'a-3-2', byPosition: 'a-3-2', terminator: 'Enter', findings: [] }]);
  expect(reached).toBe('a');
});

test('in a field, the first two keys of a scan reach the page', () => {
  expect(run(scan('12345\r'), true)).toMatchObject({ scans: [{ code: '12345' }], reached: '12' });
});

test('also accepts Tab as the end of a scan, and capital letters typed with Shift', () => {
  expect(run(scan('A-3-2\t')).scans).toEqual([{ code: 'A-3-2', byPosition: 'A-3-2', terminator: 'Tab', findings: [] }]);
});

test.each([
  ['typing at 80 ms per key', scan('10418\r', 80), '10418⏎'],
  ['keys 50 ms apart', scan('10418\r', 50), '10418⏎'],
  ['a single key and Enter', scan('5\r'), '5⏎'],
  ['Enter', scan('\r'), '⏎'],
  ['a code without Enter', scan('10418'), '10418'],
  ['a code whose Enter comes late', [...scan('10418'), ...scan('\r').map((key) => ({ ...key, at: 200 }))], '10418⏎'],
])('%s is not a scan, and the page gets every key in order', (_name, keys, page) => {
  for (const inField of [false, true]) expect(run(keys, inField)).toEqual({ scans: [], reached: page });
});

test('a held key is not a scan, even if it repeats fast', () => {
  const held = Array.from({ length: 20 }, (_, index) => ({
    ...pressed('7'),
    at: 500 + index * 30,
    repeat: index > 0,
  }));
  expect(run([...held, ...scan('\r').map((key) => ({ ...key, at: 1_090 }))]).scans).toEqual([]);
});

test('drops the second key of CR LF, and passes on a later Enter', () => {
  const keys = scan('A-3-2\r\n');
  const late = { ...pressed('\r'), at: (keys.at(-1)?.at ?? 0) + GAP_MS };
  expect(run([...keys, late])).toMatchObject({ scans: [{ code: 'A-3-2' }], reached: 'A⏎' });
  const twice = scan('A-3-2\r\r');
  expect(run(twice)).toMatchObject({ scans: [{ code: 'A-3-2' }], reached: 'A' });
});

test('drops control characters around a code, but keeps GS inside and at the start', () => {
  expect(run(scan('\x02A-3-2\x03\x04\r')).scans[0]?.code).toBe('A-3-2');
  expect(run(scan('\x1d0109501101020917\x1d21\r')).scans[0]?.code).toBe('\x1d0109501101020917\x1d21');
  expect(run(scan(']C110AB\x1d2177\x1d\r')).scans[0]?.code).toBe(']C110AB\x1d2177');
});

const LAYOUTS: [string, KeyLayout, string, string][] = [
  ['German', { Minus: ['ß', '?'], KeyZ: ['y', 'Y'], KeyY: ['z', 'Z'], Slash: ['-', '_'] }, 'AßYß2', 'A-Z-2'],
  ['French', { KeyA: ['q', 'Q'], Minus: [')', '°'], Digit2: ['é', '2'], KeyZ: ['w', 'W'] }, 'Q)W)é', 'A-Z-2'],
];

test.each(LAYOUTS)('detects a %s layout and derives the code from the key positions', (_name, layout, typed, code) => {
  expect(run(scan(`${code}\r`, 8, { layout })).scans).toEqual([
    { code: typed, byPosition: code, terminator: 'Enter', findings: ['layout'] },
  ]);
});

test('reads a dead key by its position', () => {
  const layout: KeyLayout = { Backquote: ['Dead', '°'] };
  expect(run(scan('A`1\r', 8, { layout })).scans[0]).toMatchObject({
    code: 'A1',
    byPosition: 'A`1',
    findings: ['layout'],
  });
});

test('detects Caps Lock, which swaps upper and lower case', () => {
  expect(run(scan('Ab-3\r', 8, { capsLock: true })).scans).toEqual([
    { code: 'aB-3', byPosition: 'Ab-3', terminator: 'Enter', findings: ['capsLock'] },
  ]);
});

test('reads digits by position from a keypad without Num Lock, which sends arrow keys', () => {
  const keys = ['End', 'ArrowDown', 'PageDown'].map((key, index) => ({
    ...pressed('1'),
    key,
    code: `Numpad${index + 1}`,
    at: index * 8,
  }));
  const { scans } = run([...keys, { ...pressed('\r'), at: 24 }]);
  expect(scans).toEqual([{ code: '', byPosition: '123', terminator: 'Enter', findings: ['numLock'] }]);
});

test('detects Alt codes, which no page can read', () => {
  const keys = Array.from('0065', (key, index) => ({
    ...pressed('0'),
    key,
    code: `Numpad${key}`,
    alt: true,
    at: index * 8,
  }));
  expect(run([...keys, { ...pressed('\r'), at: 32 }]).scans[0]?.findings).toEqual(['altCodes']);
});

test('an AltGr character is not a control character', () => {
  const at = { ...pressed('q'), key: '@', ctrl: true, alt: true, altGraph: true, at: 8 };
  const keys = [...scan('a'), at, { ...pressed('\r'), at: 16 }];
  expect(run(keys).scans[0]?.code).toBe('a@');
});

const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));

test('reads any code of two or more characters unchanged at any scanner speed', () => {
  const codes = fc.array(printable, { minLength: 2, maxLength: 60 }).map((each) => each.join(''));
  fc.assert(
    fc.property(codes, fc.integer({ min: 1, max: 15 }), fc.boolean(), (code, everyMs, inField) => {
      const { scans, reached } = run(scan(`${code}\r`, everyMs), inField);
      expect(scans).toEqual([{ code, byPosition: code, terminator: 'Enter', findings: [] }]);
      expect(code.slice(0, 2).startsWith(reached)).toBe(true);
    }),
  );
});

test('slow typing reaches the page, each key once and in order', () => {
  const keys = fc.array(fc.tuple(printable, fc.integer({ min: GAP_MS, max: 300 })), { maxLength: 40 });
  fc.assert(
    fc.property(keys, fc.boolean(), (typed, inField) => {
      let at = 0;
      const events = typed.flatMap(([char, pause]) => {
        at += pause;
        return scan(char)
          .filter(({ key }) => key !== 'Shift')
          .map((key) => ({ ...key, at }));
      });
      expect(run(events, inField)).toEqual({ scans: [], reached: typed.map(([char]) => char).join('') });
    }),
  );
});

test('loses no keys at any typing speed', () => {
  const keys = fc.array(fc.tuple(printable, fc.integer({ min: 1, max: 120 })), { maxLength: 40 });
  fc.assert(
    fc.property(keys, (typed) => {
      let at = 0;
      const events = typed.flatMap(([char, pause]) => {
        at += pause;
        return scan(char)
          .filter(({ key }) => key !== 'Shift')
          .map((key) => ({ ...key, at }));
      });
      expect(run(events, true).reached).toBe(typed.map(([char]) => char).join(''));
    }),
  );
});

test('knows the key position of every printable character on a US keyboard', () => {
  for (let code = 0x20; code <= 0x7e; code++) {
    const char = String.fromCharCode(code);
    const key = scan(char).at(-1);
    expect(typedOnUsLayout(key?.code ?? '', key?.shift ?? false), char).toBe(char);
  }
});
