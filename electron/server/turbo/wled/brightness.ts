import { hasLight, isIn, type StripPlace } from './stripPlaces.ts';
import type { WledAnswer } from './wledAnswer.ts';

/** Minimum brightness, a tenth of 255. Workers would overlook a dimmer light. */
const LEAST_BRIGHTNESS = 26;

/** The whole strip, or a segment by its id. */
export type BrightnessId = number | 'strip';

/** The last brightness of the strip and of each segment that was high enough to see. */
export class KnownBrightness {
  private readonly known = new Map<BrightnessId, number>();

  note(answer: WledAnswer): void {
    for (const { id, bri } of brightnessOf(answer)) if (bri >= LEAST_BRIGHTNESS) this.known.set(id, bri);
  }

  has(id: BrightnessId): boolean {
    return this.known.has(id);
  }

  find(id: BrightnessId): number | undefined {
    return this.known.get(id);
  }
}

/**
 * Lists the strip and those segments with places whose brightness is too low for their lights. Returns an empty list while no place is lit.
 */
export function dimmedIds(answer: WledAnswer, places: readonly StripPlace[]): BrightnessId[] {
  if (!hasLight(places)) return [];
  return brightnessOf(answer).flatMap(({ id, bri, start, stop }) => {
    const isOurs = places.some(({ ranges }) => isIn({ start, stop }, ranges));
    return bri < LEAST_BRIGHTNESS && isOurs ? [id] : [];
  });
}

/** Lists the brightness of the strip and then of its segments. */
function brightnessOf({ info, state }: WledAnswer): { id: BrightnessId; bri: number; start: number; stop: number }[] {
  const segments = state.seg.map(({ id, bri, start, stop }, index) => ({ id: id ?? index, bri, start, stop }));
  return [{ id: 'strip', bri: state.bri, start: 0, stop: info.leds.count }, ...segments];
}
