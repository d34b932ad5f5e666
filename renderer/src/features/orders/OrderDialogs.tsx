import { ClipboardList, History, Map as MapIcon, Play, Square, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Item, NewOrder, Order, OrderProgress } from '#shared/api/order.ts';
import { SuggestionField } from '../../ui/choiceFields.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { useForm } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { type MenuGroup, menuOf } from '../../ui/Menu.tsx';
import { NumberLine, readWhole } from '../../ui/NumberLine.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { mapAddress, orderAddress, orderHistoryAddress } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { itemName, orderCounts } from './itemRows.ts';

const words = texts.orders.ask;

/** Asks once before an order goes that cannot be brought back. */
export function RemoveOrderDialog({ asking }: Pick<ReturnType<typeof useOrderActions>, 'asking'>) {
  const { order, close, confirm } = asking;
  return (
    <ConfirmDialog
      title={words.title(order?.order_number ?? '')}
      body={words.body(order?.active_count ?? 0)}
      confirm={words.confirm}
      danger
      isOpen={order !== undefined}
      onConfirm={confirm}
      onClose={close}
    />
  );
}

const said = texts.orders.menu;

/** Whether there is anything of it that a launch may light. */
export function isLaunchable({ state, item_count, done_count, active_count }: OrderFacts): boolean {
  return state !== 'fulfilled' && done_count + active_count < item_count;
}

/** What can be done with one order. `isHere`: its page is open. */
export function orderMenu(order: OrderFacts, actions: OrderActions, isHere = false): MenuGroup[] {
  const { order_number: number, state, active_count: lit } = order;
  const { launch, abort, remove } = actions;
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
      mayAbort && { id: 'abort', words: said.abort, icon: Square, run: () => void abort(number) },
    ],
    [{ id: 'remove', words: said.remove, icon: Trash2, needs: 'edit_orders', run: () => remove?.(order) }],
  );
}

const correction = texts.orders.correction;
const REASONS = correction.reasons.map((text) => ({ id: text, text }));

/** How much was really picked, and why that is not what was counted. */
export function CorrectDialog({ orderNumber, item, close }: { orderNumber: string; item: Item; close(): void }) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ quantity_fulfilled: String(item.quantity_fulfilled), reason: '' });
  const name = itemName(item);
  const whole = readWhole(draft.quantity_fulfilled);

  return (
    <FormDialog
      title={correction.title(name)}
      submit={correction.save}
      working={correction.saving}
      draft={draft}
      check={(): Record<string, string> => (whole === undefined ? { quantity_fulfilled: correction.wrong } : {})}
      save={async () => {
        const given = draft.reason.trim();
        await api.correctItem(orderNumber, item.id, {
          quantity_fulfilled: whole ?? 0,
          ...(given === '' ? {} : { reason: given }),
        });
        const before = item.quantity_fulfilled;
        toasts.say(correction.done(name, whole ?? 0), {
          topic: `item ${item.id}`,
          undo: () => api.correctItem(orderNumber, item.id, { quantity_fulfilled: before }),
        });
        close();
      }}
      onClose={close}
    >
      <NumberLine
        {...field('quantity_fulfilled')}
        label={correction.quantity}
        hint={correction.of(item.ordered_quantity)}
      />
      <SuggestionField {...field('reason')} label={correction.reason} hint={correction.reasonHint} choices={REASONS} />
      {item.state === 'active' && whole !== undefined && whole >= item.ordered_quantity && (
        <p className={parts.careStrong}>{correction.clears}</p>
      )}
    </FormDialog>
  );
}

const orderWords = texts.orders;

/** What the actions have to know of an order. */
type OrderFacts = Pick<
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
      await toasts.attempt(orderWords.launchFailed(number), async () => {
        const { shipments, unassigned } = await api.launchOrder(number);
        const lit = shipments.flatMap(({ items }) => items).filter(({ state }) => state === 'active').length;
        toasts.say(orderWords.launched(number, lit, unassigned.length), { topic: `order ${number}` });
      });
    }

    async function abort(number: string): Promise<void> {
      await toasts.attempt(orderWords.abortFailed(number), async () => {
        await api.abortOrder(number);
        toasts.say(orderWords.aborted(number), { topic: `order ${number}` });
      });
    }

    async function removeWithUndo(number: string): Promise<void> {
      await toasts.attempt(orderWords.removeFailed(number), async () => {
        const order = await api.loadOrder(number);
        // Somebody may have launched it in the meantime.
        if (!isUntouched(order)) return setAsking({ ...order, ...orderCounts(order) });
        await api.removeOrder(number);
        toasts.say(orderWords.removed(number), {
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
        toasts.say(orderWords.removed(asking.order_number));
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
