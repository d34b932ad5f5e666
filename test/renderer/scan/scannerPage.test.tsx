import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GS } from '#shared/lib/picking/gs.ts';
import { ScannerPage } from '../../../renderer/src/features/scanner/ScannerPage.tsx';
import { SAMPLES } from '../../../renderer/src/features/scanner/samples.ts';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import { PAGES } from '../../../renderer/src/app/pages.tsx';
import { readPath } from './readPath.ts';
import { pressKeys } from './pressKeys.ts';
import { scannerKeys, type ScannerOptions } from './scannerKeys.ts';
import { show, station, testContext } from '../support.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  show(testContext({ station: station() }), <ScannerPage />);
});

afterEach(() => void vi.useRealTimers());

const type = (text: string, more: Partial<ScannerOptions> = {}) =>
  act(() => pressKeys(scannerKeys(text, { everyMs: 8, ...more, at: Date.now() + 1_000 })));
const result = () => within(screen.getByRole('region', { name: 'Last scan' }));
const fact = (name: string) => result().getByText(name).nextElementSibling?.textContent;
const advice = () => result().getByRole('status').textContent;

test('has its own address and is not in the rail', () => {
  expect(findPage('/scanner')).toBe('scanner');
  expect(PAGES.find(({ id }) => id === 'scanner')).not.toHaveProperty('destination');
});

test('shows that a scanner is set up correctly, and which keys it sends', () => {
  expect(result().getByText('Waiting for a scan')).toBeDefined();
  type('A-3-2\r');
  expect(advice()).toBe('A-3-2This scanner is set up correctly.');
  expect(['From', 'Ends with', 'Between keys', 'Keyboard layout', 'Caps Lock', 'Searched for as'].map(fact)).toEqual([
    'Keyboard',
    'Enter',
    '8 ms',
    'Matches the scanner',
    'Off',
    'A-3-2',
  ]);
  const keys = within(screen.getByRole('region', { name: /^Keys/ }));
  expect(keys.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'AfterKeyPositionWith',
    '0 msShiftShiftLeft',
    '0 msAKeyAShift',
    '8 ms-Minus',
    '8 ms3Digit3',
    '8 ms-Minus',
    '8 ms2Digit2',
    '8 msEnterEnter',
  ]);
  type('A-3-2\t');
  expect(fact('Ends with')).toBe('Tab');
  expect(keys.getAllByRole('row')).toHaveLength(8);
});

test('a second scan soon after the first lists its own keys, including the line feed after its end', () => {
  const at = Date.now() + 1_000;
  act(() => {
    pressKeys([
      ...scannerKeys('10418\r', { everyMs: 8, at }),
      ...scannerKeys('A-3-2\r\n', { everyMs: 8, at: at + 200 }),
    ]);
  });
  // The nine keys are Shift, five characters, Enter, Ctrl and J.
  expect(screen.getByRole('region', { name: 'Keys 9 keys' })).toBeDefined();
  expect(fact('Between keys')).toBe('8 ms');
});

test('a GS1 code shows its parts, its check digit and its search terms', () => {
  type(`]C1010950110102091710AB1${GS}217\r`);
  expect(advice()).toBe(']C1010950110102091710AB1GS217This scanner is set up correctly.');
  expect(['Symbology', 'Check digit', '(01) GTIN', '(10) BATCH/LOT', '(21) SERIAL'].map(fact)).toEqual([
    ']C1',
    'Correct',
    '09501101020917',
    'AB1',
    '7',
  ]);
  expect(fact('Searched for as')).toMatch(/, 09501101020917, 9501101020917$/);
  type('9501101020918\r');
  expect(fact('Check digit')).toBe('Wrong: an EAN, UPC or GTIN would end with 7');
});

test.each<[string, string, Partial<ScannerOptions>, RegExp]>([
  [
    'a foreign layout',
    'A-3-2\r',
    { layout: { Minus: ['ß', '?'] } },
    /^Aß3ß2The scanner types on a US layout.* A-3-2\./,
  ],
  ['Caps Lock', 'aZ-q\r', { capsLock: true }, /^Az-QCaps Lock is on/],
  ['a prefix', 'xxA-3-2\r', {}, /The scanner adds characters to A-3-2\./],
  ['a lost GS', '010950110102091710AB1217\r', {}, /The GS1 separator .* is missing/],
  ['a missing suffix', 'A-3-2', {}, /^No scan was recognizedThe scanner sent no suffix\./],
  ['a slow scanner', 'A-3-2\r', { everyMs: 65 }, /^No scan was recognizedUp to 65 ms passed/],
  ['a slow scanner without a suffix', 'A-3-2', { everyMs: 65 }, /65 ms .*sent no suffix/],
  ['a code of one character', '5\r', {}, /^No scan was recognizedOnly one character arrived/],
  ['Enter before the code', '\rA-3-2\r', {}, /^A-3-2The scanner sends Enter before the code/],
  ['Enter only before the code', '\rA-3-2', {}, /sends Enter before the code.*sent no suffix/],
  ['a lost character', 'A-32\r', {}, /^A-32If you scanned A-3-2, characters got lost: only A-32 arrived\./],
  ['a code of which only Enter arrives', '\r', {}, /^No scan was recognizedOnly Enter arrived\./],
  ['a code that is not on the page', '10418\r', {}, /^10418The scan was recognized\./],
])('gives the right advice for %s', (_name, keys, more, sentence) => {
  type(keys, more);
  expect(advice()).toMatch(sentence);
});

test('explains that the browser cannot read some characters of a scan', () => {
  const keys = scannerKeys('A-3-2\r', { everyMs: 8, at: Date.now() + 1_000 });
  act(() => pressKeys(keys.map((key) => (key.key === '-' ? { ...key, key: 'Unidentified' } : key))));
  expect(advice()).toMatch(
    /The scanner sent characters that this browser cannot read\. Set it to act as a USB keyboard/,
  );
});

test('typing by hand lists the keys without advice', () => {
  type('hello\r', { everyMs: 150 });
  expect(result().getByText('Waiting for a scan')).toBeDefined();
  expect(screen.getByRole('region', { name: /6 keys/ })).toBeDefined();
});

test('explains why the browser cannot connect scanners, and offers the camera', async () => {
  vi.useRealTimers();
  const links = within(screen.getByRole('region', { name: 'Other ways to scan' }));
  expect(links.getAllByText(/^This (works only in|browser does not support this)/)).toHaveLength(2);
  expect(links.queryByRole('button', { name: /^Connect/ })).toBeNull();
  fireEvent.click(links.getByRole('button', { name: 'Scan with the camera' }));
  expect(await screen.findByRole('dialog', { name: 'Scan with the camera' })).toBeDefined();
});

test('an independent reader reads every barcode on the page as intended', async () => {
  vi.useRealTimers();
  for (const { path, modules, sent } of SAMPLES) {
    const read = await readPath(path, modules);
    expect(read.text).toBe(sent);
    expect(read.symbology).toBe(sent.includes(GS) ? ']C1' : ']C0');
  }
});
