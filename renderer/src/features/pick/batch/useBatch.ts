import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CarrierKind } from '#shared/lib/carriers.ts';
import { useLatest } from '../../../kit/useLatest.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import { useAnswerSounds } from '../../../sound/answerSounds.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { newKey } from '../../../station/outbox/deeds.ts';
import { failureOf } from '../../../station/outbox/outbox.ts';
import { useOutbox } from '../../../station/outbox/useOutbox.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import * as texts from '../../../words/texts.ts';
import { isDeaf } from '../deafTimes.ts';
import { useSessionEvents } from '../useSessionEvents.ts';
import { findLiveBatch, loadNames, runBatchCall, sortAtWall } from './batchCalls.ts';
import { carrierOf } from '../liveBatches.ts';
import { next, startBatch, wakeAt } from './batchSession.ts';
import type { BatchCall, BatchEffect, BatchInput, BatchRead, BatchSession, BatchTouch } from './batchTypes.ts';
import { partOf, shownKey, viewOf } from './batchView.ts';

export type NamedCarrier = { kind: CarrierKind; id: number };

type Around = {
  leave(): void;
  openCarrier(carrier: NamedCarrier): void;
};

/** Runs the session of the signed-in person at a cart or wall: feeds it all events, and runs its effects. */
export function useBatch({ kind, id: carrierId }: NamedCarrier, given: Around) {
  const { api, queries } = useStationContext();
  const outbox = useOutbox();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const sounds = useAnswerSounds();
  const around = useLatest({ ...given, isLost });
  const [state, setState] = useState(() =>
    startBatch({ kind, me, keyBase: newKey(), isLost, unsent: outbox?.state().inBatches ?? [] }),
  );
  const now = useRef<BatchSession>(state);
  const taken = useRef<ReadonlySet<string>>(new Set());
  const batchId = useRef<number | undefined>(undefined);
  /** Scans are handled one after another. */
  const scans = useRef<Promise<void>>(Promise.resolve());

  const read = async (): Promise<BatchRead> => {
    // The answer contains everything booked before it.
    const settled = taken.current;
    const id = batchId.current ?? (await findLiveBatch(api, { kind, id: carrierId }));
    if (id === undefined) return { batch: undefined, lines: [], settled };
    const [batch, lines] = await Promise.all([api.loadBatch(id), api.loadBatchWork(id)]);
    batchId.current = batch.state === 'done' ? undefined : id;
    return batch.state === 'done' ? { batch: undefined, lines: [], settled } : { batch, lines, settled };
  };
  const walk = useStationQuery<BatchRead>(['cartWalk', kind, String(carrierId)], read);
  const carriers = useStationQuery(['carriers', kind], () => api.loadCarriers(kind));
  const reasons = useStationQuery(['shortReasons'], () => api.loadShortReasons());

  const hear = useCallback(
    (event: BatchInput): void => {
      const step = next(now.current, event, performance.now());
      now.current = step.state;
      setState(step.state);
      for (const effect of step.effects) run(effect);
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `run` uses what stays the same
    [api, outbox, queries, sounds],
  );
  const reread = () => queries.refresh(['cartWalk', kind, String(carrierId)]);

  function run(effect: BatchEffect): void {
    switch (effect.do) {
      case 'keep':
        return outbox?.add(effect.deed);
      case 'forget':
        return outbox?.forget(effect.key);
      case 'call':
        return void call(effect.call);
      case 'scan':
        scans.current = scans.current.then(scanNow.bind(undefined, effect.scan));
        return undefined;
      case 'verify':
        scans.current = scans.current.then(verifyNow.bind(undefined, effect));
        return undefined;
      case 'sort':
        scans.current = scans.current.then(sortNow.bind(undefined, effect));
        return undefined;
      case 'later':
        scans.current = scans.current.then(() => hear({ kind: 'scan', scan: effect.scan }));
        return undefined;
      case 'names':
        return void nameThem(effect.orders);
      case 'play':
        return sounds[effect.answer]();
      case 'openBatch':
        return void openBatch(effect);
      case 'leave':
        return around.current.leave();
    }
  }

  /** Asks what a code means. If it is unknown, the second spelling is the code. */
  async function askStation(scan: Scan, about: { intent?: 'verify'; item_id?: number } = {}) {
    const result = await api.scan({ code: scan.code, picker: me, ...about });
    const isKnown = about.intent === 'verify' ? result.verified : result.result !== 'unknown';
    if (isKnown || scan.second === undefined) return { scan, result };
    const second = { ...scan, code: scan.second };
    return { scan: second, result: await api.scan({ code: scan.second, picker: me, ...about }) };
  }

  async function scanNow(scan: Scan): Promise<void> {
    if (around.current.isLost) {
      return hear({ kind: 'unanswered', scan, failure: { code: 'unreachable', message: texts.failure.unreachable } });
    }
    try {
      hear({ kind: 'answered', ...(await askStation(scan)) });
    } catch (error) {
      hear({ kind: 'unanswered', scan, failure: failureOf(error) });
    }
  }

  async function verifyNow({ scan, itemId }: Extract<BatchEffect, { do: 'verify' }>): Promise<void> {
    const about = { kind: 'verified', scan, itemId } as const;
    try {
      const answered = await askStation(scan, { intent: 'verify', item_id: itemId });
      hear({ ...about, ...answered });
    } catch (error) {
      hear({ ...about, failure: failureOf(error) });
    }
  }

  /** Sorts an article. Passes on the answer together with the lit slots, because the next scan may be the code of a slot. */
  async function sortNow({ scan, itemId }: Extract<BatchEffect, { do: 'sort' }>): Promise<void> {
    const id = now.current.read?.batch?.id ?? 0;
    // Wait for puts that are being sent.
    await outbox?.settled();
    try {
      const result = await sortAtWall(api, { batch: id, picker: me, scan, itemId });
      const after = await read().catch(() => undefined);
      hear({ kind: 'sorted', scan, result });
      if (after !== undefined) hear({ kind: 'read', read: after });
    } catch (error) {
      hear({ kind: 'sorted', scan, failure: failureOf(error) });
    }
    reread();
  }

  async function openBatch({ batch, scan }: Extract<BatchEffect, { do: 'openBatch' }>): Promise<void> {
    try {
      const carrier = carrierOf(await api.loadBatch(batch));
      if (carrier !== undefined) around.current.openCarrier(carrier);
    } catch (error) {
      hear({ kind: 'unanswered', scan, failure: failureOf(error) });
    }
  }

  async function call(asked: BatchCall): Promise<void> {
    // Wait for earlier actions first.
    await outbox?.settled();
    try {
      const done = await runBatchCall(
        api,
        { carrier: { kind, id: carrierId, firstCart: now.current.firstCart }, batch: now.current.read?.batch },
        asked,
      );
      if (done.batch !== undefined) batchId.current = done.batch.state === 'done' ? undefined : done.batch.id;
      hear({ kind: 'called', call: asked, ...done });
    } catch (error) {
      hear({ kind: 'called', call: asked, failure: failureOf(error) });
    }
    reread();
  }

  async function nameThem(orders: readonly string[]): Promise<void> {
    hear({ kind: 'names', names: await loadNames(api, orders) });
  }

  const shown = shownKey(state);
  useLayoutEffect(() => hear({ kind: 'drawn' }), [hear, shown]);
  const drawnAt = performance.now();
  useSessionEvents(hear, { isLost, drawnAt, wakeAt: wakeAt(state, drawnAt) });
  useEffect(
    () =>
      outbox?.listen((sent) => {
        if (sent.deed.kind !== 'cart') return;
        if (sent.outcome === 'taken') taken.current = new Set([...taken.current, sent.deed.key]);
        hear({ kind: 'sent', sent });
        reread();
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `reread` uses what stays the same
    [outbox, hear, kind, carrierId],
  );
  const { value } = walk;
  useEffect(() => {
    if (value !== undefined) hear({ kind: 'read', read: value });
  }, [hear, value]);
  const carrier = carriers.value?.find(({ id }) => id === carrierId);
  useEffect(() => hear({ kind: 'carrier', carrier }), [hear, carrier]);

  const view = viewOf(state);
  return {
    me,
    state,
    view,
    part: partOf(state, view),
    isMissing: carriers.value !== undefined && carrier === undefined,
    failure: walk.failure || carriers.failure,
    reasons: reasons.value ?? [],
    isDeaf: isDeaf(state.deaf, drawnAt),
    isRefused: drawnAt < state.refusedUntil,
    hear,
    touch: (touch: BatchTouch): void => hear({ kind: 'touch', ...touch }),
  };
}

export type OpenBatch = ReturnType<typeof useBatch>;
