/** The last second that was written, up to its point: what happens at once is written many times. */
let second = Number.NaN;
let written = '';

/** Epoch milliseconds as the API writes them: ISO 8601, UTC. As `toISOString`, which takes ten times as long. */
export function isoTime(at: number): string {
  if (!Number.isInteger(at)) return new Date(at).toISOString();
  const wanted = Math.floor(at / 1_000);
  if (wanted !== second) {
    written = new Date(wanted * 1_000).toISOString().slice(0, -4);
    second = wanted;
  }
  return `${written}${String(at - wanted * 1_000).padStart(3, '0')}Z`;
}
