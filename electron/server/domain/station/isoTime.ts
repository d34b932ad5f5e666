/** The last formatted second, up to its decimal point, because simultaneous events share it. */
let second = Number.NaN;
let written = '';

/** Formats epoch milliseconds as in the API: ISO 8601, UTC. Same result as `toISOString`, but ten times faster. */
export function isoTime(at: number): string {
  if (!Number.isInteger(at)) return new Date(at).toISOString();
  const wanted = Math.floor(at / 1_000);
  if (wanted !== second) {
    written = new Date(wanted * 1_000).toISOString().slice(0, -4);
    second = wanted;
  }
  return `${written}${String(at - wanted * 1_000).padStart(3, '0')}Z`;
}
