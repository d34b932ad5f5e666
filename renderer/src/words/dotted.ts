/** Joins the parts that are not empty: `Order 17 · A-3-2`. */
export function dotted(...said: readonly string[]): string {
  return said.filter((part) => part !== '').join(' · ');
}
