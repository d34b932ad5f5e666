import { parseSound } from '#shared/sound/sound.ts';

/** Lowest tone of the buzzer's scale, which has 24 steps per octave. */
const LOWEST_HZ = 13.75;
const STEPS_PER_OCTAVE = 24;
const UNIT_MS = 5;
const MOST_UNITS = 255;
const MOST_STEPS = 255;

/** Builds the program that plays a tune once on a display's first buzzer. Cuts a tune that is too long. Returns undefined for silence. */
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
