import { expect, test } from 'vitest';
import type { TableField } from '#shared/lib/tables/fields.ts';
import { piecesOf } from '#shared/lib/tables/orderPieces.ts';
import { assessRow } from '#shared/lib/tables/pickRules.ts';
import { GENERAL_RULES, PROFILES } from '#shared/lib/tables/profiles/profiles.ts';

const rulesOf = (id: string) => PROFILES.find((profile) => profile.id === id)?.rules ?? GENERAL_RULES;
const check = (id: string, cells: Partial<Record<TableField, string>>) =>
  assessRow(rulesOf(id), { textOf: ({ field }) => cells[field] ?? '' });
const pick = { outcome: 'pick' };
/** A word of state says that the row is to be picked. */
const open = { outcome: 'pick', isOpen: true };
const leaveOut = (reason: string) => ({ outcome: 'leave_out', reason });

test.each([
  ['shopify_orders', { line_status: 'pending', payment_status: 'paid', requires_shipping: 'true' }, open],
  ['shopify_orders', { line_status: 'fulfilled', payment_status: 'partially_refunded' }, leaveOut('shipped')],
  ['shopify_orders', { canceled_at: '2026-11-24', line_status: 'fulfilled' }, leaveOut('canceled')],
  ['shopify_orders', { requires_shipping: 'false' }, leaveOut('not_shippable')],
  ['shopify_orders', { line_status: 'partial', requires_shipping: 'false' }, leaveOut('not_shippable')],
  ['shopify_orders', { payment_status: 'refunded' }, leaveOut('refunded')],
  ['odoo_orders', { order_status: 'Locked' }, open],
  ['odoo_moves', { order_status: 'Done' }, leaveOut('shipped')],
  ['odoo_moves', { order_status: 'Partially Available' }, open],
  ['erpnext_items', { order_status: 'To Deliver and Bill' }, open],
  ['erpnext_items', { order_status: 'Closed' }, leaveOut('canceled')],
  ['woocommerce_advanced', { order_status: 'In Bearbeitung' }, open],
  ['woocommerce_advanced', { order_status: 'Storniert' }, leaveOut('canceled')],
  ['woocommerce_advanced', { order_status: 'Processing', ordered_quantity: '0' }, leaveOut('refunded')],
  ['amazon_orders', { quantity_to_ship: '0' }, leaveOut('none_left')],
  ['amazon_orders', { quantity_to_ship: '0', order_status: 'Canceled' }, leaveOut('canceled')],
  ['amazon_orders', { fulfillment_channel: 'Amazon' }, leaveOut('shipped_by_others')],
  ['amazon_orders', { fulfillment_channel: 'Merchant', quantity_to_ship: '2' }, pick],
  ['ebay_orders', { shipped_at: 'Nov-25-26' }, leaveOut('shipped')],
  ['ebay_orders', { shipped_at: '-', is_paid: 'Nov-24-26' }, pick],
  ['shopify_orders', { line_status: 'on_hold' }, leaveOut('on_hold')],
  ['woocommerce_advanced', { order_status: 'En attente' }, leaveOut('on_hold')],
  ['amazon_orders', { order_status: 'Pending' }, leaveOut('on_hold')],
  ['amazon_orders', { cancel_requested: 'true' }, leaveOut('cancel_requested')],
  ['amazon_orders', { cancel_requested: 'false' }, pick],
  ['odoo_orders', { order_status: 'Gesperrt' }, open],
  ['none', { quantity_to_ship: '0,00' }, leaveOut('none_left')],
])('%s: %j', (id, cells, verdict) => expect(check(id, cells)).toEqual(verdict));

test('refuses unknown states, and states that do not show how many pieces remain', () => {
  expect(check('shopify_orders', { line_status: 'partial' })).toMatchObject({ outcome: 'refuse' });
  expect(check('shopify_orders', { line_status: 'pending', payment_status: 'partially_refunded' })).toMatchObject({
    outcome: 'refuse',
  });
  expect(check('woocommerce_advanced', { order_status: 'Kaput' })).toMatchObject({
    outcome: 'refuse',
    message: expect.stringContaining('"Kaput"'),
  });
});

test.each([
  [{ ordered_quantity: '5', quantity_to_ship: '2' }, 2],
  [{ ordered_quantity: '5', quantity_to_ship: '2', shipped_quantity: '4' }, 2],
  [{ ordered_quantity: '5', shipped_quantity: '2' }, 3],
  [{ ordered_quantity: '5', refunded_quantity: '-2' }, 3],
  [{ ordered_quantity: '5', shipped_quantity: '5', refunded_quantity: '3' }, undefined],
  [{ ordered_quantity: '5', canceled_quantity: '1', shipped_quantity: '1', refunded_quantity: '1' }, 2],
] as const satisfies [Partial<Record<TableField, string>>, number | undefined][])(
  'with %j, %s pieces remain to be picked',
  (cells: Partial<Record<TableField, string>>, left) => {
    const read = piecesOf((field) => cells[field], { decimal: undefined, article: () => '', given: {} });
    expect(read).toMatchObject({ ok: true, value: left });
  },
);

test('an order that is not paid is refused until somebody has said whether such orders are picked', () => {
  const unpaid = { textOf: ({ field }: { field: TableField }) => (field === 'payment_status' ? 'pending' : '') };
  const rules = rulesOf('shopify_orders');
  expect(assessRow(rules, unpaid)).toMatchObject({ outcome: 'refuse', asks: { unpaid: true } });
  expect(assessRow(rules, unpaid, { unpaid: 'pick' })).toEqual(pick);
  expect(assessRow(rules, unpaid, { unpaid: 'leave_out' })).toEqual(leaveOut('unpaid'));
});
