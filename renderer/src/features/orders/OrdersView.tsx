import { ClipboardList, Download, Plus, Printer, ShoppingCart, Trash2, Upload } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import type { NewOrder } from '#shared/api/order.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { importAddress, orderAddress } from '../../station/addresses.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { urgencyOf } from '../../station/orderUrgency.ts';
import type { NamedDevice } from '../../station/places.ts';
import { useOrders } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { followLink } from '../../kit/download.ts';
import { Menu } from '../../kit/menu/Menu.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { carts } from '../../words/carts.ts';
import * as texts from '../../words/texts.ts';
import { useListParams } from '../../kit/list/useListParams.ts';
import { NoWork } from '../../shop/work/Notice.tsx';
import { workColumns, type WorkFacts } from '../../shop/work/workColumns.tsx';
import { type WorkKind, WorkPage } from '../../shop/work/WorkPage.tsx';
import { Drafts } from './Drafts.tsx';
import { LastImportBar } from './LastImportBar.tsx';
import { launchColors } from './launchColors.ts';
import { nextNumber } from '../../shop/order/nextNumber.ts';
import { attentionWords, Pickers, Urgency } from './OrderFacts.tsx';
import * as table from './orderRows.ts';
import { OrderDialog } from './OrderDialogs.tsx';
import { RemoveOldDialog } from './RemoveOldDialog.tsx';
import { orderMenu, type OrderActions, useOrderActions } from './orderMenu.tsx';

// Load these dialogs separately, because the list does not need them.
const NewOrderDialog = lazy(async () => {
  const { NewOrderDialog: component } = await import('../../shop/order/NewOrderDialog.tsx');
  return { default: component };
});

const PickTogetherDialog = lazy(async () => {
  const { PickTogetherDialog: component } = await import('./PickTogetherDialog.tsx');
  return { default: component };
});

const words = texts.orders;

/** Returns the progress of an order for its row. */
function factsOf({ key, order }: table.OrderTableRow): WorkFacts {
  const { state, done_count: done, item_count: all, short_count: short, active_count: lit } = order;
  // The attention mark already shows these items, so do not count them again.
  const unassigned = order.attention.includes('unassigned') ? 0 : order.unassigned_count;
  return {
    name: key,
    address: orderAddress(key),
    state: { tone: table.ORDER_TONES[state], words: words.states[state] },
    progress: { done, all, short },
    said: words.progressOf(done, all),
    notes: words.counts({ lit, short, unassigned }),
    isCare: short > 0 || unassigned > 0,
    under: <Pickers pickers={order.pickers} isSmall />,
    detail: order.customer,
    mark: attentionWords(order),
    urgency: <Urgency order={order} />,
    figure: words.quantityOf(order.quantity_fulfilled, order.ordered_quantity),
    created: order.created_time,
  };
}

type OrderColumn = keyof typeof words.columns;

const COLUMNS = workColumns<table.OrderTableRow, OrderColumn, OrderActions>(factsOf, [
  { id: 'order', part: 'name', words: words.columns.order, sort: ({ key }) => key, isName: true },
  {
    id: 'state',
    part: 'state',
    words: words.columns.state,
    sort: ({ order: { state } }) => table.STATE_RANK.indexOf(state),
  },
  {
    id: 'progress',
    part: 'progress',
    words: words.columns.progress,
    sort: ({ order: { done_count, item_count } }) => (item_count === 0 ? 0 : done_count / item_count),
  },
  { id: 'urgency', part: 'urgency', words: words.columns.urgency, sort: ({ order }) => urgencyOf(order) },
  {
    id: 'quantity',
    part: 'figures',
    words: words.columns.quantity,
    hidesBelow: 761,
    sort: ({ order: { ordered_quantity } }) => ordered_quantity,
  },
  {
    id: 'created',
    part: 'when',
    words: words.columns.created,
    hidesBelow: 1001,
    sort: ({ order: { created_time } }) => created_time,
  },
]);

const ORDERS: WorkKind<table.OrderTableRow, table.OrderFilter, OrderColumn, OrderActions> = {
  words,
  keyField: 'order_number',
  address: orderAddress,
  // Results are sorted, so keep the first text for each order.
  containing: (found) =>
    new Map(
      found
        .toReversed()
        .flatMap(({ order_number: number, text, customer, note }) =>
          number === undefined ? [] : [[number, note ?? customer ?? text]],
        ),
    ),
  rows: table.ORDER_ROWS,
  columns: COLUMNS,
  menuOf: ({ order }, actions) => orderMenu(order, actions),
  said: 'in_progress',
  sorted: { by: 'urgency', descending: false },
  isGoing: ({ order }) => order.state === 'in_progress',
};

const EXPORTS = ['xlsx', 'csv'] as const;

function saveOrders(format: (typeof EXPORTS)[number]): void {
  followLink(`/api/order-export/?format=${format}`, `orders.${format}`);
}

/** The list of orders, with buttons to create and import orders. */
export function OrdersView({ printAll }: { printAll(numbers: readonly string[]): void }) {
  const [, navigate] = useLocation();
  const { api } = useStationContext();
  const loaded = useOrders();
  const known = loaded.value;
  // The form suggests the next number, and is not replaced while somebody types.
  const isLoaded = known !== undefined || loaded.status === 'failed';
  const mayRemove = useRight('edit_orders');
  const mayCreate = useRight('create_orders');
  const mayImport = useRight('import_orders');
  const { view, open } = useListParams(table.ORDER_FILTERS, 'all');
  // Defer drawing many changes, so that typing stays fast.
  const orders = useDeferredValue(known);
  const rows = useMemo(() => orders && table.listOrderRows(orders), [orders]);
  const { actions, asking } = useOrderActions();
  const [together, setTogether] = useState<readonly string[]>();
  const hasEnded = known?.some(({ state }) => state === 'fulfilled' || state === 'aborted') === true;

  const add = () => open('new');
  usePaletteActions([
    ...(mayCreate ? [{ id: 'orders.add', words: words.add, run: add }] : []),
    ...(mayImport
      ? [{ id: 'orders.import', words: texts.orderImport.title, run: () => navigate(importAddress('orders')) }]
      : []),
  ]);

  return (
    <WorkPage
      kind={ORDERS}
      rows={rows}
      loaded={loaded}
      actions={actions}
      ways={{
        async launch(number, all) {
          const color = launchColors(all, known ?? []).get(number);
          await api.launchOrder({ path: { order_number: number }, body: { color } });
        },
        ...(mayRemove ? { remove: (number: string) => api.removeOrder({ path: { order_number: number } }) } : {}),
      }}
      renderBulk={(keys) => (
        <>
          <Button icon={ShoppingCart} words={carts.together.open} onPress={() => setTogether(keys)} />
          <Button icon={Printer} words={words.printing.open} onPress={() => printAll(keys)} />
        </>
      )}
      buttons={
        <>
          <Button
            icon={Upload}
            words={words.importCsv}
            needs="import_orders"
            onPress={() => navigate(importAddress('orders'))}
          />
          <Menu
            label={texts.orderImport.export}
            trigger={<Button icon={Download} words={texts.orderImport.export} />}
            groups={[
              {
                rows: EXPORTS.map((format) => ({
                  id: format,
                  words: texts.orderImport.exports[format],
                  run: () => saveOrders(format),
                })),
              },
            ]}
          />
          {hasEnded && <Button icon={Trash2} words={words.old.open} needs="edit_orders" onPress={() => open('old')} />}
          <Button icon={Plus} words={words.add} look="primary" needs="create_orders" onPress={add} />
        </>
      }
      above={
        <>
          <LastImportBar />
          <Drafts />
        </>
      }
      nothing={<NoOrders />}
    >
      <Suspense fallback={null}>
        {view === 'new' && mayCreate && isLoaded && (
          <NewOrderDialog close={() => open(null)} number={nextNumber(known ?? [])} />
        )}
      </Suspense>
      {view === 'old' && mayRemove && <RemoveOldDialog close={() => open(null)} />}
      {together !== undefined && (
        <Suspense fallback={null}>
          <PickTogetherDialog numbers={together} close={() => setTogether(undefined)} />
        </Suspense>
      )}
      <OrderDialog asking={asking} />
    </WorkPage>
  );
}

function NoOrders() {
  const mayMake = useRight('create_orders');
  const mayImport = useRight('import_orders');
  const [, navigate] = useLocation();
  const { api, store } = useStationContext();
  return (
    <>
      <LastImportBar />
      <Drafts />
      <NoWork
        mayMake={mayMake}
        words={words.empty}
        picture={<ClipboardList size={40} strokeWidth={1.6} />}
        first={
          mayImport ? (
            <Button
              icon={Upload}
              words={texts.orderImport.title}
              look="primary"
              onPress={() => navigate(importAddress('orders'))}
            />
          ) : undefined
        }
        make={async (places) => {
          const { station } = store.getState();
          const deviceOf = (deviceid: string) => findDevice(station?.devices ?? [], deviceid);
          const { order_number: number } = await api.addOrder({ body: await exampleOrder(places, deviceOf) });
          return orderAddress(number);
        }}
      />
    </>
  );
}

const MAX_ITEMS = 4;
const exampleOrderWords = texts.orders.empty;

/** Creates a small example order for the first devices by name. The articles are those shown on their screens. */
async function exampleOrder(
  places: readonly NamedDevice[],
  deviceOf: (deviceid: string) => Device | undefined,
): Promise<NewOrder> {
  // Import on demand: the list does not need the code that draws screens.
  const { staticScreen } = await import('#shared/lib/requests/staticScreen.ts');
  return {
    order_number: exampleOrderWords.exampleName,
    items: places.slice(0, MAX_ITEMS).map(({ deviceid, name }, index) => {
      const device = deviceOf(deviceid);
      const [lies = ''] = device === undefined ? [] : staticScreen(device, '').lines;
      return {
        name: lies === '' ? exampleOrderWords.exampleItem(index + 1) : lies,
        ordered_quantity: index + 1,
        ...(name === deviceid ? { deviceid } : { warehouse_location: name }),
      };
    }),
  };
}
