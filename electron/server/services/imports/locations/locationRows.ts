import type { ImportCounts, ImportLocationRow } from '#shared/api/imports.ts';
import type { AssessedPlace } from '../types.ts';

export function locationCounts(places: readonly AssessedPlace[]): ImportCounts {
  const counts = { orders: 0, new: 0, changed: 0, known: 0, held: 0, refused: 0, left_out: 0 };
  for (const { outcome } of places) counts[outcome] += 1;
  return counts;
}

/** Converts a place to its row in the API response. */
export function locationRow(place: AssessedPlace): ImportLocationRow {
  const { read, outcome } = place;
  const { line, said } = read;
  const { name, deviceid, deviceIs, label, note, article, rack, shelf, column } = said;
  const loses = 'loses' in place ? (place.loses ?? '') : '';
  const position = { rack, shelf, column };
  const texts = { line, outcome, conflict: false, name, deviceid, deviceIs, label, note, article, ...position, loses };
  if (!('wanted' in place))
    return { ...texts, message: place.message, conflict: place.isConflict ?? false, found_deviceid: null };
  const message = [...changesOf(place), place.warning].filter((text) => text !== '').join(' ');
  return { ...texts, message, found_deviceid: place.wanted.deviceId };
}

/** Describes in sentences the values that a changed row replaces, and what becomes of goods. */
function changesOf({ outcome, loses = '', wanted }: Extract<AssessedPlace, { wanted: object }>): string[] {
  if (outcome === 'known') return [];
  const { alias, label, named, articles, renames, cell } = wanted;
  const before = alias?.before ?? null;
  const isRenamed = (name: string): boolean => renames.some(({ from }) => from === name);
  return [
    ...renames.map(({ from, to }) => `Renames ${from} to ${to}, with everything there.`),
    before === null || alias?.isKnown === true
      ? ''
      : `Before, ${before.name} was at ${before.deviceid}, ${before.deviceIs}.`,
    label === null || label.before === '' || isRenamed(label.before) ? '' : `Its label was "${label.before}".`,
    loses === '' || isRenamed(loses) ? '' : `The goods at ${loses} stay there, without a light.`,
    named === null || named.before.note === '' || named.before.note === named.after.note
      ? ''
      : `Its note was "${named.before.note}".`,
    ...articles.map(({ sku, place }) => `Article ${sku} gets the place ${place}.`),
    cell?.says ?? '',
  ];
}
