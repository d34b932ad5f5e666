import { expect, test } from 'vitest';
import {
  hashOfProgram,
  ledProgram,
  LONGEST_PROGRAM_MS,
} from '../../../electron/server/turbo/controllers/ledProgram.ts';
import { programMs } from '../../helpers/devices/fakeTag.ts';

const STEADY = { led: 'steady', color: 0x00_ff_00, brightness: 100 } as const;

test('a program ends before the next check-in, and lasts more than 30 seconds', () => {
  for (const led of ['steady', 'blink'] as const) {
    const lasts = programMs(ledProgram({ ...STEADY, led }) ?? '');
    expect(lasts).toBeLessThanOrEqual(LONGEST_PROGRAM_MS);
    expect(lasts).toBeGreaterThan(30_000);
  }
});

test('a program has twelve bytes: flash, three groups in the color, repeats', () => {
  expect(ledProgram(STEADY)).toMatch(/^F1(?:1C2301){3}[0-9A-F]{2}00$/);
  expect(ledProgram({ ...STEADY, led: 'blink', color: 0xff_00_00, brightness: 10 })).toMatch(/^21(?:E05305){3}/);
  // A dark color is still lit.
  expect(ledProgram({ ...STEADY, color: 0x01_00_00 })).toMatch(/^F120/);
});

test('an LED that is off or black has no program', () => {
  expect(ledProgram({ ...STEADY, led: 'off' })).toBeUndefined();
  expect(ledProgram({ ...STEADY, color: 0 })).toBeUndefined();
});

test('the first eight bytes of a program are the hash that a tag reports after receiving it', () => {
  expect(hashOfProgram('813C130AE4530A03A30A0200')).toBe('813c130ae4530a03');
});
