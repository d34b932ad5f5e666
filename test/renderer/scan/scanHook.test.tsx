import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useScans } from '../../../renderer/src/scan/useScans.ts';
import { createScans, SAME_MS, type Scan, type Scans } from '../../../renderer/src/scan/windowScans.ts';
import { FakeHid, FakeHidScanner, FakePort, FakeSerial, memory } from './fakeScanners.ts';
import { pressKeys } from './pressKeys.ts';
import { scannerKeys, type ScannerOptions } from './scannerKeys.ts';

const heard: Scan[] = [];
let scans: Scans;
let port: FakePort;
let device: FakeHidScanner;

function Page({ repeats = false, handle = (scan: Scan) => void heard.push(scan) }) {
  useScans(handle, { scans, ...(repeats ? { sameMs: () => 0 } : {}) });
  return null;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  heard.length = 0;
  const [serial, hid] = [new FakeSerial(), new FakeHid()];
  serial.chosen = port = new FakePort();
  hid.chosen = [(device = new FakeHidScanner())];
  const navigator = { serial, hid };
  const fake = new Proxy(window, {
    get(target, name) {
      if (name === 'navigator') return navigator;
      if (name === 'isSecureContext') return true;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  scans = createScans(fake, memory());
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const type = (text: string, more: Partial<ScannerOptions> = {}) =>
  act(() => pressKeys(scannerKeys(text, { ...more, everyMs: 8, at: Date.now() + 10 })));

test('receives scans from keyboard, serial port, HID and camera', async () => {
  render(<Page />);
  await scans.serial.connect();
  await scans.hid.connect();
  type('A-3-2\r');
  await port.sends('10418\r');
  device.sends(']C0', 'B-1-1');
  scans.seen('9501101020917');
  expect(heard).toMatchObject([
    { code: 'A-3-2', source: 'keyboard' },
    { code: '10418', source: 'serial' },
    { code: 'B-1-1', source: 'hid' },
    { code: '9501101020917', source: 'camera' },
  ]);
});

test('counts the same code once within two seconds, even from another scanner', async () => {
  render(<Page />);
  await scans.serial.connect();
  await port.sends('A-3-2\rB-1-1\rA-3-2\r');
  vi.advanceTimersByTime(SAME_MS - 1);
  await port.sends('A-3-2\r');
  scans.seen('A-3-2');
  expect(heard.map(({ code }) => code)).toEqual(['A-3-2', 'B-1-1']);
});

test('counts every other scan of a code at intervals of 1.5 seconds, and counts a code once while the camera sees it', async () => {
  render(<Page />);
  await scans.serial.connect();
  for (let count = 0; count < 4; count++) {
    await port.sends('A-3-2\r');
    vi.advanceTimersByTime(1_500);
  }
  expect(heard).toHaveLength(2);
  for (let count = 0; count < 40; count++) {
    scans.seen('10418');
    vi.advanceTimersByTime(150);
  }
  expect(heard).toHaveLength(3);
  vi.advanceTimersByTime(SAME_MS);
  scans.seen('10418');
  expect(heard).toHaveLength(4);
});

test('delivers repeated scans to a page that asks for them', async () => {
  render(<Page repeats />);
  await scans.serial.connect();
  await port.sends('A-3-2\rA-3-2\r');
  expect(heard).toHaveLength(2);
});

test('delivers scans to an open dialog instead of the page below it', () => {
  const inDialog = vi.fn();
  const { rerender } = render(<Page />);
  rerender(
    <>
      <Page />
      <Page handle={inDialog} />
    </>,
  );
  type('A-3-2\r');
  rerender(
    <>
      <Page />
    </>,
  );
  type('B-1-1\r');
  expect(inDialog.mock.calls).toEqual([[{ code: 'A-3-2', source: 'keyboard', at: expect.any(Number) }]]);
  expect(heard.at(-1)?.code).toBe('B-1-1');
});

test('keeps the port connected when the page changes', async () => {
  const { unmount } = render(<Page />);
  await scans.serial.connect();
  unmount();
  await port.sends('lost\r');
  render(<Page />);
  await port.sends('A-3-2\r');
  expect([heard.map(({ code }) => code), port.opened]).toEqual([['A-3-2'], 1]);
});

/** A page on which everything typed is one entry. */
function EntryPage({ name }: { name: string }) {
  useScans(({ code }) => void entries.push(`${name}: ${code}`), {
    scans,
    entry: {
      names: () => ({ has: () => false, haveNumbers: false }),
      entered: (entry) => void entries.push(`${name}: ${entry.kind}`),
      signed: () => undefined,
      typed: (text) => void entries.push(`${name} shows ${text}`),
      cleared: () => undefined,
      inert: () => void entries.push(`${name}: inert`),
      enter: (_, press) => press(),
      unreadable: () => void entries.push(`${name}: unreadable`),
    },
  });
  return null;
}
const entries: string[] = [];
/** Types keys like a slow scanner. */
const typeSlowly = (text: string) => act(() => pressKeys(scannerKeys(text, { everyMs: 150, at: Date.now() + 10 })));

test('while listeners are awaited, keeps the codes that arrive between two pages of entries', async () => {
  entries.length = 0;
  const release = scans.hold();
  const { unmount } = render(<EntryPage name="first" />);
  await scans.serial.connect();
  unmount();
  await port.sends('A-3-2\rA-3-2\r');
  const second = render(<EntryPage name="second" />);
  expect(entries).toEqual(['second: A-3-2']);
  second.unmount();
  await port.sends('B-1-1\r');
  release();
  await port.sends('C-1-1\r');
  render(<EntryPage name="third" />);
  expect(entries).toEqual(['second: A-3-2']);
});

test('a slow scanner can type a code while the page changes', () => {
  entries.length = 0;
  const release = scans.hold();
  const { rerender, unmount } = render(<EntryPage key="1" name="first" />);
  typeSlowly('A-');
  rerender(<EntryPage key="2" name="second" />);
  typeSlowly('12\r');
  expect(entries.slice(-4)).toEqual(['second shows A-1', 'second shows A-12', 'second shows ', 'second: A-12']);
  expect(entries).toContain('second shows A-');
  unmount();
  typeSlowly('B1\r');
  render(<EntryPage name="third" />);
  expect(entries.at(-1)).toBe('third: B1');
  release();
});

test('a number typed while no page is shown counts nowhere, which the next page reports', () => {
  entries.length = 0;
  const release = scans.hold();
  const { unmount } = render(<EntryPage name="first" />);
  unmount();
  typeSlowly('7\r');
  render(<EntryPage name="second" />);
  expect(entries).toEqual(['second: inert']);
  release();
});

test.each(['no listener is awaited', 'the wait ended before', 'the wait ends after'])(
  'keys reach a page without scans once a page of entries is gone: %s',
  (when) => {
    const release = when === 'no listener is awaited' ? () => undefined : scans.hold();
    const { unmount } = render(<EntryPage name="first" />);
    if (when === 'the wait ended before') release();
    unmount();
    if (when === 'the wait ends after') release();
    const reached = vi.fn<(event: KeyboardEvent) => void>();
    document.body.addEventListener('keydown', reached);
    typeSlowly('7');
    document.body.removeEventListener('keydown', reached);
    expect(reached).toHaveBeenCalledTimes(1);
  },
);

test('for a foreign layout or Caps Lock, adds a second reading of the code and a note', () => {
  render(<Page />);
  type('A-3-2\r', { layout: { Minus: ['ß', '?'] } });
  type('Ab-4\r', { capsLock: true });
  expect(heard).toMatchObject([
    { code: 'Aß3ß2', second: 'A-3-2', note: expect.stringMatching(/the code is A-3-2\. Set the scanner’s keyboard/) },
    { code: 'aB-4', second: 'Ab-4', note: expect.stringMatching(/^Caps Lock is on/) },
  ]);
});
