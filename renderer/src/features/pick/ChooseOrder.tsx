import { Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { OrderProgress } from '#shared/api/order.ts';
import { agoWords } from '../../words/moments.ts';
import * as texts from '../../words/texts.ts';
import { Unbroken } from '../../kit/Unbroken.tsx';
import { TourSlot } from '../../shop/tour/TourSlot.tsx';
import { LateButton, useLate } from './BigButton.tsx';
import { dueWords } from './session/lines.ts';
import { useTimed } from '../../station/time.ts';
import { useIsLate } from '../../station/useIsLate.ts';
import { JoinDialog } from './JoinDialog.tsx';
import { Messages } from './Messages.tsx';
import { Disc } from './Disc.tsx';
import { Frame } from './Frame.tsx';
import styles from './Pick.module.css';
import { type ChooseOrderTargets, useChooseOrder } from './useChooseOrder.ts';
import { ONLY_CODES, useEntry } from './useEntry.ts';

const words = texts.pick.choose;
/** Maximum number of orders to list. */
const SHOWN = 40;

const CarrierChoices = lazy(async () => {
  const { CarrierChoices: component } = await import('./batch/CarrierChoices.tsx');
  return { default: component };
});

const PackLinks = lazy(async () => {
  const { PackLinks: component } = await import('./PackLinks.tsx');
  return { default: component };
});

/** Lets the person scan or choose an order, or take the next one. With `takesNext`, takes the next one at once. */
export function ChooseOrder({ takesNext, ...targets }: ChooseOrderTargets & { takesNext: boolean }) {
  const choice = useChooseOrder(targets);
  const { mine, others, first, next, take } = choice;
  const typed = useEntry(
    {
      scan: choice.scanned,
      cleared: (text) => choice.showMessage(texts.pick.message.noEnter(text)),
      repeated: ({ code }) => choice.showMessage(texts.pick.message.scannedTwice(code)),
      enter: (_, press, isChosen) => choice.enter(press, isChosen),
      unreadable: () => choice.wrong(texts.scanner.unreadable),
    },
    { names: ONLY_CODES },
  );

  const isTaken = useRef(false);
  useEffect(() => {
    if (!takesNext || isTaken.current) return;
    isTaken.current = true;
    choice.takeNext();
  });

  return (
    <Frame
      title={texts.pick.title}
      answerPress={choice.answerPress}
      isAnswerRefused={choice.isAnswerRefused}
      beside={<TourSlot orderNumber={undefined} lines={undefined} />}
      bottom={<Messages last={undefined} scanned={choice.message} typed={typed} dismiss={choice.dismiss} />}
    >
      <div className={styles.choose}>
        <div className={styles.lead}>
          <h2 className={styles.question}>{words.title}</h2>
          <p className={styles.quiet}>{words.scan}</p>
          {mine.map((order, index) => (
            <LateButton
              key={order.order_number}
              look="main"
              icon={Play}
              autoFocus={index === 0}
              hint={<Facts order={order} />}
              onPress={() => take(order)}
            >
              {words.goOn(order.order_number)}
            </LateButton>
          ))}
          {next.value === undefined && (
            <p className={styles.nothing}>{next.status === 'failed' ? next.failure : texts.frame.loading}</p>
          )}
          {next.value?.order === null && (
            <p className={styles.nothing}>
              <strong>{words.nextNone}</strong>
              <span>{words.noneHint}</span>
            </p>
          )}
          {/* Shown only after the person's own orders are loaded, so that Enter never takes another order
              instead. */}
          {first !== null && choice.areMineKnown && (
            <LateButton
              look={mine.length === 0 ? 'main' : 'plain'}
              icon={Play}
              autoFocus={mine.length === 0}
              hint={
                <>
                  {texts.pick.order(first.order_number)} · <Facts order={first} />
                </>
              }
              onPress={() => take(first)}
            >
              {words.next}
            </LateButton>
          )}
          <Suspense fallback={null}>
            <CarrierChoices open={targets.openCarrier} />
            <PackLinks />
          </Suspense>
        </div>
        {choice.areBatchesKnown && others.length > 0 && <WaitingOrders orders={others} take={take} />}
      </div>
      <JoinDialog asked={choice.asked} join={choice.join} close={choice.dontJoin} />
    </Frame>
  );
}

function WaitingOrders({ orders, take }: { orders: readonly OrderProgress[]; take(order: OrderProgress): void }) {
  return (
    <section className={styles.list} aria-labelledby="waiting">
      <h2 id="waiting" className={styles.heading}>
        {words.open}
      </h2>
      <ul>
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.order_number}>
            <Row take={() => take(order)}>
              <span className={styles.rowName}>
                <Unbroken>{order.order_number}</Unbroken>
              </span>
              {order.customer !== undefined && <span className={styles.rowCustomer}>{order.customer}</span>}
              <RowFacts order={order} />
              {order.pickers.map(({ name, color }) => (
                <span key={name} className={styles.rowPicker}>
                  <Disc color={color} />
                  {name}
                </span>
              ))}
            </Row>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RowFacts({ order }: { order: OrderProgress }) {
  const isOverdue = useIsLate(order);
  return (
    <span className={styles.rowNote} data-care={order.attention.length > 0 || isOverdue || undefined}>
      <Facts order={order} />
    </span>
  );
}

function Row({ take, children }: { take(): void; children: ReactNode }) {
  return (
    <Button className={styles.row ?? ''} {...useLate(take)}>
      {children}
    </Button>
  );
}

/** The remaining lines of an order, its due time or age, and its priority. Says that a late order is late. */
function Facts({ order }: { order: OrderProgress }) {
  const { item_count: all, done_count: done, due_time: due, priority, created_time: created } = order;
  const isOverdue = useIsLate(order);
  const when = useTimed((now) => {
    if (due === null) return agoWords(Date.parse(created), now);
    return (isOverdue ? texts.pick.overdue : texts.pick.due)(dueWords(due, now));
  });
  return (
    <>
      {words.lines(all - done)} · {isOverdue ? <strong>{when}</strong> : when}
      {priority !== 0 && ` · ${words.priority(priority)}`}
    </>
  );
}
