import { addressLines } from '../../shop/order/slipParts.ts';
import { PackageX, Pencil, Play, Plus, CircleStop } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Item, Order } from '#shared/api/order.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { ledOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { mapAddress, orderHistoryAddress } from '../../station/addresses.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { useOrder } from '../../station/useWork.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import { MoreMenu } from '../../kit/menu/Menu.tsx';
import { Moment } from '../../shop/Moment.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import page from '../../kit/page/TablePage.module.css';
import * as texts from '../../words/texts.ts';
import { useListParams } from '../../kit/list/useListParams.ts';
import parts from '../../kit/parts.module.css';
import { itemName } from '../../shop/order/itemName.ts';
import { useServices } from '../../shop/toasts.ts';
import { LoadedTimeline, useTimeline, Timeline } from '../../shop/timeline/Timeline.tsx';
import { NoSuchWork } from '../../shop/work/Notice.tsx';
import { type Why, WhyDialog, WorkLinks, Fact, Meter, WorkSummary } from '../../shop/work/WorkSummary.tsx';
import { useRunning } from '../../shop/work/workRows.ts';
import { itemRows, orderCounts } from './itemRows.ts';
import { type ItemActions, ItemTable } from './ItemTable.tsx';
import { ORDER_TONES } from './orderRows.ts';
import styles from './OrderView.module.css';
import { CorrectDialog, ReopenDialog, ShortDialog } from './ItemDialogs.tsx';
import { AddLineDialog, ChangeLineDialog } from './LineDialogs.tsx';
import { newItemOf } from './orderCopies.ts';
import { OrderDialog } from './OrderDialogs.tsx';
import { PickerLines, Urgency } from './OrderFacts.tsx';
import { OrderHalt } from './OrderHalt.tsx';
import { isLaunchable, orderMenu, useOrderActions } from './orderMenu.tsx';

const words = texts.orders;
const VIEWS = (['items', 'timeline'] as const).map((id) => ({ id, words: words.one.show[id] }));

type ItemQuestion = 'change' | 'correct' | 'short' | 'reopen';
const ITEM_DIALOGS = {
  change: ChangeLineDialog,
  correct: CorrectDialog,
  short: ShortDialog,
  reopen: ReopenDialog,
} as const;

/** Shows one order: its shipments and items, its lit devices and the picked quantities. */
export function OrderView({ orderNumber }: { orderNumber: string }) {
  const opened = useOrder(orderNumber);
  if (opened.value !== undefined) return <OneOrder order={opened.value} reload={opened.reload} />;
  return (
    <NoSuchWork
      id={orderNumber}
      words={words.one}
      title={texts.work.order(orderNumber)}
      list="/orders"
      picture={<PackageX size={40} strokeWidth={1.6} />}
      opened={opened}
    />
  );
}

function OneOrder({ order, reload }: { order: Order; reload(): void }) {
  const { order_number: number, state, unassigned } = order;
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const [, navigate] = useLocation();
  const { actions, asking } = useOrderActions(() => navigate('/orders'));
  const { running, run } = useRunning();
  const counts = useMemo(() => orderCounts(order), [order]);
  const rows = useMemo(() => itemRows(order), [order]);
  const facts = { ...order, ...counts };
  const { itemActions, addLine, dialog } = useItemActions(order);
  const { launch, abort } = actions;
  const { filter: view, setFilter: setView } = useListParams(['items', 'timeline'], 'items');
  const menu = orderMenu(facts, actions, true);
  const remains = order.launched_time !== null;
  const mayLaunch = launch !== undefined && isLaunchable(facts);
  /**
   * Whether some lines have no light. The launch button is then in the notice about these lines instead of the page
   * header.
   */
  const isDark = mayLaunch && order.attention.some((reason) => reason === 'timed_out' || reason === 'unassigned');
  const launchButton = (launchWords: string) => (
    <Button
      icon={Play}
      words={running === 'launch' ? words.launching : launchWords}
      look={counts.active_count > 0 && !isDark ? 'plain' : 'primary'}
      busy={running === 'launch'}
      onPress={() => run('launch', async () => launch?.(number))}
    />
  );

  const addLineButton = addLine && <Button icon={Plus} words={words.line.open} onPress={addLine} />;

  return (
    <div className={page.page} data-stale={stale || undefined}>
      <PageHeader
        title={texts.work.order(number)}
        note={
          <span role="status" data-whole>
            <StateTag tone={ORDER_TONES[state]} words={words.states[state]} />
          </span>
        }
      >
        <BackButton words={words.one.back} to="/orders" />
        {abort !== undefined && state === 'in_progress' && (
          <Button icon={CircleStop} busy={running === 'abort'} onPress={() => run('abort', () => abort(facts))}>
            {running === 'abort' ? words.aborting : words.abort}
          </Button>
        )}
        {mayLaunch && !isDark && launchButton(remains ? words.relaunch : words.launch)}
        {menu.length > 0 && <MoreMenu label={texts.work.more(number)} groups={menu} />}
      </PageHeader>
      {rows.length === 0 ? (
        <main className={page.empty}>
          <EmptyState
            picture={<PackageX size={40} strokeWidth={1.6} />}
            title={words.one.noItems}
            body={words.one.noItemsHint}
            action={addLineButton}
          />
        </main>
      ) : (
        <main className={page.content}>
          <OrderSummary order={order} counts={counts}>
            {actions.edit !== undefined && (
              <Button icon={Pencil} words={words.one.edit} onPress={() => actions.edit?.(facts)} />
            )}
            <WorkLinks
              map={counts.active_count > 0 ? mapAddress(number) : undefined}
              history={orderHistoryAddress(number)}
            />
          </OrderSummary>
          <OrderHalt
            order={order}
            action={
              <>
                {unassigned.length > 0 && <ButtonLink words={words.one.locations} to="/places" />}
                {isDark && launchButton(words.again)}
                {order.attention.includes('ended_elsewhere') && (
                  <>
                    {abort !== undefined && state !== 'in_progress' && (
                      <Button
                        words={words.abort}
                        look="primary"
                        busy={running === 'abort'}
                        onPress={() => run('abort', () => abort(facts))}
                      />
                    )}
                    {actions.continueOrder !== undefined && (
                      <Button
                        words={running === 'continueOrder' ? words.halt.continuing : words.halt.continueOrder}
                        busy={running === 'continueOrder'}
                        onPress={() => run('continueOrder', async () => actions.continueOrder?.(facts))}
                      />
                    )}
                  </>
                )}
              </>
            }
          />
          <div className={page.strip}>
            <Segments label={words.one.views} choices={VIEWS} value={view} onChange={setView} />
            {view === 'items' && addLineButton}
          </div>
          {view === 'items' ? (
            <ItemTable label={words.one.items(number)} rows={rows} actions={itemActions} />
          ) : (
            <OrderTimeline order={order} />
          )}
        </main>
      )}
      {dialog}
      <OrderDialog asking={asking} saved={reload} />
    </div>
  );
}

/** Returns the actions for an order's lines that this person has the right to perform, and the dialog that one of them opened. */
function useItemActions(order: Order) {
  const { order_number: number, pickers, state, shipments } = order;
  const { api, toasts } = useServices();
  const mayCreate = useRight('create_orders');
  const mayCorrect = useRight('edit_orders');
  const mayWork = useRight('work');
  const [why, setWhy] = useState<Why>();
  const [isAdding, setIsAdding] = useState(false);
  const mayChange = mayCreate && (state === 'open' || state === 'in_progress');
  const [asked, setAsked] = useState<{ kind: ItemQuestion; item: Item }>();
  const itemActions = useMemo<ItemActions>(() => {
    const ask = (kind: ItemQuestion) => (item: Item) => setAsked({ kind, item });
    const remove = (item: Item): void => void removeWithUndo(item);
    return {
      why: setWhy,
      pickers,
      change: mayChange ? ask('change') : undefined,
      remove: mayChange && shipments.flatMap(({ items }) => items).length > 1 ? remove : undefined,
      correct: mayCorrect ? ask('correct') : undefined,
      short: mayWork ? ask('short') : undefined,
      reopen: mayWork ? ask('reopen') : undefined,
      light: mayWork
        ? (item) =>
            void toasts.attempt(words.one.lightFailed, () =>
              api.lightItem({ path: { order_number: number, id: item.id } }),
            )
        : undefined,
      giveUpScan: mayWork
        ? (item) =>
            void toasts.attempt(words.one.verifyFailed, () =>
              api.verifyItem({ path: { order_number: number, id: item.id } }),
            )
        : undefined,
    };

    async function removeWithUndo(item: Item): Promise<void> {
      const name = itemName(item);
      const shipment = shipments.find(({ items }) => items.some(({ id }) => id === item.id));
      const shipment_number = shipment?.shipment_number ?? '';
      await toasts.attempt(words.line.removeFailed(name), async () => {
        await api.removeItem({ path: { order_number: number, id: item.id } });
        toasts.show(words.line.removed(name), {
          topic: `item ${item.id}`,
          undo: async () =>
            void (await api.addItem({
              path: { order_number: number },
              body: { ...newItemOf(item), shipment_number },
            })),
        });
      });
    }
  }, [api, mayChange, mayCorrect, mayWork, number, pickers, shipments, toasts]);
  const Question = asked === undefined ? undefined : ITEM_DIALOGS[asked.kind];
  const dialog = (
    <>
      {why !== undefined && <WhyDialog why={why} close={() => setWhy(undefined)} />}
      {asked !== undefined && Question !== undefined && (
        <Question orderNumber={number} item={asked.item} close={() => setAsked(undefined)} />
      )}
      {isAdding && <AddLineDialog order={order} close={() => setIsAdding(false)} />}
    </>
  );
  return { itemActions, addLine: mayChange ? () => setIsAdding(true) : undefined, dialog };
}

type Props = { order: Order; counts: ReturnType<typeof orderCounts>; children?: ReactNode };

/** Shows the progress and the fields of an order. */
function OrderSummary({ order, counts, children }: Props) {
  const { color, seconds, created_time: created, launched_time: launched, fulfilled_time: fulfilled } = order;
  const { done_count: done, item_count: all, short_count: short, active_count: lit, unassigned_count } = counts;
  const to = addressLines(order);
  const notes = words.counts({ lit, short, unassigned: unassigned_count });
  return (
    <WorkSummary
      meter={<Meter done={done} all={all} short={short} />}
      said={words.progressOf(done, all)}
      notes={notes}
      end={children}
    >
      <Fact name={words.columns.quantity}>{words.quantityOf(counts.quantity_fulfilled, counts.ordered_quantity)}</Fact>
      {order.pickers.length > 0 && (
        <Fact name={words.one.pickers} isWide>
          <PickerLines order={order} />
        </Fact>
      )}
      {(order.due_time !== null || order.priority !== 0) && (
        <Fact name={words.columns.urgency}>
          <Urgency order={order} />
        </Fact>
      )}
      <Fact name={words.one.created}>
        <Moment at={created} />
      </Fact>
      <Fact name={words.one.launched}>{launched === null ? texts.work.never : <Moment at={launched} />}</Fact>
      {fulfilled !== null && (
        <Fact name={words.one.fulfilled}>
          <Moment at={fulfilled} />
        </Fact>
      )}
      {(color !== undefined || seconds !== undefined) && (
        <Fact name={words.one.light}>
          {color !== undefined && color !== '' && <LedDot led={ledOf('pick', color)} />}
          {seconds !== undefined && words.one.seconds(seconds)}
        </Fact>
      )}
      {to.length > 0 && (
        <Fact name={words.one.customer} isWide>
          <span className={styles.words}>{to.join('\n')}</span>
        </Fact>
      )}
      {order.ordered_at !== undefined && (
        <Fact name={words.one.ordered}>
          <Moment at={order.ordered_at} />
        </Fact>
      )}
      {order.paid !== undefined && (
        <Fact name={words.one.paid}>{order.paid ? words.one.isPaid : words.one.notPaid}</Fact>
      )}
      {order.note !== undefined && (
        <Fact name={words.one.note} isWide>
          <span className={styles.words}>{order.note}</span>
        </Fact>
      )}
    </WorkSummary>
  );
}

const orderTimelineWords = texts.orders.one;

/** Shows the timeline of an order, from its creation to the delivery of its callbacks. */
function OrderTimeline({ order }: { order: Order }) {
  const { api } = useStationContext();
  const { order_number: number } = order;
  const loaded = useTimeline(
    ['orderTimeline', number],
    () => api.getOrderTimeline({ path: { order_number: number } }),
    useOrderVersion(order),
  );
  return (
    <section className={styles.card} aria-label={orderTimelineWords.timeline(number)}>
      <LoadedTimeline loaded={loaded}>
        {(timeline) => (
          <>
            {!timeline.complete && (
              <p className={`${parts.rowMiddle} ${parts.quiet}`}>
                {orderTimelineWords.cut}{' '}
                <ButtonLink words={orderTimelineWords.allHistory} to={orderHistoryAddress(number)} look="quiet" />
              </p>
            )}
            <Timeline timeline={timeline} title={orderTimelineWords.happened} level={2} hasSubjects />
          </>
        )}
      </LoadedTimeline>
    </section>
  );
}

/** Returns a text that changes with each step of the order, its items and their commands. */
function useOrderVersion(order: Order): string {
  const items = useMemo(() => order.shipments.flatMap((shipment) => shipment.items), [order]);
  const lit = useStationState(({ station }) =>
    items
      .map(({ deviceid, command_id: id }) => {
        if (id === null || deviceid === null || station === null) return '';
        const entry = findDevice(station.devices, deviceid)?.commands.find(({ command_id }) => command_id === id);
        return entry === undefined ? '' : `${id} ${entry.state} ${entry.unreachable_since} ${entry.quantity}`;
      })
      .join(';'),
  );
  return `${JSON.stringify(order)} ${lit}`;
}
