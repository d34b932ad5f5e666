import type { OrderProgress } from '#shared/api/order.ts';

const FIRST = '1001';
/** A number at the end of an order number, short enough to be exact. */
const ENDING = /^(.*?)(\d{1,15})$/;

/** Suggests the number of the next order: one above the highest that is written like that of the newest order. */
export function nextNumber(orders: readonly Pick<OrderProgress, 'id' | 'order_number'>[]): string {
  const numbered = orders.flatMap(({ id, order_number: number }) => {
    const [, before = '', digits = ''] = ENDING.exec(number) ?? [];
    return digits === '' ? [] : [{ id, before, digits }];
  });
  if (numbered.length === 0) return orders.length === 0 ? FIRST : '';
  const newest = numbered.reduce((a, b) => (b.id > a.id ? b : a));
  const highest = numbered.reduce(
    (most, { before, digits }) =>
      before === newest.before && digits.length === newest.digits.length ? Math.max(most, Number(digits)) : most,
    0,
  );
  return `${newest.before}${String(highest + 1).padStart(newest.digits.length, '0')}`;
}
