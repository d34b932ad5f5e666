import type { NewOrder } from '#shared/api/order.ts';
import type { FieldProblems } from '../../ui/FormDialog.tsx';
import { readWhole } from '../../ui/NumberLine.tsx';
import { texts } from '../../ui/texts.ts';

const words = texts.orders.form;
const DEVICE_ID = /^[0-9a-f]{6}:[0-9a-f]{6}$/i;

export type ItemDraft = { id: number; name: string; quantity: string; place: string; shipment: string };
export type OrderDraft = { number: string; color: string; seconds: string; items: readonly ItemDraft[] };

export const NO_ITEM = { name: '', quantity: '1', place: '', shipment: '' } as const;

/** What is wrong with what was typed, by the names of the fields. */
export function orderProblems({ number, seconds, items }: OrderDraft): FieldProblems {
  const problems: Record<string, string> = {};
  if (number.trim() === '') problems['order_number'] = words.noNumber;
  if (seconds.trim() !== '' && readWhole(seconds) === undefined) problems['seconds'] = words.badSeconds;
  const withShipments = items.some(({ shipment }) => shipment.trim() !== '');
  for (const { id, name, quantity, shipment } of items) {
    if (name.trim() === '') problems[`name ${id}`] = words.noName;
    if ((readWhole(quantity) ?? 0) < 1) problems[`quantity ${id}`] = words.noQuantity;
    if (withShipments && shipment.trim() === '') problems[`shipment ${id}`] = words.someShipment;
  }
  return problems;
}

/** The order that was typed. Call it where `orderProblems` finds none. */
export function draftedOrder({ number, color, seconds, items }: OrderDraft): NewOrder {
  const wholeSeconds = readWhole(seconds);
  const order = {
    order_number: number.trim(),
    ...(color.trim() === '' ? {} : { color: color.trim() }),
    ...(wholeSeconds === undefined ? {} : { seconds: wholeSeconds }),
  };
  if (items.every(({ shipment }) => shipment.trim() === '')) return { ...order, items: items.map(draftedItem) };
  const numbers = [...new Set(items.map(({ shipment }) => shipment.trim()))];
  const shipments = numbers.map((shipment_number) => ({
    shipment_number,
    items: items.filter(({ shipment }) => shipment.trim() === shipment_number).map(draftedItem),
  }));
  return { ...order, shipments };
}

function draftedItem({ name, quantity, place }: ItemDraft): NonNullable<NewOrder['items']>[number] {
  const where = place.trim();
  return {
    name: name.trim(),
    ordered_quantity: readWhole(quantity) ?? 1,
    ...(where === '' ? {} : DEVICE_ID.test(where) ? { deviceid: where.toUpperCase() } : { warehouse_location: where }),
  };
}
