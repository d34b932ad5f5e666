import { PackageX, Printer } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Order } from '#shared/api/order.ts';
import { orderAddress } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useOrder } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { timeWords } from '../../words/moments.ts';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import { type CodeBox, labelCode } from '../../kit/print/labelCode.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import { NoSuchWork } from '../../shop/work/Notice.tsx';
import { itemName } from './itemRows.ts';
import { type PaperLine, paperLines } from './paperLines.ts';
import styles from './OrderPrint.module.css';

const words = texts.orders.printing;
const PAPERS = ['a4', 'receipt'] as const;
type Paper = (typeof PAPERS)[number];
const NO_LINES: readonly PaperLine[] = [];

/** Space for the code of the order number, in millimeters. */
const CODES: Readonly<Record<Paper, CodeBox>> = {
  a4: { barcode: { width: 82, height: 15 }, qrcode: 24 },
  receipt: { barcode: { width: 70, height: 14 }, qrcode: 26 },
};

/** The printable page of one order. */
export function OrderPrint({ orderNumber }: { orderNumber: string }) {
  const opened = useOrder(orderNumber);
  if (opened.value !== undefined) return <Paper order={opened.value} />;
  return (
    <NoSuchWork
      id={orderNumber}
      words={texts.orders.one}
      title={words.title(orderNumber)}
      list="/orders"
      picture={<PackageX size={40} strokeWidth={1.6} />}
      opened={opened}
    />
  );
}

function Paper({ order }: { order: Order }) {
  const { order_number: number } = order;
  const station = useStationState((state) => state.station);
  const [paper, setPaper] = useState<Paper>('a4');
  const lines = useMemo(() => (station === null ? NO_LINES : paperLines(order, station)), [order, station]);
  return (
    <div className={print.page}>
      <PageHeader title={words.title(number)} note={texts.orders.itemsOf(lines.length)}>
        <BackButton words={texts.work.order(number)} to={orderAddress(number)} />
        <Button icon={Printer} look="primary" onPress={() => window.print()}>
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        <div className={print.choices}>
          <div className={print.choice}>
            <span aria-hidden="true">{words.paper}</span>
            <Segments
              label={words.paper}
              value={paper}
              onChange={setPaper}
              choices={PAPERS.map((id) => ({ id, words: words.papers[id] }))}
            />
          </div>
        </div>
        <Printed className={styles.sheets}>
          <Sheet order={order} lines={lines} paper={paper} />
        </Printed>
      </main>
    </div>
  );
}

function Sheet({ order, lines, paper }: { order: Order; lines: readonly PaperLine[]; paper: Paper }) {
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
          {/* Again at the top of each further sheet. */}
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

/** The box before a line. */
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
        <strong>{ordered.toLocaleString('en')}</strong>
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

/** Formats a day and time without relative words, which would be wrong later. */
function onPaper(iso: string): string {
  const at = Date.parse(iso);
  return timeWords(at, 0).replace(/:\d\d$/, '');
}

const MM_A_PIXEL = 25.4 / 96;

/** Limits a receipt to the length of its content. Otherwise a roll printer feeds a whole page, or cuts the receipt in two. */
function useReceiptLength(sheet: React.RefObject<HTMLElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const { current } = sheet;
    if (!isOn || current === null || typeof CSSStyleSheet !== 'function') return undefined;
    const rule = new CSSStyleSheet();
    const measure = () => {
      const length = Math.ceil(current.offsetHeight * MM_A_PIXEL) + 1;
      rule.replaceSync(`@page receipt { size: 80mm ${Math.max(40, length)}mm; margin: 0; }`);
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
