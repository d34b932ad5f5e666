import { afterEach, describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { ONE, useStation } from './rig.ts';

// Contract, section 4, and "Command payload" in the specification: words and fields of a request.
const shop = useStation();
const PATH = `/api/device/${ONE}/`;
const CLEARED = { statica: '', staticb: '', staticc: '', staticd: '', statice: '', locationoverride: '' };
const NO_ELEMENTS = { arrow: '', barcode: '', qrcode: '', icon: '', quantity: null };

afterEach(async () => {
  await shop.station.post(PATH, { command: 'kill' });
  await shop.station.post(PATH, { ...CLEARED, ...NO_ELEMENTS });
});

const post = (body: object) => shop.station.post(PATH, body);
const kill = () => post({ command: 'kill' });
const refused = (body: object) => shop.refused(['POST', PATH, { body }], [400, 'invalid']);

describe('command or static', () => {
  test.each<[line: string, body: object, isCommand: boolean]>([
    ['a command word makes a command', { command: 'flash' }, true],
    ['line1 alone makes a command', { line1: 'x' }, true],
    ['line2 alone makes a command', { line2: 'x' }, true],
    ['line3 alone makes a command', { line3: 'x' }, true],
    ['line4 alone makes a command', { line4: 'x' }, true],
    ['line5 alone makes a command', { line5: 'x' }, true],
    ['a quantity alone is a static', { quantity: 5 }, false],
    ['a barcode alone is a static', { barcode: '123' }, false],
    [
      'color, seconds, sound and nonce do not light anything on their own',
      { statica: 'x', color: 'r', seconds: 5, sound: 'beep', nonce: 'n' },
      false,
    ],
    [
      'a label, a brightness and an unsolicited nonce are settings',
      { locationoverride: 'A', brightness: 100, unsolicitedNonce: '' },
      false,
    ],
  ])('%s', async (_, body, isCommand) => {
    const answer = await post(body);
    expect(Object.keys(answer)).toEqual(
      isCommand ? ['deviceid', 'command_id', 'state', 'delivery', 'warnings'] : ['deviceid', 'updated', 'warnings'],
    );
    expect((await shop.station.device(ONE)).state).toBe(isCommand ? 'active' : 'static');
  });

  test('a line without a command word is an implied flash', async () => {
    await post({ line3: 'x' });
    expect(await shop.only()).toMatchObject({ command: 'flash', line3: 'x' });
  });

  test('ignores static fields in a command, with a warning', async () => {
    const { warnings } = await post({ line1: 'x', statica: 'a', statice: 'e', brightness: 5 });
    expect(warnings).toEqual(
      ['statica', 'statice', 'brightness'].map(
        (field) => expect.stringMatching(new RegExp(`^${field} is ignored`)) as string,
      ),
    );
    expect(await shop.station.device(ONE)).toMatchObject({ statica: '', brightness: 100 });
  });
});

describe('command words', () => {
  test.each([
    ['flash', 'flash', 'blink'],
    ['message', 'flash', 'blink'],
    ['pick', 'pick', 'steady'],
    ['display', 'pick', 'steady'],
    ['FLASH', 'flash', 'blink'],
  ])('%s is kept as %s, with LED mode %s', async (command, kept, mode) => {
    await post({ command, line1: 'x' });
    await shop.station.clock.advance(3_000);
    expect(await shop.only()).toMatchObject({ command: kept, state: 'shown' });
    expect((await shop.station.device(ONE)).displayed).toMatchObject({ led: { mode } });
  });

  test.each<[line: string, body: object, updated: string[], shown: object]>([
    [
      'static: lines become statica to statice',
      { command: 'static', line1: 'a', line2: 'b', line3: 'c', line4: 'd', line5: 'e' },
      ['statica', 'staticb', 'staticc', 'staticd', 'statice'],
      { statica: 'a', statice: 'e' },
    ],
    [
      'static2: its two texts become staticc and staticd',
      { command: 'static2', line1: 'c', line2: 'd' },
      ['staticc', 'staticd'],
      { statica: '', staticc: 'c', staticd: 'd' },
    ],
    [
      'location: line1 becomes the label',
      { command: 'location', line1: 'A-7' },
      ['locationoverride'],
      { locationoverride: 'A-7', location: 'A-7' },
    ],
  ])('%s', async (_, body, updated, shown) => {
    expect(await post(body)).toEqual({ deviceid: ONE, updated, warnings: [] });
    expect(await shop.station.device(ONE)).toMatchObject({ ...shown, commands: [] });
  });

  test('answers 400 to any other word and lists the valid ones', async () => {
    for (const command of ['blink', 'off', 'clear', 'statics', 'toString']) {
      const { detail, errors } = await refused({ command, line1: 'x' });
      expect(errors).toMatchObject([{ path: '/command' }]);
      for (const word of ['flash', 'message', 'pick', 'display', 'kill', 'static', 'static2', 'location']) {
        expect(detail).toContain(word);
      }
    }
  });
});

test('arrow, barcode, qrcode, quantity and icon work in statics, which survive a restart', async () => {
  await post({ statica: 'a', quantity: 7, arrow: 'left', barcode: '12345' });
  expect(await shop.station.device(ONE)).toMatchObject({ quantity: 7, arrow: 'left', barcode: '12345' });
  await post({ quantity: null, arrow: '', barcode: null, qrcode: 'hello', icon: 'no-smoking' });
  await shop.station.restart();
  expect(await shop.station.device(ONE)).toMatchObject({
    quantity: null,
    arrow: null,
    barcode: '',
    qrcode: 'hello',
    icon: 'hazardd',
  });
});

describe('arrow: the eight names, plus up for top and down for bottom', () => {
  test.each<[given: string, arrow: string]>([
    ...ARROWS.map((arrow): [string, string] => [arrow, arrow]),
    ['up', 'top'],
    ['down', 'bottom'],
    ['TopLeft', 'topleft'],
  ])('%s', async (given, arrow) => {
    await post({ line1: 'x', arrow: given });
    expect(await shop.only()).toMatchObject({ arrow });
    await kill();
    await post({ arrow: given });
    expect(await shop.station.device(ONE)).toMatchObject({ arrow });
  });
});

describe('color', () => {
  test.each([
    ['r', '#ff0000'],
    ['g', '#00ff00'],
    ['b', '#0000ff'],
    ['rg', '#ffff00'],
    ['gr', '#ffff00'],
    ['gb', '#00ffff'],
    ['bg', '#00ffff'],
    ['rb', '#ff00ff'],
    ['br', '#ff00ff'],
    ['red', '#ff0000'],
    ['Green', '#00ff00'],
    ['blue', '#0000ff'],
    ['yellow', '#ffff00'],
    ['aqua', '#00ffff'],
    ['fuchsia', '#ff00ff'],
    ['white', '#ffffff'],
    ['silver', '#c0c0c0'],
    ['gray', '#808080'],
    ['maroon', '#800000'],
    ['purple', '#800080'],
    ['lime', '#00ff00'],
    ['olive', '#808000'],
    ['navy', '#000080'],
    ['teal', '#008080'],
    ['black', '#000000'],
    ['#12f', '#1122ff'],
    ['12f', '#1122ff'],
    ['#1a2b3c', '#1a2b3c'],
    ['1A2B3C', '#1a2b3c'],
  ])('%s lights %s', async (color, hex) => {
    await post({ line1: 'x', color });
    await shop.station.clock.advance(3_000);
    expect((await shop.station.device(ONE)).displayed).toMatchObject({ led: { hex } });
  });

  test('a hexadecimal color with a lightness of 3 percent or less leaves the LED off, with a warning', async () => {
    const { warnings } = await post({ line1: 'x', color: '#070707' });
    expect(warnings).toEqual([expect.stringContaining('stays off')]);
    await shop.station.clock.advance(3_000);
    const { displayed } = await shop.station.device(ONE);
    expect(displayed).toMatchObject({ screen: { lines: ['x'] }, led: { hex: '#000000' } });
  });
});

test('accepts an icon as hazard and a character, as a name, or by \\ic in a line', async () => {
  for (const given of [{ icon: 'hazardd' }, { icon: 'No-Smoking' }, { staticc: '\\ichazardd' }]) {
    await post({ ...NO_ELEMENTS, ...given });
    await shop.station.clock.advance(3_000);
    const { icon, displayed } = await shop.station.device(ONE);
    expect(displayed?.screen.icon).toBe('hazardd');
    expect(icon).toBe('staticc' in given ? '' : 'hazardd');
  }
});

describe('an encoding in a line counts as that element', () => {
  test.each<[line: string, shown: object]>([
    ['\\bc12345', { barcode: '12345' }],
    ['\\qrhello', { qrcode: 'hello' }],
    ['\\ichazardM', { icon: 'hazardM' }],
    ...ARROWS.map((arrow): [string, object] => [`\\ic${arrow}`, { arrow }]),
  ])('%s', async (line2, shown) => {
    await post({ line1: 'x', line2 });
    expect(await shop.only()).toMatchObject({ line1: 'x', line2: '', ...shown });
  });

  test('an encoding is read before the line is cut', async () => {
    await post({ line1: `\\qr${'q'.repeat(23)}` });
    expect(await shop.only()).toMatchObject({ qrcode: 'q'.repeat(23) });
    await refused({ line1: `\\bc${'1'.repeat(24)}` });
  });
});

test('answers 400 to an unknown arrow, color or icon and lists the allowed values', async () => {
  for (const [field, value, allowed] of [
    ['arrow', 'north', ['topleft', 'bottomright', 'up', 'down']],
    ['color', 'mauve', ['rg', 'red', 'white', '#rrggbb']],
    ['icon', 'bomb', ['left', 'hazard', 'no-smoking', 'flammable']],
  ] as const) {
    const { detail, errors } = await refused({ line1: 'x', [field]: value });
    expect(errors).toMatchObject([{ path: `/${field}` }]);
    for (const word of allowed) expect(detail).toContain(word);
  }
});
