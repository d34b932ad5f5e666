import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Order } from '#shared/api/order.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { paperSizeMm, useSheetPaper } from '../../shop/order/Sheet.tsx';
import { printPage, usePrinters } from '../../shop/printers.ts';
import { useServices } from '../../shop/toasts.ts';
import { useStationContext } from '../../station/context.ts';
import { browserStorage } from '../../storage.ts';
import { pack as words } from '../../words/pack.ts';
import type { PackSlot } from './packSlots.ts';

/** Minimum time between two button presses that print the same slot's packing slip, in milliseconds. */
const ONCE_MS = 3_000;
/**
 * How long a page holds the lock for a press, in milliseconds. Shorter than `ONCE_MS`, so that the lock is free at the
 * next press.
 */
const CLAIM_MS = 1_000;
const PRESSES = 'pickstation.pack.presses';

/** A packing slip: the order and the number of the shipment in the slot, or undefined for the whole order. */
type Slip = { order: Order; shipment: string | undefined };

/** Prints packing slips. */
export function useSlips() {
  const { api, toasts } = useServices();
  const [storage] = useState(() => browserStorage());
  const { paper, setPaper } = useSheetPaper();
  const [printing, setPrinting] = useState<string>();
  const [slip, setSlip] = useState<Slip>();
  const [printsPresses, setPrintsPresses] = useState(() => storage.get(PRESSES) !== 'off');
  const printers = usePrinters('slips');
  const turn = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    const printed = () => setSlip(undefined);
    window.addEventListener('afterprint', printed);
    return () => window.removeEventListener('afterprint', printed);
  }, []);

  /**
   * Prints the slip on the chosen printer. Opens the browser's print dialog if no printer is chosen or if printing
   * failed.
   */
  async function printSlip(next: Slip): Promise<void> {
    // Render the slip before it is printed.
    flushSync(() => setSlip(next));
    const isPrinted = await printPage(printers, paperSizeMm(paper), (reason) => {
      toasts.fail(reason);
      flushSync(() => setSlip(next));
    });
    if (isPrinted) setSlip(undefined);
  }

  return {
    paper,
    setPaper,
    /** Whether presses at slots print slips in this browser. */
    printsPresses,
    setPrintsPresses(isOn: boolean): void {
      setPrintsPresses(isOn);
      storage.set(PRESSES, isOn ? null : 'off');
    },
    /** The printers of the desktop window, or undefined in a browser. */
    printers,
    /** The slot whose slip is being printed. */
    printing,
    /** The slip to draw on the paper, or undefined if nothing is being printed. */
    slip,
    async print(slot: PackSlot): Promise<void> {
      setPrinting(slot.slot);
      await toasts.attempt(words.notPrinted, async () => {
        const order = await api.getOrder({ path: { order_number: slot.order_number ?? '' } });
        const shipment = slot.shipment_number ?? undefined;
        // Print slips one after another, because the page renders only one slip at a time.
        const printed = turn.current.then(() => printSlip({ order, shipment }));
        turn.current = printed.catch(() => undefined);
        await printed;
      });
      setPrinting((now) => (now === slot.slot ? undefined : now));
    },
  };
}

/**
 * Calls `pressed` after a short press on the device of a complete slot while the page is visible, at most once per slot
 * within `ONCE_MS`. If several pages of one browser are open, only one of them calls it. If the page does not know yet
 * that the slot is complete, waits for that for at most `ONCE_MS`.
 */
export function useBackPresses(
  batch: number,
  isOn: boolean,
  complete: readonly PackSlot[],
  pressed: (slot: PackSlot) => void,
): void {
  const { store } = useStationContext();
  const latest = useLatest({ complete, pressed });
  const last = useRef(new Map<string, number>());
  /** Times of presses at slots that the page does not show as complete yet, by slot. */
  const early = useRef(new Map<string, number>());
  useEffect(() => {
    for (const [name, at] of early.current) {
      const slot = complete.find((each) => each.slot === name);
      if (slot === undefined) continue;
      early.current.delete(name);
      if (performance.now() - at < ONCE_MS) latest.current.pressed(slot);
    }
  }, [complete, latest]);
  useEffect(
    () =>
      store.subscribe(({ told }, before) => {
        if (!isOn || told === before.told || document.visibilityState !== 'visible') return;
        for (const fact of told) {
          if (fact.type !== 'batch.slot_pressed' || fact.batch_id !== batch) continue;
          const now = performance.now();
          const since = now - (last.current.get(fact.slot) ?? Number.NEGATIVE_INFINITY);
          if (since < ONCE_MS) continue;
          last.current.set(fact.slot, now);
          inOnePage(`pickstation.pack.${batch}.${fact.slot}`, () => {
            const slot = latest.current.complete.find((each) => each.slot === fact.slot);
            if (slot === undefined) early.current.set(fact.slot, now);
            else latest.current.pressed(slot);
          });
        }
      }),
    [store, batch, isOn, latest],
  );
}

/**
 * Runs `act` only in the first page of this browser that gets the lock `name`. Over plain HTTP, there are no locks, so
 * `act` runs in every page.
 */
function inOnePage(name: string, act: () => void): void {
  const { locks }: { locks?: LockManager | null } = navigator;
  if (locks === undefined || locks === null) return act();
  locks
    .request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      act();
      // Hold the lock for a while, because the other pages learn of the press a little later.
      await new Promise((resolve) => setTimeout(resolve, CLAIM_MS));
    })
    // If the browser blocks storage for this page, locks fail: act without one.
    .catch(act);
}
