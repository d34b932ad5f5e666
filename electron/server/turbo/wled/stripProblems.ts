import { type Coverage, ledsOf, type LedRange, rangesOfLeds } from './strip.ts';
import { isIn } from './stripPlaces.ts';
import { hidesLights, shapesIn, type WledAnswer } from './wledAnswer.ts';

/** Returns sentences about a controller on which the station can light nothing. */
export function linkProblems({ info }: WledAnswer): string[] {
  return [
    ...(info.live ? [`${info.name} shows a live stream, and nothing else.`] : []),
    ...(info.leds.matrix === undefined
      ? []
      : [`${info.name} is a 2D matrix, on which the station lights no places. Set it up as a strip in WLED.`]),
  ];
}

/** Returns a sentence about a place that would light too few or too many LEDs. Returns an empty list if it lights exactly its own. */
export function placeProblem(
  { label, ranges }: { label: string; ranges: readonly LedRange[] },
  { lit, shared }: Coverage,
  answer: WledAnswer,
): string[] {
  const { name, leds } = answer.info;
  const own = ranges.flatMap(ledsOf);
  if (leds.matrix !== undefined || (lit.length === own.length && shared.length === 0)) return [];
  const segments = shapesIn(answer).filter((segment) => isIn(segment, ranges));
  const isCovered = (led: number): boolean => segments.some(({ start, stop }) => led >= start && led < stop);
  if (own.some((led) => led >= leds.count)) {
    return [
      `${label}: ${ledWords(own)} ${isOne(own)} beyond the end of the strip, which has ${leds.count} (0 to ${leds.count - 1}).`,
    ];
  }
  if (!own.every(isCovered)) {
    return [
      `${label}: ${ledWords(own)} ${isOne(own)} partly in no segment of ${name}. Extend a segment over them in WLED.`,
    ];
  }
  const hiding = segments.find(hidesLights);
  if (hiding !== undefined) {
    const [setting, value] = hiding.spc > 0 ? ['spacing', '0'] : ['blend mode', 'Top/Default'];
    return [`${label}: the ${setting} of segment ${hiding.id} of ${name} hides lights. Set it to ${value} in WLED.`];
  }
  const ids = segments.filter(({ mi, grp }) => mi || grp > 1).map(({ id }) => `segment ${id}`);
  return [
    `${label}: ${ledWords(shared)} would shine, too, because of the grouping or the mirror effect of ${ids.join(' and ')} of ${name}, so the place stays dark. Set grouping to 1 and turn the mirror effect off in WLED, or give the place these LEDs, too.`,
  ];
}

function isOne(leds: readonly number[]): string {
  return leds.length === 1 ? 'is' : 'are';
}

function ledWords(leds: readonly number[]): string {
  const ranges = rangesOfLeds(leds).map(({ start, count }) => {
    if (count === 1) return String(start);
    return `${start} to ${start + count - 1}`;
  });
  const last = ranges.pop() ?? '';
  return `${leds.length === 1 ? 'LED' : 'LEDs'} ${ranges.length === 0 ? last : `${ranges.join(', ')} and ${last}`}`;
}
