import { useEffect, useMemo, useRef, useState } from 'react';
import type { NewOrder } from '#shared/api/order.ts';
import { readOrders, type OrderFile } from '#shared/lib/orderCsv.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { useOrders } from '../../../station/useWork.ts';
import { Button } from '../../../ui/Button.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Progress } from '../../../ui/Progress.tsx';
import { texts } from '../../../ui/texts.ts';
import { useLeaveGuard } from '../../../ui/leaveGuard.tsx';
import { ImportChoice, ImportExample } from '../../importing/ImportChoice.tsx';
import styles from '../../importing/ImportView.module.css';
import { ListState } from '../../work/ListState.tsx';
import { importOrders } from './importOrders.ts';
import { deviceFinder, judgeRows } from './judgeRows.ts';
import { useLastOrderImport } from './lastImport.ts';
import own from './OrderImport.module.css';
import { OrderImportPreview } from './OrderImportPreview.tsx';

const words = texts.orderImport;
const EXAMPLE =
  'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1';
const NO_ALIASES: readonly never[] = [];
const NO_NUMBERS: ReadonlySet<string> = new Set();

/** So often it is kept how far an import is. */
const KEEP_EVERY = 25;

type ReadFile = Extract<OrderFile, { ok: true }>;

/** A list of orders from a file or a spreadsheet: chosen, looked at, made one by one. */
export function OrderImport({ finish }: { finish(): void }) {
  const { api } = useStationContext();
  const { rows: known, failure: notKnown, reload } = useOrders();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const [file, setFile] = useState<ReadFile>();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState('');
  const [running, setRunning] = useState<{ done: number; all: number }>();
  const [, setLast] = useLastOrderImport();
  const cancelled = useRef(false);
  const hasLeft = useRef(false);
  useEffect(() => {
    hasLeft.current = false;
    return () => void (hasLeft.current = true);
  }, []);
  useLeaveGuard(running !== undefined);

  const numbers = useMemo(
    () => (known === undefined ? NO_NUMBERS : new Set(known.map(({ order_number }) => order_number))),
    [known],
  );
  const finder = useMemo(() => deviceFinder(places, aliases), [places, aliases]);
  const judged = useMemo(
    () => (file === undefined ? undefined : judgeRows(file.rows, numbers, finder)),
    [file, numbers, finder],
  );

  function check(text: string): void {
    const read = readOrders(text);
    setFailure(read.ok ? '' : read.message);
    if (read.ok) setFile(read);
  }

  async function run(orders: readonly NewOrder[]): Promise<void> {
    cancelled.current = false;
    setRunning({ done: 0, all: orders.length });
    const at = new Date().toISOString();
    const result = await importOrders(
      orders,
      api,
      (done, made) => {
        setRunning({ done, all: orders.length });
        // Should this tab be closed in the middle of it, what was made by then can be taken back too.
        if (done % KEEP_EVERY === 0) setLast({ at, made, failed: [], left: orders.length - made.length });
      },
      () => cancelled.current,
    );
    setLast({ at, ...result });
    setRunning(undefined);
    if (!hasLeft.current) finish();
  }

  return (
    <div className={styles.page}>
      <PageHeader title={words.title}>
        <Button onPress={finish} isDisabled={running !== undefined}>
          {words.back}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        {running !== undefined ? (
          <Progress
            label={words.running(running.all)}
            value={running.done}
            max={running.all}
            onCancel={() => {
              cancelled.current = true;
            }}
          />
        ) : known === undefined ? (
          // What is there already has to be known before it is said what each row becomes.
          <ListState failure={notKnown} reload={reload} />
        ) : file === undefined || judged === undefined ? (
          <ImportChoice typed={typed} onType={setTyped} failure={failure} check={check}>
            <p>{words.lead}</p>
            <ImportExample title={words.example} csv={EXAMPLE} className={own.example} />
          </ImportChoice>
        ) : (
          <OrderImportPreview
            file={file}
            judged={judged}
            run={() => void run(judged.orders)}
            back={() => setFile(undefined)}
          />
        )}
      </main>
    </div>
  );
}
