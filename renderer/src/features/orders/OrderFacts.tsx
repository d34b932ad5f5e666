import type { Order, OrderPicker, OrderProgress } from '#shared/api/order.ts';
import { ledOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { isLate } from '../../station/orderUrgency.ts';
import { useTimed } from '../../station/time.ts';
import { useIsLate } from '../../station/useIsLate.ts';
import { exactWords, untilWords } from '../../words/moments.ts';
import { dotted } from '../../words/dotted.ts';
import * as texts from '../../words/texts.ts';
import styles from './OrderFacts.module.css';

const words = texts.orders;

/** Explains why an order needs attention. Returns an empty text if it does not. */
export function attentionWords({
  attention,
  unassigned_count: unassigned,
}: Pick<OrderProgress, 'attention' | 'unassigned_count'>): string {
  return dotted(
    ...attention.map((reason) => (reason === 'unassigned' ? words.withoutDevice(unassigned) : words.attention[reason])),
  );
}

type PickersProps = { pickers: readonly OrderPicker[]; isSmall?: boolean };

/** Lists the pickers of an order with their colors. */
export function Pickers({ pickers, isSmall = false }: PickersProps) {
  if (pickers.length === 0) return null;
  return (
    <span className={styles.pickers} data-small={isSmall || undefined}>
      {pickers.map(({ name, color, paused }) => (
        <span key={name} className={styles.picker} title={paused ? words.paused(name) : name}>
          <LedDot led={ledOf('pick', color)} />
          <span className={styles.name}>{paused ? words.paused(name) : name}</span>
        </span>
      ))}
    </span>
  );
}

/** Lists the pickers of an order with the number of their finished lines. */
export function PickerLines({ order: { pickers, shipments } }: { order: Order }) {
  const items = shipments.flatMap((shipment) => shipment.items);
  return (
    <span className={styles.lines}>
      {pickers.map((picker) => {
        const lines = items.filter((item) => item.picker === picker.name);
        const done = lines.filter(({ state }) => state === 'done' || state === 'short').length;
        return (
          <span key={picker.name} className={styles.line}>
            <Pickers pickers={[picker]} />
            <span className={styles.priority}>{words.one.linesOf(done, lines.length)}</span>
          </span>
        );
      })}
    </span>
  );
}

type Urgent = Pick<OrderProgress, 'state' | 'due_time' | 'priority'>;

/** The due time and the priority of an order. An overdue time is highlighted. */
export function Urgency({ order }: { order: Urgent }) {
  const { due_time: due, priority } = order;
  if (due === null && priority === 0) return null;
  return (
    <span className={styles.urgency}>
      {due !== null && <Due order={{ ...order, due_time: due }} />}
      {priority !== 0 && <span className={styles.priority}>{words.priorityOf(priority)}</span>}
    </span>
  );
}

function Due({ order }: { order: Urgent & { due_time: string } }) {
  const at = Date.parse(order.due_time);
  const late = useIsLate(order);
  const said = useTimed((now) => (isLate(order, now) ? words.overdue : words.due)(untilWords(at, now)));
  return (
    <time className={styles.due} dateTime={order.due_time} title={exactWords(at)} data-late={late || undefined}>
      {said}
    </time>
  );
}
