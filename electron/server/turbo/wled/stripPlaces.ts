import type { Outgoing } from '../frames/protocol/exchange.ts';
import { HAS_NO_SCREEN, type Body } from '../frames/protocol/messages.ts';
import { ledsOf, type LedRange, rangesOfLeds, type StripRange } from './strip.ts';
import type { WledSegment } from './wledAnswer.ts';

/** Supply voltage to report in millivolts. It is constant, because the controller runs on mains power. */
const SUPPLY_MV = 5_000;

/** The part of a strip that is one device. `painted` is the color that the strip shows there, as 0xRRGGBB, or undefined if unknown. */
export type StripPlace = {
  deviceId: string;
  /** In ascending order. */
  ranges: readonly LedRange[];
  label: string;
  show: Body<'show'> | undefined;
  waiting: Outgoing | undefined;
  painted: number | undefined;
  /** Whether the place began to blink in the dark half of a cycle. Its LEDs are then lit immediately, until the next dark half. */
  isEarly: boolean;
  /** Whether painting other places froze the segment of this place, which may therefore show an effect of another program. */
  isUnsure: boolean;
};

/** Whether a place shows a light, steady or blinking. */
export function hasLight(places: readonly StripPlace[]): boolean {
  return places.some(({ show }) => show !== undefined && show.led !== 'off');
}

export function isBlinking(places: readonly StripPlace[]): boolean {
  return places.some(({ show }) => show?.led === 'blink');
}

/** Returns these LEDs as dark ranges, without those of a place. */
export function freeOf(places: readonly StripPlace[], vacated: readonly LedRange[]): StripRange[] {
  const taken = new Set(places.flatMap(({ ranges }) => ranges.flatMap(ledsOf)));
  const free = vacated.flatMap(ledsOf).filter((led) => !taken.has(led));
  return rangesOfLeds(free).map((range) => ({ ...range, color: 0 }));
}

/** Whether some of these LEDs are in the segment. */
export function isIn({ start, stop }: { start: number; stop: number }, ranges: readonly LedRange[]): boolean {
  return ranges.some((range) => range.start < stop && range.start + range.count > start);
}

/** Whether the segment contains LEDs of the place and does not show them: it is switched off, or not frozen and shows an effect. */
export function isOverwritten(segment: WledSegment, { ranges }: StripPlace): boolean {
  return (segment.frz === false || !segment.on) && isIn(segment, ranges);
}

/** Returns the current color of a place, as 0xRRGGBB. */
export function colorOf({ show, isEarly }: StripPlace, isBright: boolean): number {
  if (show === undefined || show.led === 'off') return 0;
  if (show.led === 'blink' && !isBright && !isEarly) return 0;
  if (show.fixedBrightness) return show.color;
  const part = Math.min(100, show.brightness) / 100;
  const channel = (shift: number): number => Math.round(((show.color >> shift) & 255) * part) << shift;
  return channel(16) | channel(8) | channel(0);
}

export function coloredRanges({ place, color }: { place: StripPlace; color: number }): StripRange[] {
  return place.ranges.map((range) => ({ ...range, color }));
}

/** Returns the status of the device at a place. */
export function statusOf(
  { deviceId, show }: StripPlace,
  controller: Pick<Body<'deviceStatus'>, 'epoch' | 'firmware' | 'rssiDbm' | 'uptimeS' | 'reachable'>,
): Body<'deviceStatus'> {
  return {
    ...controller,
    device: deviceId,
    buttons: 0,
    capabilities: HAS_NO_SCREEN,
    batteryMv: SUPPLY_MV,
    shownToken: show?.token ?? 0,
    shownChecksum: show?.checksum,
    remainingMs: undefined,
    pendingToken: undefined,
    pendingChecksum: undefined,
    backgroundChecksum: undefined,
  };
}
