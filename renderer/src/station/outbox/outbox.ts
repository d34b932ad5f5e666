import type { Remembered } from '../../storage.ts';
import * as texts from '../../words/texts.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import {
  type BatchDeed,
  type Deed,
  type DeedFailure,
  type Kept,
  type KeptDeed,
  type RefusedDeed,
  unsent,
} from './deeds.ts';
import { createKeptDeeds, type KeptDeeds } from './keptDeeds.ts';

/** The result of an action. `cancelled` means that the action was undone before it was sent. */
export type SentDeed = {
  deed: Deed;
  outcome: 'taken' | 'refused' | 'cancelled';
  failure?: DeedFailure;
};

/** Codes of errors that are not about the action itself. After such an error, the action is sent again. */
const NOT_JUDGED: ReadonlySet<DeedFailure['code']> = new Set([
  'unreachable',
  'unauthenticated',
  'csrf',
  'stopping',
  'storage',
  'too_many_requests',
]);

/**
 * Age in milliseconds above which changed counts are discarded, because the person has left the shelf. A confirmation
 * contains its quantity anyway.
 */
const COUNT_KEPT_MS = 3_600_000;

export type OutboxState = {
  /** Number of actions that have not reached the station. Changed counts are not included. */
  waiting: number;
  /** Whether actions are waiting because the station did not answer or the connection was lost. */
  isStuck: boolean;
  refused: readonly RefusedDeed[];
  /** How many delayed actions were booked last, and when. Undefined if there were none. */
  sent: { count: number; at: number } | undefined;
  /** Ids of the items with unsent actions. */
  items: ReadonlySet<number>;
  /** Unsent actions in batches. */
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

/** A person's actions on the way to the station. They are sent in order. */
export type DeedOutbox = {
  /** Queues an action. An undo of an action that was never sent cancels that action instead. */
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
  /** Calls `listener` for each action that was answered or cancelled. Returns a function that stops this. */
  listen(listener: (sent: SentDeed) => void): () => void;
};

/** The state of an outbox, and the parts that its functions share. */
type OutboxContext = OutboxParts & {
  kept: KeptDeeds;
  link: {
    /** Resolves once the current actions have been sent; undefined if none are being sent. */
    sending: Promise<void> | undefined;
    isLost: boolean;
    /** Whether an action waits because the station did not answer, or the connection was lost. */
    isStuck: boolean;
    sent: OutboxState['sent'];
  };
  /** Notifies everybody who watches the state. */
  changed(): void;
  /** Notifies the listeners of the result of an action. */
  publish(news: SentDeed): void;
};

export function createOutbox(parts: OutboxParts): DeedOutbox {
  const watchers = new Set<() => void>();
  const listeners = new Set<(sent: SentDeed) => void>();
  const context: OutboxContext = {
    ...parts,
    kept: createKeptDeeds(parts.storage, parts.person, changed),
    link: { sending: undefined, isLost: false, isStuck: false, sent: undefined },
    changed,
    publish(news) {
      for (const listener of listeners) listener(news);
    },
  };
  const { kept, link } = context;
  let state = stateOf(context);

  function changed(): void {
    state = stateOf(context);
    for (const watch of watchers) watch();
  }

  return {
    add: (deed) => addDeed(context, deed),
    flush: () => flush(context),
    settled: () => link.sending ?? Promise.resolve(),
    setLost: (isLost) => setLost(context, isLost),
    async bookAnyway(key) {
      const found = kept.now().refused.find(({ deed }) => deed.key === key);
      if (found === undefined) return;
      await parts.sendAnyway(found.deed);
      kept.forget(key);
    },
    forget: kept.forget,
    state: () => state,
    subscribe(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function stateOf({ kept, link }: OutboxContext): OutboxState {
  const { deeds, refused } = kept.now();
  const waiting = unsent(deeds);
  return {
    waiting,
    isStuck: waiting > 0 && link.isStuck,
    refused,
    sent: link.sent,
    items: new Set(deeds.filter(({ kind }) => kind !== 'adjust').map(({ item_id: id }) => id)),
    inBatches: deeds.filter((deed) => deed.kind === 'cart'),
  };
}

function addDeed(context: OutboxContext, deed: Deed): void {
  const { kept, link, now, publish } = context;
  const undone = undoneBy(deed, kept.now());
  if (undone !== undefined && undone.tries === 0 && !isBeingSent(context, undone)) {
    kept.remove(undone.key);
    publish({ deed, outcome: 'cancelled' });
    return;
  }
  link.isStuck ||= link.isLost;
  const undoes = undone === undefined ? {} : { undoes: undone.key };
  kept.add({ ...deed, at: now(), tries: 0, ...undoes }, replacedCounts(context, deed));
  void flush(context);
}

/** Returns the unanswered action that an undo reverts, if any. */
function undoneBy(undo: Deed, { deeds }: Kept): KeptDeed | undefined {
  if (undo.kind === 'cart') return deeds.find(({ key }) => key === undo.takesBack);
  if (undo.kind !== 'undo') return undefined;
  const last = deeds.findLast(({ item_id: id, kind }) => id === undo.item_id && kind !== 'adjust');
  return last?.kind === 'confirm' || last?.kind === 'short' ? last : undefined;
}

/** Returns the keys of the unsent counts that a newer count for the same command replaces. */
function replacedCounts(context: OutboxContext, deed: Deed): ReadonlySet<string> {
  if (deed.kind !== 'adjust') return new Set();
  const older = context.kept
    .now()
    .deeds.filter((each) => each.kind === 'adjust' && each.command_id === deed.command_id)
    .filter((each) => !isBeingSent(context, each));
  return new Set(older.map(({ key }) => key));
}

function isBeingSent({ kept, link }: OutboxContext, deed: KeptDeed): boolean {
  return link.sending !== undefined && kept.now().deeds[0] === deed;
}

function setLost(context: OutboxContext, isLost: boolean): void {
  const { kept, link, changed } = context;
  if (link.isLost === isLost) return;
  link.isLost = isLost;
  if (isLost && kept.now().deeds.length > 0) link.isStuck = true;
  changed();
  if (!isLost) void flush(context);
}

async function flush(context: OutboxContext): Promise<void> {
  const { kept, link } = context;
  if (link.sending !== undefined || link.isLost || kept.isEmpty()) return;
  link.sending = sendAll(context);
  try {
    await link.sending;
  } finally {
    link.sending = undefined;
  }
}

/** Sends all actions in order, until the station is unreachable. */
async function sendAll(context: OutboxContext): Promise<void> {
  const { kept, link, now, changed } = context;
  const nextDeed = () => (link.isLost ? undefined : kept.now().deeds[0]);
  let count = 0;
  let wasStuck = link.isStuck;
  kept.adoptStored();
  for (let deed = nextDeed(); deed !== undefined; deed = nextDeed()) {
    wasStuck ||= deed.tries > 0;
    // oxlint-disable-next-line no-await-in-loop -- in order
    const outcome = await sendFirst(context, deed);
    if (outcome === 'unanswered') break;
    if (outcome === 'taken' && wasStuck && deed.kind !== 'adjust') count += 1;
  }
  if (kept.now().deeds.length === 0) link.isStuck = false;
  if (count > 0) link.sent = { count, at: now() };
  changed();
}

/** Sends the first action. Removes the action, unless the station gave no answer about it. */
async function sendFirst(context: OutboxContext, deed: KeptDeed): Promise<'taken' | 'refused' | 'unanswered'> {
  const { kept, link, now, send, publish } = context;
  try {
    if (deed.kind === 'adjust' && now() - deed.at > COUNT_KEPT_MS)
      throw new ApiError('outdated', texts.outbox.oldCount(deed.place));
    await send(deed);
    kept.remove(deed.key);
    publish({ deed, outcome: 'taken' });
    return 'taken';
  } catch (error) {
    const failure = failureOf(error);
    if (NOT_JUDGED.has(failure.code)) {
      link.isStuck = true;
      kept.countTry(deed.key);
      return 'unanswered';
    }
    removeRefused(kept, deed, failure.message);
    publish({ deed, outcome: 'refused', failure });
    return 'refused';
  }
}

/**
 * Handles a refused action. If an undo of the action is waiting, removes both, because the person wants neither, and
 * because the undo would revert somebody else's work.
 */
function removeRefused(kept: KeptDeeds, deed: KeptDeed, why: string): void {
  const undo = kept.now().deeds.find(({ undoes }) => undoes === deed.key);
  if (deed.kind === 'adjust' || undo !== undefined) kept.remove(deed.key);
  else kept.refuse(deed, why);
  if (undo !== undefined) kept.remove(undo.key);
}

export function failureOf(error: unknown): DeedFailure {
  return { code: error instanceof ApiError ? error.code : 'internal', message: sentenceOf(error) };
}
