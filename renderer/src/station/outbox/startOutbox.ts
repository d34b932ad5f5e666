import type { Remembered } from '../../remembered.ts';
import * as texts from '../../words/texts.ts';
import { ApiError } from '../../words/apiError.ts';
import type { StationStore } from '../live/store.ts';
import type { KeptAction, Remedy } from './actions.ts';
import { createOutbox, type ActionOutbox } from './outbox.ts';

/** Interval in milliseconds at which unanswered actions are sent again. */
const AGAIN_MS = 5_000;

export type PersonalOutbox = {
  /** Returns the outbox of the signed-in person, or undefined if nobody is signed in. */
  current(): ActionOutbox | undefined;
  /** Calls `changed` when a different person signs in, or when the person signs out. Returns a function that unsubscribes. */
  subscribe(changed: () => void): () => void;
};

type Parts = {
  store: StationStore;
  storage: Remembered;
  now(): number;
  setTimer(delayMs: number, run: () => void): () => void;
  send(person: string, action: KeptAction): Promise<unknown>;
  sendAnyway(action: KeptAction, reason?: string): Promise<number>;
  findRemedy(action: KeptAction): Promise<Remedy>;
};

/**
 * Runs the outbox of the signed-in person. The outbox starts with the person's session, and sends nothing in another
 * person's session.
 */
export function startOutbox({ store, storage, now, setTimer, send, sendAnyway, findRemedy }: Parts): PersonalOutbox {
  let person: string | undefined;
  let outbox: ActionOutbox | undefined;
  let cancel: (() => void) | undefined;
  const watchers = new Set<() => void>();

  function again(): void {
    cancel?.();
    cancel = setTimer(AGAIN_MS, () => {
      void outbox?.flush();
      again();
    });
  }

  function look(): void {
    const { station, session, connection } = store.getState();
    const name = session === 'signedIn' ? station?.user.name : undefined;
    if (name !== person) {
      person = name;
      cancel?.();
      outbox = name === undefined ? undefined : openOutbox(name);
      for (const watch of watchers) watch();
    }
    outbox?.setLost(connection.kind === 'lost');
    if (outbox !== undefined && cancel === undefined) again();
  }

  function openOutbox(name: string): ActionOutbox {
    // After a sign-out, send nothing more, because the session may belong to a different person.
    const isHere = (): boolean => person === name;
    const opened = createOutbox({
      storage,
      person: name,
      now,
      send: (action) => (isHere() ? send(name, action) : Promise.reject(signedOut())),
      sendAnyway: (action, reason) => (isHere() ? sendAnyway(action, reason) : Promise.reject(signedOut())),
      findRemedy: (action) => (isHere() ? findRemedy(action) : Promise.reject(signedOut())),
    });
    cancel = undefined;
    void opened.flush();
    return opened;
  }

  store.subscribe(look);
  look();
  return {
    current: () => outbox,
    subscribe(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
  };
}

function signedOut(): ApiError {
  return new ApiError('unauthenticated', texts.failure.unreachable);
}
