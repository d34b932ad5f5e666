import { expect, test } from 'vitest';
import { buzzerProgram } from '../../../electron/server/turbo/openDisplay/displaySound.ts';

test('encodes tones in quarter-tone steps and times in units of 5 ms', () => {
  // A5 is 880 Hz, six octaves above the lowest tone: 6 x 24 quarter tones = 144.
  expect(buzzerProgram('140,a5,2,p,1,c6,1')).toEqual(Buffer.from([0, 1, 1, 3, 144, 56, 0, 28, 150, 28]));
});

test('splits a long tone into several steps, and truncates a long sound', () => {
  expect(buzzerProgram('2000,a5,1')).toEqual(Buffer.from([0, 1, 1, 2, 144, 255, 144, 145]));
  const long = buzzerProgram(`10,${Array.from({ length: 400 }, () => 'a5,1').join(',')}`);
  expect(long).toHaveLength(4 + 2 * 255);
  expect(buzzerProgram('65535,a5,9')?.[3]).toBe(255);
});

test('makes no program for silence', () => {
  expect(buzzerProgram('')).toBeUndefined();
  expect(buzzerProgram('none')).toBeUndefined();
});
