import { countText } from '#shared/lib/text/locale.ts';
import type { Order } from '#shared/api/order.ts';
import { labelCode } from '../../kit/print/labelCode.ts';
import { PaperCode } from '../../kit/print/PaperCode.tsx';
import { useStationState } from '../../station/context.ts';
import { timeText } from '../../words/formats.ts';
import * as texts from '../../words/texts.ts';
import { Sheet, SHEET_CODES, type SheetPaper } from './Sheet.tsx';
import styles from './Sheet.module.css';
import { addressLines, type SlipLine, slipParts } from './slipParts.ts';

const { slip: words, quantity } = texts.orders.printing;

type Props = {
  order: Order;
  paper: SheetPaper;
  /** Number of the shipment in the parcel, or undefined if the parcel holds the whole order. */
  shipment?: string | undefined;
};

/** The sheet for the customer in a parcel. Shows neither places nor how the order was picked. */
export function PackingSlip({ order, paper, shipment }: Props) {
  const { order_number: number, created_time: created, ordered_at: ordered = created, note = '', shipments } = order;
  const shop = useStationState(({ station }) => station?.shop_name ?? '');
  const address = useStationState(({ station }) => station?.shop_address ?? '');
  const closing = useStationState(({ station }) => station?.slip_closing ?? '');
  const logo = useStationState(({ station }) => station?.shop_logo ?? null);
  const { here, elsewhere, later } = slipParts(order, shipment);
  const to = addressLines(order);
  const isPart = shipments.length > 1 && shipments.some((each) => each.shipment_number === shipment);
  const code = labelCode(number, SHEET_CODES[paper]);
  return (
    <Sheet paper={paper} label={words.sheet(number)}>
      <div className={styles.slip}>
        {(shop !== '' || address !== '' || logo !== null) && (
          <div className={styles.shop}>
            <div className={styles.shopName}>
              {logo !== null && <img className={styles.logo} src={logo} alt="" />}
              <p>{shop}</p>
            </div>
            <p className={styles.lines}>{address}</p>
          </div>
        )}
        {to.length > 0 && <p className={styles.to}>{to.join('\n')}</p>}
        <header className={styles.head}>
          <div className={styles.title}>
            <h2 className={styles.slipTitle}>{words.title}</h2>
            <p className={styles.name}>{words.order(number)}</p>
            {isPart && shipment !== undefined && <p>{words.shipment(shipment)}</p>}
            <p>{words.date(timeText('longDayOfYear', ordered))}</p>
            {note !== '' && <p className={styles.note}>{note}</p>}
          </div>
          <div className={styles.code}>
            <PaperCode code={code} format={SHEET_CODES[paper]} />
          </div>
        </header>
        {here.length === 0 ? (
          <p>{words.nothing}</p>
        ) : (
          <Articles title={elsewhere.length + later.length > 0 ? words.here : undefined} lines={here} />
        )}
        {elsewhere.length > 0 && <Articles title={words.elsewhere} lines={elsewhere} />}
        {later.length > 0 && <Articles title={words.later} lines={later} />}
        {closing !== '' && <p className={styles.closing}>{closing}</p>}
      </div>
    </Sheet>
  );
}

function Articles({ title, lines }: { title: string | undefined; lines: readonly SlipLine[] }) {
  return (
    <>
      {title !== undefined && <h3 className={styles.section}>{title}</h3>}
      <table className={styles.table} aria-label={title ?? words.here}>
        <thead>
          <tr>
            <th scope="col" className={styles.quantity}>
              {quantity}
            </th>
            <th scope="col">{words.article}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, description, codes, pieces }) => (
            <tr key={JSON.stringify([name, description, codes])} className={styles.line}>
              <td className={styles.quantity}>
                <strong>{countText(pieces)}</strong>
              </td>
              <td className={styles.item}>
                <span className={styles.name}>{name}</span>
                {description !== '' && <span>{description}</span>}
                {codes !== '' && <span className={styles.small}>{codes}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
