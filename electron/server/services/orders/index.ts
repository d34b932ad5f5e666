import type { CoreOf } from '../../core.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { CommandOwners, Commands } from '../commands/index.ts';
import type { ItemStock } from '../articles/index.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { createOrders } from './orders.ts';
import { createNextOrder } from './nextOrder.ts';
import type { EndedOrders } from './work/settle.ts';
import { createAbsences } from './absences.ts';
import { createStalls } from './stalls.ts';

export { addressOf } from './address.ts';
export { type OrderDefaults, orderAnswer } from './answers.ts';
export { needsScanOf } from './byHand.ts';
export { checkFewer, checkReason } from './items.ts';
export { descriptionOfItem, lineWords, titleOfItem } from './itemWords.ts';
export { elsewhereIn, findItemTarget, itemPlaces } from './light.ts';
export { dueWarnings, sharedNonceWords } from './newOrderDoubts.ts';
export type { Orders } from './orders.ts';
export type { LineLights } from './placeLights.ts';
export { pageOfOrders } from './reading.ts';
export type { BatchWork } from './batchWork.ts';
export type { HeldChange, OrderHolds } from './holds.ts';
export { contentOfBatch, contentOfItem } from './light.ts';
export { getPerson } from './pickers.ts';
export type { EndedOrders } from './work/settle.ts';
export type { OrderTables } from './tables.ts';
export type { Found } from './work/stock.ts';

export function createOrderGroup(
  core: CoreOf<'orders'>,
  needs: {
    callbacks: Callbacks;
    commands: Commands;
    owners: CommandOwners;
    records: AlertRecords;
    endedOrders: EndedOrders;
    itemStock: ItemStock;
  },
) {
  const orders = createOrders({ ...core, ...needs });
  needs.owners.follow('item', {
    ended: orders.ended,
    moved: orders.itemMoved,
    reached: orders.itemReached,
    pressed: orders.pressedDark,
    isOpen: orders.isItemOpen,
    pickerOf: orders.pickerOfItem,
  });
  const stalls = createStalls({ ...core, orders });
  core.onStop(() => stalls.stop());
  core.onStart(() => stalls.start());
  const absences = createAbsences({ ...core, ...needs, orders, holds: orders.holds });
  core.onStop(() => absences.stop());
  core.onStart(() => absences.start());

  return { orders, absences, nextOrder: createNextOrder(core) };
}
