import * as fc from '../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import type { DeviceRequest } from '#shared/api/device.ts';
import { commandScreen, parseDeviceRequest, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { encodeBarcode } from '#shared/screen/barcode.ts';
import { ARROWS, boxedElements, countElements, LINE_NAMES } from '#shared/screen/content.ts';
import { findIcon, ICONS, iconWireName } from '#shared/screen/icons.ts';
import { layout } from '#shared/screen/layout.ts';
import { encodeQrcode } from '#shared/screen/qrcode.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import { toCodes } from '#shared/screen/text.ts';
import { readCodes } from '../helpers/screens/readCodes.ts';

const DEFAULTS = { seconds: 60, color: 'red' };

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('\ud83d', '\u0301', '\n', '\u0000', '漢', '👨‍👩‍👧', '\\', ' '), maxLength: 30 }),
);
const sign = fc.constantFrom(...ICONS.map(iconWireName), ...ICONS.map(({ name }) => name), ...ARROWS, 'up', 'down');
const line = fc.oneof(
  anyText,
  fc.tuple(fc.constantFrom('\\bc', '\\BC'), anyText).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('\\qr', '\\Qr'), anyText).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('\\ic', '\\IC'), fc.oneof(sign, anyText)).map((parts) => parts.join('')),
);

function requests(text: Record<'line' | 'barcode' | 'qrcode' | 'icon' | 'arrow', fc.Arbitrary<string>>) {
  const clearable = (of: fc.Arbitrary<string>) => fc.oneof({ weight: 5, arbitrary: of }, fc.constantFrom('', null));
  const record: { [Field in keyof DeviceRequest]-?: fc.Arbitrary<DeviceRequest[Field]> } = {
    command: fc.oneof(
      fc.constantFrom('flash', 'Pick', 'static', 'static2', 'location', 'kill', 'display', '', '__proto__'),
      anyText,
    ),
    line1: text.line,
    line2: text.line,
    line3: text.line,
    line4: text.line,
    line5: text.line,
    statica: clearable(text.line),
    staticb: clearable(text.line),
    staticc: clearable(text.line),
    staticd: clearable(text.line),
    statice: clearable(text.line),
    barcode: clearable(text.barcode),
    qrcode: clearable(text.qrcode),
    icon: clearable(text.icon),
    arrow: clearable(text.arrow),
    quantity: fc.option(fc.oneof(fc.nat(120), fc.integer())),
    color: fc.oneof(fc.constantFrom('r', '#0f0', 'cyan'), anyText),
    seconds: fc.nat(),
    sound: fc.oneof(fc.constantFrom('beep', '140,c5,2', 'none'), anyText),
    nonce: anyText,
    deviceid: anyText,
    location: anyText,
    locationoverride: clearable(anyText),
    unsolicitedNonce: clearable(anyText),
    brightness: fc.integer(),
  };
  return fc.record(record, { requiredKeys: [] });
}

const wildRequest = requests({ line, barcode: anyText, qrcode: anyText, icon: anyText, arrow: anyText });

const mostly = (of: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: of }, fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 26 }), anyText);

/**
 * Generates commands that are nearly always within the limits, so that they can be drawn. Codes, icons and arrows are in fields or in text
 * lines.
 */
const tameCommand = fc
  .record({
    texts: fc.array(fc.string({ unit: 'grapheme', maxLength: 26 }), { maxLength: 2 }),
    boxed: fc.shuffledSubarray(['qrcode', 'icon', 'arrow', 'quantity'] as const, { maxLength: 2 }),
    barcode: fc.option(mostly(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 23 }))),
    qrcode: mostly(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 14 })),
    icon: sign,
    arrow: fc.constantFrom<string>(...ARROWS),
    quantity: fc.nat(120),
    inLines: fc.boolean(),
  })
  .map(({ texts, boxed, inLines, ...elements }): DeviceRequest => {
    const request: DeviceRequest = { command: 'pick' };
    const lines = [...texts];
    const codes = [...boxed, ...(elements.barcode === null ? [] : (['barcode'] as const))];
    for (const name of codes) {
      const value = elements[name];
      if (!inLines || name === 'quantity') Object.assign(request, { [name]: value });
      else lines.push(`${{ qrcode: '\\qr', barcode: '\\bc', icon: '\\ic', arrow: '\\ic' }[name]}${value}`);
    }
    for (const [slot, text] of lines.entries()) Object.assign(request, { [`line${slot + 1}`]: text });
    return request;
  });

describe('a request', () => {
  test('with any texts and numbers is accepted or refused with a reason, and never throws', () => {
    fc.assert(
      fc.property(wildRequest, (request) => {
        const parsed = parseDeviceRequest(request, DEFAULTS);
        if (parsed.ok) return;
        expect(parsed.errors.length).toBeGreaterThan(0);
        for (const { path, message } of parsed.errors) {
          expect(path === '' || Object.hasOwn(request, path.slice(1))).toBe(true);
          expect(message).toMatch(/\.$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is accepted has a screen within the limits, with encodable codes and known icons', () => {
    fc.assert(
      fc.property(fc.oneof(wildRequest, tameCommand), (request) => {
        const content = commandOf(request);
        if (content === undefined) return;
        const screen = commandScreen(content, '');
        expect(countElements(screen)).toBeLessThanOrEqual(5);
        expect(boxedElements(screen).length).toBeLessThanOrEqual(2);
        if (content.barcode !== '') expect(encodeBarcode(content.barcode)).toBeDefined();
        if (content.qrcode !== '') expect(encodeQrcode(content.qrcode)).toBeDefined();
        if (content.icon !== '') expect(findIcon(content.icon)).toBeDefined();
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is accepted has every character of its lines drawn', () => {
    fc.assert(
      fc.property(tameCommand, fc.constantFrom(66, 67), (request, firmware) => {
        const content = commandOf(request);
        if (content === undefined) return;
        const { items } = layout(commandScreen(content, 'A-1'), { firmware, batteryMv: 3_000 });
        for (const [slot, name] of LINE_NAMES.entries()) {
          const codes = items.flatMap((item) => (item.kind === 'text' && item.owner === name ? item.codes : []));
          expect(codes).toEqual(toCodes(content.lines[slot] ?? ''));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is accepted has exactly the requested codes on its screen', async () => {
    await fc.assert(
      fc.asyncProperty(tameCommand, fc.constantFrom(66, 67), async (request, firmware) => {
        const content = commandOf(request);
        if (content === undefined) return;
        const bitmap = drawScreen(commandScreen(content, 'A-1'), { firmware, batteryMv: 3_000 });
        const read = (await readCodes(bitmap)).map(({ format, text }) => `${format} ${text}`);
        const barcode = content.barcode === '' ? [] : [`Code128 ${content.barcode}`];
        const qrcode = content.qrcode === '' ? [] : [`QRCode ${content.qrcode}`];
        expect(read.toSorted()).toEqual([...barcode, ...qrcode]);
      }),
      { numRuns: 300 },
    );
  });
});

function commandOf(request: DeviceRequest): CommandContent | undefined {
  const parsed = parseDeviceRequest(request, DEFAULTS);
  return parsed.ok && parsed.instruction.kind === 'command' ? parsed.instruction.content : undefined;
}
