import { useSyncExternalStore } from 'react';
import { useStationContext } from '../context.ts';
import type { ActionOutbox, OutboxState } from './outbox.ts';

const EMPTY: OutboxState = {
  waiting: 0,
  isStuck: false,
  refused: [],
  sent: undefined,
  items: new Set(),
  inBatches: [],
};

/** Returns the outbox of the signed-in person, or undefined if nobody is signed in. */
export function useOutbox(): ActionOutbox | undefined {
  const { outbox } = useStationContext();
  return useSyncExternalStore(outbox.subscribe, outbox.current);
}

/** Returns the waiting and refused actions of the signed-in person. */
export function useOutboxState(): OutboxState {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox?.subscribe ?? never, outbox?.state ?? empty);
}

const never = () => () => undefined;
const empty = (): OutboxState => EMPTY;
