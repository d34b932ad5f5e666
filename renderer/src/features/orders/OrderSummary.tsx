import type { ReactNode } from 'react';
import type { Order } from '#shared/api/order.ts';
import { ledOf } from '../../device/commandWords.ts';
import { LedDot } from '../../device/Led.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { texts } from '../../ui/texts.ts';
import { Meter } from '../work/Meter.tsx';
import { Fact, WorkSummary } from '../work/WorkSummary.tsx';
import type { orderCounts } from './itemRows.ts';

const words = texts.orders;

type Props = { order: Order; counts: ReturnType<typeof orderCounts>; children?: ReactNode };

/** How far an order is, and what is known of it as a whole. */
export function OrderSummary({ order, counts, children }: Props) {
  const { color, seconds, created_time: created, launched_time: launched, fulfilled_time: fulfilled } = order;
  const { done_count: done, item_count: all, short_count: short, active_count: lit, unassigned_count } = counts;
  const notes = words.counts({ lit, short, unassigned: unassigned_count });
  return (
    <WorkSummary
      meter={<Meter done={done} all={all} short={short} />}
      said={words.progressOf(done, all)}
      notes={notes}
      end={children}
    >
      <Fact name={words.columns.quantity}>{words.quantityOf(counts.quantity_fulfilled, counts.ordered_quantity)}</Fact>
      <Fact name={words.one.created}>
        <Moment at={created} />
      </Fact>
      <Fact name={words.one.launched}>{launched === null ? texts.work.never : <Moment at={launched} />}</Fact>
      {fulfilled !== null && (
        <Fact name={words.one.fulfilled}>
          <Moment at={fulfilled} />
        </Fact>
      )}
      {(color !== undefined || seconds !== undefined) && (
        <Fact name={words.one.light}>
          {color !== undefined && color !== '' && <LedDot led={ledOf('pick', color)} />}
          {seconds !== undefined && words.one.seconds(seconds)}
        </Fact>
      )}
    </WorkSummary>
  );
}
