import type { Body } from '../frames/protocol/messages.ts';

/** Maximum duration of an LED program. Tags check in every 40 s and ignore a new program while one runs. Displays use the same programs. */
export const LONGEST_PROGRAM_MS = 38_000;

const MODE_FLASH = 1;
const STEP_MS = 100;
/** Number of flashes in each of the program's three groups. */
const FLASHES = 3;
const GROUPS = 3;

/**
 * Builds the LED program for a show message, as 24 hexadecimal digits. The LED flashes in the requested color and stops before the next
 * check-in. A steady light becomes fast flashes, because tags can only flash. Returns undefined if the LED is off.
 */
export function ledProgram({ led, color, brightness }: Pick<Body<'show'>, 'led' | 'color' | 'brightness'>) {
  const shade = toRgb332(color);
  if (led === 'off' || shade === 0) return undefined;
  const [speed, pause] = led === 'blink' ? [5, 5] : [2, 1];
  const flashMs = Math.max(1, Math.min(15, Math.round((brightness * 15) / 100)));
  const group = [shade, (speed << 4) | FLASHES, pause];
  const roundMs = GROUPS * (FLASHES * speed + pause) * STEP_MS;
  // It is not documented whether the number of repeats includes the first round, so assume that it does not.
  const repeats = Math.floor(LONGEST_PROGRAM_MS / roundMs) - 1;
  const bytes = [(flashMs << 4) | MODE_FLASH, ...group, ...group, ...group, repeats, 0];
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

/** Returns the hash that a tag reports after it received this program. */
export function hashOfProgram(program: string): string {
  return program.slice(0, 16).toLowerCase();
}

function toRgb332(color: number): number {
  const part = (shift: number, most: number) => Math.ceil((((color >> shift) & 0xff) * most) / 0xff);
  return (part(16, 7) << 5) | (part(8, 7) << 2) | part(0, 3);
}
