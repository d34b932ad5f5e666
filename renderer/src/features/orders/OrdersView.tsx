import { ClipboardList, Plus, Upload } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { findDevice } from '#shared/api/reducer.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useOrders } from '../../station/useWork.ts';
import { Button } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import styles from '../../ui/TablePage.module.css';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { useFindKey } from '../../ui/useFindKey.ts';
import { BulkResult } from '../devices/BulkDialogs.tsx';
import { orderAddress } from '../work/addresses.ts';
import { ListState } from '../work/ListState.tsx';
import { useChosenRows } from '../work/useChosenRows.ts';
import { useListParams } from '../work/useListParams.ts';
import { useWorkBulk } from '../work/useWorkBulk.ts';
import { WorkBulkBar } from '../work/WorkBulkBar.tsx';
import { exampleOrder } from './exampleOrder.ts';
import { ImportedBar } from './import/ImportedBar.tsx';
import { OrderImport } from './import/OrderImport.tsx';
import { NewOrderDialog } from './NewOrderDialog.tsx';
import {
  countOrders,
  findOrderRows,
  isOrderLeft,
  listOrderRows,
  ORDER_FILTERS,
  sortOrders,
  type OrderSort,
} from './orderRows.ts';
import { OrderTable } from './OrderTable.tsx';
import { RemoveOrderDialog } from './RemoveOrderDialog.tsx';
import { useOrderActions } from './useOrderActions.ts';

const ICON = 16;
const words = texts.orders;
const NONE: readonly never[] = [];

/** The list of orders, and what makes one. */
export function OrdersView() {
  const { view, open } = useListParams(ORDER_FILTERS, 'all');
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  if (view === 'import' && mayControl) return <OrderImport finish={() => open(null)} />;
  return <OrderList />;
}

function OrderList() {
  const { api } = useStationContext();
  const { rows: known, failure, reload } = useOrders();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const { filter, setFilter, view, open } = useListParams(ORDER_FILTERS, 'all');
  const [, navigate] = useLocation();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<OrderSort>({ by: 'created', descending: true });
  const typed = useDeferredValue(search);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  // Many facts at once are drawn when there is time for it; what is typed comes first.
  const orders = useDeferredValue(known);
  const rows = useMemo(() => listOrderRows(orders ?? NONE), [orders]);
  const counts = useMemo(() => countOrders(rows), [rows]);
  const shown = useMemo(
    () =>
      findOrderRows(
        sortOrders(
          rows.filter((row) => isOrderLeft(row, filter)),
          sort,
        ),
        typed,
      ),
    [rows, filter, typed, sort],
  );
  const { chosen, keys, hidden, choose, clear } = useChosenRows(rows, shown);
  const { actions, asking } = useOrderActions();
  const bulk = useWorkBulk(
    {
      launch: async (number) => void (await api.launchOrder(number)),
      remove: (number) => api.removeOrder(number),
    },
    words.bulk.done,
    (done) => choose(done, false),
  );
  const [asksRemove, setAsksRemove] = useState(false);
  const isFiltered = filter !== 'all' || typed.trim() !== '';
  const underWay = rows.reduce(
    (count, { key, order }) => count + Number(chosen.has(key) && order.state === 'in_progress'),
    0,
  );

  const add = () => open('new');
  usePaletteActions(
    mayControl
      ? [
          { id: 'orders.add', words: words.add, run: add },
          { id: 'orders.import', words: texts.orderImport.title, run: () => open('import') },
        ]
      : [],
  );

  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <PageHeader
        title={words.title}
        note={
          <span role="status">
            {rows.length > 0 &&
              (isFiltered ? words.some(shown.length, rows.length) : words.summary(rows.length, counts.in_progress))}
          </span>
        }
      >
        {rows.length > 0 && (
          <SearchBox
            label={words.search}
            clearLabel={words.clearSearch}
            input={input}
            value={search}
            onChange={setSearch}
            onSubmit={() => {
              const [first] = shown;
              if (first !== undefined && typed.trim() !== '') navigate(orderAddress(first.key));
            }}
          />
        )}
        {mayControl && orders !== undefined && (
          <>
            <Button onPress={() => open('import')}>
              <Upload size={ICON} aria-hidden="true" />
              {words.importCsv}
            </Button>
            <Button look="primary" onPress={add}>
              <Plus size={ICON} aria-hidden="true" />
              {words.add}
            </Button>
          </>
        )}
      </PageHeader>
      {orders === undefined ? (
        <main className={styles.empty}>
          <ListState failure={failure} reload={reload} />
        </main>
      ) : rows.length === 0 ? (
        <main className={styles.empty}>
          <ImportedBar />
          <NoOrders mayControl={mayControl} />
        </main>
      ) : (
        <main className={styles.content}>
          <ImportedBar />
          <div className={styles.strip}>
            <Segments
              label={words.filters.title}
              value={filter}
              onChange={setFilter}
              choices={ORDER_FILTERS.map((id) => ({
                id,
                words: <Count words={words.filters[id]} count={counts[id]} />,
              }))}
            />
          </div>
          {shown.length === 0 ? (
            <div className={styles.none}>
              <h2>{typed.trim() === '' ? words.noneOf[filter] : words.noMatch}</h2>
              {typed.trim() !== '' && <p>{words.noMatchHint}</p>}
              <Button
                onPress={() => {
                  setSearch('');
                  setFilter('all');
                }}
              >
                {words.showAll}
              </Button>
            </div>
          ) : (
            <OrderTable
              rows={shown}
              sort={sort}
              onSort={setSort}
              chosen={chosen}
              choose={choose}
              mayChoose={mayControl}
              actions={actions}
            />
          )}
        </main>
      )}
      {(keys.length > 0 || bulk.running !== undefined) && (
        <WorkBulkBar
          said={words.bulk}
          keys={keys}
          hidden={hidden}
          bulk={bulk}
          askRemove={() => setAsksRemove(true)}
          clear={clear}
        />
      )}
      <ConfirmDialog
        title={words.bulk.askTitle(keys.length)}
        body={words.bulk.askBody(underWay)}
        confirm={words.ask.confirm}
        danger
        isOpen={asksRemove}
        onConfirm={() => {
          // It goes on behind the dialog, with how far it is.
          void bulk.run('remove', keys);
        }}
        onClose={() => setAsksRemove(false)}
      />
      {bulk.outcome !== undefined && (
        <BulkResult outcome={bulk.outcome} nameOf={(number) => number} close={bulk.forget} />
      )}
      {view === 'new' && mayControl && <NewOrderDialog close={() => open(null)} />}
      <RemoveOrderDialog asking={asking} />
    </div>
  );
}

function NoOrders({ mayControl }: { mayControl: boolean }) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const places = useStationState((state) => state.places);
  const [busy, setBusy] = useState(false);
  const [first] = places;

  async function make(): Promise<void> {
    const { station } = store.getState();
    setBusy(true);
    try {
      const deviceOf = (deviceid: string) => findDevice(station?.devices ?? [], deviceid);
      const { order_number: number } = await api.addOrder(exampleOrder(places, deviceOf, new Set()));
      navigate(orderAddress(number));
    } catch (error) {
      toasts.fail(sentenceOf(error, texts.failure.other));
      setBusy(false);
    }
  }

  const mayMake = mayControl && first !== undefined;
  return (
    <EmptyState
      picture={<ClipboardList size={40} strokeWidth={1.6} />}
      title={words.empty.title}
      body={
        <>
          <p>{words.empty.body}</p>
          {mayMake && <p>{words.empty.exampleHint(first.name)}</p>}
        </>
      }
      action={
        mayMake && (
          <Button look="primary" busy={busy} onPress={() => void make()}>
            {words.empty.example}
          </Button>
        )
      }
    />
  );
}
