import { useCallback, useEffect, useRef, useState } from 'react';
import type { Item } from '#shared/api/order.ts';
import type { ScanCandidate, ScanResult, WorkLine } from '#shared/api/picking.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { type AnswerSounds, useAnswerSounds } from '../../sound/answerSounds.ts';
import { ApiError, sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useOrder } from '../../station/useWork.ts';
import { texts } from '../../ui/texts.ts';
import { isStillLit, placeOf, toPick, whatBecame } from './lines.ts';
import { type Confirmations, useOutcome } from './useConfirmations.ts';
import { useCount } from './useCount.ts';

const words = texts.pick;
const NONE: readonly WorkLine[] = [];

/** The bottom line: the result of the last action. `wrong` stays until the next right one. */
export type PickMessage = {
  kind: 'right' | 'wrong' | 'note';
  text: string;
  undo?: { itemId: number; before: number; place: string };
};

/** Browsers have no `randomUUID` over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Around = {
  /** What the page says at first. */
  said: PickMessage | undefined;
  /** The number of an order was scanned. */
  scannedOrder(result: ScanResult): void;
};

/** The lines of an order for the signed-in person, and the actions on them. */
export function usePick(orderNumber: string, kept: Confirmations, { said, scannedOrder }: Around) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const sounds = useAnswerSounds();
  const order = useOrder(orderNumber);
  const work = useStationQuery(['work', orderNumber, me], () => api.loadWork(orderNumber, me));
  const lines = work.value ?? NONE;
  const [message, setMessage] = useState(said);
  const [confirmed, setConfirmed] = useState<ReadonlySet<number>>(() => new Set(kept.list.map((each) => each.item_id)));
  const [skipped, setSkipped] = useState<readonly number[]>([]);
  const [ambiguous, setAmbiguous] = useState<readonly ScanCandidate[]>([]);
  const [unverifiable, setUnverifiable] = useState<readonly number[]>([]);

  const say = useCallback(
    (next: PickMessage, heard: keyof AnswerSounds | 'note' = next.kind): void => {
      setMessage(next);
      if (heard !== 'note') sounds[heard]();
    },
    [sounds],
  );

  useOutcome(kept.outcome, ({ kind, text, refused }) => {
    if (refused === undefined) return say({ kind, text });
    setConfirmed((known) => without(known, refused.itemId));
    const line = lines.find(({ item_id: id }) => id === refused.itemId);
    say({ kind, text: line === undefined ? text : whyRefused(line, refused.error) });
  });

  // A line that is lit no longer was picked at the shelf, or something happened to it.
  const before = useRef<readonly WorkLine[]>(NONE);
  const value = order.value;
  useEffect(() => {
    if (work.value === undefined) return;
    const here = new Set(work.value.map(({ item_id: id }) => id));
    const absent = before.current.filter(({ item_id: id }) => !here.has(id));
    const items = new Map(value?.shipments.flatMap((shipment) => shipment.items).map((item) => [item.id, item]));
    // The work may be read before the fact arrives that says what became of a line.
    const unexplained = absent.filter((line) => isStillLit(items.get(line.item_id ?? 0), me));
    const gone = absent.filter((line) => !unexplained.includes(line));
    before.current = [...work.value, ...unexplained];
    if (gone.length === 0) return;
    for (const line of gone) {
      const id = line.item_id ?? 0;
      if (confirmed.has(id)) {
        setConfirmed((known) => without(known, id));
        continue;
      }
      if (value?.state === 'aborted' || value?.pickers.some(({ name, paused }) => name === me && paused) === true)
        continue;
      const { words: text, kind, isPicked } = whatBecame(line, items.get(id), me);
      // The picker did nothing wrong, and may look elsewhere.
      if (kind === 'wrong') say({ kind, text }, 'attention');
      else say({ kind, text, ...(isPicked ? { undo: undoOf(line) } : {}) });
    }
  }, [work.value, value, confirmed, me, say]);

  const [wasOpen, setWasOpen] = useState(false);
  if (value !== undefined && !wasOpen) setWasOpen(true);
  const isAborted = value?.state === 'aborted';
  useEffect(() => {
    if (isAborted) sounds.attention();
  }, [isAborted, sounds]);

  const open = toPick(lines, { confirmed, skipped, order: value, me });
  const current = open[0];
  const asked = askedOf(current);
  const counting = useCount(current, asked, (line, error) => say({ kind: 'wrong', text: whyRefused(line, error) }));
  const { count } = counting;

  async function attempt<T>(failed: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      say({ kind: 'wrong', text: `${failed} ${sentenceOf(error)}` });
      return undefined;
    }
  }

  function confirm(line = current, quantity = line === current ? count : (line?.quantity ?? null)): void {
    if (line === undefined || line.item_id === null) return;
    const id = line.item_id;
    setConfirmed((known) => new Set(known).add(id));
    counting.forget();
    say({ kind: 'right', text: words.said.picked(placeOf(line), quantity), undo: undoOf(line) });
    kept.add({
      key: newKey(),
      deviceid: line.deviceid,
      command_id: line.command_id,
      order_number: orderNumber,
      item_id: id,
      qty: quantity,
    });
  }

  async function undo(): Promise<void> {
    const wanted = message?.undo;
    if (wanted === undefined) return;
    const done = await attempt(words.failed.undo, async () => {
      await kept.settled();
      await api.reopen(orderNumber, wanted.itemId, { quantity_fulfilled: wanted.before, key: newKey() });
      return api.launchOrder(orderNumber, { picker: me });
    });
    if (done === undefined) return;
    // The list may never have been without the line.
    setConfirmed((known) => without(known, wanted.itemId));
    setMessage({ kind: 'note', text: words.said.undone(wanted.place) });
  }

  function answered(result: ScanResult, note = ''): void {
    const { says } = result;
    setAmbiguous(result.candidates);
    switch (result.result) {
      case 'order':
        return scannedOrder(result);
      case 'acknowledged': {
        const line = lines.find(({ item_id: id }) => id === result.item_id);
        if (line === undefined) return say({ kind: 'right', text: says });
        const id = line.item_id ?? 0;
        setConfirmed((known) => new Set(known).add(id));
        return say({ kind: 'right', text: words.said.picked(placeOf(line), result.quantity), undo: undoOf(line) });
      }
      case 'ambiguous':
        return;
      case 'already_done': {
        // Scanned twice: it can still be undone.
        const undo = message?.undo?.itemId === result.item_id ? message?.undo : undefined;
        return say({ kind: 'note', text: says, ...(undo && { undo }) });
      }
      default:
        // A wrong layout or Caps Lock explains only a code that nobody knows.
        return say({ kind: 'wrong', text: result.result === 'unknown' ? `${says} ${note}`.trim() : says });
    }
  }

  async function meansOtherLine(code: string): Promise<boolean> {
    const { result } = await api.scan({ code, order_number: orderNumber, picker: me });
    return result === 'lit' || result === 'ambiguous';
  }

  async function scan({ code, second, note, count: pieces }: Scan): Promise<void> {
    const ask = (wanted: string) =>
      api.scan({
        code: wanted,
        order_number: orderNumber,
        picker: me,
        act: true,
        key: newKey(),
        ...(pieces === undefined ? {} : { quantity: pieces }),
      });
    try {
      if (!isLost) await counting.settled();
      // The article that was taken wrongly may be lit elsewhere: that line is not picked by it.
      if (unverified !== undefined && (await meansOtherLine(code))) {
        return say({ kind: 'wrong', text: words.verify.wrong(nameOfItem(unverified)) });
      }
      const first = await ask(code);
      if (first.result !== 'unknown' || second === undefined) return answered(first, note);
      answered(await ask(second), note);
    } catch (error) {
      // Without the station the page knows its own lines.
      const line = open.find((each) =>
        [placeOf(each), each.deviceid ?? '', each.SKU, each.UPC].some((name) => isSame(name, code)),
      );
      if (error instanceof ApiError && error.code === 'unreachable' && line !== undefined) confirm(line, pieces);
      else say({ kind: 'wrong', text: sentenceOf(error) });
    }
  }

  const unverified =
    value?.scan_required !== true
      ? undefined
      : value.shipments
          .flatMap((shipment) => shipment.items)
          .find(
            (item) => item.state === 'done' && item.picker === me && !item.verified && !unverifiable.includes(item.id),
          );

  return {
    me,
    order,
    isLost,
    /** There was such an order on this page. */
    wasOpen,
    isLoaded: work.value !== undefined && value !== undefined,
    lines: open,
    current,
    count,
    /** How many are still to be picked of the current line. */
    asked,
    message,
    // Those that were picked meanwhile are no choice.
    candidates: ambiguous.filter(({ command_id: id }) => open.some((line) => line.command_id === id)),
    unverified,
    say,
    dismiss: () => setMessage(undefined),
    confirm,
    adjust: counting.adjust,
    type: counting.type,
    undo,
    scan,
    choose(candidate: ScanCandidate | undefined) {
      setAmbiguous([]);
      const line = open.find(({ command_id: id }) => id === candidate?.command_id);
      if (line !== undefined) confirm(line);
    },
    skip() {
      const id = current?.item_id;
      if (id !== null && id !== undefined) setSkipped([...skipped.filter((each) => each !== id), id]);
    },
    skipVerifying: (id: number) => setUnverifiable([...unverifiable, id]),
    attempt,
  };
}

export type PickState = ReturnType<typeof usePick>;

/** A line whose command ended is lit by another one, as on a new device: the picker looks again. */
function whyRefused(line: WorkLine, error: unknown): string {
  return error instanceof ApiError && error.code === 'conflict' ? words.said.changed(placeOf(line)) : sentenceOf(error);
}

/** How many of a line are still to be picked. */
export function askedOf(line: WorkLine | undefined): number {
  return (line?.ordered_quantity ?? 0) - (line?.quantity_fulfilled ?? 0);
}

/** What a person calls the article of an item. */
export function nameOfItem({ name, SKU, UPC }: Item): string {
  return [name, SKU, UPC].find((each) => each !== undefined && each !== '') ?? '';
}

function undoOf(line: WorkLine) {
  return { itemId: line.item_id ?? 0, before: line.quantity_fulfilled ?? 0, place: placeOf(line) };
}

function without(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}

function isSame(name: string, code: string): boolean {
  return name !== '' && name.toLowerCase() === code.trim().toLowerCase();
}
