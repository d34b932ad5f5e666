import * as fc from '../helpers/fastCheck.ts';
import { expect, test } from 'vitest';
import { encodeWav, LONGEST_RENDERED_MS, renderSamples, soundLengthMs } from '#shared/sound/samples.ts';
import { parseSound } from '#shared/sound/sound.ts';

const piece = fc.constantFrom(
  ...'0 1 5 9 c5 a5s b7 p h 8 s , , , - – \t \n 🎵 İ \ud83d none beep Taps 65535 1e9'.split(' '),
  ' ',
);
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: piece, maxLength: 40 }),
  fc.string({ unit: piece, maxLength: 40 }).map((text) => `140,${text}`),
);

const encoding = fc
  .tuple(
    fc.integer({ min: 1, max: 300 }),
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.constant('p'),
          fc
            .tuple(
              fc.constantFrom(...'a b c d e f g'.split(' ')),
              fc.integer({ min: 5, max: 7 }),
              fc.constantFrom('', 's'),
            )
            .map((note) => note.join('')),
        ),
        fc.integer({ min: 1, max: 4 }),
      ),
      { minLength: 1, maxLength: 12 },
    ),
  )
  .map(([tempo, pairs]) => [tempo, ...pairs.flat()]);

test('any text is read as a sound or refused with a message', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const parsed = parseSound(text);
      if (!parsed.ok) {
        expect(parsed.message).toMatch(/\.$/);
        return;
      }
      expect(parseSound(parsed.encoding === '' ? 'none' : parsed.encoding)).toEqual({ ...parsed, warnings: [] });
      for (const { frequencyHz, ms } of parsed.notes) {
        expect(ms).toBeGreaterThan(0);
        if (frequencyHz !== null) expect(frequencyHz).toSatisfy((hz: number) => hz > 520 && hz < 4_200);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a sound without commas after its durations is read as the same sound', () => {
  fc.assert(
    fc.property(encoding, (values) => {
      const whole = parseSound(values.join(','));
      const glued = parseSound(
        values.join(',').replaceAll(/(\d),(?=[a-gp])/g, (all, digit: string, at: number, text: string) => {
          // A digit stays separate if it is the duration of a note, as in c5,2.
          return /[,]\d+$|^\d+$/.test(text.slice(0, at + 1)) ? digit : all;
        }),
      );
      if (!whole.ok || !glued.ok) throw new Error('A sound was refused.');
      expect({ ...glued, warnings: [] }).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});

test('the samples are as long as the sound at any sample rate', () => {
  fc.assert(
    fc.property(encoding, fc.constantFrom(8_000, 22_050, 44_100, 48_000, 96_000), (values, sampleRate) => {
      const parsed = parseSound(values.join(','));
      if (!parsed.ok) throw new Error(parsed.message);
      const lengthMs = Math.min(soundLengthMs(parsed.notes), LONGEST_RENDERED_MS);
      const samples = renderSamples(parsed.notes, { sampleRate });
      expect(Math.abs(samples.length - (lengthMs / 1_000) * sampleRate)).toBeLessThan(0.501);
      expect(encodeWav(samples, sampleRate).length).toBe(44 + 2 * samples.length);
    }),
    { numRuns: 100 },
  );
});
