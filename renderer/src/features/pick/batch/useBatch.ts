import { useCallback, useEffect, useRef, useState } from 'react';
import { inputTimes } from '../../../kit/inputTimes.ts';
import { useLatest } from '../../../kit/useLatest.ts';
import { useAnswerSounds } from '../../../sound/answerSounds.ts';
import { browserStorage } from '../../../storage.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { newKey } from '../../../station/outbox/actions.ts';
import { useOutbox } from '../../../station/outbox/useOutbox.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { isInert } from '../session/inertTimes.ts';
import { useCurrentLine } from '../currentLine.ts';
import { usePlaceNamed } from '../usePlaceNamed.ts';
import { usePresses } from '../whose/usePresses.ts';
import { useKeyStart } from '../useKeyStart.ts';
import { usePainted, useSessionEvents } from '../useSessionEvents.ts';
import { findLiveBatch } from './batchCalls.ts';
import { type Around, type EffectContext, runEffect } from './batchEffects.ts';
import { isEnterOn } from './batchKeys.ts';
import { next, startBatch, wakeAt } from './batchSession.ts';
import type { BatchInput, BatchRead, BatchSession, BatchTouch, NamedCarrier } from './batchTypes.ts';
import { partOf } from './batchPart.ts';
import { keepNumbers, readNumbers } from './keptNumbers.ts';
import { viewOf } from './batchView.ts';

/** Runs the signed-in person's session at a cart or wall: passes all events to the session, and runs its effects. */
export function useBatch({ kind, id: carrierId }: NamedCarrier, given: Omit<Around, 'isLost' | 'placeNamed'>) {
  const { api, queries } = useStationContext();
  const outbox = useOutbox();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const sounds = useAnswerSounds();
  const { presses, shown, all } = usePresses();
  const { ownInput } = inputTimes();
  const keys = useKeyStart();
  const placeNamed = usePlaceNamed();
  const around = useLatest({ ...given, isLost, placeNamed });
  const [state, setState] = useState(() =>
    startBatch({
      kind,
      me,
      keyBase: newKey(),
      isLost,
      unsent: outbox?.state().inBatches ?? [],
      kept: readNumbers(browserStorage('sessionStorage'), { kind, id: carrierId }, me),
      keys,
    }),
  );
  const now = useRef<BatchSession>(state);
  const taken = useRef<ReadonlySet<string>>(new Set());
  const batchId = useRef<number | undefined>(undefined);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  /** Resolves after the last scan and the last call, because scans are handled one at a time. */
  const scans = useRef<Promise<void>>(Promise.resolve());

  const read = async (): Promise<BatchRead> => {
    // The response includes everything that was booked before the read started.
    const settled = taken.current;
    const id = batchId.current ?? (await findLiveBatch(api, { kind, id: carrierId }));
    if (id === undefined) return { batch: undefined, lines: [], settled };
    const [batch, lines] = await Promise.all([api.getBatch({ path: { id } }), api.listWork({ query: { batch: id } })]);
    batchId.current = batch.state === 'done' ? undefined : id;
    return batch.state === 'done' ? { batch: undefined, lines: [], settled } : { batch, lines, settled };
  };
  const walk = useStationQuery<BatchRead>(['cartWalk', kind, String(carrierId)], read);
  const carriers = useStationQuery(['carriers', kind], () => api.loadCarriers(kind));
  const reasons = useStationQuery(['shortReasons'], () => api.listShortReasons());

  const dispatch = useCallback(
    (event: BatchInput): void => {
      const step = next(now.current, event, performance.now());
      now.current = step.state;
      setState(step.state);
      for (const effect of step.effects) runEffect(effects(), effect);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `effects` uses only stable values
    [api, outbox, presses, queries, sounds],
  );
  const reread = (): void => queries.refresh(['cartWalk', kind, String(carrierId)]);

  /** Returns the context for an effect that is about to run. */
  function effects(): EffectContext {
    return {
      api,
      me,
      carrier: { kind, id: carrierId },
      outbox,
      sounds,
      presses,
      around,
      isShown,
      now,
      batchId,
      scans,
      read,
      reread,
      dispatch,
    };
  }

  const { packs, undos, counted, typing, stack, question, read: known } = state;
  useEffect(
    () => keepNumbers(browserStorage('sessionStorage'), { kind, id: carrierId }, now.current),
    // What is kept changes only with these.
    [kind, carrierId, packs, undos, counted, typing, stack, question, known],
  );
  usePainted(state, dispatch);
  const drawnAt = performance.now();
  useEffect(() => dispatch({ kind: 'enterRule', rule: keys.enterRule }), [dispatch, keys.enterRule]);
  useSessionEvents(dispatch, { isLost, drawnAt, wakeAt: wakeAt(state, drawnAt), presses: shown });
  useEffect(
    () =>
      outbox?.listen((sent) => {
        if (sent.action.kind === 'undo') reread();
        if (sent.action.kind !== 'cart') return;
        if (sent.outcome === 'taken') taken.current = new Set([...taken.current, sent.action.key]);
        dispatch({ kind: 'sent', sent });
        reread();
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `reread` uses only stable values
    [outbox, dispatch, kind, carrierId],
  );
  const { value } = walk;
  useEffect(() => {
    if (value !== undefined) dispatch({ kind: 'read', read: value });
  }, [dispatch, value]);
  const carrier = carriers.value?.find(({ id }) => id === carrierId);
  useEffect(() => dispatch({ kind: 'carrier', carrier }), [dispatch, carrier]);

  const view = viewOf(state);
  const part = partOf(state, view);
  useCurrentLine(part.kind === 'walk' ? part.line.command_id : null, isLost);
  return {
    me,
    state,
    view,
    part,
    /** Presses that picked or put pieces of this batch, and about which nobody has said whose they were. */
    unanswered: all.filter(({ batch }) => batch !== undefined && batch === view?.batch.id),
    isMissing: carriers.value !== undefined && carrier === undefined,
    failure: [walk, carriers].find((read) => read.status === 'failed')?.failure,
    reasons: reasons.value ?? [],
    isEnterOff: !isEnterOn(state, drawnAt),
    isInert: isInert(state.inert, drawnAt),
    isRefused: drawnAt < state.refusedUntil,
    dispatch,
    touch: (touch: BatchTouch): void => dispatch({ kind: 'touch', ...ownInput(), ...touch }),
  };
}

export type OpenBatch = ReturnType<typeof useBatch>;
