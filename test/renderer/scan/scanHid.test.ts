import { beforeEach, expect, test } from 'vitest';
import { nextReport, NO_BYTES } from '../../../renderer/src/scan/hidReport.ts';
import { createHidScanner } from '../../../renderer/src/scan/hidScanner.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { FakeHid, FakeHidScanner, hidReports, memory, settled } from './fakeScanners.ts';

const codes: string[] = [];
let hid: FakeHid;
let storage = memory();

const scannerHere = () => createHidScanner({ hid, isSecure: true, storage, scan: (code) => codes.push(code) });

beforeEach(() => {
  codes.length = 0;
  hid = new FakeHid();
  storage = memory();
});

async function connected(device = new FakeHidScanner()) {
  hid.chosen = [device];
  const scanner = scannerHere();
  scanner.start();
  await scanner.connect();
  return { device, scanner };
}

test('delivers codes without their symbology prefix, except for GS1', async () => {
  const { device, scanner } = await connected();
  expect(scanner.state()).toEqual({ kind: 'on' });
  expect(hid.filters).toEqual([{ usagePage: 0x8c }]);
  device.sends(']C0', 'A-3-2\r');
  device.sends(']E0', '9501101020917');
  device.sends(']C1', '010950110102091710AB\x1d2177');
  expect(codes).toEqual(['A-3-2', '9501101020917', ']C1010950110102091710AB\x1d2177']);
});

test('joins the reports of a long code', async () => {
  const { device } = await connected();
  const link = `https://id.gs1.org/01/09501101020917/10/${'A'.repeat(100)}`;
  device.sends(']Q1', link);
  device.sends(']Q1', 'x'.repeat(112));
  expect(codes).toEqual([link, 'x'.repeat(112)]);
});

test('discards a partial code if the scanner is unplugged, and reconnects automatically', async () => {
  const { device, scanner } = await connected();
  const [first] = hidReports(']Q1', 'A'.repeat(100));
  if (first !== undefined) device.reports(2, first);
  hid.pulls(device);
  expect(scanner.state()).toEqual({ kind: 'lost' });
  hid.dispatchEvent(new Event('connect'));
  await settled();
  expect(scanner.state()).toEqual({ kind: 'on' });
  device.sends(']C0', 'B-1-1');
  expect(codes).toEqual(['B-1-1']);
});

test('enables reports on Honeywell scanners, and rejects a device that is not in scanner mode', async () => {
  const honeywell = new FakeHidScanner(0x0c2e);
  await connected(honeywell);
  expect(honeywell.features).toEqual([[254, [1]]]);
  [hid, storage] = [new FakeHid(), memory()];
  const { device, scanner } = await connected(new FakeHidScanner(0x05e0, 5));
  expect([scanner.state(), device.opened]).toEqual([{ kind: 'failed', reason: 'It is not in HID POS mode.' }, false]);
});

test('reconnects the scanner on a new page, but not after “Disconnect”', async () => {
  const { device, scanner } = await connected();
  hid.pulls(device);
  const again = scannerHere();
  again.start();
  await settled();
  expect(again.state()).toEqual({ kind: 'on' });
  await again.disconnect();
  expect([again.state().kind, device.opened]).toEqual(['off', false]);
  device.opened = true;
  device.sends(']C0', 'A-3-2');
  expect(codes).toEqual([]);
  scanner.start();
  await settled();
  expect(scanner.state().kind).toBe('lost');
});

test('reports why a scanner cannot be opened', async () => {
  const device = new FakeHidScanner();
  device.refuses = 'Failed to open the device.';
  const { scanner } = await connected(device);
  expect(scanner.state()).toEqual({ kind: 'failed', reason: 'Failed to open the device.' });
});

test('ignores other, empty and malformed reports', () => {
  const report = new DataView(new ArrayBuffer(63));
  expect(nextReport(NO_BYTES, 2, report)).toEqual({ state: NO_BYTES });
  expect(nextReport(NO_BYTES, 5, hidReports(']C0', 'A-3-2')[0] ?? report)).toEqual({ state: NO_BYTES });
  expect(nextReport(NO_BYTES, 2, new DataView(new ArrayBuffer(3)))).toEqual({ state: NO_BYTES });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(5), (bytes, id) => {
      const { code = 'x' } = nextReport(NO_BYTES, id, new DataView(Uint8Array.from(bytes).buffer));
      expect(code.trim()).not.toBe('');
    }),
  );
});

test('skips a byte before the symbology', () => {
  const [report] = hidReports(']d2', '0109501101020917', 1);
  expect(report && nextReport(NO_BYTES, 2, report).code).toBe(']d20109501101020917');
});
