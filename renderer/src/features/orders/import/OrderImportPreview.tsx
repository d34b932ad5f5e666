import type { ImportedOrderRow, OrderImport } from '#shared/api/orderImport.ts';
import { ORDER_IMPORT_OUTCOMES } from '#shared/lib/orderCsv.ts';
import { useStationState } from '../../../station/context.ts';
import { texts } from '../../../ui/texts.ts';
import { ImportPreview } from '../../importing/ImportPreview.tsx';
import styles from '../../importing/ImportPreview.module.css';
import { RejectedRows } from '../../importing/RejectedRows.tsx';
import own from './OrderImport.module.css';

type Props = {
  csv: string;
  preview: OrderImport;
  failure: string;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const words = texts.orderImport;
const LOOKS = { new: 'new', known: 'unchanged', held: 'changed', refused: 'refused' } as const;

/** What each row of a file of orders becomes, as the station says. */
export function OrderImportPreview({ csv, preview, failure, run, back }: Props) {
  const { rows, counts, delimiter, columns, ignored } = preview;
  const left = rows.filter(({ outcome }) => outcome !== 'new');
  const withoutDevice = rows.filter(({ outcome, deviceid }) => outcome === 'new' && deviceid === null).length;
  return (
    <ImportPreview
      readAs={texts.importing.readAs(delimiter, words.columnsOf(columns))}
      ignored={ignored}
      rows={rows}
      outcomes={ORDER_IMPORT_OUTCOMES}
      counts={counts}
      words={words}
      looks={LOOKS}
      columns={own.columns ?? ''}
      cells={Cells}
      said={
        <>
          <p>
            {counts.orders > 0 && words.summary(counts.orders, counts.new)}{' '}
            {withoutDevice > 0 && words.withoutDevice(withoutDevice)}
          </p>
          {counts.orders > 0 && <p className={styles.quiet}>{words.undoHint}</p>}
          {left.length > 0 && <p className={styles.care}>{texts.importing.leavesOut(left.length)}</p>}
          {counts.orders === 0 && <p className={styles.care}>{words.nothingNew}</p>}
          <p role="alert" className={own.failure}>
            {failure}
          </p>
        </>
      }
      rejected={<RejectedRows csv={csv} hasHead rows={left} />}
      submit={counts.orders > 0 ? words.submit(counts.orders) : undefined}
      run={run}
      back={back}
    />
  );
}

function Cells({ row }: { row: ImportedOrderRow }) {
  const { order_number: number, shipment_number: shipment, ordered_quantity: quantity, name, SKU, UPC } = row;
  const [named = '', ...others] = [name, SKU, UPC].filter((text) => text !== '');
  return (
    <>
      <div role="cell" className={styles.name}>
        <span className={styles.strong}>{number}</span>
        {shipment !== '' && <span className={styles.quiet}>{words.shipment(shipment)}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <span>{[quantity === '' ? '' : `${quantity} ×`, named].join(' ').trim()}</span>
        {others.length > 0 && <span className={styles.quiet}>{others.join(' · ')}</span>}
      </div>
      <div role="cell" className={styles.device}>
        {row.message === '' ? <Lights row={row} /> : <span className={own.reason}>{row.message}</span>}
      </div>
    </>
  );
}

/** Which device it lights. */
function Lights({ row: { deviceid, warehouse_location: place } }: { row: ImportedOrderRow }) {
  const device = useStationState(({ places }) => places.find((each) => each.deviceid === deviceid));
  if (deviceid === null) {
    return (
      <>
        {place !== '' && <span>{place}</span>}
        <span className={own.care} title={words.noDeviceHint}>
          {words.noDevice}
        </span>
      </>
    );
  }
  const name = device?.name ?? deviceid;
  return (
    <>
      <span>{name}</span>
      {place !== '' && place.toLowerCase() !== name.toLowerCase() && (
        <span className={styles.quiet}>{texts.orders.one.atPlace(place)}</span>
      )}
    </>
  );
}
