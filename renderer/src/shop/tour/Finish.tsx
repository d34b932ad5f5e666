import { Link } from 'wouter';
import type { Delivery, ItemCallback } from '#shared/api/callback.ts';
import type { Item, Order } from '#shared/api/order.ts';
import { useDevice, useStationContext } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import button from '../../kit/button/Button.module.css';
import { Button } from '../../kit/button/Button.tsx';
import { Code } from '../../kit/code/Code.tsx';
import { tour as words } from '../../words/tour.ts';
import styles from './Tour.module.css';
import { itemsOf } from './tourStep.ts';

/** More than an order of the tour sends. */
const READ = 100;

/** The end of the tour: what the station reported, and what to do next. */
export function Finish({ order, end }: { order: Order; end(): void }) {
  const first = itemsOf(order).find(({ state }) => state === 'done' || state === 'short');
  return (
    <div className={styles.finish}>
      {first !== undefined && <Reported order={order} item={first} />}
      <h2 className={styles.steps}>{words.next}</h2>
      <div className={styles.next}>
        <Link href="/connections/developer" className={button.button} data-look="primary" onClick={end}>
          {words.ownOrder}
        </Link>
        <Link href="/connections" className={button.button} data-look="plain" onClick={end}>
          {words.realDevices}
        </Link>
        <Link href="/places/set-up" className={button.button} data-look="plain" onClick={end}>
          {words.setUpDevices}
        </Link>
        <Button look="quiet" words={words.close} onPress={end} />
      </div>
    </div>
  );
}

function Reported({ order, item }: { order: Order; item: Item }) {
  const { api } = useStationContext();
  const device = useDevice(item.deviceid ?? '');
  const { value, failure } = useStationQuery(['deliveries', 'tour', order.order_number], () =>
    api.loadDeliveries({ family: 'order', limit: READ }),
  );
  if (value === undefined && failure === '') return null;
  const sent = value?.findLast((delivery) => isOf(delivery, order.order_number));
  const payload = sent?.payload ?? pressOf(order, item, device === undefined ? '' : nameOf(device));
  return (
    <section>
      <p>{sent === undefined ? words.wouldReceive : words.received}</p>
      <Code label={words.callback} code={JSON.stringify(payload, undefined, 2)} hint="" />
    </section>
  );
}

function isOf({ payload }: Delivery, orderNumber: string): boolean {
  return payload['order_event'] === 'device_ack' && payload['order'] === orderNumber;
}

/** The callback of the press on an item, as a station with a callback URL sends it. */
function pressOf(order: Order, item: Item, location: string): ItemCallback {
  const shipment = order.shipments.find(({ items }) => items.some(({ id }) => id === item.id));
  const deviceid = item.deviceid ?? '';
  const nonce = item.callback_nonce ?? '';
  return {
    order_event: 'device_ack',
    order: order.order_number,
    shipment: shipment?.shipment_number ?? '',
    item: [item.name, item.SKU, item.UPC].find((text) => text !== undefined && text !== '') ?? '',
    SKU: item.SKU ?? '',
    UPC: item.UPC ?? '',
    location,
    device: deviceid,
    deviceid,
    quantity: item.quantity_fulfilled,
    ordered_quantity: item.ordered_quantity,
    quantity_fulfilled: item.quantity_fulfilled,
    quantity_remaining: item.quantity_remaining,
    nonce,
    vendor_nonce: nonce,
  };
}
