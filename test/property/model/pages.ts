import type { PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { itemsOf } from './orderState.ts';
import type { PickResult } from './picking.ts';
import { findMeant, type Moment } from './reports.ts';
import { adjust } from './standIns.ts';
import { isWork, lineOf } from './workLines.ts';

type Ask<What extends PickAsk['what']> = Extract<PickAsk, { what: What }>;

/** Sets the line that a picker's page shows. The line can be named by its item or by its open command. */
export function showOnPage(
  oracle: Oracle,
  { itemId, commandId, picker: typed = '' }: Ask<'current'>,
  by: string,
  now: Moment,
): PickResult {
  const { currents, pickers, orders } = oracle;
  const wanted = typed === '' ? by : typed;
  const picker = pickers.person(wanted)?.name ?? wanted;
  const isNone = itemId === null && commandId === undefined;
  const item = [...orders.all.values()]
    .flatMap(itemsOf)
    .find((each) => (itemId === null ? each.command?.id === commandId : each.id === itemId));
  if (!isNone && (item === undefined || !isWork(item))) return { status: 404 };
  if (!isNone && item?.picker !== picker) return { status: 409 };
  currents.set(picker, isNone ? undefined : item, now.monoMs);
  currents.arrange(now);
  return item === undefined || isNone ? { status: 204 } : { status: 200, body: lineOf(oracle, item, now.monoMs) };
}

/** Changes the count of a command on a page. This counts as the picker's arrival at the device. */
export function adjustOnPage(
  oracle: Oracle,
  { deviceid, commandId, quantity }: Ask<'adjust'>,
  by: string,
  now: Moment,
): PickResult {
  const device = oracle.devices.get(deviceid);
  if (device === undefined || oracle.owners.get(commandId) !== device) return { status: 404 };
  const command = findMeant(oracle, device, commandId);
  if (command === undefined) return { status: 409 };
  if (command.quantity === null) return { status: 400 };
  const over = quantity - command.quantity;
  const isChanged = adjust(oracle, device, command, quantity, now, by);
  const said = `quantity: set to ${quantity}, ${over} more than requested. Correct the quantity if this is wrong.`;
  const body = { deviceid, command_id: String(command.id), quantity, ...(over > 0 ? { warnings: [said] } : {}) };
  const { cases } = oracle.lines;
  const { moved } = cases;
  oracle.currents.arrive(by, device, now.monoMs);
  oracle.currents.arrange(now);
  return { status: 200, body, isChanged: isChanged || cases.moved > moved };
}
