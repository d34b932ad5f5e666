import { Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from 'react-aria-components';
import type { BatchProgress } from '#shared/api/batch.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import type { ScanCandidate } from '#shared/api/picking.ts';
import type { CarrierKind } from '#shared/lib/carriers.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { urgencyOf } from '../../station/orderUrgency.ts';
import { newKey } from '../../station/outbox/deeds.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useOpenOrders } from '../../station/useWork.ts';
import { agoWords } from '../../words/moments.ts';
import * as texts from '../../words/texts.ts';
import { TourSlot } from '../../shop/tour/TourSlot.tsx';
import { LateButton, useLate } from './BigButton.tsx';
import { dueWords } from './lines.ts';
import { type JoinAsked, JoinDialog } from './JoinDialog.tsx';
import { carrierOf, loadLiveBatches, ordersInBatches } from './liveBatches.ts';
import { Messages } from './Messages.tsx';
import { Disc } from './Disc.tsx';
import { Frame } from './Frame.tsx';
import styles from './Pick.module.css';
import { commandIn } from './sessionCommands.ts';
import { askJoin } from './sessionTouches.ts';
import type { Said } from './sessionTypes.ts';
import { ONLY_CODES, useEntry } from './useEntry.ts';

const words = texts.pick.choose;
/** Maximum number of orders to list. */
const SHOWN = 40;

const isUnderWay = ({ pickers }: OrderProgress, me: string): boolean =>
  pickers.some(({ name, paused }) => name === me && !paused);

const CarrierChoices = lazy(async () => {
  const { CarrierChoices: component } = await import('./batch/CarrierChoices.tsx');
  return { default: component };
});

const PackLinks = lazy(async () => {
  const { PackLinks: component } = await import('./PackLinks.tsx');
  return { default: component };
});

type Props = {
  open(orderNumber: string, said?: Said): void;
  openCarrier(carrier: { kind: CarrierKind; id: number }): void;
};

/** Lets the person scan or choose an order, or take the next one. */
export function ChooseOrder({ open, openCarrier }: Props) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const sounds = useAnswerSounds();
  const orders = useOpenOrders();
  const next = useStationQuery(['nextOrder'], () => api.loadNextOrder());
  const [message, setMessage] = useState<Said>();
  const [asked, setAsked] = useState<JoinAsked>();
  const [busy, setBusy] = useState(false);
  const live = orders.value ?? [];
  const mine = live.filter(({ pickers }) => pickers.some(({ name }) => name === me));
  const batches = useStationQuery(['liveBatches'], () => loadLiveBatches(api));
  const inBatches = ordersInBatches(batches.value ?? []);
  // Otherwise the rows would move once the batches are known.
  const areBatchesKnown = batches.value !== undefined || batches.failure !== '';

  /** Opens an order that this person has taken, and says which order this paused. */
  function openTaken(orderNumber: string): void {
    const before = mine.find((order) => order.order_number !== orderNumber && isUnderWay(order, me));
    if (before === undefined) return open(orderNumber);
    open(orderNumber, { kind: 'note', text: texts.pick.said.switched(orderNumber, before.order_number) });
  }

  function wrong(text: string): void {
    sounds.wrong();
    setMessage({ kind: 'wrong', text });
  }

  /** Takes the order as if its number was scanned; the answer says who else picks it. */
  async function takeScanned(orderNumber: string): Promise<void> {
    const { taken, pickers, says } = await api.scan({ code: orderNumber, picker: me, act: true, key: newKey() });
    if (taken) {
      sounds.right();
      openTaken(orderNumber);
    } else if (pickers.length > 0) setAsked(askJoin(orderNumber, says));
    else wrong(says);
  }

  /** Opens the order of the matching lines, if all belong to the same one. */
  function takeOneOf(candidates: readonly ScanCandidate[]): void {
    const [number, ...more] = new Set(candidates.map(({ order_number: of }) => of));
    if (number === null || number === undefined || more.length > 0) wrong(words.ambiguous);
    else open(number);
  }

  async function take(order: OrderProgress): Promise<void> {
    if (busy) return;
    if (isUnderWay(order, me)) return open(order.order_number);
    setBusy(true);
    try {
      await takeScanned(order.order_number);
    } catch (error) {
      wrong(`${words.failed} ${sentenceOf(error)}`);
    } finally {
      setBusy(false);
    }
  }

  async function join({ orderNumber }: JoinAsked): Promise<void> {
    try {
      await api.joinOrder(orderNumber, me);
      setAsked(undefined);
      openTaken(orderNumber);
    } catch (error) {
      setAsked((now) => now && { ...now, failure: `${texts.pick.join.failed} ${sentenceOf(error)}` });
    }
  }

  /** Printed commands press Next order, or answer the question whether to join. */
  function hearCommand(command: string): void {
    const isYes = command === 'ok';
    if (asked !== undefined && isYes) return void join(asked);
    if (asked !== undefined && command === 'back') return setAsked(undefined);
    if (asked === undefined && first !== null && (isYes || command === 'next')) return void take(first);
    wrong(texts.pick.said.noCommand(command));
  }

  /** Opens the cart or wall of a batch. */
  function openBatch(batch: BatchProgress): void {
    const carrier = carrierOf(batch);
    if (carrier !== undefined) openCarrier(carrier);
  }

  /** A cart or wall without a batch can be loaded. */
  async function openIdle(kind: CarrierKind, code: string): Promise<void> {
    const found = (await api.loadCarriers(kind)).find(
      (each) => each.code !== null && nameKey(each.code) === nameKey(code),
    );
    if (found !== undefined) openCarrier({ kind, id: found.id });
  }

  const hear = ({ code, second, note = '' }: Scan): void => {
    const command = commandIn(code);
    if (command !== undefined) return hearCommand(command);
    void (async () => {
      try {
        let result = await api.scan({ code, picker: me });
        if (result.result === 'unknown' && second !== undefined) result = await api.scan({ code: second, picker: me });
        const { batch, order_number: number, says } = result;
        if (batch !== undefined) return openBatch(await api.loadBatch(batch));
        if (result.result === 'cart' || result.result === 'wall') return await openIdle(result.result, code);
        if (result.result === 'ambiguous') return takeOneOf(result.candidates);
        if (number === null) return wrong(result.result === 'unknown' ? `${says} ${note}`.trim() : says);
        const carried = inBatches.get(number);
        if (carried !== undefined) return openBatch(carried);
        if (result.result !== 'order') return open(number);
        await takeScanned(number);
      } catch (error) {
        wrong(sentenceOf(error));
      }
    })();
  };
  const typed = useEntry(
    {
      scan: hear,
      cleared: (text) => setMessage({ kind: 'note', text: texts.pick.said.noEnter(text) }),
      repeated: ({ code }) => setMessage({ kind: 'note', text: texts.pick.said.scannedTwice(code) }),
    },
    { names: ONLY_CODES },
  );

  const others = live
    .filter((order) => !mine.includes(order) && !inBatches.has(order.order_number))
    .toSorted((a, b) => (urgencyOf(a) < urgencyOf(b) ? -1 : 1));
  const first = next.value?.order ?? null;

  return (
    <Frame
      title={texts.pick.title}
      beside={<TourSlot orderNumber={undefined} lines={undefined} />}
      bottom={<Messages last={undefined} scanned={message} typed={typed} dismiss={() => setMessage(undefined)} />}
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
              hint={factsOf(order)}
              onPress={() => void take(order)}
            >
              {words.goOn(order.order_number)}
            </LateButton>
          ))}
          {next.value === undefined && <p className={styles.nothing}>{next.failure || texts.frame.loading}</p>}
          {next.value?.order === null && (
            <p className={styles.nothing}>
              <strong>{words.nextNone}</strong>
              <span>{words.noneHint}</span>
            </p>
          )}
          {/* Enabled only once the person's own orders are known, so that Enter never takes another order instead. */}
          {first !== null && orders.value !== undefined && (
            <LateButton
              look={mine.length === 0 ? 'main' : 'plain'}
              icon={Play}
              autoFocus={mine.length === 0}
              hint={`${texts.pick.order(first.order_number)} · ${factsOf(first)}`}
              onPress={() => void take(first)}
            >
              {words.next}
            </LateButton>
          )}
          <Suspense fallback={null}>
            <CarrierChoices open={openCarrier} />
            <PackLinks />
          </Suspense>
        </div>
        {areBatchesKnown && others.length > 0 && (
          <section className={styles.list} aria-labelledby="waiting">
            <h2 id="waiting" className={styles.heading}>
              {words.open}
            </h2>
            <ul>
              {others.slice(0, SHOWN).map((order) => (
                <li key={order.order_number}>
                  <Row take={() => void take(order)}>
                    <span className={styles.rowName}>{order.order_number}</span>
                    <span className={styles.rowNote} data-care={order.attention.length > 0 || undefined}>
                      {factsOf(order)}
                    </span>
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
        )}
      </div>
      <JoinDialog asked={asked} join={() => asked && void join(asked)} close={() => setAsked(undefined)} />
    </Frame>
  );
}

function Row({ take, children }: { take(): void; children: ReactNode }) {
  return (
    <Button className={styles.row ?? ''} {...useLate(take)}>
      {children}
    </Button>
  );
}

function factsOf({ item_count: all, done_count: done, due_time, priority, created_time }: OrderProgress): string {
  return [
    words.lines(all - done),
    due_time === null ? agoWords(Date.parse(created_time), Date.now()) : texts.pick.due(dueWords(due_time)),
    priority === 0 ? '' : words.priority(priority),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
