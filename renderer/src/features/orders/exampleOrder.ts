import { staticScreen } from '#shared/lib/staticScreen.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { Device } from '#shared/api/device.ts';
import type { Place } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';

const MAX_ITEMS = 4;
const words = texts.orders.empty;

/** A number that no order has. */
export function freeName(nameOf: (n: number) => string, taken: ReadonlySet<string>): string {
  let n = 1;
  while (taken.has(nameOf(n))) n += 1;
  return nameOf(n);
}

/** A small order for the first devices by name: of each what its screen says lies there. */
export function exampleOrder(
  places: readonly Place[],
  deviceOf: (deviceid: string) => Device | undefined,
  taken: ReadonlySet<string>,
): NewOrder {
  return {
    order_number: freeName(words.exampleNumber, taken),
    items: places.slice(0, MAX_ITEMS).map(({ deviceid, name }, index) => {
      const device = deviceOf(deviceid);
      const [lies = ''] = device === undefined ? [] : staticScreen(device, '').lines;
      return {
        name: lies === '' ? words.exampleItem(index + 1) : lies,
        ordered_quantity: index + 1,
        ...(name === deviceid ? { deviceid } : { warehouse_location: name }),
      };
    }),
  };
}
