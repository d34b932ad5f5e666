import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Item, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';
import { mapAddress, orderAddress, orderHistoryAddress } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { orderCounts } from './itemRows.ts';

const words = texts.orders;

/** What the actions have to know of an order. */
export type OrderFacts = Pick<
  OrderProgress,
  'order_number' | 'state' | 'launched_time' | 'fulfilled_time' | 'active_count' | 'done_count' | 'item_count'
>;

/** What can be done with an order. Undefined: not by this person. */
export type OrderActions = {
  open(orderNumber: string): void;
  onMap(orderNumber: string): void;
  history(orderNumber: string): void;
  launch: ((orderNumber: string) => Promise<void>) | undefined;
  abort: ((orderNumber: string) => Promise<void>) | undefined;
  /** Deletes at once where Undo is possible, else asks. */
  remove: ((order: OrderFacts) => void) | undefined;
};

/** Calls `removed` with the number of a deleted order. */
export function useOrderActions(removed: (orderNumber: string) => void = () => undefined) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const mayWork = useRight('work');
  const mayRemove = useRight('edit_orders');
  const [asking, setAsking] = useState<OrderFacts>();

  const actions = useMemo<OrderActions>(() => {
    async function launch(number: string): Promise<void> {
      await toasts.attempt(words.launchFailed(number), async () => {
        const { shipments, unassigned } = await api.launchOrder(number);
        const lit = shipments.flatMap(({ items }) => items).filter(({ state }) => state === 'active').length;
        toasts.say(words.launched(number, lit, unassigned.length), { topic: `order ${number}` });
      });
    }

    async function abort(number: string): Promise<void> {
      await toasts.attempt(words.abortFailed(number), async () => {
        await api.abortOrder(number);
        toasts.say(words.aborted(number), { topic: `order ${number}` });
      });
    }

    async function removeWithUndo(number: string): Promise<void> {
      await toasts.attempt(words.removeFailed(number), async () => {
        const order = await api.loadOrder(number);
        // Somebody may have launched it in the meantime.
        if (!isUntouched(order)) return setAsking({ ...order, ...orderCounts(order) });
        await api.removeOrder(number);
        toasts.say(words.removed(number), {
          topic: `order ${number}`,
          undo: async () => void (await api.addOrder(newOrderOf(order))),
        });
        removed(number);
      });
    }

    return {
      open: (number) => navigate(orderAddress(number)),
      onMap: (number) => navigate(mapAddress(number)),
      history: (number) => navigate(orderHistoryAddress(number)),
      launch: mayWork ? launch : undefined,
      abort: mayWork ? abort : undefined,
      remove: mayRemove
        ? (order) => {
            if (isUntouched(order)) void removeWithUndo(order.order_number);
            else setAsking(order);
          }
        : undefined,
    };
  }, [api, toasts, navigate, mayWork, mayRemove, removed]);

  return {
    actions,
    /** Asks before deleting an order that cannot be recreated. */
    asking: {
      order: asking,
      close: () => setAsking(undefined),
      async confirm() {
        if (asking === undefined) return;
        await api.removeOrder(asking.order_number);
        toasts.say(words.removed(asking.order_number));
        removed(asking.order_number);
      },
    },
  };
}

type NewItem = NonNullable<NewOrder['items']>[number];

/** Whether recreating it restores everything: it was never launched, and nothing was counted. */
function isUntouched({
  state,
  launched_time,
  fulfilled_time,
}: Pick<OrderProgress, 'state' | 'launched_time' | 'fulfilled_time'>): boolean {
  return state === 'open' && launched_time === null && fulfilled_time === null;
}

/** What makes the same order again, as long as nothing has happened to it. */
function newOrderOf(order: Order): NewOrder {
  const { order_number, ordernonce, color, seconds, sound } = order;
  const own = given({ ordernonce, color, seconds, sound });
  if (order.items !== undefined) return { order_number, ...own, items: order.items.map(newItemOf) };
  const shipments = order.shipments.map(({ shipment_number, shipmentnonce, items }) => ({
    shipment_number,
    ...given({ shipmentnonce }),
    items: items.map(newItemOf),
  }));
  return { order_number, ...own, shipments };
}

function newItemOf(item: Item): NewItem {
  const { name, SKU, UPC, description, warehouse_location, callback_nonce } = item;
  const { ordered_quantity, quantity_fulfilled, deviceid } = item;
  return {
    ...given({ name, SKU, UPC, description, warehouse_location, callback_nonce }),
    ordered_quantity,
    quantity_fulfilled,
    deviceid,
  };
}

/** The fields with a value. */
function given<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
