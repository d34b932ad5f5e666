import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { orderPrintAddress } from '../../station/addresses.ts';
import type { Api } from '../../station/calls/api.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { holdsPieces } from '../../station/liveBatches.ts';
import { newKey } from '../../station/outbox/actions.ts';
import { failureOf } from '../../station/outbox/outbox.ts';
import { useOutbox } from '../../station/outbox/useOutbox.ts';
import { useOrder } from '../../station/useWork.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { windowScans } from '../../scan/windowScans.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { inputTimes } from '../../kit/inputTimes.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { browserStorage } from '../../storage.ts';
import { useCurrentLine } from './currentLine.ts';
import { keepNumbers, readNumbers } from './session/keptNumbers.ts';
import { isInert } from './session/inertTimes.ts';
import { next, startSession, wakeAt } from './session/session.ts';
import { isEnterOn } from './session/sessionKeys.ts';
import type {
  PickCall,
  PickEffect,
  PickEvent,
  PickLine,
  PickSession,
  PickMessage,
  ScanAsk,
  Touch,
} from './session/sessionTypes.ts';
import { usePlaceNamed } from './usePlaceNamed.ts';
import { useKeyStart } from './useKeyStart.ts';
import { usePainted, useSessionEvents } from './useSessionEvents.ts';
import { usePresses } from './whose/usePresses.ts';
import { askedOf, countOf, currentLine, openLines, partOf, type PickPart, questionOf } from './session/sessionView.ts';

/** What the page shows while the person picks this order. Nobody who does this holds pieces of a batch. */
const AT_WORK: ReadonlySet<PickPart['kind']> = new Set(['line', 'verify', 'sending']);

type Around = {
  /** The first message to show, for example about the order that was paused for this one. */
  message: PickMessage | undefined;
  open(orderNumber: string | undefined, message?: PickMessage, takesNext?: boolean): void;
  /** Whether the page shows this order now, for this person. */
  isShown(orderNumber: string): boolean;
};

/** Runs the signed-in person's session at an order: passes all events to the session, and runs its effects. */
export function usePick(orderNumber: string, { message, open, isShown }: Around) {
  const { api, queries, store } = useStationContext();
  const outbox = useOutbox();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const sounds = useAnswerSounds();
  const { presses, shown, all } = usePresses();
  const { ownInput } = inputTimes();
  const keys = useKeyStart();
  const [, navigate] = useLocation();
  const order = useOrder(orderNumber);
  const work = useStationQuery(['work', orderNumber, me], () =>
    api.listWork({ query: { order: orderNumber, picker: me } }),
  );
  const [state, setState] = useState(() =>
    startSession({
      orderNumber,
      me,
      keyBase: newKey(),
      isLost,
      message,
      underWay: outbox?.state().items ?? new Set(),
      kept: readNumbers(browserStorage('sessionStorage'), { orderNumber, me }),
      keys,
    }),
  );
  const now = useRef<PickSession>(state);
  /** Resolves after the last scan. Scans are sent one at a time, each after all earlier actions. */
  const scans = useRef<Promise<void>>(Promise.resolve());
  const placeNamed = usePlaceNamed();
  const around = useLatest({ open, isShown, isLost, navigate, placeNamed });
  /** The order that this session has opened last, at first its own. */
  const opened = useRef(orderNumber);

  const dispatch = useCallback(
    (event: PickEvent): void => {
      const step = next(now.current, event, performance.now());
      now.current = step.state;
      setState(step.state);
      for (const effect of step.effects) run(effect);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `run` uses only stable values
    [api, outbox, presses, queries, sounds],
  );

  function run(effect: PickEffect): void {
    switch (effect.do) {
      case 'keep':
        return outbox?.add(effect.action);
      case 'forget':
        return outbox?.forgetAction(effect.key);
      case 'scan':
        scans.current = scans.current.then(scanAt.bind(undefined, Date.now(), effect.ask));
        return undefined;
      case 'answered':
        return presses.answered(effect.press, effect.by);
      case 'calm':
        return presses.calm();
      case 'call':
        return void call(effect.call);
      case 'play':
        return sounds[effect.answer]();
      case 'open':
        return openOrder(effect);
      case 'print':
        return around.current.navigate(orderPrintAddress(orderNumber));
      case 'clearTyped':
        return windowScans().clearTyped();
      case 'press':
        return effect.press();
      case 'reread':
        return queries.refresh(['work', orderNumber, me]);
    }
  }

  /**
   * Opens an order or the list of orders, unless the person has moved on since. After a first slip has opened its order, a second one that
   * was scanned here opens its order too.
   */
  function openOrder({ orderNumber: number, says, takesNext }: Extract<PickEffect, { do: 'open' }>): void {
    const isHere = around.current.isShown(orderNumber);
    if (!isHere && (number === undefined || !around.current.isShown(opened.current))) return;
    opened.current = number ?? orderNumber;
    around.current.open(number, says, takesNext);
  }

  async function scanAt(at: number, ask: ScanAsk): Promise<void> {
    if (around.current.isLost) {
      return dispatch({
        kind: 'unanswered',
        ask,
        failure: { code: 'unreachable', message: texts.failure.unreachable },
        place: around.current.placeNamed(ask.code),
      });
    }
    await outbox?.settled();
    const { code, key, count: quantity, step, line } = ask;
    // Without work at this order, the code may take another one.
    const takesOrder = step === 'act' && !AT_WORK.has(partOf(now.current).kind);
    if (takesOrder && (await holdsPieces(api, me)))
      return dispatch({ kind: 'unanswered', ask, failure: { code: 'conflict', message: texts.pick.fullHands } });
    const confirmed_at = new Date(at - store.getState().clockSkewMs).toISOString();
    const seen = line === undefined ? {} : { item_id: line.itemId, seen: line.seen };
    const act =
      step === 'act' ? { act: true, key, confirmed_at, ...seen, ...(quantity === undefined ? {} : { quantity }) } : {};
    try {
      dispatch({
        kind: 'answered',
        ask,
        result: await api.scan({ body: { code, order_number: orderNumber, picker: me, ...act } }),
      });
    } catch (error) {
      // The call can fail before the page notices that the station is away.
      const failure = failureOf(error);
      const place = failure.code === 'unreachable' ? around.current.placeNamed(ask.code) : undefined;
      dispatch({ kind: 'unanswered', ask, failure, place });
    }
  }

  /** Whether the person still wants to join this order: the question is open, and the page shows this session. */
  function isJoining(joined: string): boolean {
    const { question } = now.current;
    return question?.kind === 'join' && question.orderNumber === joined && around.current.isShown(orderNumber);
  }

  async function call(asked: PickCall): Promise<void> {
    try {
      const takesOrder = asked.call === 'launch' || asked.call === 'join';
      const isHolding = takesOrder && (await holdsPieces(api, me));
      if (asked.call === 'join' && !isJoining(asked.orderNumber)) return;
      if (isHolding) throw new ApiError('conflict', texts.pick.fullHands);
      await runCall(api, me, asked);
      dispatch({ kind: 'called', call: asked });
    } catch (error) {
      dispatch({ kind: 'called', call: asked, failure: failureOf(error) });
    }
  }

  const { counted, lit, typing, question, reasons } = state;
  useEffect(
    () => keepNumbers(browserStorage('sessionStorage'), now.current),
    // The numbers of an order change only with these.
    [counted, lit, typing, question, reasons],
  );
  usePainted(state, dispatch);
  const drawnAt = performance.now();
  // From the time of rendering, because a change due between then and now would otherwise never be rendered.
  useEffect(() => dispatch({ kind: 'enterRule', rule: keys.enterRule }), [dispatch, keys.enterRule]);
  useSessionEvents(dispatch, { isLost, drawnAt, wakeAt: wakeAt(state, drawnAt), presses: shown });
  useOrderEvents({ order, lines: work.value }, dispatch);
  useCurrentLine(currentLine(state)?.item_id ?? null, isLost);

  const left = openLines(state);
  const part = partOf(state);
  const line = part.kind === 'line' ? part.line : undefined;
  return {
    me,
    isLost,
    orderNumber,
    order: order.value,
    failure: order.status === 'failed' ? order.failure : undefined,
    part,
    lines: left,
    isLoaded: part.kind !== 'loading' && part.kind !== 'missing',
    question: questionOf(state),
    line,
    count: countOf(state, line),
    asked: askedOf(line),
    isWaiting: line !== undefined && state.waited.includes(line.item_id ?? 0),
    last: state.last,
    undoable: state.undoable,
    /** Presses that booked lines of this order, and about which nobody has said whose they were. */
    unanswered: all.filter((notice) => notice.orderNumber === orderNumber && notice.batch === undefined),
    scanned: state.scanned,
    isEnterOff: !isEnterOn(state, drawnAt),
    isInert: isInert(state.inert, drawnAt),
    isRefused: drawnAt < state.refusedUntil,
    dispatch: dispatch,
    touch: (touch: Touch): void => dispatch({ kind: 'touch', ...ownInput(), ...touch }),
  };
}

export type PickState = ReturnType<typeof usePick>;

/** Passes sent actions, the order and its lines to the session. */
function useOrderEvents(
  { order: { status, value }, lines }: { order: ReturnType<typeof useOrder>; lines: readonly PickLine[] | undefined },
  dispatch: (event: PickEvent) => void,
): void {
  const outbox = useOutbox();
  useEffect(() => outbox?.listen((sent) => dispatch({ kind: 'sent', sent })), [outbox, dispatch]);
  const isMissing = status === 'missing';
  useEffect(() => dispatch({ kind: 'order', order: value, isMissing }), [dispatch, value, isMissing]);
  useEffect(() => {
    if (lines !== undefined) dispatch({ kind: 'work', lines });
  }, [dispatch, lines]);
}

function runCall(api: Api, me: string, call: PickCall): Promise<unknown> {
  switch (call.call) {
    case 'launch':
      return api.launchOrder({ path: { order_number: call.orderNumber }, body: { picker: me } });
    case 'join':
      return api.joinOrder({ path: { order_number: call.orderNumber }, body: { picker: me } });
    case 'pause':
      return api.pauseOrder({ path: { order_number: call.orderNumber } });
    case 'leave':
      return api.leaveOrder({ path: { order_number: call.orderNumber } });
    case 'handOver':
      return api.handOverOrder({ path: { order_number: call.orderNumber }, body: { picker: call.picker } });
    case 'identify':
      return api.identifyDevice({ path: { DeviceID: call.deviceid } });
    case 'left':
      return api.sayWhatIsLeft({ body: call.left });
  }
}
