import { useEffect, useRef, useState } from 'react';
import type { BatchProgress } from '#shared/api/batch.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import type { ScanCandidate } from '#shared/api/picking.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import type { Api } from '../../station/calls/api.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { urgencyOf } from '../../station/orderUrgency.ts';
import { newKey } from '../../station/outbox/actions.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useOpenOrders } from '../../station/useWork.ts';
import { sentenceOf } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import type { JoinAsked } from './JoinDialog.tsx';
import { useKeyStart } from './useKeyStart.ts';
import { carrierOf, holdsPieces, loadLiveBatches, ordersInBatches } from '../../station/liveBatches.ts';
import { commandIn } from './session/sessionCommands.ts';
import { askJoin } from './session/sessionTouches.ts';
import type { PickMessage } from './session/sessionTypes.ts';
import { newestMine } from './whose/pressNotices.ts';
import { useAnswerPress, usePresses } from './whose/usePresses.ts';

const words = texts.pick.choose;

export type ChooseOrderTargets = {
  /** Opens an order. Its page first shows the message `message`. */
  open(orderNumber: string, message?: PickMessage): void;
  openCarrier(carrier: { kind: CarrierKind; id: number }): void;
};

/**
 * Returns the orders that a person can take by touch, scan or printed command, and the message about the last attempt.
 */
export function useChooseOrder(targets: ChooseOrderTargets) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const sounds = useAnswerSounds();
  const { enterRule } = useKeyStart();
  const toTake = useOrdersToTake(me);
  const { mine, others, first, next, areMineKnown, areBatchesKnown } = toTake;
  /** The latest orders and batches, because a scan takes a while. */
  const latest = useLatest(toTake);
  const [message, setMessage] = useState<PickMessage>();
  const { asked, askedNow, setAsked } = useAsked();
  const isTaking = useRef(false);
  /** Resolves when the last scan is answered. Undefined while no scan is unanswered. */
  const asking = useRef<Promise<void>>(undefined);
  const begin = useAttempts(targets);
  const { presses, shown } = usePresses();
  const latestPresses = useLatest(shown);
  const answer = useAnswerPress(shown);

  /** Opens an order that this person has taken. The message names the order that was paused for it. */
  function openTaken(orderNumber: string, { open }: Attempt): void {
    const before = latest.current.mine.find((order) => order.order_number !== orderNumber && isUnderWay(order, me));
    if (before === undefined) return open(orderNumber);
    open(orderNumber, { kind: 'note', text: texts.pick.message.switched(orderNumber, before.order_number) });
  }

  function wrong(text: string, attempt?: Attempt): void {
    if (attempt?.isCurrent() === false) return;
    sounds.wrong();
    setMessage({ kind: 'wrong', text });
  }

  /** Takes an order in the same way as a scan of its number. If others are picking it, asks whether to join them. */
  async function takeScanned(orderNumber: string, attempt: Attempt): Promise<void> {
    if (!attempt.isCurrent()) return;
    if (await holdsPieces(api, me)) return wrong(texts.pick.fullHands, attempt);
    if (!attempt.isCurrent()) return;
    const { taken, pickers, says } = await api.scan({
      body: { code: orderNumber, picker: me, act: true, key: newKey() },
    });
    if (!attempt.isCurrent()) return;
    if (taken) {
      sounds.right();
      openTaken(orderNumber, attempt);
    } else if (pickers.length > 0) setAsked(askJoin(orderNumber, says));
    else wrong(says);
  }

  async function take(order: OrderProgress): Promise<void> {
    if (isTaking.current) return sounds.tick();
    const attempt = begin();
    if (isUnderWay(order, me)) return attempt.open(order.order_number);
    isTaking.current = true;
    try {
      await takeScanned(order.order_number, attempt);
    } catch (error) {
      wrong(`${words.failed} ${sentenceOf(error)}`, attempt);
    } finally {
      isTaking.current = false;
    }
  }

  /** Takes the order that the station offers now. The page may not have loaded it yet. */
  async function takeNext(): Promise<void> {
    const attempt = begin();
    try {
      const { order } = await api.getNextOrder();
      if (order !== null && attempt.isCurrent()) await take(order);
    } catch (error) {
      wrong(`${words.failed} ${sentenceOf(error)}`, attempt);
    }
  }

  async function join({ orderNumber }: JoinAsked): Promise<void> {
    const attempt = begin();
    const isHolding = await holdsPieces(api, me);
    // The person has left the order, or has scanned something else.
    if (!attempt.isCurrent() || askedNow()?.orderNumber !== orderNumber) return;
    if (isHolding) {
      setAsked(undefined);
      return wrong(texts.pick.fullHands, attempt);
    }
    try {
      await api.joinOrder({ path: { order_number: orderNumber }, body: { picker: me } });
      if (askedNow()?.orderNumber === orderNumber) setAsked(undefined);
      if (!attempt.isCurrent()) return;
      openTaken(orderNumber, attempt);
    } catch (error) {
      const failure = `${texts.pick.join.failed} ${sentenceOf(error)}`;
      const now = askedNow();
      if (now?.orderNumber === orderNumber) setAsked({ ...now, failure });
    }
  }

  /** Gives the newest press about which this person is asked to their own line. */
  function claimNewest(at: number | undefined): void {
    const notice = newestMine(latestPresses.current);
    if (notice === undefined) return wrong(texts.pick.whose.nothing);
    answer.scan(notice, 'mine', at);
  }

  /** Handles a printed command, which takes the next order or answers whether to join an order. */
  function handleCommand(command: string, at: number | undefined): void {
    if (command === 'mine') return claimNewest(at);
    const isYes = command === 'ok';
    const question = askedNow();
    if (question !== undefined && isYes) return void join(question);
    if (question !== undefined && command === 'back') return setAsked(undefined);
    if (question === undefined && first !== null && (isYes || command === 'next')) return void take(first);
    wrong(texts.pick.message.noCommand(command));
  }

  /** Handles a command once the scan before it is answered. It can only answer the question to which that scan led. */
  async function handleLater(command: string, { at }: Scan, answered: Promise<void>): Promise<void> {
    const before = askedNow();
    await answered;
    const question = askedNow();
    if (question === undefined || question === before) sounds.tick();
    else handleCommand(command, at);
  }

  function openBatch(batch: BatchProgress, { openCarrier }: Attempt): void {
    const carrier = carrierOf(batch);
    if (carrier !== undefined) openCarrier(carrier);
  }

  /** Opens what a code names: a batch, a cart or wall without a batch, or an order. */
  async function openScanned({ code, second, note = '' }: Scan, attempt: Attempt): Promise<void> {
    let result = await api.scan({ body: { code, picker: me } });
    if (result.result === 'unknown' && second !== undefined)
      result = await api.scan({ body: { code: second, picker: me } });
    const { batch, order_number: number, says } = result;
    if (batch !== undefined) return openBatch(await api.getBatch({ path: { id: batch } }), attempt);
    if (result.result === 'cart' || result.result === 'wall') {
      const id = await findCarrier(api, result.result, code);
      return id === undefined ? undefined : attempt.openCarrier({ kind: result.result, id });
    }
    if (result.result === 'ambiguous') {
      const only = onlyOrderOf(result.candidates);
      return only === undefined ? wrong(words.ambiguous, attempt) : attempt.open(only);
    }
    if (number === null) return wrong(result.result === 'unknown' ? `${says} ${note}`.trim() : says, attempt);
    // A slip may be scanned before the page has loaded the batches. Without them, the station says where the order is.
    const batches = latest.current.batches ?? ordersInBatches(await loadLiveBatches(api).catch(() => []));
    const carried = batches.get(number);
    if (carried !== undefined) return openBatch(carried, attempt);
    if (result.result !== 'order') return attempt.open(number);
    await takeScanned(number, attempt);
  }

  return {
    mine,
    others,
    first,
    next,
    areMineKnown,
    areBatchesKnown,
    message,
    showMessage: (text: string) => setMessage({ kind: 'note', text }),
    wrong: (text: string) => wrong(text),
    dismiss: () => setMessage(undefined),
    answerPress: answer.touch,
    isAnswerRefused: answer.isRefused,
    /** Handles an Enter that was pressed on its own. While an error is shown, it only closes the error. */
    enter(press: () => void, isChosen: boolean): void {
      const isRed = shown.some(({ isQuiet }) => !isQuiet);
      if (isRed) presses.calm();
      if (message?.kind === 'wrong') setMessage(undefined);
      else if (isRed) return;
      else if (enterRule === 'never' && !isChosen) setMessage({ kind: 'note', text: texts.pick.message.enterIsNever });
      else press();
    },
    asked,
    join: () => void (asked && join(asked)),
    dontJoin: () => setAsked(undefined),
    take: (order: OrderProgress) => void take(order),
    takeNext: () => void takeNext(),
    scanned(scan: Scan): void {
      const command = commandIn(scan.code);
      if (command !== undefined) {
        if (asking.current === undefined) return handleCommand(command, scan.at);
        return void handleLater(command, scan, asking.current);
      }
      const attempt = begin();
      const answered = openScanned(scan, attempt)
        .catch((error: unknown) => wrong(sentenceOf(error), attempt))
        .finally(() => {
          if (asking.current === answered) asking.current = undefined;
        });
      asking.current = answered;
    },
  };
}

/** Keeps the question whether to join an order. `askedNow` returns the latest one, even before it is drawn. */
function useAsked() {
  const [asked, draw] = useState<JoinAsked>();
  const now = useRef<JoinAsked>(undefined);
  return {
    asked,
    askedNow: (): JoinAsked | undefined => now.current,
    setAsked(question: JoinAsked | undefined): void {
      now.current = question;
      draw(question);
    },
  };
}

/** An attempt to open something. It is current until the next attempt begins or the person leaves the page. */
type Attempt = ChooseOrderTargets & { isCurrent(): boolean };

/**
 * Returns a function that begins an attempt. The functions that it returns open nothing after the next attempt has begun or the person has
 * left the page, so that a slow answer never replaces what was opened in the meantime.
 */
function useAttempts(targets: ChooseOrderTargets): () => Attempt {
  const latest = useLatest(targets);
  const count = useRef(0);
  useEffect(() => () => void (count.current += 1), []);
  return () => {
    const own = ++count.current;
    const isCurrent = (): boolean => own === count.current;
    return {
      isCurrent,
      open: (orderNumber, message) => isCurrent() && latest.current.open(orderNumber, message),
      openCarrier: (carrier) => isCurrent() && latest.current.openCarrier(carrier),
    };
  };
}

/** Loads the open orders: the person's own, all others by urgency, and the next one that the station would assign. */
function useOrdersToTake(me: string) {
  const { api } = useStationContext();
  const orders = useOpenOrders();
  const next = useStationQuery(['nextOrder'], () => api.getNextOrder());
  const liveBatches = useStationQuery(['liveBatches'], () => loadLiveBatches(api));
  const batches = liveBatches.value && ordersInBatches(liveBatches.value);
  const live = orders.value ?? [];
  const mine = live.filter(({ pickers }) => pickers.some(({ name }) => name === me));
  return {
    mine,
    others: live
      .filter((order) => !mine.includes(order) && batches?.has(order.order_number) !== true)
      .toSorted((a, b) => (urgencyOf(a) < urgencyOf(b) ? -1 : 1)),
    first: next.value?.order ?? null,
    next,
    batches,
    areMineKnown: orders.value !== undefined,
    // Wait for the batches, because the other rows would move when the batches are loaded.
    areBatchesKnown: liveBatches.status !== 'waiting',
  };
}

const isUnderWay = ({ pickers }: OrderProgress, me: string): boolean =>
  pickers.some(({ name, paused }) => name === me && !paused);

/**
 * Returns the order to which all candidates for an article or place belong. Returns undefined if they belong to several
 * orders or to none.
 */
function onlyOrderOf(candidates: readonly ScanCandidate[]): string | undefined {
  const [number, ...more] = new Set(candidates.map(({ order_number: of }) => of));
  return more.length > 0 ? undefined : (number ?? undefined);
}

/** Returns the id of the cart or wall with this code. */
async function findCarrier(api: Api, kind: CarrierKind, code: string): Promise<number | undefined> {
  const carriers = await api.loadCarriers(kind);
  return carriers.find((each) => each.code !== null && nameKey(each.code) === nameKey(code))?.id;
}
