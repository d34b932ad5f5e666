import { useState } from 'react';
import { IMPORT_ROW_OUTCOMES, type ImportRow, type OrderImport } from '#shared/api/imports.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { Button } from '../../../ui/Button.tsx';
import { useLeaveGuard } from '../../../ui/leaveGuard.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Failure } from '../../../ui/EmptyState.tsx';
import layout from '../../../ui/Page.module.css';
import parts from '../../../ui/parts.module.css';
import { texts } from '../../../ui/texts.ts';
import { Busy, ImportChoice, ImportExample, useImportSteps } from '../../importing/ImportChoice.tsx';
import styles from '../../importing/ImportPreview.module.css';
import { ImportPreview, RejectedRows } from '../../importing/ImportPreview.tsx';
import view from '../../importing/ImportView.module.css';
import { useLastOrderImport } from './ImportedBar.tsx';
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
const LOOKS = {
  new: 'new',
  changed: 'changed',
  known: 'unchanged',
  held: 'refused',
  refused: 'refused',
  left_out: 'unchanged',
} as const;

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
      outcomes={IMPORT_ROW_OUTCOMES}
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
          {counts.orders > 0 && <p className={parts.quiet}>{words.undoHint}</p>}
          {left.length > 0 && <p className={parts.careStrong}>{texts.importing.leavesOut(left.length)}</p>}
          {counts.orders === 0 && <p className={parts.careStrong}>{words.nothingNew}</p>}
          <Failure>{failure}</Failure>
        </>
      }
      rejected={<RejectedRows csv={csv} hasHead rows={left} />}
      submit={counts.orders > 0 ? words.submit(counts.orders) : undefined}
      run={run}
      back={back}
    />
  );
}

function Cells({ row }: { row: ImportRow }) {
  const { order_number: number, shipment_number: shipment, ordered_quantity: quantity, name, SKU, UPC } = row;
  const [named = '', ...others] = [name, SKU, UPC].filter((text) => text !== '');
  return (
    <>
      <div role="cell" className={styles.name}>
        <span className={parts.strong}>{number}</span>
        {shipment !== '' && <span className={parts.quiet}>{words.shipment(shipment)}</span>}
      </div>
      <div role="cell" className={styles.device}>
        <span>{[quantity === '' ? '' : `${quantity} ×`, named].join(' ').trim()}</span>
        {others.length > 0 && <span className={parts.quiet}>{others.join(' · ')}</span>}
      </div>
      <div role="cell" className={styles.device}>
        {row.message === '' ? <Lights row={row} /> : <span className={own.reason}>{row.message}</span>}
      </div>
    </>
  );
}

/** Which device it lights. */
function Lights({ row: { deviceid, warehouse_location: place } }: { row: ImportRow }) {
  const device = useStationState(({ places }) => places.find((each) => each.deviceid === deviceid));
  if (deviceid === null) {
    return (
      <>
        {place !== '' && <span>{place}</span>}
        <span className={parts.care} title={words.noDeviceHint}>
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
        <span className={parts.quiet}>{texts.orders.one.atPlace(place)}</span>
      )}
    </>
  );
}

const EXAMPLE =
  'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1';

/** A list of orders from a file or a spreadsheet: chosen, previewed, imported. */
export function OrderImportView({ finish }: { finish(): void }) {
  const { api } = useStationContext();
  const { last } = useLastOrderImport();
  const [typed, setTyped] = useState('');
  const { step, failure, check, run, cancel, back } = useImportSteps({
    ask: api.importOrders,
    before: last?.id,
    lastId: async () => (await api.loadLastOrderImport())?.id,
    finish: () => {
      guard(false);
      finish();
    },
  });
  const guard = useLeaveGuard(step.kind === 'running');

  return (
    <div className={layout.page}>
      <PageHeader title={words.title}>
        <Button words={words.back} onPress={finish} isDisabled={step.kind === 'running'} />
      </PageHeader>
      <main className={view.content}>
        {step.kind === 'choose' && (
          <ImportChoice typed={typed} onType={setTyped} failure={failure} check={(csv) => void check(csv)}>
            <p>{words.lead}</p>
            <ImportExample title={words.example} csv={EXAMPLE} className={own.example} />
          </ImportChoice>
        )}
        {step.kind === 'checking' && <Busy label={words.checking(step.rows)} cancel={cancel} />}
        {step.kind === 'running' && <Busy label={words.running(step.preview.counts.orders)} cancel={cancel} />}
        {step.kind === 'preview' && (
          <OrderImportPreview
            csv={step.csv}
            preview={step.preview}
            failure={failure}
            run={() => void run(step.csv, step.preview)}
            back={back}
          />
        )}
      </main>
    </div>
  );
}
