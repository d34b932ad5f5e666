import type { Ephemera } from '#shared/api/station.ts';
import type { Commit } from '../../db/writer.ts';

/** Tells what happened, once it is on disk. It never steers: nobody answers. */
export type Bus = {
  publish(commit: Commit): void;
  publishEphemera(ephemera: Ephemera): void;
  /** Answers the end of the subscription. */
  subscribe(listener: BusListener): () => void;
};

export type BusListener = { commit(commit: Commit): void; ephemera(ephemera: Ephemera): void };

export function createBus(): Bus {
  const listeners = new Set<BusListener>();
  return {
    publish(commit) {
      for (const listener of listeners) listener.commit(commit);
    },
    publishEphemera(ephemera) {
      for (const listener of listeners) listener.ephemera(ephemera);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
