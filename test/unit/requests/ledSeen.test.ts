import { describe, expect, test } from 'vitest';
import { parseColor } from '#shared/led/color.ts';
import { seenLed } from '#shared/led/seen.ts';
import type { LedMode } from '#shared/led/blink.ts';

function seen(color: string, brightness: number, mode: LedMode = 'blink') {
  const parsed = parseColor(color);
  if (parsed === undefined) throw new Error(`"${color}" is not a color.`);
  return seenLed({ mode, ...parsed }, brightness);
}

test('a named color has the brightness of the device', () => {
  for (const brightness of [1, 20, 50, 99, 100]) {
    for (const color of ['red', 'g', 'rb', 'orange']) {
      expect(seen(color, brightness)).toMatchObject({ mode: 'blink', intensity: brightness / 100, darkBy: undefined });
    }
  }
});

test('a hexadecimal color ignores the brightness of the device, even 0', () => {
  for (const brightness of [0, 1, 50, 100]) {
    expect(seen('#ff0000', brightness, 'steady')).toEqual({
      mode: 'steady',
      hex: '#ff0000',
      letter: 'R',
      intensity: 1,
      darkBy: undefined,
    });
    expect(seen('330000', brightness)).toMatchObject({ hex: '#330000', letter: 'R', intensity: 1 });
  }
});

describe('the reason why nothing is visible', () => {
  test('is the brightness for a named color at brightness 0', () => {
    expect(seen('red', 0)).toEqual({ mode: 'off', hex: '#000000', letter: '', intensity: 0, darkBy: 'brightness' });
  });

  test.for(['black', '#000', '#070707', '0f0000'])('is the color for %s at any brightness', (color) => {
    for (const brightness of [0, 100]) expect(seen(color, brightness)).toMatchObject({ mode: 'off', darkBy: 'color' });
  });

  test('is empty for an LED that is off', () => {
    for (const color of ['red', '#ff0000', 'black']) {
      expect(seen(color, 0, 'off')).toMatchObject({ mode: 'off', letter: '', intensity: 0, darkBy: undefined });
    }
  });
});

test('limits a brightness that is out of range, and treats NaN as full brightness', () => {
  expect(seen('red', Number.NaN).intensity).toBe(1);
  expect(seen('red', 400).intensity).toBe(1);
  expect(seen('red', -5).mode).toBe('off');
});
