import { PackageX, Printer } from 'lucide-react';
import { useState } from 'react';
import type { Order } from '#shared/api/order.ts';
import { orderAddress } from '../../station/addresses.ts';
import { useOrder } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import { Segments } from '../../kit/field/Segments.tsx';
import * as texts from '../../words/texts.ts';
import { OrderSheet, SHEET_PAPERS, type SheetPaper, usePaperLines } from '../../shop/order/OrderSheet.tsx';
import { NoSuchWork } from '../../shop/work/Notice.tsx';
import styles from './OrderPrint.module.css';

const words = texts.orders.printing;

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

function Paper({ order }: { order: Order }) {
  const { order_number: number } = order;
  const [paper, setPaper] = useState<SheetPaper>('a4');
  const lines = usePaperLines(order);
  return (
    <div className={print.page}>
      <PageHeader title={words.title(number)} note={texts.orders.itemsOf(lines.length)}>
        <BackButton words={texts.work.order(number)} to={orderAddress(number)} />
        <Button icon={Printer} look="primary" onPress={() => window.print()}>
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        <div className={print.choices}>
          <div className={print.choice}>
            <span aria-hidden="true">{words.paper}</span>
            <Segments
              label={words.paper}
              value={paper}
              onChange={setPaper}
              choices={SHEET_PAPERS.map((id) => ({ id, words: words.papers[id] }))}
            />
          </div>
        </div>
        <Printed className={styles.sheets}>
          <OrderSheet order={order} paper={paper} />
        </Printed>
      </main>
    </div>
  );
}
