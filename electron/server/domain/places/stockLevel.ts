/** Color of a counted place: red if empty, yellow if at or below its minimum, green otherwise. */
export type StockLevel = 'green' | 'yellow' | 'red';

const WORST_FIRST = ['red', 'yellow'] as const satisfies readonly StockLevel[];

/** Returns the color of a device that serves places with these levels. */
export function worstLevel(levels: readonly StockLevel[]): StockLevel {
  return WORST_FIRST.find((level) => levels.includes(level)) ?? 'green';
}
