import { describe, expect, test } from 'vitest';
import { command, errors, statics } from './deviceRequestRig.ts';

const QUIET = expect.arrayContaining([expect.stringContaining('quiet')]) as unknown;

describe('a barcode', () => {
  test('of more than 23 characters is refused, because a truncated code would scan as a different one', () => {
    expect(command({ command: 'pick', barcode: '1'.repeat(23) }).barcode).toBe('1'.repeat(23));
    for (const [request, path] of [
      [{ command: 'pick', barcode: '1'.repeat(24) }, '/barcode'],
      [{ barcode: '1'.repeat(24) }, '/barcode'],
      [{ line1: `\\bc${'1'.repeat(24)}` }, '/line1'],
      [{ staticc: `\\bc${'1'.repeat(24)}` }, '/staticc'],
      [{ command: 'pick', barcode: '1'.repeat(1_000_000) }, '/barcode'],
    ] as const) {
      expect(errors(request)).toMatchObject([{ path, message: expect.stringContaining('23 characters') as string }]);
    }
  });

  test('of 22 or 23 characters gets a warning about its small quiet zone', () => {
    expect(command({ command: 'pick', barcode: '1'.repeat(21) }).warnings).toEqual([]);
    for (const length of [22, 23]) {
      expect(command({ command: 'pick', barcode: '1'.repeat(length) }).warnings).toEqual(QUIET);
      expect(statics({ statica: `\\bc${'1'.repeat(length)}` }).warnings).toEqual(QUIET);
    }
  });

  test('can hold ASCII 32 to 126, and an error names the first other character', () => {
    expect(command({ command: 'pick', barcode: '!~' }).barcode).toBe('!~');
    for (const [barcode, named] of [
      ['ä', 'ä'],
      ['a\n', '\\n'],
      ['a\u007f', '\u007f'],
      ['１２', '１'],
      ['x😀', '😀'],
      ['\ud83d', '\\ud83d'],
    ] as const) {
      const found = errors({ command: 'pick', barcode });
      expect(found).toMatchObject([{ path: '/barcode' }]);
      expect(found[0]?.message).toContain(named);
      expect(found[0]?.message).toContain('32 to 126');
    }
  });
});

describe('a QR code', () => {
  test('of over 53 bytes is refused with its length and the limit', () => {
    for (const qrcode of ['1'.repeat(53), 'ä'.repeat(26), `${'🔩'.repeat(13)}x`])
      expect(command({ command: 'pick', qrcode })).toMatchObject({ qrcode, warnings: [] });
    expect(errors({ line2: `\\qr${'ä'.repeat(27)}` })).toMatchObject([{ path: '/line2' }]);
    expect(errors({ qrcode: '1'.repeat(1_000_000) })).toMatchObject([{ path: '/qrcode' }]);
    const found = errors({ command: 'pick', qrcode: '🔩'.repeat(14) });
    expect(found).toMatchObject([{ path: '/qrcode' }]);
    expect(found[0]?.message).toMatch(/56 bytes.*53 bytes/);
  });

  test('with an unpaired surrogate or a replacement character is refused', () => {
    for (const qrcode of ['\ud83d', 'a\udd29b', 'a\ufffd']) {
      const found = errors({ command: 'pick', qrcode });
      expect(found).toMatchObject([{ path: '/qrcode' }]);
      expect(found[0]?.message).toContain('UTF-8');
    }
  });
});

test('keeps a space at either end of a code, with a warning', () => {
  for (const text of [' 1', '1 ', ' ']) {
    expect(command({ command: 'pick', barcode: text })).toMatchObject({
      barcode: text,
      warnings: [expect.stringMatching(/barcode.*space/)],
    });
    expect(command({ line1: `\\qr${text}` })).toMatchObject({
      qrcode: text,
      warnings: [expect.stringMatching(/qrcode.*space/)],
    });
  }
  expect(command({ line1: '\\bc1 2' })).toMatchObject({ barcode: '1 2', warnings: [] });
});

describe('a barcode, a QR code and an icon on one screen', () => {
  const SCREEN = { command: 'pick', icon: 'hazardd' };

  test('leave room for 15 characters in the barcode, as the error says', () => {
    const [barcode, over, qrcode] = ['1'.repeat(15), '1'.repeat(16), 'x'.repeat(53)];
    expect(command({ ...SCREEN, barcode, qrcode })).toMatchObject({ barcode, qrcode });
    expect(errors({ ...SCREEN, barcode: over, qrcode })[0]?.message).toMatch(/barcode .* at most 15 characters/);
    expect(errors({ line1: '\\icmask', line2: `\\bc${over}`, line3: '\\qrx' })[0]?.message).toContain('barcode');
  });

  test('keep the longer limit if one of the three is missing, or if the icon is an arrow', () => {
    const [barcode, qrcode] = ['1'.repeat(20), 'x'.repeat(20)];
    expect(command({ ...SCREEN, barcode })).toMatchObject({ barcode });
    expect(command({ ...SCREEN, qrcode })).toMatchObject({ qrcode });
    expect(command({ command: 'pick', icon: 'left', barcode, qrcode })).toMatchObject({ barcode, qrcode });
    expect(command({ command: 'pick', arrow: 'left', barcode, qrcode })).toMatchObject({ barcode, qrcode });
  });
});
