import { expect, test } from 'vitest';
import { readAnswer, segmentsIn } from '../../../electron/server/turbo/wled/wledAnswer.ts';

const COUNT = 20;

/** Returns how many LEDs the pixels of these segments have, or undefined if the answer is refused. */
function sizeOf(seg: object[], count = COUNT): number | undefined {
  const info = { ver: '16.0.1', mac: 'a0b1c2d3e4f5', name: 'Rack 3', leds: { count } };
  const answer = readAnswer({ info, state: { on: true, seg } });
  if (answer === undefined) return undefined;
  return segmentsIn(answer).reduce((sum, { pixels }) => sum + pixels.flat().length, 0);
}

test.each([
  ['ends far beyond the strip', { start: 0, stop: 200_000 }, COUNT],
  ['ends far beyond the strip and is grouped and mirrored', { start: 0, stop: 200_000, grp: 2, mi: true }, COUNT],
  ['begins beyond the strip', { start: 100_000, stop: 200_000 }, 0],
])('a segment that %s has only the LEDs of the strip', (_what, segment, size) => {
  expect(sizeOf([segment])).toBe(size);
});

test('refuses a controller that claims more LEDs than WLED can have', () => {
  expect(sizeOf([], 16_384)).toBe(0);
  expect(sizeOf([], 16_385)).toBeUndefined();
  const whole = { start: 0, stop: 16_384 };
  expect(
    sizeOf(
      Array.from({ length: 256 }, () => whole),
      16_384,
    ),
  ).toBeUndefined();
});
