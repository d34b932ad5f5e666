import { useState } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { ORDER_IMPORT, useRouteId } from '../../station/addresses.ts';
import { useDenied, useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Denied } from '../../ui/Denied.tsx';
import { useLeaveGuard } from '../../ui/leaveGuard.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { texts } from '../../ui/texts.ts';
import { Busy } from '../importing/Busy.tsx';
import { ImportChoice, ImportExample } from '../importing/ImportChoice.tsx';
import styles from '../importing/ImportView.module.css';
import { useImportSteps } from '../importing/useImportSteps.ts';
import { useLastOrderImport } from './import/ImportedBar.tsx';
import own from './import/OrderImport.module.css';
import { OrderImportPreview } from './import/OrderImportPreview.tsx';
import { OrdersView } from './OrdersView.tsx';
import { OrderView } from './OrderView.tsx';

/** How far is each order? */
export function OrdersPage() {
  const orderNumber = useRouteId();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const denied = useDenied('import');
  if (orderNumber === undefined) {
    // As earlier versions had it.
    return params.get('view') === 'import' ? <Redirect to={ORDER_IMPORT} replace /> : <OrdersView />;
  }
  // The router's path is decoded: an order of that number would look alike.
  if (window.location.pathname.replace(/\/$/, '') !== ORDER_IMPORT) {
    return <OrderView key={orderNumber} orderNumber={orderNumber} />;
  }
  if (denied !== undefined) return <Denied title={texts.orderImport.title} denied={denied} />;
  return <OrderImport finish={() => navigate('/orders')} />;
}

const words = texts.orderImport;
const EXAMPLE =
  'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1';

/** A list of orders from a file or a spreadsheet: chosen, previewed, imported. */
function OrderImport({ finish }: { finish(): void }) {
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
    <div className={styles.page}>
      <PageHeader title={words.title}>
        <Button onPress={finish} isDisabled={step.kind === 'running'}>
          {words.back}
        </Button>
      </PageHeader>
      <main className={styles.content}>
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
