import { useEffect, useMemo, useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { browserStorage } from '../../ui/storage.ts';
import { texts } from '../../ui/texts.ts';
import { useLatest } from '../../ui/useLatest.ts';
import { type Confirmation, createConfirmations, readKept } from './confirmations.ts';

/** What became of confirmations on their way to the station. `refused`: the item of one that was not booked, and why. */
export type SendOutcome = { kind: 'right' | 'wrong'; text: string; refused?: { itemId: number; error: unknown } };

/** Without an answer, what is kept is sent again this much later. */
const AGAIN_MS = 5_000;

/** The confirmations of this browser. They are sent once the station is back, on any part of Pick. */
export function useConfirmations() {
  const { api } = useStationContext();
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const [outcome, setOutcome] = useState<SendOutcome>();
  const [{ list, isStuck }, setKept] = useState(() => ({
    list: readKept(browserStorage(), Date.now()) as readonly Confirmation[],
    isStuck: false,
  }));
  const sending = useMemo(
    () =>
      createConfirmations({
        storage: browserStorage(),
        now: Date.now,
        send: ({ deviceid, command_id: id, order_number: number, item_id: item, qty, key }) =>
          deviceid === null || id === null
            ? api.confirmItem(number, item, { quantity: qty ?? undefined, key })
            : api.acknowledge(deviceid, id, qty ?? undefined, key),
        changed: (next, stuck) => setKept({ list: next, isStuck: stuck }),
        refused: ({ item_id: itemId }, error) =>
          setOutcome({ kind: 'wrong', text: sentenceOf(error), refused: { itemId, error } }),
      }),
    [api],
  );

  const isWaiting = list.length > 0;
  useEffect(() => {
    if (isLost) return undefined;
    const send = () =>
      void sending.flush().then((taken) => {
        if (taken > 0) setOutcome({ kind: 'right', text: texts.pick.said.sent(taken) });
      });
    // Also where this tab keeps none: another one may have been closed with its own.
    send();
    if (!isWaiting) return undefined;
    const timer = setInterval(send, AGAIN_MS);
    return () => clearInterval(timer);
  }, [sending, isLost, isWaiting]);

  return {
    /** On their way, or waiting for the station. */
    list,
    outcome,
    /** What the page says while they wait; undefined: none does. */
    waiting:
      isWaiting && (isLost || isStuck)
        ? ({ kind: 'note', text: texts.pick.said.kept(list.length) } as const)
        : undefined,
    add: (confirmation: Omit<Confirmation, 'at'>): void => void sending.add(confirmation),
    settled: sending.settled,
  };
}

export type Confirmations = ReturnType<typeof useConfirmations>;

/** Calls back with each new outcome. */
export function useOutcome(outcome: SendOutcome | undefined, heard: (outcome: SendOutcome) => void): void {
  const latest = useLatest(heard);
  const [before] = useState(outcome);
  useEffect(() => {
    if (outcome !== undefined && outcome !== before) latest.current(outcome);
  }, [outcome, before, latest]);
}
