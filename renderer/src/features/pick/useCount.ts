import { useRef, useState } from 'react';
import type { WorkLine } from '#shared/api/picking.ts';
import { ApiError } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';

const MAX_QUANTITY = 99_999;

/**
 * `isHeard`: the station has said the same. `before`: what the list may still say until then; anything else was counted at the
 * shelf.
 */
type Typed = {
  itemId: number;
  quantity: number;
  isHeard: boolean;
  before: readonly (number | null)[];
};

/**
 * How many of a line the person takes. The shelf follows what is counted here, so that its button and a scan book the same;
 * what is counted at the shelf afterwards counts here. More than `asked` stays here until the person has confirmed it: the shelf
 * shows what is asked. `refused`: the station did not take a count.
 */
export function useCount(
  current: WorkLine | undefined,
  asked: number,
  refused: (line: WorkLine, error: unknown) => void,
) {
  const { api } = useStationContext();
  const [typed, setTyped] = useState<Typed>();
  const sending = useRef<Promise<void>>(Promise.resolve());
  const itemId = current?.item_id;
  const listed = current?.quantity ?? null;
  const own = typed !== undefined && typed.itemId === itemId ? typed : undefined;
  const newest = useRef<Typed>(undefined);

  if (own !== undefined && own.quantity === listed && !own.isHeard) setTyped({ ...own, isHeard: true });
  const isCountedOn = own !== undefined && own.quantity !== listed && (own.isHeard || !own.before.includes(listed));
  if (isCountedOn) setTyped(undefined);

  function set(quantity: number): void {
    if (current === undefined || current.item_id === null || current.quantity === null) return;
    const before = [...(own === undefined ? [] : [...own.before, own.quantity]), listed, asked];
    const next = { itemId: current.item_id, quantity, isHeard: false, before };
    setTyped(next);
    newest.current = next;
    // One after the other: the last one must be the last at the station too.
    sending.current = sending.current.then(() => send(current, next));
  }

  async function send(line: WorkLine, wanted: Typed): Promise<void> {
    // Counted on, or picked meanwhile.
    if (newest.current !== wanted || line.deviceid === null || line.command_id === null) return;
    try {
      await api.adjust(line.deviceid, line.command_id, Math.min(wanted.quantity, asked));
    } catch (error) {
      if (newest.current !== wanted || (error instanceof ApiError && error.code === 'unreachable')) return;
      forget();
      refused(line, error);
    }
  }

  function forget(): void {
    newest.current = undefined;
    setTyped(undefined);
  }

  const count = own?.quantity ?? listed;
  return {
    count,
    adjust(by: 1 | -1): void {
      if (count !== null) set(Math.min(MAX_QUANTITY, Math.max(0, count + by)));
    },
    /** The number that a person typed. */
    type(quantity: number): void {
      if (quantity <= MAX_QUANTITY) set(quantity);
    },
    forget,
    /** Resolves once the station has the last count, or refused it. */
    settled: (): Promise<void> => sending.current,
  };
}
