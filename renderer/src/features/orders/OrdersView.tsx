import { ClipboardList, Plus, Upload } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { findDevice } from '#shared/api/reducer.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useOrders } from '../../station/useWork.ts';
import { Button } from '../../ui/Button.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { TablePage } from '../../ui/TablePage.tsx';
import { texts } from '../../ui/texts.ts';
import { useChosenRows } from '../../ui/useChosenRows.ts';
import { useListParams } from '../../ui/useListParams.ts';
import { useSearch } from '../../ui/useSearch.ts';
import { orderAddress } from '../work/addresses.ts';
import { ListState } from '../work/ListState.tsx';
import { NoWork } from '../work/NoWork.tsx';
import { WorkBulk } from '../work/WorkBulk.tsx';
import { findRows } from '../work/workRows.ts';
import { WorkTable } from '../work/WorkTable.tsx';
import { exampleOrder } from './exampleOrder.ts';
import { ImportedBar } from './import/ImportedBar.tsx';
import { OrderImport } from './import/OrderImport.tsx';
import { NewOrderDialog } from './NewOrderDialog.tsx';
import { OrderLine } from './OrderLine.tsx';
import {
  countOrders,
  isOrderLeft,
  listOrderRows,
  ORDER_COLUMNS,
  ORDER_FILTERS,
  sortOrders,
  type OrderSort,
} from './orderRows.ts';
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
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const { filter, setFilter, view, open } = useListParams(ORDER_FILTERS, 'all');
  const [, navigate] = useLocation();
  const search = useSearch();
  const [sort, setSort] = useState<OrderSort>({ by: 'created', descending: true });
  // Many facts at once are drawn when there is time for it; what is typed comes first.
  const orders = useDeferredValue(known);
  const rows = useMemo(() => listOrderRows(orders ?? NONE), [orders]);
  const counts = useMemo(() => countOrders(rows), [rows]);
  const shown = useMemo(() => {
    const left = rows.filter((row) => isOrderLeft(row, filter));
    return findRows(sortOrders(left, sort), search.typed);
  }, [rows, filter, search.typed, sort]);
  const chosen = useChosenRows(rows, shown);
  const { actions, asking } = useOrderActions();

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
    <TablePage
      words={words}
      note={
        rows.length > 0 &&
        (filter === 'all' && search.isEmpty
          ? words.summary(rows.length, counts.in_progress)
          : words.some(shown.length, rows.length))
      }
      search={search}
      hasSearch={rows.length > 0}
      onSubmit={() => {
        const [first] = shown;
        if (first !== undefined && !search.isEmpty) navigate(orderAddress(first.key));
      }}
      buttons={
        mayControl &&
        orders !== undefined && (
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
        )
      }
      instead={
        orders === undefined ? (
          <ListState failure={failure} reload={reload} />
        ) : rows.length === 0 ? (
          <>
            <ImportedBar />
            <NoOrders />
          </>
        ) : undefined
      }
      above={<ImportedBar />}
      filter={{ filters: ORDER_FILTERS, counts, value: filter, onChange: setFilter }}
      table={
        shown.length > 0 && (
          <WorkTable
            words={words}
            columns={ORDER_COLUMNS}
            line={OrderLine}
            rows={shown}
            sort={sort}
            onSort={setSort}
            chosen={chosen.chosen}
            choose={chosen.choose}
            mayChoose={mayControl}
            actions={actions}
          />
        )
      }
    >
      <WorkBulk
        said={words.bulk}
        chosen={chosen}
        going={rows.filter(({ key, order }) => chosen.chosen.has(key) && order.state === 'in_progress').length}
        ways={{
          launch: async (number) => void (await api.launchOrder(number)),
          remove: (number) => api.removeOrder(number),
        }}
      />
      {view === 'new' && mayControl && <NewOrderDialog close={() => open(null)} />}
      <RemoveOrderDialog asking={asking} />
    </TablePage>
  );
}

function NoOrders() {
  const { api, store } = useStationContext();
  return (
    <NoWork
      words={words.empty}
      picture={<ClipboardList size={40} strokeWidth={1.6} />}
      make={async (places) => {
        const { station } = store.getState();
        const deviceOf = (deviceid: string) => findDevice(station?.devices ?? [], deviceid);
        const { order_number: number } = await api.addOrder(exampleOrder(places, deviceOf, new Set()));
        return orderAddress(number);
      }}
    />
  );
}
