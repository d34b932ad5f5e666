/** Number of letters to insert, delete or replace to turn one word into the other (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row++) {
    const line = [row + 1];
    for (let at = 0; at < to.length; at++) {
      const change = (above[at] ?? 0) + Number(from[row] !== to[at]);
      line.push(Math.min(change, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
