import {
  ClipboardList,
  Copy,
  History,
  Map as MapIcon,
  Pencil,
  Play,
  Printer,
  CircleStop,
  Trash2,
  UserRoundPlus,
  UsersRound,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import { mapAddress, orderAddress, orderHistoryAddress, orderPrintAddress } from '../../station/addresses.ts';
import type { SeenOrder } from '../../station/calls/workApi.ts';
import { useRight } from '../../station/context.ts';
import { type MenuGroup, menuOf } from '../../kit/menu/Menu.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { orderCounts } from './itemRows.ts';
import { isUntouched, newOrderOf } from './orderCopies.ts';

type Services = ReturnType<typeof useServices>;

const orderWords = texts.orders;
const said = texts.orders.menu;

/** Whether launching the order could light something. */
export function isLaunchable({ state, item_count, done_count, active_count }: OrderFacts): boolean {
  return state !== 'fulfilled' && done_count + active_count < item_count;
}

/** Returns the menu with the actions on one order. `isHere` tells whether the order's page is open. */
export function orderMenu(order: OrderFacts, actions: OrderActions, isHere = false): MenuGroup[] {
  const { order_number: number, state, active_count: lit } = order;
  const { launch, abort, remove, launchFor, handOver } = actions;
  const mayLaunch = !isHere && launch !== undefined && isLaunchable(order);
  const mayAbort = !isHere && abort !== undefined && state === 'in_progress';
  return menuOf(
    [
      !isHere && { id: 'open', words: said.open, icon: ClipboardList, run: () => actions.open(number) },
      lit > 0 && { id: 'onMap', words: said.onMap, icon: MapIcon, run: () => actions.onMap(number) },
      !isHere && { id: 'history', words: texts.work.history, icon: History, run: () => actions.history(number) },
    ],
    [
      mayLaunch && { id: 'launch', words: said.launch, icon: Play, run: () => void launch(number) },
      launchFor !== undefined &&
        isLaunchable(order) && {
          id: 'launchFor',
          words: said.launchFor,
          icon: UserRoundPlus,
          run: () => launchFor(order),
        },
      handOver !== undefined &&
        state === 'in_progress' &&
        order.pickers.length > 0 && {
          id: 'handOver',
          words: said.handOver,
          icon: UsersRound,
          run: () => handOver(order),
        },
      mayAbort && { id: 'abort', words: said.abort, icon: CircleStop, run: () => void abort(order) },
    ],
    [
      !isHere && {
        id: 'edit',
        words: said.edit,
        icon: Pencil,
        needs: 'edit_orders',
        run: () => actions.edit?.(order),
      },
      { id: 'print', words: said.print, icon: Printer, run: () => actions.print(number) },
      {
        id: 'duplicate',
        words: said.duplicate,
        icon: Copy,
        needs: 'create_orders',
        run: () => actions.duplicate?.(order),
      },
    ],
    [{ id: 'remove', words: said.remove, icon: Trash2, needs: 'edit_orders', run: () => remove?.(order) }],
  );
}

/** The fields of an order that actions need. */
export type OrderFacts = Pick<
  OrderProgress,
  | Exclude<keyof SeenOrder, 'address'>
  | 'order_number'
  | 'state'
  | 'launched_time'
  | 'fulfilled_time'
  | 'pickers'
  | 'active_count'
  | 'done_count'
  | 'item_count'
> &
  // Only known of an order that was read by itself.
  Partial<Pick<Order, 'address' | 'shipments'>>;

/** The dialog that is open about an order. */
export type OrderQuestion = {
  kind: 'abort' | 'remove' | 'edit' | 'duplicate' | 'launchFor' | 'handOver';
  order: OrderFacts;
};

/** Actions on orders. An action is undefined if this person lacks the right. */
export type OrderActions = {
  open(orderNumber: string): void;
  onMap(orderNumber: string): void;
  history(orderNumber: string): void;
  print(orderNumber: string): void;
  launch: ((orderNumber: string) => Promise<void>) | undefined;
  /** Aborts the order immediately if nothing is lit; otherwise asks first. */
  abort: ((order: OrderFacts) => Promise<void>) | undefined;
  /** Deletes the order immediately if this can be undone; otherwise asks first. */
  remove: ((order: OrderFacts) => void) | undefined;
  /** Continues an order that ended elsewhere. */
  continueOrder: ((order: OrderFacts) => Promise<void>) | undefined;
  edit: ((order: OrderFacts) => void) | undefined;
  launchFor: ((order: OrderFacts) => void) | undefined;
  handOver: ((order: OrderFacts) => void) | undefined;
  duplicate: ((order: OrderFacts) => void) | undefined;
};

async function turnOff(api: Services['api'], toasts: Services['toasts'], number: string): Promise<void> {
  await api.abortOrder({ path: { order_number: number } });
  toasts.show(orderWords.aborted(number), { topic: `order ${number}` });
}

/** Returns the actions on orders and the open dialog. Calls `removed` with the number of each deleted order. */
export function useOrderActions(removed: (orderNumber: string) => void = () => undefined) {
  const { api, store, toasts } = useServices();
  const [, navigate] = useLocation();
  const mayWork = useRight('work');
  const mayEdit = useRight('edit_orders');
  const mayCreate = useRight('create_orders');
  const [question, setQuestion] = useState<OrderQuestion>();

  const actions = useMemo<OrderActions>(() => {
    const ask = (kind: OrderQuestion['kind']) => (order: OrderFacts) => setQuestion({ kind, order });

    async function launch(number: string): Promise<void> {
      await toasts.attempt(orderWords.launchFailed(number), async () => {
        const { shipments, unassigned } = await api.launchOrder({ path: { order_number: number } });
        const lit = shipments.flatMap(({ items }) => items).filter(({ state }) => state === 'active');
        const devices = store.getState().station?.devices ?? [];
        const slow = new Set(
          devices.flatMap(({ deviceid, capabilities }) => (capabilities.latency === 'slow' ? [deviceid] : [])),
        );
        const late = lit.filter(({ deviceid }) => deviceid !== null && slow.has(deviceid)).length;
        toasts.show(orderWords.launched(number, lit.length, unassigned.length, late), { topic: `order ${number}` });
      });
    }

    async function abort(order: OrderFacts): Promise<void> {
      const { order_number: number, active_count: lit } = order;
      if (lit > 0) return ask('abort')(order);
      await toasts.attempt(orderWords.abortFailed(number), () => turnOff(api, toasts, number));
    }

    /** Opens the form with the address, which lists do not contain. */
    function edit(order: OrderFacts): void {
      if (order.shipments !== undefined) return ask('edit')(order);
      const number = order.order_number;
      void toasts.attempt(orderWords.editFailed(number), async () => {
        const whole = await api.getOrder({ path: { order_number: number } });
        ask('edit')({ ...whole, ...orderCounts(whole) });
      });
    }

    async function continueOrder(order: OrderFacts): Promise<void> {
      const { order_number: number } = order;
      await toasts.attempt(orderWords.continueFailed(number), async () => {
        await api.changeOrder({ order_number: number, change: { continue: true }, seen: order });
        toasts.show(orderWords.continued(number), { topic: `order ${number}` });
      });
    }

    async function removeWithUndo(number: string): Promise<void> {
      await toasts.attempt(orderWords.removeFailed(number), async () => {
        const order = await api.getOrder({ path: { order_number: number } });
        // Read the order again, because somebody may have launched it in the meantime.
        if (!isUntouched(order)) return ask('remove')({ ...order, ...orderCounts(order) });
        await api.removeOrder({ path: { order_number: number } });
        toasts.show(orderWords.removed(number), {
          topic: `order ${number}`,
          undo: async () => void (await api.addOrder({ body: newOrderOf(order) })),
        });
        removed(number);
      });
    }

    return {
      open: (number) => navigate(orderAddress(number)),
      onMap: (number) => navigate(mapAddress(number)),
      history: (number) => navigate(orderHistoryAddress(number)),
      print: (number) => navigate(orderPrintAddress(number)),
      launchFor: mayWork ? ask('launchFor') : undefined,
      handOver: mayWork ? ask('handOver') : undefined,
      continueOrder: mayEdit ? continueOrder : undefined,
      edit: mayEdit ? edit : undefined,
      duplicate: mayCreate ? ask('duplicate') : undefined,
      launch: mayWork ? launch : undefined,
      abort: mayWork ? abort : undefined,
      remove: mayEdit
        ? (order) => {
            if (isUntouched(order)) void removeWithUndo(order.order_number);
            else ask('remove')(order);
          }
        : undefined,
    };
  }, [api, store, toasts, navigate, mayWork, mayEdit, mayCreate, removed]);

  return {
    actions,
    asking: {
      question,
      close: () => setQuestion(undefined),
      abort: (number: string) => turnOff(api, toasts, number),
      /** Deletes an order without Undo, because it cannot be recreated. */
      async remove(number: string): Promise<void> {
        await api.removeOrder({ path: { order_number: number } });
        toasts.show(orderWords.removed(number));
        removed(number);
      },
    },
  };
}
