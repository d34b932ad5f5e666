import type { ReactNode } from 'react';
import type { Item, Order } from '#shared/api/order.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import * as texts from '../../words/texts.ts';
import { Notice } from '../../shop/work/Notice.tsx';
import { someNames } from '../../shop/work/workRows.ts';
import { itemName } from '../../shop/order/itemName.ts';

const words = texts.orders.halt;

type Known = Pick<Station, 'devices' | 'limits'>;

/** A notice about an order that needs attention: where, why, and what to do. `action` is the button of the notice. */
export function OrderHalt({ order, action }: { order: Order; action: ReactNode }) {
  const said = useStationState(({ station }) => (station === null ? '' : haltWords(order, station)));
  if (said === '') return null;
  const reasons = order.attention.length > 0 ? order.attention : (['unassigned'] as const);
  return (
    <Notice
      label={words.title}
      title={said}
      body={reasons.map((reason) => words.todo[reason]).join(' ')}
      action={action}
    />
  );
}

/** Returns one sentence for each reason why the order needs attention. Returns an empty text if there is none. */
function haltWords(
  { attention, shipments, unassigned, pickers, ended_elsewhere: ends }: Order,
  station: Known,
): string {
  const items = shipments.flatMap((shipment) => shipment.items);
  const names = (some: readonly Item[]) => someNames(some.map((item) => placeOf(item, station)));
  const timedOut = items.filter(({ timed_out: isOut }) => isOut);
  const unreached = items.filter((item) => isUnreached(item, station));
  const guessed = items.filter((item) => item.guessed && isToPick(item));
  const lacking = items.filter((item) => item.no_stock && isToPick(item));
  const paused = pickers.filter((picker) => picker.paused).map(({ name }) => name);
  const sentences = {
    timed_out: () => words.timedOut(names(timedOut)),
    unassigned: () => words.unassigned(names(unassigned)),
    unreachable: () => words.unreachable(names(unreached)),
    guessed: () => words.guessed(someNames(guessed.map(itemName))),
    no_stock: () => words.noStock(someNames(lacking.map(itemName))),
    stalled: () => words.stalled(station.limits.order_stalled_minutes),
    ended_elsewhere: () => words.endedElsewhere(ends ?? 'canceled'),
    paused: () => words.paused(someNames(paused), station.limits.order_stalled_minutes),
  };
  // An aborted order needs no attention, but its items may still lack a device.
  if (attention.length === 0) return unassigned.length === 0 ? '' : sentences.unassigned();
  return attention.map((reason) => sentences[reason]()).join(' ');
}

function isToPick({ state }: Item): boolean {
  return state === 'open' || state === 'active';
}

function isUnreached({ state, deviceid, command_id: id }: Item, { devices }: Known): boolean {
  if (state !== 'active' || deviceid === null) return false;
  const entry = findDevice(devices, deviceid)?.commands.find(({ command_id }) => command_id === id);
  return entry !== undefined && entry.unreachable_since !== null;
}

/**
 * Returns the name of an item's place: the name of its device, or else the requested place, or else the article's name.
 */
function placeOf(item: Item, { devices }: Known): string {
  const { deviceid, warehouse_location: asked = '' } = item;
  const device = deviceid === null ? undefined : findDevice(devices, deviceid);
  if (device !== undefined) return nameOf(device);
  return asked === '' ? itemName(item) : asked;
}
