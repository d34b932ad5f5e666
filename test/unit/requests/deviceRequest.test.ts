import { describe, expect, test } from 'vitest';
import { command, errors, parse, statics } from './deviceRequestRig.ts';

/** Returns the first word of each warning about an accepted request, which is a field name. */
function named(parsed: ReturnType<typeof parse>): string[] {
  if (!parsed.ok) throw new Error(`It was refused: ${JSON.stringify(parsed)}`);
  return parsed.warnings.map((warning) => warning.split(' ')[0] ?? '');
}

describe('the kind of a request', () => {
  test('is a command if it has a command word or a line, which means a flash', () => {
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

  test('is a change to statics otherwise; LED fields or a nonce do not make it a command', () => {
    expect(statics({ statica: 'x' }).changes).toEqual({ statica: 'x' });
    expect(statics({}).changes).toEqual({});
    expect(statics({ quantity: 3, nonce: 'n' }).changes).toEqual({ quantity: 3 });
    const { changes, warnings } = statics({ color: 'red', seconds: 5, sound: 'beep' });
    expect(changes).toEqual({});
    expect(warnings).toHaveLength(3);
  });

  test('is a kill of all commands or of those with one nonce', () => {
    expect(parse({ command: 'kill' })).toMatchObject({ ok: true, instruction: { kind: 'kill', nonce: undefined } });
    expect(parse({ command: 'Kill', nonce: 'n' })).toMatchObject({ instruction: { kind: 'kill', nonce: 'n' } });
  });

  test('is a change to statics for the old command words that set statics by lines', () => {
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

  test('refuses an unknown word with a list of the known ones, even if it is a JavaScript property name', () => {
    for (const word of ['blink', 'flash ', 'constructor', '__proto__', 'toString']) {
      const [error] = errors({ command: word });
      expect(error?.path).toBe('/command');
      for (const known of ['flash', 'message', 'pick', 'display', 'kill', 'static', 'static2', 'location']) {
        expect(error?.message).toContain(known);
      }
    }
  });

  test('a warning names every field that the word does not use', () => {
    const light = { color: 'red', seconds: 5, sound: 'beep' };
    const kill = parse({ command: 'kill', nonce: 'n', line1: 'x', quantity: 2, statica: 'y', ...light });
    expect(kill).toMatchObject({ ok: true, instruction: { kind: 'kill', nonce: 'n' } });
    expect(named(kill)).toEqual(['line1', 'quantity', 'color', 'seconds', 'sound', 'statica']);
    expect(named(parse({ command: 'static', line1: 'x', locationoverride: 'A', nonce: 'n', ...light }))).toEqual([
      'locationoverride',
      'color',
      'seconds',
      'sound',
      'nonce',
    ]);
    expect(named(parse({ command: 'static2', line1: 'a', line2: 'b', line3: 'c', line5: 'e' }))).toEqual([
      'line3',
      'line5',
    ]);
    expect(named(parse({ command: 'location', line1: 'A', line2: 'B', barcode: '1', nonce: 'n' }))).toEqual([
      'line2',
      'barcode',
      'nonce',
    ]);
    expect(named(parse({ statica: 'x', nonce: 'n', ...light }))).toEqual(['color', 'seconds', 'sound', 'nonce']);
  });

  test('an error in statics set by lines names the line that was sent', () => {
    expect(errors({ command: 'static2', line2: '\\icbomb' })).toMatchObject([{ path: '/line2' }]);
    const [cut] = statics({ command: 'static', line3: 'x'.repeat(27) }).warnings;
    expect(cut).toContain('line3');
  });
});

describe('a command', () => {
  test('gets the default of every missing field', () => {
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

  test('keeps the slot of a missing line that comes before another line', () => {
    expect(command({ line2: 'b', line4: 'd' }).lines).toEqual(['', 'b', '', 'd']);
  });

  test('drops a sound that cannot be read, and says where it is wrong', () => {
    for (const [sound, why] of [
      ['loud', /none.*beep.*Macaroon/],
      ['140,c9,2', /character 5.*octaves 5 to 7/],
      ['140,c5', /character 7.*duration/],
      [`140${',c5,2'.repeat(600)}`, /character 3001/],
    ] as const) {
      const read = command({ line1: 'a', sound });
      expect(read).toMatchObject({ lines: ['a'], sound: '' });
      expect(read.warnings).toEqual([expect.stringMatching(why)]);
    }
  });

  test('refuses an unknown color, and lists the known ones', () => {
    for (const [field, value, known] of [
      ['color', 'reddish', /#rrggbb.*red/],
      ['color', '#12345', /#rrggbb/],
      ['color', 'constructor', /#rrggbb/],
    ] as const) {
      const [error] = errors({ command: 'pick', [field]: value });
      expect(error?.path).toBe(`/${field}`);
      expect(error?.message).toMatch(known);
    }
  });

  test('quotes only the beginning of a long unknown word', () => {
    for (const field of ['command', 'color', 'arrow', 'icon'] as const) {
      const [error] = errors({ command: 'pick', [field]: 'x'.repeat(100_000) });
      expect(error?.path).toBe(`/${field}`);
      expect(error?.message.length).toBeLessThan(2_500);
    }
  });

  test('accepts a quantity over 99 and warns that it is shown as 99+', () => {
    const warnings = ['The quantity 4711 is shown as 99+.'];
    expect(command({ command: 'pick', quantity: 4_711 })).toMatchObject({ quantity: 4_711, warnings });
    expect(statics({ quantity: 4_711, statica: 'M8' })).toEqual({
      changes: { quantity: 4_711, statica: 'M8' },
      warnings,
    });
    expect(statics({ quantity: 99, statica: 'M8' }).warnings).toEqual([]);
    expect(statics({ quantity: 99 }).warnings).toEqual([expect.stringMatching(/^Nothing is lit/)]);
  });

  test('warns if a color is too dark to be visible', () => {
    expect(command({ command: 'pick', color: '#070707' }).warnings).toEqual([
      'The LED stays off: "#070707" is black, or has a lightness of 3 % or less.',
    ]);
    expect(command({ command: 'pick', color: '#080808' }).warnings).toEqual([]);
  });

  test('reports all errors together', () => {
    const found = errors({ command: 'pick', color: 'x', arrow: 'x', sound: 'x', barcode: 'ä' });
    expect(found.map(({ path }) => path).toSorted()).toEqual(['/arrow', '/barcode', '/color']);
  });
});

describe('statics', () => {
  test('clear the fields that are sent empty or null, and change no other fields', () => {
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
});
