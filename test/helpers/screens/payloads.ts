import * as fc from '../fastCheck.ts';
import type { DeviceRequest } from '#shared/api/device.ts';
import { commandScreen, parseDeviceRequest } from '#shared/lib/requests/deviceRequest.ts';
import { ARROWS, type ScreenContent } from '#shared/screen/content.ts';
import { ICONS } from '#shared/screen/icons.ts';

/** An accepted request, the resulting screen, and the device that shows it. */
export type ShownPayload = {
  request: DeviceRequest;
  label: string;
  screen: ScreenContent;
  firmware: 66 | 67;
  batteryMv: number;
};

const DEFAULTS = { seconds: 60, color: 'red' };

const words = fc.constantFrom(
  'M8 washer',
  'DIN 125 zinc',
  'on hand 240',
  'Größe 42 × ½″',
  'Подшипник 6202',
  'Ρουλεμάν Ω',
  'Šroub žlutý č. 7',
  '€ 12,50 ≥ 3 pcs',
  'A-12',
  'x',
);
const line = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant('') },
);
const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 23 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const asked = fc.record({
  label: fc.oneof(fc.constantFrom('', 'A-3-2', 'Workshop hall 3, rack 12'), fc.string({ maxLength: 40 })),
  lines: fc.array(line, { maxLength: 5 }),
  quantity: optional(fc.oneof(fc.nat(99), fc.nat(1_000_000))),
  arrow: optional(fc.constantFrom(...ARROWS, 'up', 'down')),
  barcode: optional(ascii),
  qrcode: optional(fc.oneof(ascii, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 13 }))),
  icon: optional(fc.constantFrom(...ICONS.flatMap(({ char, name }) => [`hazard${char}`, name]))),
  firmware: fc.constantFrom(66 as const, 67 as const),
  batteryMv: fc.integer({ min: 2_000, max: 3_300 }),
});

/** Generates distinct valid requests of every kind, determined by the seed. */
export function samplePayloads(seed: number, count: number): ShownPayload[] {
  const found = new Map<string, ShownPayload>();
  for (let round = 0; found.size < count; round += 1) {
    if (round > 100)
      throw new Error(`Only ${found.size} of ${count} requests were taken: the generator asks for nonsense.`);
    for (const { label, lines, firmware, batteryMv, ...fields } of fc.sample(asked, {
      seed: seed + round,
      numRuns: count,
    })) {
      const request: DeviceRequest = { command: 'pick' };
      for (const [index, text] of lines.entries()) Object.assign(request, { [`line${index + 1}`]: text });
      for (const [field, value] of Object.entries(fields))
        if (value !== undefined) Object.assign(request, { [field]: value });
      const parsed = parseDeviceRequest(request, DEFAULTS);
      if (!parsed.ok || parsed.instruction.kind !== 'command' || found.size === count) continue;
      const screen = commandScreen(parsed.instruction.content, label);
      found.set(JSON.stringify([screen, firmware]), { request, label, screen, firmware, batteryMv });
    }
  }
  return [...found.values()];
}
