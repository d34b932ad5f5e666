import type { OrderProgress } from '#shared/api/order.ts';
import { DEMO_ORDER, isDemoNumber } from '#shared/lib/orders/demoOrder.ts';
import type { Api } from '../../station/calls/api.ts';

type Calls = Pick<Api, 'loadOrders' | 'addOrder' | 'launchOrder'>;

/**
 * Launches a demo order for this person. Creates a demo order if all existing ones are picked or belong to other
 * people. Returns the order's number.
 */
export async function lightDemoOrder(api: Calls, me: string): Promise<string> {
  const orders = await api.loadOrders();
  const waiting = orders.filter((order) => isFor(order, me));
  const number = (waiting.find(({ pickers }) => pickers.length > 0) ?? waiting[0])?.order_number;
  if (number !== undefined) {
    await api.launchOrder({ path: { order_number: number }, body: { picker: me } });
    return number;
  }
  const taken = new Set(orders.map(({ order_number: each }) => each));
  const free = taken.has(DEMO_ORDER.order_number) ? freeNumber(taken) : DEMO_ORDER.order_number;
  await api.addOrder({ body: { ...DEMO_ORDER, order_number: free } });
  await api.launchOrder({ path: { order_number: free }, body: { picker: me } });
  return free;
}

/** Whether the order is an unfinished demo order that nobody else is picking. */
function isFor({ order_number: number, state, pickers }: OrderProgress, me: string): boolean {
  return isDemoNumber(number) && state !== 'fulfilled' && pickers.every(({ name }) => name === me);
}

function freeNumber(taken: ReadonlySet<string>): string {
  let count = 2;
  while (taken.has(`DEMO-${count}`)) count += 1;
  return `DEMO-${count}`;
}
