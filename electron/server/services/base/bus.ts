import type { Ephemera } from '#shared/api/station.ts';
import type { Commit } from '../../db/writer.ts';

/**
 * How the clock changed. `set` means that the wall clock was set, or that the machine was asleep without an event. `shifted` means that
 * open deadlines were moved back together with the clock. `woke` means that the machine went to sleep or woke up.
 */
export type ClockChange = 'set' | 'shifted' | 'woke';

export type BusListener = {
  commit?(commit: Commit): void;
  ephemera?(ephemera: Ephemera): void;
  clockChange?(change: ClockChange): void;
};

/** Passes commits, ephemera and clock changes to all subscribers. A commit is published once it is on disk. */
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
