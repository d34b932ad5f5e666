import type { OrderProgress } from '#shared/api/order.ts';
import { parseColor, PICKER_COLORS } from '#shared/led/color.ts';

/**
 * Chooses colors for orders that are launched together without a picker, so that people can tell the orders apart. Prefers the color that
 * the fewest active pickers and chosen orders have. Orders that have pickers or their own color or are already lit keep their color. A
 * single order keeps its color, too.
 */
export function launchColors(chosen: readonly string[], orders: readonly OrderProgress[]): ReadonlyMap<string, string> {
  const keys = new Set(chosen);
  const picked = orders.filter(({ order_number: number }) => keys.has(number));
  const together = picked.filter(({ state, pickers }) => pickers.length === 0 && state !== 'fulfilled');
  if (together.length < 2) return new Map();
  const working = orders.flatMap(({ state, pickers }) => (state === 'in_progress' ? pickers : []));
  const used = [...working, ...together].flatMap(({ color }) => (color === undefined ? [] : [hexOf(color)]));
  const colors = new Map<string, string>();
  for (const { order_number: number, color: own, state } of together) {
    if (own !== undefined || state === 'in_progress') continue;
    const times = (color: string) => used.filter((hex) => hex === hexOf(color)).length;
    const [color] = PICKER_COLORS.toSorted((a, b) => times(a) - times(b));
    if (color === undefined) continue;
    colors.set(number, color);
    used.push(hexOf(color));
  }
  return colors;
}

function hexOf(color: string): string {
  return parseColor(color)?.hex ?? color;
}
