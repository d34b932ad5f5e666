import { parseSound } from '#shared/sound/sound.ts';

/** The lowest tone of its scale, which has 24 steps in an octave. */
const LOWEST_HZ = 13.75;
const STEPS_PER_OCTAVE = 24;
const UNIT_MS = 5;
const MOST_UNITS = 255;
const MOST_STEPS = 255;

/** The program for the first buzzer of a display to play a tune once. Cuts a tune that is too long; undefined: silence. */
export function buzzerProgram(encoding: string): Buffer | undefined {
  const parsed = parseSound(encoding);
  if (!parsed.ok) return undefined;
  const steps: number[] = [];
  for (const { frequencyHz, ms } of parsed.notes) {
    const tone = frequencyHz === null ? 0 : Math.round(STEPS_PER_OCTAVE * Math.log2(frequencyHz / LOWEST_HZ));
    for (let units = Math.max(1, Math.round(ms / UNIT_MS)); units > 0; units -= MOST_UNITS) {
      steps.push(tone, Math.min(units, MOST_UNITS));
      if (steps.length >= 2 * MOST_STEPS) break;
    }
  }
  const played = steps.slice(0, 2 * MOST_STEPS);
  return played.length === 0 ? undefined : Buffer.from([0, 1, 1, played.length / 2, ...played]);
}
