import type { Ephemera } from '#shared/api/station.ts';
import type { Commit } from '../../db/writer.ts';

/**
 * `set`: the wall clock was set, or the machine was asleep without an event. `shifted`: open deadlines were moved back together with the
 * clock. `woke`: the machine went to sleep or woke up.
 */
export type ClockChange = 'set' | 'shifted' | 'woke';

export type BusListener = {
  commit?(commit: Commit): void;
  ephemera?(ephemera: Ephemera): void;
  clockChange?(change: ClockChange): void;
};

/** Publishes facts once they are on disk. Subscribers return nothing. */
export function createBus() {
  const listeners = new Set<BusListener>();
  return {
    publish(commit: Commit): void {
      for (const listener of listeners) listener.commit?.(commit);
    },
    publishEphemera(ephemera: Ephemera): void {
      for (const listener of listeners) listener.ephemera?.(ephemera);
    },
    publishClockChange(change: ClockChange): void {
      for (const listener of listeners) listener.clockChange?.(change);
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: BusListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Bus = ReturnType<typeof createBus>;
