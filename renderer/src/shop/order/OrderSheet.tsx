import { countText } from '#shared/lib/text/locale.ts';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { Order } from '#shared/api/order.ts';
import { type CodeBox, labelCode } from '../../kit/print/labelCode.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import { useStationState } from '../../station/context.ts';
import { timeWords } from '../../words/moments.ts';
import * as texts from '../../words/texts.ts';
import { itemName } from './itemName.ts';
import styles from './OrderSheet.module.css';
import { type PaperLine, paperLines } from './paperLines.ts';

const words = texts.orders.printing;
export const SHEET_PAPERS = ['a4', 'receipt'] as const;
export type SheetPaper = (typeof SHEET_PAPERS)[number];
const NO_LINES: readonly PaperLine[] = [];

/** Space for the barcode or QR code of the order number, in millimeters. */
const CODES: Readonly<Record<SheetPaper, CodeBox>> = {
  a4: { barcode: { width: 82, height: 15 }, qrcode: 24 },
  receipt: { barcode: { width: 70, height: 14 }, qrcode: 26 },
};

/** Returns the lines of an order in walking order; empty until the places are loaded. */
export function usePaperLines(order: Order): readonly PaperLine[] {
  const station = useStationState((state) => state.station);
  return useMemo(() => (station === null ? NO_LINES : paperLines(order, station)), [order, station]);
}

/** A printed order. */
export function OrderSheet({ order, paper }: { order: Order; paper: SheetPaper }) {
  const lines = usePaperLines(order);
  const { order_number: number, due_time: due, priority, customer = '', note = '' } = order;
  const sheet = useRef<HTMLElement>(null);
  const shop = useStationState(({ station }) => station?.shop_name ?? '');
  useReceiptLength(sheet, paper === 'receipt');
  const pieces = lines.reduce((sum, { item }) => sum + item.ordered_quantity, 0);
  const facts = [
    customer === '' ? '' : words.customer(customer),
    words.created(onPaper(order.created_time)),
    due === null ? '' : words.due(onPaper(due)),
    priority === 0 ? '' : texts.orders.priorityOf(priority),
    words.total(lines.length, pieces),
  ].filter((fact) => fact !== '');
  const code = labelCode(number, CODES[paper]);
  return (
    <section ref={sheet} className={styles.sheet} data-paper={paper} aria-label={words.sheet(number)}>
      <header className={styles.head}>
        <div className={styles.title}>
          <p className={styles.kind}>{[shop, texts.orders.kind].filter(Boolean).join(' · ')}</p>
          <h2 className={styles.number}>{number}</h2>
          <ul className={styles.facts}>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
          {note !== '' && <p className={styles.note}>{note}</p>}
        </div>
        <div className={styles.code}>
          <PaperCode code={code} format={CODES[paper]} />
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
    </section>
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

/** Formats a time with its day, even for today, because paper may be read later. */
function onPaper(iso: string): string {
  const at = Date.parse(iso);
  return timeWords(at, 0).replace(/:\d\d$/, '');
}

const MM_A_PIXEL = 25.4 / 96;
const RECEIPT_MM = 80;

/** Returns the size of the printed sheet. The length of a receipt is measured on the page. */
export function paperSizeMm(paper: SheetPaper): { width: number; height: number } {
  if (paper === 'a4') return { width: 210, height: 297 };
  const sheet = document.querySelector<HTMLElement>('[data-sheets] [data-paper]');
  return { width: RECEIPT_MM, height: sheet === null ? 297 : lengthMm(sheet) };
}

function lengthMm({ offsetHeight }: HTMLElement): number {
  return Math.max(40, Math.ceil(offsetHeight * MM_A_PIXEL) + 1);
}

/** Makes the page of a receipt as long as its content. A roll printer would otherwise feed a whole page, or cut the receipt in two. */
function useReceiptLength(sheet: React.RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const { current } = sheet;
    if (!isOn || current === null || typeof CSSStyleSheet !== 'function') return undefined;
    const rule = new CSSStyleSheet();
    const measure = () => {
      rule.replaceSync(`@page receipt { size: ${RECEIPT_MM}mm ${lengthMm(current)}mm; margin: 0; }`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rule];
    return () => {
      observer.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== rule);
    };
  }, [sheet, isOn]);
}
