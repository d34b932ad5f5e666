import { ClipboardList, History, Map as MapIcon, Play, Square, Trash2 } from 'lucide-react';
import type { Item } from '#shared/api/order.ts';
import { SuggestionField } from '../../ui/choiceFields.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { useForm } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { type MenuGroup, menuOf } from '../../ui/Menu.tsx';
import { NumberLine, readWhole } from '../../ui/NumberLine.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { itemName } from './itemRows.ts';
import type { OrderActions, OrderFacts, useOrderActions } from './useOrderActions.ts';

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

type Props = { orderNumber: string; item: Item; close(): void };

/** How much was really picked, and why that is not what was counted. */
export function CorrectDialog({ orderNumber, item, close }: Props) {
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
