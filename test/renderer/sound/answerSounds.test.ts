import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseSound } from '#shared/sound/sound.ts';
import { createAnswerSounds } from '../../../renderer/src/sound/answerSounds.ts';
import type { Speaker } from '../../../renderer/src/sound/speaker.ts';
import { fakeChoice, fakeSpeaker } from './soundSupport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates answer sounds on a fake speaker. Returns the frequencies of each sound as `played`. */
function sounding({ on = true, allowed = true } = {}) {
  const { speaker, begun } = fakeSpeaker(allowed);
  const played: number[][] = [];
  const heard: Speaker = {
    ...speaker,
    play(encoding, options) {
      const sound = parseSound(encoding);
      played.push(sound.ok ? sound.notes.flatMap(({ frequencyHz }) => frequencyHz ?? []) : []);
      return speaker.play(encoding, options);
    },
  };
  speaker.unlock();
  const choice = fakeChoice({ on, volume: 50 });
  return { sounds: createAnswerSounds({ window, speaker: heard, choice }), choice, played, begun };
}

test('“right” is a rising fifth, “wrong” is two low notes, and “done” is three notes', () => {
  const { sounds, played } = sounding();
  sounds.right();
  sounds.wrong();
  sounds.done();
  const [right = [], wrong = [], done = []] = played;
  expect([right.length, wrong.length, done.length]).toEqual([2, 2, 3]);
  expect((right[1] ?? 0) / (right[0] ?? 1)).toBeCloseTo(2 ** (7 / 12));
  expect(Math.max(...wrong)).toBeLessThan(Math.min(...right, ...done));
});

test('an answer sound stops the previous one', () => {
  const { sounds, begun } = sounding();
  sounds.wrong();
  sounds.right();
  expect(begun().map(({ stopped }) => stopped)).toEqual([true, false]);
});

test.each(['pointerdown', 'keydown'])('the attention sound repeats until a %s event', (touch) => {
  const { sounds, played, begun } = sounding();
  sounds.attention();
  vi.advanceTimersByTime(5_000);
  expect(played).toHaveLength(3);
  document.body.dispatchEvent(new Event(touch, { bubbles: true }));
  expect(begun().at(-1)?.stopped).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(played).toHaveLength(3);
});

test('the attention sound ends with the next answer or when it is stopped', () => {
  const { sounds, played } = sounding();
  sounds.attention();
  sounds.right();
  vi.advanceTimersByTime(60_000);
  expect(played).toHaveLength(2);
  sounds.attention();
  sounds.stop();
  vi.advanceTimersByTime(60_000);
  expect(played).toHaveLength(3);
});

test('plays nothing while sounds are off or if the browser refuses', () => {
  const off = sounding({ on: false });
  off.sounds.right();
  off.sounds.attention();
  vi.advanceTimersByTime(10_000);
  expect(off.played).toEqual([]);
  off.choice.set({ on: true });
  vi.advanceTimersByTime(2_500);
  expect(off.played).toHaveLength(1);
  off.sounds.stop();
  const refused = sounding({ allowed: false });
  refused.sounds.wrong();
  expect(refused.played).toEqual([]);
});
