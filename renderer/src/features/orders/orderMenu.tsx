import { ClipboardList, History, Map as MapIcon, Play, Square, Trash2 } from 'lucide-react';
import type { MenuGroup, MenuRow } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import type { OrderActions, OrderFacts } from './useOrderActions.ts';

const ICON = 16;
const words = texts.orders.menu;

/** Whether there is anything of it that a launch may light. */
export function isLaunchable({ state, item_count, done_count, active_count }: OrderFacts): boolean {
  return state !== 'fulfilled' && done_count + active_count < item_count;
}

/** What can be done with one order. `isHere`: its page is open. */
export function orderMenu(order: OrderFacts, actions: OrderActions, isHere = false): MenuGroup[] {
  const { order_number: number, state, active_count: lit } = order;
  const { launch, abort, remove } = actions;
  const look: MenuRow[] = [];
  const row = (id: keyof typeof words, icon: MenuRow['icon'], run: () => void): MenuRow => ({
    id,
    words: words[id],
    icon,
    run,
  });
  if (!isHere) look.push(row('open', <ClipboardList size={ICON} />, () => actions.open(number)));
  if (lit > 0) look.push(row('onMap', <MapIcon size={ICON} />, () => actions.onMap(number)));
  if (!isHere) {
    const said = texts.work.history;
    look.push({ id: 'history', words: said, icon: <History size={ICON} />, run: () => actions.history(number) });
  }
  const change: MenuRow[] = [];
  if (!isHere && launch !== undefined && isLaunchable(order)) {
    change.push(row('launch', <Play size={ICON} />, () => void launch(number)));
  }
  if (!isHere && abort !== undefined && state === 'in_progress') {
    change.push(row('abort', <Square size={ICON} />, () => void abort(number)));
  }
  const away: MenuRow[] = [{ ...row('remove', <Trash2 size={ICON} />, () => remove?.(order)), needs: 'edit_orders' }];
  return [look, change, away].filter((rows) => rows.length > 0).map((rows) => ({ rows }));
}
