import { expect, test } from 'vitest';
import { COLOR_NAMES, parseColor } from '#shared/led/color.ts';
import { contrast, ledTone } from '../../../renderer/src/shop/device/ledTone.ts';
import * as fc from '../../helpers/fastCheck.ts';

test('the letter is readable on every named color', () => {
  for (const name of COLOR_NAMES) {
    const { tone, ink, smallInk } = ledTone(parseColor(name)?.hex ?? '');
    expect(contrast(tone, ink), name).toBeGreaterThanOrEqual(3);
    expect(contrast(tone, smallInk), name).toBeGreaterThanOrEqual(4.5);
  }
});

test('the letter is readable on every other color', () => {
  const channel = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (channels) => {
      const hex = `#${channels.join('')}`;
      const { tone, ink, smallInk } = ledTone(hex);
      expect(contrast(tone, ink)).toBeGreaterThanOrEqual(3);
      expect(contrast(tone, smallInk)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
