import { expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import type { Prepare, Transaction } from '../../../electron/server/db/transaction.ts';
import { createOrderWork } from '../../../electron/server/services/orders/work/work.ts';

type Parts = Parameters<typeof createOrderWork>[0];

test('publishes items of a large order without reading the whole order for each one', () => {
  const items = { find: (id: number) => ({ id, orderId: 7, state: 'open', ordered: 2, fulfilled: 0 }) };
  const orders = {
    findNumber: () => '4711',
    // Reading an order with its pickers and counts costs more than everything else, so fail if that happens.
    find() {
      throw new Error('The whole order was read.');
    },
    touch: (_at: number, id: number) => touched.push(id),
  };
  const touched: number[] = [];
  const facts: Fact[] = [];
  const prepared: Prepare[] = [];
  const tx = {
    emit: (fact: Fact) => void facts.push(fact),
    beforeCommit: (_key: string, prepare: Prepare) => void prepared.push(prepare),
  } as unknown as Transaction;
  const { publishItemChange } = createOrderWork({ repositories: { items, orders } } as unknown as Parts);
  for (const id of [1, 2]) publishItemChange(tx, id);
  for (const prepare of prepared) prepare();
  expect(facts).toMatchObject([
    { type: 'order.item', order_number: '4711', item: { id: 1 } },
    { type: 'order.item', order_number: '4711', item: { id: 2 } },
  ]);
});
