import { describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { ICONS } from '#shared/screen/icons.ts';
import { command, errors, statics } from './deviceRequestRig.ts';

describe('an arrow', () => {
  test('has eight names and up and down, in any case; another is refused with all of them', () => {
    for (const arrow of ARROWS) expect(command({ command: 'pick', arrow }).arrow).toBe(arrow);
    expect(command({ command: 'pick', arrow: 'UP' }).arrow).toBe('top');
    expect(command({ command: 'pick', arrow: 'down' }).arrow).toBe('bottom');
    for (const arrow of ['north', 'constructor', '__proto__', 'left ']) {
      const [error] = errors({ command: 'pick', arrow });
      expect(error?.path).toBe('/arrow');
      expect(error?.message).toMatch(/left.*bottomright.*up.*down/);
    }
  });

  test('may be given as an icon, and is the arrow then', () => {
    for (const arrow of ARROWS) {
      expect(command({ command: 'pick', icon: arrow })).toMatchObject({ arrow, icon: '', warnings: [] });
      expect(command({ line1: `\\ic${arrow}` })).toMatchObject({ arrow, icon: '', lines: [], warnings: [] });
    }
    expect(command({ command: 'pick', icon: 'Up' }).arrow).toBe('top');
    expect(command({ line1: '\\icdown' }).arrow).toBe('bottom');
    expect(statics({ icon: 'left' }).changes).toEqual({ icon: '', arrow: 'left' });
    expect(statics({ staticb: '\\icleft' }).changes).toEqual({ staticb: '', arrow: 'left' });
    expect(statics({ arrow: 'up' }).changes).toEqual({ arrow: 'top' });
    expect(errors({ arrow: 'north' })).toMatchObject([{ path: '/arrow' }]);
  });
});

describe('an icon', () => {
  test('is known by hazard and its character and by its readable name, and is kept by the former', () => {
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

  test('that there is not is refused with the arrows, the characters and the names that there are', () => {
    for (const icon of ['bomb', 'hazardW', 'hazarddd', 'd', 'constructor', '__proto__', 'ü', 'no smoking']) {
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
    expect(statics({ statica: '\\bc12345' }).changes).toEqual({ statica: '', barcode: '12345' });
  });

  test('is read in either case, at the start of the line only, and before the line is cut', () => {
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

  test('without anything behind it shows nothing, and says so', () => {
    for (const line1 of ['\\bc', '\\qr', '\\ic', '\\ic ']) {
      const { warnings, ...content } = command({ line1 });
      expect(content).toMatchObject({ lines: [], barcode: '', qrcode: '', icon: '', arrow: null });
      expect(warnings).toEqual([expect.stringContaining('line1')]);
    }
    expect(statics({ statica: '\\bc' })).toMatchObject({ changes: { statica: '' }, warnings: [expect.any(String)] });
  });
});

describe('the same element twice', () => {
  test('is refused where the two differ, naming both places', () => {
    for (const [request, path, message] of [
      [{ barcode: '1', line1: '\\bc2' }, '/line1', /barcode.*"1" in barcode.*"2" in line1/],
      [{ line1: '\\qra', line4: '\\qrb' }, '/line4', /qrcode.*"a" in line1.*"b" in line4/],
      [{ icon: 'hazarda', line1: '\\ichazardb' }, '/line1', /icon.*hazarda.*hazardb/],
      [{ arrow: 'left', icon: 'right' }, '/icon', /arrow.*"left" in arrow.*"right" in icon/],
      [{ arrow: 'left', line5: '\\icright' }, '/line5', /arrow/],
      [{ line1: '\\icleft', line2: '\\icright' }, '/line2', /arrow/],
    ] as const) {
      const found = errors({ command: 'pick', ...request });
      expect(found).toMatchObject([{ path }]);
      expect(found[0]?.message).toMatch(message);
    }
    expect(errors({ barcode: '1', statica: '\\bc2' })).toMatchObject([{ path: '/statica' }]);
  });

  test('is one where the two are the same in any form', () => {
    expect(command({ line1: '\\bc1', barcode: '1' })).toMatchObject({ barcode: '1', warnings: [] });
    expect(command({ command: 'pick', arrow: 'up', icon: 'top' })).toMatchObject({ arrow: 'top', icon: '' });
    expect(command({ line1: '\\icno-smoking', icon: 'hazardd' }).icon).toBe('hazardd');
  });

  test('is not an arrow beside a sign: those are two elements', () => {
    expect(command({ line1: '\\icleft', line2: '\\ichazardd' })).toMatchObject({ arrow: 'left', icon: 'hazardd' });
    expect(command({ command: 'pick', icon: 'left', line2: '\\ichazardd' })).toMatchObject({ icon: 'hazardd' });
  });
});

describe('what one screen can hold', () => {
  const FULL = { line1: '1', line2: '2', line3: '3', line4: '4', line5: '5' };
  const FULL_STATICS = { statica: '1', staticb: '2', staticc: '3', staticd: '4', statice: '5' };

  test('five elements are fine and six are refused by name', () => {
    expect(command(FULL).lines).toHaveLength(5);
    expect(errors({ ...FULL, quantity: 1 })[0]?.message).toMatch(/line1.*line5.*quantity/);
    expect(errors({ ...FULL, barcode: '1' })[0]?.message).toContain('barcode');
    expect(command({ ...FULL, line3: '\\bc1' })).toMatchObject({ barcode: '1' });
    expect(errors({ ...FULL_STATICS, quantity: 1 })[0]?.message).toMatch(/statica.*statice.*quantity/);
    expect(errors({ command: 'static', ...FULL, quantity: 1 })[0]?.message).toMatch(/line1.*line5.*quantity/);
  });

  test('two boxed elements are fine and three are refused by name, in whatever form they are given', () => {
    expect(command({ command: 'pick', quantity: 1, arrow: 'left' })).toMatchObject({ quantity: 1, arrow: 'left' });
    expect(command({ command: 'pick', icon: 'hazardd', qrcode: 'x' })).toMatchObject({ icon: 'hazardd', qrcode: 'x' });
    for (const request of [
      { quantity: 1, arrow: 'left', qrcode: 'x' },
      { quantity: 1, line1: '\\icleft', line2: '\\qrx' },
      { quantity: 1, icon: 'left', qrcode: 'x' },
    ]) {
      expect(errors({ command: 'pick', ...request })[0]?.message).toMatch(/quantity.*qrcode.*arrow/);
      expect(errors({ command: 'static', ...request })[0]?.message).toMatch(/quantity.*qrcode.*arrow/);
    }
    expect(errors({ quantity: 1, icon: 'mask', qrcode: 'x' })[0]?.message).toMatch(/quantity.*qrcode.*icon/);
  });
});
