import type { OrderFile } from '#shared/lib/orderCsv.ts';
import { texts } from '../../../ui/texts.ts';
import { ImportPreview } from '../../importing/ImportPreview.tsx';
import styles from '../../importing/ImportPreview.module.css';
import { ROW_OUTCOMES, type Judged, type JudgedRow } from './judgeRows.ts';
import own from './OrderImport.module.css';

type Props = {
  file: Extract<OrderFile, { ok: true }>;
  judged: Judged;
  run(): void;
  /** To choose something else. */
  back(): void;
};

const words = texts.orderImport;
const LOOKS = { new: 'new', known: 'unchanged', held: 'changed', refused: 'refused' } as const;

/** What each row of a file of orders becomes, before anything is done. */
export function OrderImportPreview({ file, judged, run, back }: Props) {
  const { rows, counts, orders, withoutDevice } = judged;
  const leftOut = counts.known + counts.held + counts.refused;
  return (
    <ImportPreview
      readAs={texts.importing.readAs(file.delimiter, words.columnsOf(file.columns))}
      ignored={file.ignored}
      rows={rows}
      outcomes={ROW_OUTCOMES}
      counts={counts}
      words={words}
      looks={LOOKS}
      columns={own.columns ?? ''}
      cells={Cells}
      said={
        <>
          <p>
            {orders.length > 0 && words.summary(orders.length, counts.new)}{' '}
            {withoutDevice > 0 && words.withoutDevice(withoutDevice)}
          </p>
          {orders.length > 0 && <p className={styles.quiet}>{words.undoHint}</p>}
          {leftOut > 0 && <p className={styles.care}>{texts.importing.leavesOut(leftOut)}</p>}
          {orders.length === 0 && <p className={styles.care}>{words.nothingNew}</p>}
        </>
      }
      submit={orders.length > 0 ? words.submit(orders.length) : undefined}
      run={run}
      back={back}
    />
  );
}

function Cells({ row }: { row: JudgedRow }) {
  const { cells } = row;
  const [named = '', ...others] = [cells.name, cells.SKU, cells.UPC].filter((text) => text !== '');
  return (
    <>
      <div role="cell" className={styles.name}>
        <span className={styles.strong}>{cells.order_number}</span>
        {cells.shipment_number !== '' && <span className={styles.quiet}>{words.shipment(cells.shipment_number)}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <span>{[cells.ordered_quantity === '' ? '' : `${cells.ordered_quantity} ×`, named].join(' ').trim()}</span>
        {others.length > 0 && <span className={styles.quiet}>{others.join(' · ')}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <Becomes row={row} />
      </div>
    </>
  );
}

/** Which device it lights, or why nothing becomes of it. */
function Becomes({ row: { outcome, message, heldBy, device, cells } }: { row: JudgedRow }) {
  const place = cells.warehouse_location;
  if (outcome === 'refused') return <Reason words={message} />;
  if (outcome === 'held') return <Reason words={words.heldBy(heldBy ?? 0)} />;
  if (outcome === 'known') return <span className={styles.quiet}>{words.knownHint}</span>;
  if (device === undefined) {
    return (
      <>
        {place !== '' && <span>{place}</span>}
        <span className={own.care} title={words.noDeviceHint}>
          {words.noDevice}
        </span>
      </>
    );
  }
  return (
    <>
      <span>{device.name}</span>
      {place !== '' && place.toLowerCase() !== device.name.toLowerCase() && (
        <span className={styles.quiet}>{texts.orders.one.atPlace(place)}</span>
      )}
    </>
  );
}

function Reason({ words: said }: { words: string }) {
  return (
    <span className={own.reason} title={said}>
      {said}
    </span>
  );
}
