import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import { Moment } from '../people/Moment.tsx';
import { orderAddress } from '../work/addresses.ts';
import { Meter } from '../work/Meter.tsx';
import { StateTag } from '../work/StateTag.tsx';
import styles from '../work/WorkTable.module.css';
import { orderMenu } from './orderMenu.tsx';
import { ORDER_COLUMNS, ORDER_TONES, type OrderRow, type OrderSort } from './orderRows.ts';
import type { OrderActions } from './useOrderActions.ts';

const ROW_HEIGHT = 60;
const words = texts.orders;
const CLASSES = {
  order: styles.name,
  state: styles.state,
  progress: styles.progress,
  quantity: styles.figures,
  created: styles.when,
};
const HEADINGS = ORDER_COLUMNS.map((by) => ({ by, words: words.columns[by], className: CLASSES[by] ?? '' }));

type Props = {
  rows: readonly OrderRow[];
  sort: OrderSort;
  onSort(sort: OrderSort): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  mayChoose: boolean;
  actions: OrderActions;
};

/** Orders and how far they are, a line each. */
export function OrderTable({ mayChoose, ...table }: Props) {
  return (
    <DataTable
      {...table}
      label={words.table}
      rowHeight={ROW_HEIGHT}
      columns={styles.columns ?? ''}
      headings={HEADINGS}
      checkOf={mayChoose ? checkOf : nothing}
      chooseAllWords={words.selectAll}
      line={OrderLine}
    />
  );
}

const checkOf = ({ key }: OrderRow): string => words.select(key);
const nothing = (): undefined => undefined;

type LineProps = { row: OrderRow; isCurrent: boolean; actions: OrderActions };

const OrderLine = memo(function OrderLine({ row: { key, order }, isCurrent, actions }: LineProps) {
  const { state, done_count: done, item_count: all, short_count: short, active_count: lit } = order;
  const notes = words.counts({ lit, short, unassigned: order.unassigned_count });
  return (
    <>
      <div role="gridcell" className={styles.name}>
        <Link href={orderAddress(key)} className={styles.link ?? ''} tabIndex={isCurrent ? 0 : -1} data-control="order">
          <span className={styles.strong} title={key}>
            {key}
          </span>
        </Link>
      </div>
      <div role="gridcell" className={styles.state}>
        <StateTag tone={ORDER_TONES[state]} words={words.states[state]} />
      </div>
      <div role="gridcell" className={styles.progress}>
        <Meter done={done} all={all} short={short} />
        <span className={styles.said}>
          <span>{words.progressOf(done, all)}</span>
          {notes !== '' && (
            <span className={styles.quiet} data-care={short > 0 || order.unassigned_count > 0 || undefined}>
              {notes}
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" className={styles.figures}>
        {words.quantityOf(order.quantity_fulfilled, order.ordered_quantity)}
      </div>
      <div role="gridcell" className={styles.when}>
        <Moment at={order.created_time} words={same} />
      </div>
      <div role="gridcell" className={styles.actions}>
        <Menu
          label={texts.work.more(key)}
          placement="bottom end"
          trigger={
            <Button look="icon" aria-label={texts.work.more(key)} excludeFromTabOrder={!isCurrent} data-control="menu">
              <Ellipsis size={20} aria-hidden="true" />
            </Button>
          }
          groups={orderMenu(order, actions)}
        />
      </div>
    </>
  );
});

const same = (ago: string): string => ago;
