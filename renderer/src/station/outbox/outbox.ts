import type { Remembered } from '../../storage.ts';
import * as texts from '../../words/texts.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import {
  type BatchDeed,
  type Deed,
  type DeedFailure,
  type Kept,
  type KeptDeed,
  readKept,
  type RefusedDeed,
  unsent,
  writeKept,
} from './deeds.ts';

/** The result of an action. `cancelled`: undone before it was sent. */
export type SentDeed = {
  deed: Deed;
  outcome: 'taken' | 'refused' | 'cancelled';
  failure?: DeedFailure;
};

/** Errors that say nothing about the action, which is sent again. */
const NOT_JUDGED: ReadonlySet<DeedFailure['code']> = new Set([
  'unreachable',
  'unauthenticated',
  'csrf',
  'stopping',
  'storage',
  'too_many_requests',
]);

/** Discard older counts, because the person has left the shelf. A confirmation contains its quantity anyway. */
const COUNT_KEPT_MS = 3_600_000;

export type OutboxState = {
  /** Number of actions that have not reached the station, without changed counts. */
  waiting: number;
  /** Whether the station did not answer the last one, or the connection is lost. */
  isStuck: boolean;
  refused: readonly RefusedDeed[];
  /** How many delayed actions were last booked, and when. */
  sent: { count: number; at: number } | undefined;
  /** Items with unsent actions. */
  items: ReadonlySet<number>;
  /** Unsent deeds in batches. */
  inBatches: readonly BatchDeed[];
};

export type OutboxParts = {
  storage: Remembered;
  person: string;
  now(): number;
  send(deed: KeptDeed): Promise<unknown>;
  /** Sends a refused action again. */
  sendAnyway(deed: KeptDeed): Promise<unknown>;
};

/** One person's actions on the way to the station, sent in order. */
export type DeedOutbox = {
  /** Queues an action. An undo cancels the action that it reverts if that was never sent. */
  add(deed: Deed): void;
  /** Sends the waiting actions, unless they are being sent already or the connection is lost. */
  flush(): Promise<void>;
  /** Resolves once all actions are sent, or when the station does not answer. */
  settled(): Promise<void>;
  setLost(isLost: boolean): void;
  bookAnyway(key: string): Promise<void>;
  /** Discards a refused action. */
  forget(key: string): void;
  state(): OutboxState;
  subscribe(changed: () => void): () => void;
  /** Calls `heard` for each answered action. */
  listen(heard: (sent: SentDeed) => void): () => void;
};

export function createOutbox({ storage, person, now, send, sendAnyway }: OutboxParts): DeedOutbox {
  let kept: Kept = readKept(storage, person);
  let sending: Promise<void> | undefined;
  let isLost = false;
  let isStuck = false;
  let sent: OutboxState['sent'];
  let state = stateNow();
  const watchers = new Set<() => void>();
  const listeners = new Set<(sent: SentDeed) => void>();

  function stateNow(): OutboxState {
    const waiting = unsent(kept.deeds);
    return {
      waiting,
      isStuck: waiting > 0 && isStuck,
      refused: kept.refused,
      sent,
      items: new Set(kept.deeds.filter(({ kind }) => kind !== 'adjust').map(({ item_id: id }) => id)),
      inBatches: kept.deeds.filter((deed) => deed.kind === 'cart'),
    };
  }

  function changed(): void {
    state = stateNow();
    for (const watch of watchers) watch();
  }

  function tell(news: SentDeed): void {
    for (const hear of listeners) hear(news);
  }

  /** Applies a change to the stored actions, which other tabs may have changed, too. */
  function keep(change: (kept: Kept) => Kept): void {
    writeKept(storage, person, change(readKept(storage, person)));
    kept = change(kept);
    changed();
  }

  const without = (key: string) => (list: Kept) => ({
    ...list,
    deeds: list.deeds.filter((each) => each.key !== key),
  });

  /** Adds the stored actions of a closed tab. If that tab still sends them, their keys prevent double booking. */
  function adopt(): void {
    const known = new Set(kept.deeds.map(({ key }) => key));
    const stored = readKept(storage, person);
    const others = stored.deeds.filter(({ key, kind }) => !known.has(key) && kind !== 'adjust');
    kept = { deeds: [...kept.deeds, ...others], refused: stored.refused };
  }

  const nextDeed = (): KeptDeed | undefined => (isLost ? undefined : kept.deeds[0]);

  async function sendOne(deed: KeptDeed): Promise<unknown> {
    if (deed.kind === 'adjust' && now() - deed.at > COUNT_KEPT_MS)
      throw new ApiError('outdated', texts.outbox.oldCount(deed.place));
    return send(deed);
  }

  /** Sends all actions in order, until the station is unreachable. */
  async function sendAll(): Promise<void> {
    let count = 0;
    let wasStuck = isStuck;
    adopt();
    for (let first = nextDeed(); first !== undefined; first = nextDeed()) {
      const deed = first;
      wasStuck ||= deed.tries > 0;
      try {
        // oxlint-disable-next-line no-await-in-loop -- in order
        await sendOne(deed);
        if (wasStuck && deed.kind !== 'adjust') count += 1;
        keep(without(deed.key));
        tell({ deed, outcome: 'taken' });
      } catch (error) {
        const failure = failureOf(error);
        if (NOT_JUDGED.has(failure.code)) {
          isStuck = true;
          keep((list) => ({ ...list, deeds: list.deeds.map((each) => (each.key === deed.key ? tried(each) : each)) }));
          break;
        }
        const undo = kept.deeds.find(({ undoes }) => undoes === deed.key);
        // A refused action needs no undo, which would revert somebody else's work. The person wants neither.
        const isNoMatter = deed.kind === 'adjust' || undo !== undefined;
        const refused: readonly RefusedDeed[] = isNoMatter ? [] : [{ deed, why: failure.message }];
        keep((list) => ({ ...without(deed.key)(list), refused: [...list.refused, ...refused] }));
        if (undo !== undefined) keep(without(undo.key));
        tell({ deed, outcome: 'refused', failure });
      }
    }
    if (kept.deeds.length === 0) isStuck = false;
    if (count > 0) sent = { count, at: now() };
    changed();
  }

  async function flush(): Promise<void> {
    if (sending !== undefined || isLost || kept.deeds.length + readKept(storage, person).deeds.length === 0) return;
    sending = sendAll();
    try {
      await sending;
    } finally {
      sending = undefined;
    }
  }

  /** The action that an undo cancels, if the station has not answered it. */
  function undoneBy(deed: Deed): KeptDeed | undefined {
    if (deed.kind === 'cart') return kept.deeds.find(({ key }) => key === deed.takesBack);
    const last = kept.deeds.findLast(({ item_id: id, kind }) => id === deed.item_id && kind !== 'adjust');
    return last?.kind === 'confirm' || last?.kind === 'short' ? last : undefined;
  }

  const isUnsent = (deed: KeptDeed): boolean => deed.tries === 0 && (sending === undefined || kept.deeds[0] !== deed);

  return {
    add(deed) {
      const undone = deed.kind === 'undo' || deed.kind === 'cart' ? undoneBy(deed) : undefined;
      if (undone !== undefined && isUnsent(undone)) {
        keep(without(undone.key));
        tell({ deed, outcome: 'cancelled' });
        return;
      }
      const isReplaced = (each: KeptDeed): boolean =>
        deed.kind === 'adjust' &&
        each.kind === 'adjust' &&
        each.command_id === deed.command_id &&
        (sending === undefined || each !== kept.deeds[0]);
      isStuck ||= isLost;
      const added = { ...deed, at: now(), tries: 0, ...(undone === undefined ? {} : { undoes: undone.key }) };
      const old = new Set(kept.deeds.filter(isReplaced).map(({ key }) => key));
      keep((list) => ({ ...list, deeds: [...list.deeds.filter(({ key }) => !old.has(key)), added] }));
      void flush();
    },
    flush,
    settled: () => sending ?? Promise.resolve(),
    setLost(isAway) {
      if (isLost === isAway) return;
      isLost = isAway;
      if (isLost && kept.deeds.length > 0) isStuck = true;
      changed();
      if (!isLost) void flush();
    },
    async bookAnyway(key) {
      const found = kept.refused.find(({ deed }) => deed.key === key);
      if (found === undefined) return;
      await sendAnyway(found.deed);
      this.forget(key);
    },
    forget(key) {
      keep((list) => ({ ...list, refused: list.refused.filter(({ deed }) => deed.key !== key) }));
    },
    state: () => state,
    subscribe(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
}

function tried(deed: KeptDeed): KeptDeed {
  return { ...deed, tries: deed.tries + 1 };
}

export function failureOf(error: unknown): DeedFailure {
  return { code: error instanceof ApiError ? error.code : 'internal', message: sentenceOf(error) };
}
