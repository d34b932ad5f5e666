import type { TurboLink, TurboLinkChange } from '#shared/api/turbo.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';

type Places = NonNullable<TurboLinkChange['places']>;

/** Formats places, one per line, with the label and the first and last LED, counted from 0: `A-1 0-4`. */
export function linesOf(places: readonly Pick<TurboLink['places'][number], 'label' | 'start' | 'count'>[]): string {
  return places
    .map(({ label, start, count }) => `${label} ${count === 1 ? start : `${start}-${start + count - 1}`}`)
    .join('\n');
}

/** Parses places, one per line, ignoring empty lines. `wrong` is the first invalid line, if any; the other lines are parsed anyway. */
export function readLines(text: string): { places: Places; wrong: string | undefined } {
  const places: Places = [];
  let wrong: string | undefined;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [, label = '', from = '', to = from] = /^(.*?\S)\s+(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?$/u.exec(line) ?? [];
    const count = Number(to) - Number(from) + 1;
    if (label === '' || count < 1) wrong ??= line;
    else places.push({ label, start: Number(from), count });
  }
  return { places, wrong };
}

/** Keeps the number of a place that has a different label but starts at the same LED, so that it stays the same device. */
export function withNumbers(places: Places, known: TurboLink['places']): Places {
  const labels = new Set(places.map(({ label }) => nameKey(label)));
  const renamed = known.filter(({ label }) => !labels.has(nameKey(label)));
  const knownLabels = new Set(known.map(({ label }) => nameKey(label)));
  return places.map((place) => {
    const before = knownLabels.has(nameKey(place.label))
      ? undefined
      : renamed.find(({ start }) => start === place.start);
    return before === undefined ? place : { ...place, number: before.number };
  });
}

/** Returns a line for each of these labels, in order, each with the same number of LEDs. */
export function linesFor(labels: readonly string[], from: number, each: number): string {
  return linesOf(labels.map((label, index) => ({ label, start: from + index * each, count: each })));
}
