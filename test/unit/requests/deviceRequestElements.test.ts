import { describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { ICONS } from '#shared/screen/icons.ts';
import type { DeviceRequest } from '#shared/api/device.ts';
import { command, errors, parse, statics } from './deviceRequestRig.ts';

describe('an arrow', () => {
  test('has eight names plus up and down, in any case, and an error lists them', () => {
    for (const arrow of ARROWS) expect(command({ command: 'pick', arrow }).arrow).toBe(arrow);
    expect(command({ command: 'pick', arrow: 'UP' }).arrow).toBe('top');
    expect(command({ command: 'pick', arrow: 'down' }).arrow).toBe('bottom');
    for (const arrow of ['north', 'constructor', '__proto__', 'left ']) {
      const [error] = errors({ command: 'pick', arrow });
      expect(error?.path).toBe('/arrow');
      expect(error?.message).toMatch(/left.*bottomright.*up.*down/);
    }
  });

  test('may be given as an icon, and then counts as the arrow', () => {
    for (const arrow of ARROWS) {
      expect(command({ command: 'pick', icon: arrow })).toMatchObject({ arrow, icon: '', warnings: [] });
      expect(command({ line1: `\\ic${arrow}` })).toMatchObject({ arrow, icon: '', lines: [], warnings: [] });
    }
    expect(command({ command: 'pick', icon: 'Up' }).arrow).toBe('top');
    expect(command({ line1: '\\icdown' }).arrow).toBe('bottom');
    expect(statics({ icon: 'left' }).changes).toEqual({ icon: '', arrow: 'left' });
    expect(statics({ staticb: '\\icleft' }).changes).toEqual({ staticb: '\\icleft' });
    expect(statics({ arrow: 'up' }).changes).toEqual({ arrow: 'top' });
    expect(errors({ arrow: 'north' })).toMatchObject([{ path: '/arrow' }]);
  });
});

describe('an icon', () => {
  test('has two names: hazard plus its character, which is stored, and a readable name', () => {
    for (const { char, name } of ICONS) {
      const icon = `hazard${char}`;
      expect(command({ command: 'pick', icon })).toMatchObject({ icon, arrow: null, warnings: [] });
      expect(command({ command: 'pick', icon: name }).icon).toBe(icon);
      expect(command({ line1: `\\ic${icon}` })).toMatchObject({ icon, lines: [], warnings: [] });
      expect(statics({ icon: name.toUpperCase() }).changes).toEqual({ icon });
    }
    expect(command({ command: 'pick', icon: 'HAZARDd' }).icon).toBe('hazardd');
    expect(command({ command: 'pick', icon: 'hazardD' }).icon).toBe('hazardD');
  });

  test('named hazard without the character of a sign is an empty triangle, with a warning', () => {
    for (const icon of ['hazard', 'hazardW', 'hazard?', 'HAZARD~']) {
      for (const [request, field] of [
        [{ command: 'pick', icon }, 'icon'],
        [{ line2: `\\ic${icon}` }, 'line2'],
      ] as const) {
        const message = `${field}: "${icon}" does not end with the character of a sign. An empty triangle is shown.`;
        expect(command(request)).toMatchObject({ icon: 'hazard4', warnings: [message] });
        expect(parse(request).leftOut).toEqual([{ path: `/${field}`, message }]);
      }
      expect(statics({ icon }).changes).toEqual({ icon: 'hazard4' });
    }
  });

  test('with an unknown name is refused with a list of arrows, characters and names', () => {
    for (const icon of ['bomb', 'hazarddd', 'd', 'constructor', '__proto__', 'ü', 'no smoking']) {
      for (const [request, path] of [
        [{ command: 'pick', icon }, '/icon'],
        [{ icon }, '/icon'],
        [{ line2: `\\ic${icon}` }, '/line2'],
        [{ statice: `\\ic${icon}` }, '/statice'],
      ] as const) {
        const [error] = errors(request);
        expect(error?.path).toBe(path);
        expect(error?.message).toMatch(/left, .*bottomright, up, down/);
        for (const { char, name } of ICONS) {
          expect(error?.message).toContain(` ${char}`);
          expect(error?.message).toContain(name);
        }
      }
    }
  });
});

describe('an encoding inside a line', () => {
  test('counts as that element and frees the line', () => {
    expect(command({ line1: '\\bc12345', line2: 'text' })).toMatchObject({ barcode: '12345', lines: ['', 'text'] });
    expect(command({ line1: '\\qrhello' })).toMatchObject({ qrcode: 'hello', lines: [] });
    expect(command({ line1: '\\icno-smoking', line3: '\\ictopleft' })).toMatchObject({
      icon: 'hazardd',
      arrow: 'topleft',
      lines: [],
    });
    expect(statics({ statica: '\\bc12345' }).changes).toEqual({ statica: '\\bc12345' });
  });

  test('is read in any case, only at the start of the line, and before the line is cut', () => {
    expect(command({ line1: '\\BC12a', line2: '\\Qrx', line3: '\\iCLEFT' })).toMatchObject({
      barcode: '12a',
      qrcode: 'x',
      arrow: 'left',
    });
    for (const line1 of ['\\bx12345', ' \\bc123', 'bc123', '\\b', '\\']) {
      expect(command({ line1 })).toMatchObject({ barcode: '', lines: [line1] });
    }
    expect(command({ line1: `\\bc${'1'.repeat(23)}` }).barcode).toHaveLength(23);
  });

  test('without a value shows nothing and gets a warning', () => {
    for (const line1 of ['\\bc', '\\qr', '\\ic', '\\ic ']) {
      const { warnings, ...content } = command({ line1 });
      expect(content).toMatchObject({ lines: [], barcode: '', qrcode: '', icon: '', arrow: null });
      expect(warnings).toEqual([expect.stringContaining('line1')]);
    }
    expect(statics({ statica: '\\bc' })).toMatchObject({
      changes: { statica: '\\bc' },
      warnings: [expect.any(String)],
    });
  });
});

describe('the same element twice', () => {
  test('shows the element of the first line rather than that of its field, and names both in a warning', () => {
    for (const [request, shown, warning] of [
      [{ barcode: '1', line1: '\\bc2' }, { barcode: '2' }, /barcode.*"2" in line1 is shown.*"1" in barcode is not/],
      [{ line1: '\\qra', line4: '\\qrb' }, { qrcode: 'a' }, /qrcode.*"a" in line1 is shown.*"b" in line4 is not/],
      [{ icon: 'hazarda', line1: '\\ichazardb' }, { icon: 'hazardb' }, /"hazardb" in line1.*"hazarda" in icon/],
      [{ arrow: 'left', icon: 'right' }, { arrow: 'left', icon: '' }, /arrow.*"left" in arrow.*"right" in icon/],
      [{ arrow: 'left', line5: '\\icright' }, { arrow: 'right' }, /"right" in line5.*"left" in arrow/],
      [{ line1: '\\icleft', line2: '\\icright' }, { arrow: 'left' }, /"left" in line1.*"right" in line2/],
    ] as const) {
      const { warnings, ...content } = command({ command: 'pick', ...request });
      expect(content).toMatchObject({ ...shown, lines: [] });
      expect(warnings).toEqual([expect.stringMatching(warning)]);
    }
  });

  test('is refused if the hidden element is invalid', () => {
    expect(errors({ line1: '\\bc1', line2: `\\bc${'1'.repeat(24)}` })).toMatchObject([{ path: '/line2' }]);
    expect(errors({ staticb: '\\qr1', qrcode: '1'.repeat(54) })).toMatchObject([{ path: '/qrcode' }]);
  });

  test('counts as one element if both have the same value, in any form', () => {
    expect(command({ line1: '\\bc1', barcode: '1' })).toMatchObject({ barcode: '1', warnings: [] });
    expect(command({ command: 'pick', arrow: 'up', icon: 'top' })).toMatchObject({ arrow: 'top', icon: '' });
    expect(command({ line1: '\\icno-smoking', icon: 'hazardd' }).icon).toBe('hazardd');
  });

  test('does not cover an arrow and an icon, which are two elements', () => {
    expect(command({ line1: '\\icleft', line2: '\\ichazardd' })).toMatchObject({ arrow: 'left', icon: 'hazardd' });
    expect(command({ command: 'pick', icon: 'left', line2: '\\ichazardd' })).toMatchObject({ icon: 'hazardd' });
  });
});

describe('the capacity of a screen', () => {
  const FULL = { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' };
  const all = { quantity: 1, qrcode: 'q', icon: 'mask', arrow: 'up', barcode: 'b' } as const;
  const drawn = (request: DeviceRequest) => {
    const { lines, quantity, qrcode, icon, arrow, barcode } = command({ command: 'pick', ...request });
    return [lines.join(''), quantity === null ? '' : 'n', qrcode, icon === '' ? '' : 'i', arrow ?? '', barcode].join(
      '',
    );
  };

  test('draws five elements without a warning', () => {
    expect(command(FULL)).toMatchObject({ lines: ['1', '2', '3', '4', '5'], warnings: [] });
    expect(command({ ...FULL, line3: '\\bc1' })).toMatchObject({ barcode: '1', warnings: [] });
    expect(command({ command: 'pick', quantity: 1, arrow: 'left' })).toMatchObject({ warnings: [] });
    expect(command({ command: 'pick', icon: 'hazardd', qrcode: 'x' })).toMatchObject({ warnings: [] });
  });

  test('with more than two boxed elements, drops the QR code, the icon, then the arrow, never the quantity', () => {
    const { barcode: _, ...boxed } = all;
    expect(drawn(boxed)).toBe('ntop');
    expect(drawn({ ...boxed, arrow: '' })).toBe('ni');
    expect(drawn({ ...boxed, icon: '' })).toBe('ntop');
    expect(drawn({ ...boxed, qrcode: '' })).toBe('ntop');
    expect(drawn({ ...boxed, quantity: null })).toBe('itop');
  });

  test('with more than five elements, drops the barcode, the QR code, the icon, the arrow, then the last lines', () => {
    expect(drawn({ ...FULL, barcode: 'b' })).toBe('12345');
    expect(drawn({ ...FULL, line5: '', barcode: 'b', qrcode: 'q' })).toBe('1234q');
    expect(drawn({ ...FULL, line5: '', icon: 'mask', qrcode: 'q' })).toBe('1234i');
    expect(drawn({ ...FULL, line5: '', icon: 'mask', arrow: 'up' })).toBe('1234top');
    expect(drawn({ ...FULL, quantity: 1 })).toBe('1234n');
    expect(drawn({ ...FULL, line4: '', quantity: 1 })).toBe('1235n');
    expect(drawn({ ...FULL, ...all })).toBe('1234n');
    expect(drawn({ ...FULL, line4: '', line5: '', ...all })).toBe('123ntop');
  });

  test('a warning names each dropped element and the field that set it', () => {
    expect(command({ ...FULL, ...all }).warnings).toEqual([
      'qrcode is not drawn: at most 2 of quantity, qrcode, arrow and icon fit one screen.',
      'icon is not drawn: at most 2 of quantity, qrcode, arrow and icon fit one screen.',
      'barcode is not drawn: at most 5 elements fit one screen.',
      'arrow is not drawn: at most 5 elements fit one screen.',
      'line5 is not drawn: at most 5 elements fit one screen.',
    ]);
    expect(command({ quantity: 1, line1: '\\icleft', line2: '\\qrx', line3: '\\icmask' }).warnings).toEqual([
      expect.stringMatching(/^qrcode in line2 is not drawn: at most 2 /),
      expect.stringMatching(/^icon in line3 is not drawn: at most 2 /),
    ]);
  });

  test('lists the dropped fields for strict callers', () => {
    const parsed = parse({ ...FULL, icon: 'mask', line1: '\\bc1', barcode: '2', sound: '140,c4,1' });
    expect(parsed).toMatchObject({
      ok: true,
      leftOut: [
        { path: '/barcode' },
        { path: '/line1', message: expect.stringContaining('barcode in line1') as string },
        { path: '/sound' },
      ],
    });
  });
});
