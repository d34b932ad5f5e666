import type { TurboLink, TurboLinkChange } from '#shared/api/turbo.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';

type Places = NonNullable<TurboLinkChange['places']>;

type Range = TurboLink['places'][number]['ranges'][number];

const RANGE = String.raw`\d{1,6}(?:\s*[-–]\s*\d{1,6})?`;
const LINE = new RegExp(String.raw`^(.*?\S)\s+(${RANGE}(?:\s*,\s*${RANGE})*)$`, 'u');

/** Formats places, one per line, with the label and the first and last LED of each range, counted from 0: `A-1 0-4, 55-59`. */
export function linesOf(places: readonly { label: string; ranges: readonly Range[] }[]): string {
  return places.map(({ label, ranges }) => `${label} ${rangesText(ranges)}`).join('\n');
}

/** Formats ranges of LEDs: `0-4, 55-59`. */
export function rangesText(ranges: readonly Range[]): string {
  return ranges.map(({ start, count }) => (count === 1 ? `${start}` : `${start}-${start + count - 1}`)).join(', ');
}

/** Parses places, one per line, ignoring empty lines. `wrong` is the first invalid line, if any; the other lines are parsed anyway. */
export function readLines(text: string): { places: Places; wrong: string | undefined } {
  const places: Places = [];
  let wrong: string | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, label = '', leds = ''] = LINE.exec(line) ?? [];
    const ranges = leds.split(',').map(readRange);
    if (label === '' || ranges.some(({ count }) => count < 1)) wrong ??= line;
    else places.push({ label, ranges });
  }
  return { places, wrong };
}

function readRange(text: string): Range {
  const [from = '', to = from] = text.split(/[-–]/u);
  return { start: Number(from), count: Number(to) - Number(from) + 1 };
}

/** Keeps the number of a place that has a different label but starts at the same LED, so that it stays the same device. */
export function withNumbers(places: Places, known: TurboLink['places']): Places {
  const labels = new Set(places.map(({ label }) => nameKey(label)));
  const renamed = known.filter(({ label }) => !labels.has(nameKey(label)));
  const knownLabels = new Set(known.map(({ label }) => nameKey(label)));
  return places.map((place) => {
    const before = knownLabels.has(nameKey(place.label))
      ? undefined
      : renamed.find(({ start }) => start === place.ranges[0]?.start);
    return before === undefined ? place : { ...place, number: before.number };
  });
}

/** Returns a line for each of these labels, in order, each with the same number of LEDs. */
export function linesFor(labels: readonly string[], from: number, each: number): string {
  return linesOf(labels.map((label, index) => ({ label, ranges: [{ start: from + index * each, count: each }] })));
}
