import { PackageX, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Order } from '#shared/api/order.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { useServices } from '../../shop/toasts.ts';
import { orderAddress } from '../../station/addresses.ts';
import type { Api } from '../../station/calls/api.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useOrder } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { PrintChoice } from '../../kit/print/PrintChoice.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { PackingSlip } from '../../shop/order/PackingSlip.tsx';
import { PickList, usePaperLines } from '../../shop/order/PickList.tsx';
import { SHEET_PAPERS, useSheetPaper } from '../../shop/order/Sheet.tsx';
import { NoSuchWork } from '../../shop/work/Notice.tsx';
import styles from './OrderPrint.module.css';

const words = texts.orders.printing;

const KINDS = ['slip', 'list'] as const;

/** The print page of an order: its packing slip, or its pick list until something is picked. */
export function OrderPrint({ orderNumber }: { orderNumber: string }) {
  const opened = useOrder(orderNumber);
  if (opened.value !== undefined) return <Paper order={opened.value} />;
  return (
    <NoSuchWork
      id={orderNumber}
      words={texts.orders.one}
      title={words.title(orderNumber)}
      list="/orders"
      picture={<PackageX size={40} strokeWidth={1.6} />}
      opened={opened}
    />
  );
}

/** Returns whether any piece of the order is picked. */
function isPicked({ shipments }: Order): boolean {
  return shipments.some(({ items }) => items.some(({ quantity_fulfilled: picked }) => picked > 0));
}

function Paper({ order }: { order: Order }) {
  const { order_number: number } = order;
  const lines = usePaperLines(order);
  return (
    <Papers
      orders={[order]}
      title={words.title(number)}
      note={texts.orders.itemsOf(lines.length)}
      back={{ words: texts.work.order(number), to: orderAddress(number) }}
    />
  );
}

/** The print page of several orders, in the given order. */
export function OrdersPrint({ numbers }: { numbers: readonly string[] }) {
  const { api } = useServices();
  const title = words.titleOf(numbers.length);
  const loaded = useStationQuery(['printedOrders', ...numbers], () => loadOrders(api, numbers));
  const back = { words: texts.orders.title, to: '/orders' };
  if (loaded.value !== undefined) return <Papers orders={loaded.value} title={title} back={back} />;
  return (
    <div className={print.page}>
      <PageHeader title={title}>
        <BackButton {...back} />
      </PageHeader>
      <main className={styles.content}>
        <NotLoaded of={loaded} title={words.failed} />
      </main>
    </div>
  );
}

/** Loads orders one after another, so that the station can answer others in between. Omits orders that were deleted meanwhile. */
async function loadOrders(api: Api, numbers: readonly string[]): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (const number of numbers) {
    try {
      orders.push(await api.getOrder({ path: { order_number: number } }));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    }
  }
  return orders;
}

type PapersProps = {
  orders: readonly Order[];
  title: string;
  note?: string;
  back: { words: string; to: string };
};

function Papers({ orders, title, note, back }: PapersProps) {
  const { paper, setPaper } = useSheetPaper();
  const [kind, setKind] = useState<(typeof KINDS)[number]>(() => (orders.every(isPicked) ? 'slip' : 'list'));
  const Drawn = kind === 'slip' ? PackingSlip : PickList;
  return (
    <div className={print.page}>
      <PageHeader title={title} {...(note === undefined ? {} : { note })}>
        <BackButton {...back} />
        <Button icon={Printer} look="primary" onPress={() => window.print()}>
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        <div className={print.choices}>
          <PrintChoice
            label={words.sheets}
            value={kind}
            onChange={setKind}
            choices={KINDS.map((id) => ({ id, words: words.kinds[id] }))}
          />
          <PrintChoice
            label={words.paper}
            value={paper}
            onChange={setPaper}
            choices={SHEET_PAPERS.map((id) => ({ id, words: words.papers[id] }))}
          />
        </div>
        <Printed className={styles.sheets}>
          {orders.map((order) => (
            <Drawn key={order.id} order={order} paper={paper} />
          ))}
        </Printed>
      </main>
    </div>
  );
}
