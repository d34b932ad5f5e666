import { describe, expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { parseDeviceRequest, type CommandContent, type StaticChanges } from '#shared/lib/deviceRequest.ts';

const DEFAULTS = { seconds: 60, color: 'red' };
const FAMILY = '👨‍👩‍👧‍👦';
const E_ACUTE = 'e\u0301';

function parse(request: DeviceRequest) {
  return parseDeviceRequest(request, DEFAULTS);
}

function command(request: DeviceRequest): CommandContent & { warnings: string[]; nonce: string } {
  const parsed = parse(request);
  if (!parsed.ok || parsed.instruction.kind !== 'command') throw new Error(`No command: ${JSON.stringify(parsed)}`);
  return { ...parsed.instruction.content, nonce: parsed.instruction.nonce, warnings: parsed.warnings };
}

function statics(request: DeviceRequest): { changes: StaticChanges; warnings: string[] } {
  const parsed = parse(request);
  if (!parsed.ok || parsed.instruction.kind !== 'statics') throw new Error(`No statics: ${JSON.stringify(parsed)}`);
  return { changes: parsed.instruction.changes, warnings: parsed.warnings };
}

function errors(request: DeviceRequest): FieldError[] {
  const parsed = parse(request);
  if (parsed.ok) throw new Error(`It was taken: ${JSON.stringify(parsed)}`);
  return parsed.errors;
}

describe('what a request is', () => {
  test('a command by its word, or by a line alone, which flashes', () => {
    for (const [word, canonical] of [
      ['flash', 'flash'],
      ['message', 'flash'],
      ['pick', 'pick'],
      ['display', 'pick'],
      ['FLASH', 'flash'],
      ['Display', 'pick'],
    ] as const) {
      expect(command({ command: word }).command).toBe(canonical);
    }
    for (const line of ['line1', 'line2', 'line3', 'line4', 'line5'] as const) {
      expect(command({ [line]: 'x' }).command).toBe('flash');
    }
  });

  test('statics otherwise; LED fields and a nonce alone light nothing', () => {
    expect(statics({ statica: 'x' }).changes).toEqual({ statica: 'x' });
    expect(statics({}).changes).toEqual({});
    expect(statics({ quantity: 3, nonce: 'n' }).changes).toEqual({ quantity: 3 });
    const { changes, warnings } = statics({ color: 'red', seconds: 5, sound: 'beep' });
    expect(changes).toEqual({});
    expect(warnings).toHaveLength(3);
  });

  test('a kill, of everything or of a nonce', () => {
    expect(parse({ command: 'kill' })).toMatchObject({ ok: true, instruction: { kind: 'kill', nonce: undefined } });
    expect(parse({ command: 'Kill', nonce: 'n' })).toMatchObject({ instruction: { kind: 'kill', nonce: 'n' } });
  });

  test('the words of old callers that set statics by lines', () => {
    const lines = { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' };
    expect(statics({ command: 'static', ...lines }).changes).toEqual({
      statica: '1',
      staticb: '2',
      staticc: '3',
      staticd: '4',
      statice: '5',
    });
    expect(statics({ command: 'static2', line1: 'x', line2: 'y' }).changes).toEqual({ staticc: 'x', staticd: 'y' });
    expect(statics({ command: 'location', line1: ' A-1 ' }).changes).toEqual({ locationoverride: 'A-1' });
  });

  test('any other word is refused with the words that there are, also those that every object has', () => {
    for (const word of ['blink', 'flash ', 'constructor', '__proto__', 'toString']) {
      const [error] = errors({ command: word });
      expect(error?.path).toBe('/command');
      for (const known of ['flash', 'message', 'pick', 'display', 'kill', 'static', 'static2', 'location']) {
        expect(error?.message).toContain(known);
      }
    }
  });
});

describe('a command', () => {
  test('gets every default', () => {
    expect(command({ command: 'pick' })).toEqual({
      command: 'pick',
      lines: [],
      arrow: null,
      barcode: '',
      qrcode: '',
      icon: '',
      quantity: null,
      color: 'red',
      sound: '',
      seconds: 60,
      nonce: '',
      warnings: [],
    });
    expect(command({ command: 'pick', seconds: 0 }).seconds).toBe(0);
  });

  test('ignores static fields, with a warning for each', () => {
    const { warnings, lines } = command({ line1: 'x', statica: 'y', brightness: 5, locationoverride: 'z' });
    expect(lines).toEqual(['x']);
    expect(warnings).toHaveLength(3);
    expect(warnings.join()).toMatch(/statica.*locationoverride.*brightness/);
  });

  test('keeps the slot of a line that is left out before another', () => {
    expect(command({ line2: 'b', line4: 'd' }).lines).toEqual(['', 'b', '', 'd']);
  });

  test('knows the eight arrows and up and down, in any case, and says which there are', () => {
    for (const arrow of ['left', 'right', 'top', 'bottom', 'topleft', 'topright', 'bottomleft', 'bottomright']) {
      expect(command({ command: 'pick', arrow }).arrow).toBe(arrow);
    }
    expect(command({ command: 'pick', arrow: 'UP' }).arrow).toBe('top');
    expect(command({ command: 'pick', arrow: 'down' }).arrow).toBe('bottom');
    for (const arrow of ['north', 'constructor', '__proto__', 'left ']) {
      const [error] = errors({ command: 'pick', arrow });
      expect(error?.path).toBe('/arrow');
      expect(error?.message).toMatch(/left.*bottomright.*up.*down/);
    }
  });

  test('refuses a colour, an icon or a sound that there is not, saying what there is', () => {
    for (const [field, value, known] of [
      ['color', 'reddish', /#rrggbb.*red/],
      ['color', '#12345', /#rrggbb/],
      ['color', 'constructor', /#rrggbb/],
      ['icon', 'bomb', /Known icons/],
      ['sound', 'loud', /none.*beep.*Macaroon/],
      ['sound', '140,c9,2', /octaves 5 to 7/],
      ['sound', '140,c5', /duration/],
      ['sound', `140${',c5,2'.repeat(600)}`, /3000 characters/],
    ] as const) {
      const [error] = errors({ command: 'pick', [field]: value });
      expect(error?.path).toBe(`/${field}`);
      expect(error?.message).toMatch(known);
    }
  });

  test('names everything that is wrong at once', () => {
    const found = errors({ command: 'pick', color: 'x', arrow: 'x', sound: 'x', barcode: 'ä' });
    expect(found.map(({ path }) => path).toSorted()).toEqual(['/arrow', '/barcode', '/color', '/sound']);
  });
});

describe('text that is too long', () => {
  test('is cut at 26 characters as a reader counts them, with a warning, and never inside one', () => {
    const exact = 'abcdefghijklmnopqrstuvwxyz';
    expect(command({ line1: exact })).toMatchObject({ lines: [exact], warnings: [] });
    const cut = command({ line1: `${exact}!` });
    expect(cut.lines).toEqual([exact]);
    expect(cut.warnings).toEqual([expect.stringContaining('line1')]);
    expect(command({ line1: FAMILY.repeat(27) }).lines).toEqual([FAMILY.repeat(26)]);
    expect(command({ line1: FAMILY.repeat(26) }).warnings).toEqual([]);
    expect(command({ line1: E_ACUTE.repeat(27) }).lines).toEqual(['é'.repeat(26)]);
    expect(command({ line1: '🔩'.repeat(30) }).lines).toEqual(['🔩'.repeat(26)]);
    expect(statics({ statica: `${exact}!` })).toMatchObject({
      changes: { statica: exact },
      warnings: [expect.stringContaining('statica')],
    });
  });

  test('is bounded where it is one letter under a pile of accents, which cost minutes by the hundred thousand', () => {
    const { lines, warnings } = command({ line1: `a${'\u0301\u0323'.repeat(5_000)}` });
    expect(lines[0]?.length).toBeLessThanOrEqual(1_000);
    expect(warnings).toEqual([expect.stringContaining('line1')]);
    const astral = command({ line1: `a${'\u{1D165}'.repeat(5_000)}` });
    expect(astral.lines[0]?.isWellFormed()).toBe(true);
  });

  test('a line break or another control character becomes a space', () => {
    expect(command({ line1: 'a\nb\tc\u0000d' }).lines).toEqual(['a b c d']);
  });

  test('codes are refused instead: a cut code scans as a lie', () => {
    expect(command({ command: 'pick', barcode: '1'.repeat(23) }).barcode).toBe('1'.repeat(23));
    expect(errors({ command: 'pick', barcode: '1'.repeat(24) })).toMatchObject([{ path: '/barcode' }]);
    expect(errors({ command: 'pick', qrcode: '1'.repeat(24) })).toMatchObject([{ path: '/qrcode' }]);
    expect(errors({ barcode: '1'.repeat(24) })).toMatchObject([{ path: '/barcode' }]);
    expect(errors({ line1: `\\bc${'1'.repeat(24)}` })).toMatchObject([{ path: '/barcode' }]);
  });

  test('a barcode of 22 or 23 characters has a small quiet zone, which is said', () => {
    const quiet = expect.arrayContaining([expect.stringContaining('quiet')]) as unknown;
    expect(command({ command: 'pick', barcode: '1'.repeat(21) }).warnings).not.toEqual(quiet);
    expect(command({ command: 'pick', barcode: '1'.repeat(22) }).warnings).toEqual(quiet);
  });

  test('a barcode holds ASCII 32 to 126, a QR code at most 53 bytes', () => {
    expect(command({ command: 'pick', barcode: ' ~' }).barcode).toBe(' ~');
    for (const barcode of ['ä', 'a\n', '\u007f', '１']) {
      expect(errors({ command: 'pick', barcode })).toMatchObject([{ path: '/barcode' }]);
    }
    expect(command({ command: 'pick', qrcode: '🔩'.repeat(13) }).qrcode).toBe('🔩'.repeat(13));
    expect(errors({ command: 'pick', qrcode: '🔩'.repeat(14) })).toMatchObject([
      { path: '/qrcode', message: expect.stringContaining('53 bytes') as string },
    ]);
  });
});

describe('what one screen can hold', () => {
  const FULL = { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' };

  test('five elements are fine and six are refused by name', () => {
    expect(command(FULL).lines).toHaveLength(5);
    const [error] = errors({ ...FULL, quantity: 1 });
    expect(error?.message).toMatch(/line1.*line5.*quantity/);
    expect(errors({ ...FULL, barcode: '1' })[0]?.message).toContain('barcode');
  });

  test('two boxed elements are fine and three are refused by name, in whatever form they are given', () => {
    expect(command({ command: 'pick', quantity: 1, arrow: 'left' })).toMatchObject({ quantity: 1, arrow: 'left' });
    for (const request of [
      { quantity: 1, arrow: 'left', qrcode: 'x' },
      { quantity: 1, line1: '\\icleft', line2: '\\qrx' },
      { quantity: 1, icon: 'left', qrcode: 'x' },
    ]) {
      const [error] = errors({ command: 'pick', ...request });
      expect(error?.message).toMatch(/quantity.*qrcode.*arrow/);
    }
  });

  test('encodings inside a line count as that element and free the line', () => {
    expect(command({ line1: '\\bc12345', line2: 'text' })).toMatchObject({ barcode: '12345', lines: ['', 'text'] });
    expect(command({ line1: '\\qrhello' })).toMatchObject({ qrcode: 'hello', lines: [] });
    expect(command({ line1: '\\ictopleft' })).toMatchObject({ arrow: 'topleft', icon: '', lines: [] });
    expect(command({ line1: '\\bx12345' })).toMatchObject({ barcode: '', lines: ['\\bx12345'] });
    expect(command({ line1: `\\bc${'1'.repeat(23)}` }).barcode).toHaveLength(23);
    expect(statics({ statica: '\\bc12345' }).changes).toEqual({ statica: '', barcode: '12345' });
  });
});

describe('statics', () => {
  test('clear what is sent empty or null and leave the rest', () => {
    expect(statics({ statica: '', staticb: null, barcode: null, arrow: '', quantity: null }).changes).toEqual({
      statica: '',
      staticb: '',
      barcode: '',
      arrow: '',
      quantity: null,
    });
    expect(statics({ locationoverride: null, unsolicitedNonce: null }).changes).toEqual({
      locationoverride: '',
      unsolicitedNonce: '',
    });
  });

  test('take an arrow by any of its names', () => {
    expect(statics({ arrow: 'up' }).changes).toEqual({ arrow: 'top' });
    expect(statics({ icon: 'left' }).changes).toEqual({ icon: '', arrow: 'left' });
    expect(errors({ arrow: 'north' })).toMatchObject([{ path: '/arrow' }]);
  });
});
