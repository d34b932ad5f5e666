import type { Item, Order } from '#shared/api/order.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import { nameOf } from '../../station/places.ts';

/** A line of a printed order. */
export type PaperLine = {
  item: Item;
  /** The label on the shelf; empty if it is unknown. */
  place: string;
  /** The shipment's number; empty if the order has only one shipment. */
  shipment: string;
};

type Known = Pick<Station, 'aliases' | 'devices' | 'map'>;

/** Returns the items of an order in walking order, those without a place last. */
export function paperLines({ shipments }: Order, station: Known): readonly PaperLine[] {
  const find = placesByName(station);
  const compare = byWalk(walkRanks(station.map));
  return shipments
    .flatMap(({ shipment_number: number, items }) =>
      items.map((item) => {
        const { deviceId, label } = placeOf(item, station, find);
        const line = { item, place: label, shipment: shipments.length === 1 ? '' : number };
        return { deviceId, label, line };
      }),
    )
    .toSorted((a, b) => Number(a.deviceId === '') - Number(b.deviceId === '') || compare(a, b))
    .map(({ line }) => line);
}

type Place = { deviceId: string; label: string };

/**
 * Returns the place of an item. This is its device, or the place named by its location, SKU, UPC or name, in the same
 * way as a launch finds it.
 */
function placeOf(item: Item, { devices }: Known, find: (name: string) => Place | undefined): Place {
  const { deviceid, warehouse_location: asked = '', SKU = '', UPC = '', name = '' } = item;
  const named = [asked, SKU, UPC, name].map(find).find((place) => place !== undefined);
  if (deviceid === null) return named ?? { deviceId: '', label: asked };
  if (named?.deviceId === deviceid) return named;
  const device = findDevice(devices, deviceid);
  return { deviceId: deviceid, label: device === undefined ? asked || deviceid : nameOf(device) };
}

function placesByName({ aliases, devices }: Known): (name: string) => Place | undefined {
  const known = new Map<string, Place>();
  for (const { deviceid, name } of aliases) known.set(nameKey(name), { deviceId: deviceid, label: name });
  for (const device of devices)
    known.set(nameKey(nameOf(device)), { deviceId: device.deviceid, label: nameOf(device) });
  return (name) => (name === '' ? undefined : known.get(nameKey(name)));
}
