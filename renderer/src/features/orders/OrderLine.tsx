import { memo } from 'react';
import { texts } from '../../ui/texts.ts';
import { orderAddress } from '../../station/addresses.ts';
import { WorkLine } from '../work/WorkLine.tsx';
import { orderMenu } from './orderMenu.tsx';
import { ORDER_TONES, type OrderRow } from './orderRows.ts';
import type { OrderActions } from './useOrderActions.ts';

const words = texts.orders;

type Props = { row: OrderRow; isCurrent: boolean; actions: OrderActions };

/** An order and how far it is. */
export const OrderLine = memo(function OrderLine({ row: { key, order }, isCurrent, actions }: Props) {
  const { state, done_count: done, item_count: all, short_count: short, active_count: lit } = order;
  const unassigned = order.unassigned_count;
  return (
    <WorkLine
      name={key}
      address={orderAddress(key)}
      isCurrent={isCurrent}
      state={{ tone: ORDER_TONES[state], words: words.states[state] }}
      progress={{ done, all, short }}
      said={words.progressOf(done, all)}
      notes={words.counts({ lit, short, unassigned })}
      isCare={short > 0 || unassigned > 0}
      figure={words.quantityOf(order.quantity_fulfilled, order.ordered_quantity)}
      created={order.created_time}
      menu={orderMenu(order, actions)}
    />
  );
});
