import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSerialScanner } from '../../../renderer/src/scan/serialScanner.ts';
import { nextPause, nextText, NO_TEXT, SILENCE_MS } from '../../../renderer/src/scan/serialText.ts';
import { isScannerConnected } from '../../../renderer/src/scan/windowScans.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { FakePort, FakeSerial, memory, settled } from './fakeScanners.ts';

const codes: string[] = [];
let serial: FakeSerial;

function scannerAt(storage = memory()) {
  return createSerialScanner({
    serial,
    isSecure: true,
    storage,
    setTimer(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    scan: (code) => codes.push(code),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  codes.length = 0;
  serial = new FakeSerial();
});

afterEach(() => void vi.useRealTimers());

async function connected(storage = memory()) {
  const port = new FakePort();
  serial.chosen = port;
  const scanner = scannerAt(storage);
  await scanner.connect();
  return { port, scanner };
}

test('knows whether a scanner is connected', async () => {
  const none = scannerAt();
  const { scanner } = await connected();
  const isConnected = () => isScannerConnected({ serial: scanner, hid: none });
  expect([isConnected(), isScannerConnected({ serial: none, hid: none })]).toEqual([true, false]);
  expect(isScannerConnected({ serial: none, hid: scanner })).toBe(true);
  await scanner.disconnect();
  expect(isConnected()).toBe(false);
});

test('assembles codes from bytes split anywhere, with any line ending or an STX/ETX frame', async () => {
  const { port, scanner } = await connected();
  expect(scanner.state()).toEqual({ kind: 'on' });
  await port.sends('A', '-3', '-2\r', '\nB-1', '-1\r\n', '\x02C-2-2\x03', '10418\n10419\n');
  expect(codes).toEqual(['A-3-2', 'B-1-1', 'C-2-2', '10418', '10419']);
});

test('decodes multibyte characters that are split between their bytes', async () => {
  const { port } = await connected();
  const bytes = new TextEncoder().encode('Größe 5\r');
  const sink = port as unknown as { sends(...parts: string[]): Promise<void> };
  const encode = vi.spyOn(TextEncoder.prototype, 'encode');
  for (const byte of bytes) {
    encode.mockReturnValueOnce(Uint8Array.of(byte));
    await sink.sends('.');
  }
  encode.mockRestore();
  expect(codes).toEqual(['Größe 5']);
});

test('a pause ends a code only until the scanner has sent its first terminator', async () => {
  const { port } = await connected();
  await port.sends('A-3', '-2');
  vi.advanceTimersByTime(SILENCE_MS - 1);
  expect(codes).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(codes).toEqual(['A-3-2']);
  await port.sends('B-1-1\r', 'C-2');
  vi.advanceTimersByTime(10_000);
  await port.sends('-2\r');
  expect(codes).toEqual(['A-3-2', 'B-1-1', 'C-2-2']);
});

test('discards a partial code if the scanner is unplugged, and can be started again', async () => {
  const { port, scanner } = await connected();
  await port.sends('A-3-2\rB-1');
  await port.isPulledOut();
  vi.advanceTimersByTime(SILENCE_MS);
  expect(scanner.state()).toEqual({ kind: 'lost' });
  expect(codes).toEqual(['A-3-2']);
  scanner.start();
  await settled();
  expect(scanner.state()).toEqual({ kind: 'on' });
  await port.sends('-9\r');
  expect(codes).toEqual(['A-3-2', '-9']);
});

test('reconnects automatically when plugged in again', async () => {
  const storage = memory();
  const { port, scanner } = await connected(storage);
  scanner.start();
  await port.isPulledOut();
  serial.dispatchEvent(new Event('connect'));
  await settled();
  expect([scanner.state().kind, port.opened]).toEqual(['on', 2]);
});

test('a line error loses one code, but not the connection', async () => {
  const { port, scanner } = await connected();
  await port.sends('A-3');
  await port.errs();
  await port.sends('B-1-1\r');
  expect(codes).toEqual(['B-1-1']);
  expect(scanner.state()).toEqual({ kind: 'on' });
});

test('reconnects only the known port on a new page, and not after “Disconnect”', async () => {
  const storage = memory();
  const { port } = await connected(storage);
  await port.isPulledOut();
  serial.allowed = [new FakePort(0x1111), port];
  const again = scannerAt(storage);
  again.start();
  await settled();
  expect([again.state().kind, port.opened]).toEqual(['on', 2]);
  await again.disconnect();
  expect(again.state()).toEqual({ kind: 'off' });
  expect(port.readable).toBeNull();
  const third = scannerAt(storage);
  third.start();
  await settled();
  expect(third.state()).toEqual({ kind: 'off' });
});

test('does nothing without a chosen port, and explains why a port cannot be opened', async () => {
  const scanner = scannerAt();
  await scanner.connect();
  expect(scanner.state()).toEqual({ kind: 'off' });
  serial.chosen = new FakePort();
  serial.chosen.refuses = 'Failed to open serial port.';
  await scanner.connect();
  expect(scanner.state()).toEqual({ kind: 'failed', reason: 'Failed to open serial port.' });
  serial.chosen.refuses = '';
  await scanner.connect();
  expect(scanner.state()).toEqual({ kind: 'on' });
});

test.each([
  [true, 'missing'],
  [false, 'insecure'],
])('reports that the browser does not support serial ports (secure page: %s)', async (isSecure, kind) => {
  const nothing = { storage: memory(), setTimer: () => () => undefined, scan: () => undefined };
  const scanner = createSerialScanner({ serial: undefined, isSecure, ...nothing });
  scanner.start();
  await scanner.connect();
  expect(scanner.state()).toEqual({ kind });
});

test('delivers random codes unchanged, at any split', () => {
  const sent = fc.array(fc.stringMatching(/^[!-~]{1,30}$/), { maxLength: 8 });
  const ends = fc.constantFrom('\r', '\n', '\r\n', '\t', '\x03');
  fc.assert(
    fc.property(sent, ends, fc.array(fc.nat(200), { maxLength: 10 }), (lines, end, cuts) => {
      const text = lines.map((line) => line + end).join('');
      const places = [...cuts.map((cut) => cut % (text.length + 1)), 0, text.length].toSorted((a, b) => a - b);
      let state = NO_TEXT;
      const found = places.flatMap((from, index) => {
        const step = nextText(state, text.slice(from, places[index + 1]));
        state = step.state;
        return step.codes;
      });
      expect([...found, ...nextPause(state).codes]).toEqual(lines);
    }),
  );
});

test('limits the memory for input without a terminator', () => {
  let state = NO_TEXT;
  for (let index = 0; index < 100; index++) state = nextText(state, 'x'.repeat(1_000)).state;
  expect(state.rest.length).toBeLessThanOrEqual(8_000);
});
