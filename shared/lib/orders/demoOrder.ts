import type { NewOrder } from '../../api/order.ts';

const LATER = /^DEMO-\d+$/;

/** Whether the demo shop or its tour uses this order number. */
export function isDemoNumber(number: string): boolean {
  return number === DEMO_ORDER.order_number || LATER.test(number);
}

/** The order that the tour picks: articles of the demo shop, in walking order. */
export const DEMO_ORDER = {
  order_number: '10418',
  color: 'green',
  items: [
    { name: 'M8 nut', description: 'DIN 934', ordered_quantity: 12, warehouse_location: 'A-4-2' },
    { name: 'Fuse 10 A', description: 'blade, red', ordered_quantity: 1, warehouse_location: 'A-3-4' },
    { name: 'Cable tie 200', description: 'black, 100 pcs', ordered_quantity: 5, warehouse_location: 'A-3-2' },
    { name: 'Glove M', description: '12 pairs', ordered_quantity: 3, warehouse_location: 'B-2-1' },
  ].map((item, index) => ({ ...item, callback_nonce: `line-${index + 1}` })),
} satisfies NewOrder;
