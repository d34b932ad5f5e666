/** The parts that say something, in one line: `Order 17 · A-3-2`. */
export function dotted(...said: readonly string[]): string {
  return said.filter((part) => part !== '').join(' · ');
}
