import type { Ephemera } from '#shared/api/station.ts';
import type { Commit } from '../../db/writer.ts';

/** Publishes facts once they are on disk. Subscribers return nothing. */
export type Bus = {
  publish(commit: Commit): void;
  publishEphemera(ephemera: Ephemera): void;
  publishClockChange(change: ClockChange): void;
  /** Answers the end of the subscription. */
  subscribe(listener: BusListener): () => void;
};

/**
 * `set`: the wall clock was found changed, or the machine slept unnoticed. `shifted`: open deadlines were moved back with
 * the clock. `woke`: the machine slept or woke.
 */
export type ClockChange = 'set' | 'shifted' | 'woke';

export type BusListener = {
  commit?(commit: Commit): void;
  ephemera?(ephemera: Ephemera): void;
  clockChange?(change: ClockChange): void;
};

export function createBus(): Bus {
  const listeners = new Set<BusListener>();
  return {
    publish(commit) {
      for (const listener of listeners) listener.commit?.(commit);
    },
    publishEphemera(ephemera) {
      for (const listener of listeners) listener.ephemera?.(ephemera);
    },
    publishClockChange(change) {
      for (const listener of listeners) listener.clockChange?.(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
