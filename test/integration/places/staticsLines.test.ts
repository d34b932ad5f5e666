import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import { NO_STATICS } from '#shared/lib/requests/deviceFields.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 4: a line owns the element that its text defines.
const DEVICE = '51D000:000001';
const OTHER = '51D000:000002';
const PATH = `/api/device/${DEVICE}/`;
const NO_ELEMENTS = { barcode: '', qrcode: '', icon: '', arrow: null };

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
});

beforeEach(() => station.post(PATH, NO_STATICS));

afterAll(() => station.stop());

const post = (body: object) => station.post<{ updated: string[]; warnings: string[] }>(PATH, body);

/** Waits until the device shows the latest content, and returns it. */
async function shown(deviceid = DEVICE): Promise<Device> {
  await station.clock.advance(5_000);
  return station.device(deviceid);
}

test.each([
  ['\\bc51D000:000001', { barcode: '51D000:000001' }],
  ['\\QRhello', { qrcode: 'hello' }],
  ['\\icno-smoking', { icon: 'hazardd' }],
  ['\\icup', { arrow: 'top' }],
] as const)('%s reads back as it was sent, and disappears with its line', async (staticb, element) => {
  expect(await post({ staticb })).toMatchObject({ updated: ['staticb'], warnings: [] });
  const device = await shown();
  expect(device).toMatchObject({ staticb, ...NO_ELEMENTS });
  expect(device.displayed?.screen).toMatchObject(element);
  await post({ staticb: 'blue' });
  expect((await shown()).displayed?.screen).toMatchObject({ lines: ['', 'blue'], ...NO_ELEMENTS });
  await post({ staticb });
  await post({ staticb: '' });
  expect((await shown()).displayed?.screen).toMatchObject({ lines: [], ...NO_ELEMENTS });
});

test('a barcode in a line takes no room once the line is overwritten', async () => {
  await post({ staticb: '\\bc1' });
  const five = { statica: 'a', staticb: 'b', staticc: 'c', staticd: 'd', statice: 'e' };
  expect(await post(five)).toMatchObject({ warnings: [] });
  expect((await shown()).displayed?.screen.lines).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('an element in its own field stays until it is set again, even if lines with such elements change', async () => {
  await post({ barcode: 'OWN', icon: 'mask', staticb: 'red' });
  await post({ staticb: '\\icleft', statica: 'x' });
  await post({ staticb: 'blue' });
  const device = await shown();
  expect(device).toMatchObject({ barcode: 'OWN', icon: 'hazardy', arrow: null });
  expect(device.displayed?.screen).toMatchObject({ barcode: 'OWN', icon: 'hazardy', arrow: null });
});

test('a line takes precedence over the field, which is shown again when the line is cleared', async () => {
  await post({ barcode: 'FIELD' });
  expect((await post({ staticc: '\\bcLINE' })).warnings).toEqual([
    expect.stringMatching(/"LINE" in staticc is shown, "FIELD" in barcode is not/),
  ]);
  expect(await shown()).toMatchObject({ barcode: 'FIELD', displayed: { screen: { barcode: 'LINE' } } });
  expect((await post({ quantity: 4 })).warnings).toEqual([expect.stringContaining('Nothing is lit')]);
  await post({ staticc: null });
  expect((await shown()).displayed?.screen.barcode).toBe('FIELD');
});

test('lines set through the older static, static2 or the path own their elements, too', async () => {
  await station.request('GET', `/api/${DEVICE}/static/a~%5cbc123/`);
  expect(await shown()).toMatchObject({ staticb: '\\bc123', barcode: '', displayed: { screen: { barcode: '123' } } });
  await post({ command: 'static', line2: 'blue' });
  await post({ command: 'static2', line1: '\\icleft' });
  expect(await shown()).toMatchObject({ staticc: '\\icleft', displayed: { screen: { barcode: '', arrow: 'left' } } });
});

test('a preview and a replacement device show the same elements', async () => {
  await post({ staticb: '\\bc123', icon: 'mask' });
  const { screen } = await station.post<{ screen: object }>('/api/preview/', { deviceid: DEVICE, statica: 'M8' });
  expect(screen).toMatchObject({ lines: ['M8'], barcode: '123', icon: 'hazardy' });
  await station.post(`${PATH}replace/`, { deviceid: OTHER });
  expect(await shown(OTHER)).toMatchObject({ staticb: '\\bc123', barcode: '', icon: 'hazardy' });
  expect((await shown(OTHER)).displayed?.screen).toMatchObject({ barcode: '123', icon: 'hazardy' });
  expect((await shown()).displayed?.screen).toMatchObject({ lines: [], barcode: '', icon: '' });
});

describe('a line with an icon', () => {
  test('is stored without the spaces before the icon name, regardless of their number', async () => {
    await post({ staticb: `\\ic${' '.repeat(50_000)}left` });
    expect(await shown()).toMatchObject({ staticb: '\\icleft', displayed: { screen: { arrow: 'left' } } });
  });
});
