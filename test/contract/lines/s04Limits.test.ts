import { NO_STATICS } from '#shared/lib/requests/deviceFields.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { ONE, TWO, useStation, type RigRequest } from './rig.ts';

// Contract, section 4, and "Limits" in the specification.
const shop = useStation();
const PATH = `/api/device/${ONE}/`;

afterEach(async () => {
  await shop.station.post(PATH, { command: 'kill' });
  await shop.station.post(PATH, NO_STATICS);
});

const post = (body: object) => shop.station.post<{ command_id: string; warnings: string[] }>(PATH, body);
const refused = (body: object) => shop.refused(['POST', PATH, { body }], [400, 'invalid']);

test('accepts seconds as a whole number from 0 to 2,592,000, in one command and in a list', async () => {
  for (const seconds of [0, '0', 2_592_000, '2592000', '60.0']) {
    expect((await shop.ask('POST', PATH, { body: { line1: 'x', seconds } })).status, String(seconds)).toBe(200);
  }
  for (const seconds of [-1, 2_592_001, 0.5, 'soon']) {
    expect((await refused({ line1: 'x', seconds })).errors).toMatchObject([{ path: '/seconds' }]);
    const bulk = await shop.ask('POST', '/api/devices/', { body: [{ deviceid: ONE, line1: 'x', seconds }] });
    expect(bulk).toMatchObject({ status: 207, json: [{ status: 400, errors: [{ path: '/seconds' }] }] });
  }
});

test('a command with 0 seconds never times out', async () => {
  await post({ line1: 'x', seconds: 0 });
  // Wait longer than the default seconds plus everything that the station adds. `expires_at: null` covers later times.
  await shop.station.clock.advance(120_000);
  expect(await shop.only()).toMatchObject({ state: 'shown', expires_at: null });
});

test('without seconds and color, a fresh station uses 60 and red', async () => {
  await post({ line1: 'x' });
  expect(await shop.only()).toMatchObject({ seconds: 60, color: 'red' });
});

describe('cuts a text line over 26 characters, with a warning', () => {
  test.each(['line1', 'line2', 'line3', 'line4', 'line5'] as const)('%s', async (line) => {
    const text = 'abcdefghijklmnopqrstuvwxyz';
    expect((await post({ [line]: text, nonce: 'n' })).warnings).toEqual([]);
    expect((await post({ [line]: `${text}0`, nonce: 'n' })).warnings).toEqual([
      expect.stringMatching(new RegExp(`^${line} .*26.*cut`)),
    ]);
    expect((await shop.only())[line]).toBe(text);
  });

  test.each(['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const)('%s', async (line) => {
    const text = 'abcdefghijklmnopqrstuvwxyz';
    expect((await post({ [line]: `${text}0` })).warnings).toEqual([
      expect.stringMatching(new RegExp(`^${line} .*26.*cut`)),
    ]);
    expect((await shop.station.device(ONE))[line]).toBe(text);
  });
});

describe('refuses codes that are too long or not encodable, because a truncated code would scan as a different one', () => {
  test('a barcode over 23 characters, in a command and in statics', async () => {
    for (const more of [{ command: 'pick' }, {}]) {
      expect((await refused({ ...more, barcode: '1'.repeat(24) })).errors).toMatchObject([{ path: '/barcode' }]);
    }
  });

  test('accepts a barcode of 21 characters, and of 22 or 23 with a warning', async () => {
    for (const [length, warnings] of [
      [21, 0],
      [22, 1],
      [23, 1],
    ] as const) {
      expect((await post({ command: 'pick', barcode: '1'.repeat(length) })).warnings, String(length)).toHaveLength(
        warnings,
      );
    }
  });

  test('a barcode with characters outside ASCII 32 to 126', async () => {
    for (const barcode of ['ä', 'a\u007f', '1\t2', '€']) {
      expect((await refused({ command: 'pick', barcode })).errors).toMatchObject([{ path: '/barcode' }]);
    }
    expect((await post({ command: 'pick', barcode: ' !~}' })).warnings).toEqual([expect.stringContaining('space')]);
  });

  test('a QR code over 53 bytes', async () => {
    for (const qrcode of ['q'.repeat(54), '漢'.repeat(18)]) {
      expect((await refused({ command: 'pick', qrcode })).errors).toMatchObject([{ path: '/qrcode' }]);
    }
    for (const qrcode of ['q'.repeat(53), '漢'.repeat(17)]) await post({ command: 'pick', qrcode });
  });

  test('a barcode over 15 characters, if it is combined with an icon and a QR code', async () => {
    const three = { command: 'pick', barcode: '1'.repeat(15), qrcode: 'q'.repeat(53), icon: 'mask' };
    expect((await post(three)).warnings).toEqual([]);
    expect((await refused({ ...three, barcode: '1'.repeat(16) })).detail).toContain('15');
  });
});

test('accepts a quantity of 0 or more; over 99, warns that 99+ is drawn', async () => {
  for (const quantity of [0, 99]) expect((await post({ line1: 'x', quantity })).warnings).toEqual([]);
  for (const more of [{ line1: 'x' }, { statica: 'x' }]) {
    expect((await post({ ...more, quantity: 100 })).warnings).toEqual([expect.stringContaining('99+')]);
    for (const quantity of [-1, 1.5, 'many']) {
      expect((await refused({ ...more, quantity })).errors).toMatchObject([{ path: '/quantity' }]);
    }
  }
});

test('leaves out a sixth element with a warning that names it, and answers 400 if strict', async () => {
  const five = { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' };
  expect((await post(five)).warnings).toEqual([]);
  for (const sixth of ['quantity', 'barcode', 'qrcode', 'arrow', 'icon'] as const) {
    const value = { quantity: 1, barcode: '1', qrcode: 'q', arrow: 'up', icon: 'mask' }[sixth];
    const left = sixth === 'quantity' ? 'line5' : sixth;
    const said = expect.stringMatching(new RegExp(`^${left} is not drawn`)) as string;
    expect((await post({ ...five, [sixth]: value, nonce: 'n' })).warnings).toEqual([said]);
    const strict: RigRequest = ['POST', `${PATH}?strict=1`, { body: { ...five, [sixth]: value } }];
    expect((await shop.refused(strict, [400, 'invalid'])).errors).toEqual([{ path: `/${left}`, message: said }]);
  }
});

test('leaves out a third boxed element: the QR code, otherwise the icon', async () => {
  const boxed = { quantity: 1, qrcode: 'q', arrow: 'up', icon: 'mask' };
  for (const [absent, gone] of [
    ['quantity', 'qrcode'],
    ['qrcode', 'icon'],
    ['arrow', 'qrcode'],
    ['icon', 'qrcode'],
  ] as const) {
    const { [absent]: _, ...three } = boxed;
    const { warnings } = await post({ command: 'pick', ...three, nonce: 'n' });
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^${gone} is not drawn`))]);
  }
  const { warnings } = await post({ line1: '\\qrq', line2: '\\icleft', quantity: 1, nonce: 'n' });
  expect(warnings).toEqual([expect.stringMatching(/^qrcode in line1 is not drawn/)]);
});

test('an empty string or null in a command means that the field is not given', async () => {
  for (const blank of ['', null]) {
    const fields = [
      'quantity',
      'arrow',
      'barcode',
      'qrcode',
      'icon',
      'color',
      'seconds',
      'sound',
      'nonce',
      'line2',
      'deviceid',
      'location',
      'statica',
      'locationoverride',
    ];
    const given = Object.fromEntries(fields.map((field) => [field, blank]));
    expect((await post({ line1: 'x', ...given })).warnings).toEqual([]);
    expect(await shop.only()).toMatchObject({ seconds: 60, color: 'red', quantity: null, arrow: null });
  }
});

test('an empty string or null clears a static field', async () => {
  for (const blank of ['', null]) {
    for (const [field, value] of [
      ['statica', 'a'],
      ['statice', 'e'],
      ['arrow', 'left'],
      ['barcode', '1'],
      ['qrcode', 'q'],
      ['quantity', 4],
      ['icon', 'hazardd'],
      ['locationoverride', 'A-1'],
      ['unsolicitedNonce', 'bell'],
    ] as const) {
      await post({ [field]: value });
      expect(await shop.station.device(ONE)).toMatchObject({ [field]: value });
      expect(await post({ [field]: blank })).toEqual({ deviceid: ONE, updated: [field], warnings: [] });
      expect([null, '']).toContain((await shop.station.device(ONE))[field]);
    }
  }
});

test('unsolicitedNonce, brightness and locationoverride are set like statics and listed in updated', async () => {
  const body = { unsolicitedNonce: 'bell', brightness: 40, locationoverride: 'B-2' };
  expect(await shop.station.post(`/api/device/${TWO}/`, body)).toMatchObject({ deviceid: TWO, warnings: [] });
  const { updated } = await shop.station.post<{ updated: string[] }>(`/api/device/${TWO}/`, body);
  expect(updated.toSorted()).toEqual(Object.keys(body).toSorted());
  expect(await shop.station.device(TWO)).toMatchObject({ ...body, location: 'B-2' });
});

describe('sound: an encoding, a name, none or beep', () => {
  test.each([
    ['beep', '15,c5,4'],
    ['none', ''],
    ['Regular Beep', '15,c5,4'],
    ['constant', '15,c5,400'],
    ['ta da', '140,e5,1,e5,3,g5,1,g5,3,c5,1,c5,3'],
    ['Scale–Reverse', '140,c6,2,b5,2,a5,2,g5,2,f5,2,g5,2,a5,2,b5,2,c6,2'],
    ['300,a5,1,g5s,1', '300,a5,1,g5s,1'],
    ['140,p,2,b7,1', '140,p,2,b7,1'],
  ])('%s', async (sound, encoding) => {
    expect((await post({ line1: 'x', sound })).warnings).toEqual([]);
    expect(await shop.only()).toMatchObject({ sound: encoding });
  });

  test('inserts a missing comma between pairs, with a warning', async () => {
    expect((await post({ line1: 'x', sound: '140,c5,2a5,1' })).warnings).toEqual([expect.stringContaining('comma')]);
    expect(await shop.only()).toMatchObject({ sound: '140,c5,2,a5,1' });
  });

  test.each(['0,c5,1', '-5,c5,1', '140,c4,1', '140,c8,1', '140,h5,1', '140,c5', '140,c5,0', '140,c5,1.5', '140'])(
    'leaves out %s with a warning that gives the position, and answers 400 if strict',
    async (sound) => {
      expect((await post({ line1: 'x', sound })).warnings).toEqual([expect.stringMatching(/not played.*character \d/)]);
      expect(await shop.only()).toMatchObject({ line1: 'x', sound: '' });
      const strict: RigRequest = ['POST', `${PATH}?strict=1`, { body: { line1: 'x', sound } }];
      expect((await shop.refused(strict, [400, 'invalid'])).errors).toMatchObject([{ path: '/sound' }]);
    },
  );
});
