import { describe, expect, test } from 'vitest';
import { encodeBarcode } from '#shared/screen/barcode.ts';
import { createBitmap, fillSpan, type Bitmap } from '#shared/screen/bits.ts';
import { encodeQrcode, QR_MODULES } from '#shared/screen/qrcode.ts';
import { readCodes } from '../../helpers/screens/readCodes.ts';
import { seededFraction } from '../../helpers/seeded.ts';

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

function drawBarcode(text: string): Bitmap {
  const modules = encodeBarcode(text) ?? '';
  const bitmap = createBitmap();
  const left = Math.floor((bitmap.width - modules.length) / 2);
  for (let y = 50; y < 80; y++) {
    for (let x = 0; x < modules.length; x++) if (modules[x] === '1') fillSpan(bitmap, y, left + x, left + x + 1);
  }
  return bitmap;
}

function drawQrcode(text: string): Bitmap {
  const qrcode = encodeQrcode(text);
  const bitmap = createBitmap();
  for (let y = 0; y < QR_MODULES * 3; y++) {
    for (let x = 0; x < QR_MODULES; x++) {
      if (qrcode?.isDark(x, Math.floor(y / 3)) === true) fillSpan(bitmap, y + 20, 60 + x * 3, 63 + x * 3);
    }
  }
  return bitmap;
}

async function readTexts(bitmap: Bitmap): Promise<string[]> {
  return (await readCodes(bitmap)).map(({ format, level, text }) => `${format}${level}: ${text}`);
}

describe('a barcode', () => {
  test('of every length and with every character scans as exactly its text', async () => {
    for (let length = 1; length <= 23; length++) {
      for (let start = 0; start < ASCII.length; start += length) {
        const text = `${ASCII}${ASCII}`.slice(start, start + length);
        expect(await readTexts(drawBarcode(text))).toEqual([`Code128: ${text}`]);
      }
    }
  });

  test('has the modules of Code 128 B: eleven per character, plus start, check and stop', () => {
    for (let length = 1; length <= 23; length++) {
      expect(encodeBarcode('7'.repeat(length))).toMatch(new RegExp(`^11[01]{${11 * length + 31}}11$`));
    }
  });

  test('does not exist for a text that it cannot encode', () => {
    for (const text of ['', 'x'.repeat(24), 'ä', '\n', '\u007f', 'A\u0000', '１', '\ud83d', '😀']) {
      expect(encodeBarcode(text)).toBeUndefined();
    }
  });
});

describe('a QR code', () => {
  test('encodes letters of any script, signs, spaces and line ends exactly', async () => {
    const texts = [
      'Größe 8½',
      'Привет, мир',
      '😀🔩👨‍👩‍👧',
      '日本語ｱｲｳ',
      'שלום مرحبا',
      'e\u0301',
      ' a ',
      'a\r\nb\n',
      '\u0000\u001d',
      '\ufeffx',
    ];
    const likeOtherKinds = ['0123456789', 'ABC $%*+-./:', '12AB34cd', '\\bc\\000026', 'HTTPS://A.B/C?D=E'];
    const likeOtherCharsets = ['ä', 'Ã©', '¿§±', 'ÿþ', '\u0080\u009f', '‾¥', 'é'.repeat(23)];
    for (const text of [...texts, ...likeOtherKinds, ...likeOtherCharsets]) {
      const [read, ...others] = await readTexts(drawQrcode(text));
      expect(others).toEqual([]);
      expect(read?.replace(/^QRCode[ML]: /, '')).toBe(text);
    }
  });

  test('encodes any text that fits, as an independent program reads it', async () => {
    const fraction = seededFraction(29);
    const upTo = (most: number) => Math.floor(fraction() * most);
    const starts = [0x20, 0xa0, 0x370, 0x410, 0x5d0, 0x3040, 0x4e00, 0xac00, 0xff01, 0x1f600];
    for (let run = 0; run < 200; run++) {
      const letter = () => String.fromCodePoint((starts[upTo(starts.length)] ?? 0) + upTo(80));
      const text = Array.from({ length: 1 + upTo(13) }, letter).join('');
      expect(await readCodes(drawQrcode(text))).toMatchObject([{ format: 'QRCode', text }]);
    }
  });

  test('uses error correction level M up to 42 bytes and level L up to 53, always with 29 modules per side', async () => {
    for (const [text, level] of [
      ['x', 'M'],
      ['7'.repeat(23), 'M'],
      ['x'.repeat(42), 'M'],
      ['x'.repeat(43), 'L'],
      ['ä'.repeat(21), 'M'],
      ['ä'.repeat(22), 'L'],
      ['x'.repeat(53), 'L'],
      [`${'🔩'.repeat(13)}x`, 'L'],
    ] as const) {
      expect(encodeQrcode(text)?.level).toBe(level);
      const [read] = await readCodes(drawQrcode(text));
      expect(read).toMatchObject({ format: 'QRCode', level, text });
      expect(Math.round((read?.right ?? 0) - (read?.left ?? 0))).toBe(QR_MODULES * 3);
    }
  });

  test('does not exist for an empty text, more than 53 bytes or half a character', () => {
    for (const text of [
      '',
      'x'.repeat(54),
      'ä'.repeat(27),
      '🔩'.repeat(14),
      '\ud83d',
      'a\udd29',
      'x'.repeat(1_000_000),
    ]) {
      expect(encodeQrcode(text)).toBeUndefined();
    }
  });
});
