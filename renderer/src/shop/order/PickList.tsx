import { countText } from '#shared/lib/text/locale.ts';
import { useMemo } from 'react';
import type { Order } from '#shared/api/order.ts';
import { labelCode } from '../../kit/print/labelCode.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { itemName } from './itemName.ts';
import { type PaperLine, paperLines } from './paperLines.ts';
import { onPaper, Sheet, SHEET_CODES, type SheetPaper } from './Sheet.tsx';
import styles from './Sheet.module.css';

const words = texts.orders.printing;
const NO_LINES: readonly PaperLine[] = [];

/** Returns the lines of an order in walking order; empty until the places are loaded. */
export function usePaperLines(order: Order): readonly PaperLine[] {
  const station = useStationState((state) => state.station);
  return useMemo(() => (station === null ? NO_LINES : paperLines(order, station)), [order, station]);
}

/** The printed list of what to pick for an order, in walking order. */
export function PickList({ order, paper }: { order: Order; paper: SheetPaper }) {
  const lines = usePaperLines(order);
  const { order_number: number, due_time: due, priority, customer = '', note = '' } = order;
  const shop = useStationState(({ station }) => station?.shop_name ?? '');
  const pieces = lines.reduce((sum, { item }) => sum + item.ordered_quantity, 0);
  const facts = [
    customer === '' ? '' : words.customer(customer),
    words.created(onPaper(order.created_time)),
    due === null ? '' : words.due(onPaper(due)),
    priority === 0 ? '' : texts.orders.priorityOf(priority),
    words.total(lines.length, pieces),
  ].filter((fact) => fact !== '');
  const code = labelCode(number, SHEET_CODES[paper]);
  return (
    <Sheet paper={paper} label={words.sheet(number)}>
      <header className={styles.head}>
        <div className={styles.title}>
          <p className={styles.kind}>{[shop, words.kinds.list].filter(Boolean).join(' · ')}</p>
          <h2 className={styles.number}>{number}</h2>
          <ul className={styles.facts}>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
          {note !== '' && <p className={styles.note}>{note}</p>}
        </div>
        <div className={styles.code}>
          <PaperCode code={code} format={SHEET_CODES[paper]} />
          {code.kind !== 'problem' && <span>{number}</span>}
        </div>
      </header>
      <table className={styles.table}>
        <thead>
          {/* Repeated at the top of each sheet. */}
          <tr>
            <th scope="col">
              <span className="visuallyHidden">{words.picked}</span>
            </th>
            <th scope="col">{texts.orders.one.columns.place}</th>
            <th scope="col" className={styles.quantity}>
              {words.quantity}
            </th>
            <th scope="col">{words.itemOf(number)}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.item.id} line={line} />
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

/** The symbol in the box before a line and its text for screen readers. */
const BOXES = {
  done: { sign: '✓', says: words.isPicked },
  short: { sign: '–', says: words.isShort },
  open: { sign: '', says: words.isOpen },
} as const;

function Line({ line: { item, place, shipment } }: { line: PaperLine }) {
  const {
    state,
    ordered_quantity: ordered,
    quantity_fulfilled: fulfilled,
    SKU = '',
    UPC = '',
    description = '',
  } = item;
  const name = itemName(item);
  const { sign, says } = BOXES[state === 'done' || state === 'short' ? state : 'open'];
  const soFar =
    state === 'short'
      ? words.shortAfter(fulfilled)
      : fulfilled > 0 && fulfilled !== ordered
        ? words.pickedSoFar(fulfilled)
        : '';
  const codes = [SKU === name ? '' : SKU, UPC === name ? '' : UPC].filter((code) => code !== '').join(' · ');
  return (
    <tr className={styles.line}>
      <td>
        <span className={styles.box} role="img" aria-label={says}>
          {sign}
        </span>
      </td>
      <td className={styles.place}>{place === '' ? words.noPlace : place}</td>
      <td className={styles.quantity}>
        <strong>{countText(ordered)}</strong>
        {soFar !== '' && <span className={styles.small}>{soFar}</span>}
      </td>
      <td className={styles.item}>
        <span className={styles.name}>{name}</span>
        {description !== '' && <span>{description}</span>}
        {codes !== '' && <span className={styles.small}>{codes}</span>}
        {shipment !== '' && <span className={styles.small}>{texts.orders.one.shipment(shipment)}</span>}
      </td>
    </tr>
  );
}
