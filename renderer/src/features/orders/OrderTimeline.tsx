import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Order } from '#shared/api/order.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { orderHistoryAddress } from '../../station/addresses.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import button from '../../ui/Button.module.css';
import { texts } from '../../ui/texts.ts';
import { LoadedTimeline, useTimeline } from '../timeline/LoadedTimeline.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import styles from './OrderTimeline.module.css';

const words = texts.orders.one;

/** What happened to an order, from its creation to the delivery of its callbacks. */
export function OrderTimeline({ order }: { order: Order }) {
  const { api } = useStationContext();
  const { order_number: number } = order;
  const loaded = useTimeline(number, useOrderVersion(order), () => api.loadOrderTimeline(number));
  return (
    <section className={styles.card} aria-label={words.timeline(number)}>
      <LoadedTimeline loaded={loaded}>
        {(timeline) => (
          <>
            {!timeline.complete && (
              <p className={styles.cut}>
                {words.cut}{' '}
                <Link href={orderHistoryAddress(number)} className={button.button ?? ''} data-look="quiet">
                  {words.allHistory}
                </Link>
              </p>
            )}
            <Timeline timeline={timeline} title={words.happened} level={2} hasSubjects />
          </>
        )}
      </LoadedTimeline>
    </section>
  );
}

/** Another one after each step of the order: its items as they were told, and how far the lit ones have come at their devices. */
function useOrderVersion(order: Order): string {
  const items = useMemo(() => order.shipments.flatMap((shipment) => shipment.items), [order]);
  const lit = useStationState(({ station }) =>
    items
      .map(({ deviceid, command_id: id }) => {
        if (id === null || deviceid === null || station === null) return '';
        const entry = findDevice(station.devices, deviceid)?.commands.find(({ command_id }) => command_id === id);
        return entry === undefined ? '' : `${id} ${entry.state} ${entry.unreachable_since} ${entry.quantity}`;
      })
      .join(';'),
  );
  return `${JSON.stringify(order)} ${lit}`;
}
