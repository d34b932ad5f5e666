import { useSyncExternalStore } from 'react';
import { useStationContext } from '../context.ts';
import type { DeedOutbox, OutboxState } from './outbox.ts';

const EMPTY: OutboxState = {
  waiting: 0,
  isStuck: false,
  refused: [],
  sent: undefined,
  items: new Set(),
  inBatches: [],
};

/** The outbox of the person who is signed in. */
export function useOutbox(): DeedOutbox | undefined {
  const { outbox } = useStationContext();
  return useSyncExternalStore(outbox.subscribe, outbox.current);
}

/** What waits in it, and what the station refused. */
export function useOutboxState(): OutboxState {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox?.subscribe ?? never, outbox?.state ?? empty);
}

const never = () => () => undefined;
const empty = (): OutboxState => EMPTY;
