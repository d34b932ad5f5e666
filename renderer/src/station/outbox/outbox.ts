import type { Remembered } from '../../remembered.ts';
import * as texts from '../../words/texts.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import {
  type BatchAct,
  type BatchAction,
  type OutboxAction,
  type ActionFailure,
  type Kept,
  type KeptAction,
  type RefusedAction,
  type Remedy,
  isJudged,
  unsent,
} from './actions.ts';
import { createKeptActions, type KeptActions } from './keptActions.ts';
import { isWhole, PartlyBooked, piecesOfCalls } from './sendBatchAction.ts';
import { leftToUndo } from './leftToUndo.ts';
import { handsAfter } from './batchRemedy.ts';
import { isPick, itemOf, shelfOf, takenWith } from './remedy.ts';

/**
 * The result of an action. `cancelled` means that the action was undone before it was sent. `hasWaited` tells whether a refused action waited
 * for the station, so that the person is already at other work.
 */
export type SentAction = {
  action: OutboxAction;
  outcome: 'taken' | 'refused' | 'cancelled';
  failure?: ActionFailure;
  hasWaited?: boolean;
};

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
  refused: readonly RefusedAction[];
  /** How many delayed actions were booked last, and when. Undefined if there were none. */
  sent: { count: number; at: number } | undefined;
  /** Ids of the items with unsent actions. */
  items: ReadonlySet<number>;
  /** Unsent actions in batches. */
  inBatches: readonly BatchAction[];
};

export type OutboxParts = {
  storage: Remembered;
  person: string;
  now(): number;
  send(action: KeptAction): Promise<unknown>;
  /** Sends a refused action again, with this reason for a short. Resolves to the number of pieces to put back. */
  sendAnyway(action: KeptAction, reason?: string): Promise<number>;
  /** Asks the station what can still be done about a refused action. */
  findRemedy(action: KeptAction): Promise<Remedy>;
};

/** A person's actions on the way to the station. They are sent in order. */
export type ActionOutbox = {
  /** Queues an action. An undo of an action that was never sent cancels that action instead, and takes back the press that it would have replaced. */
  add(action: OutboxAction): void;
  /** Sends the waiting actions, unless they are being sent already or the connection is lost. */
  flush(): Promise<void>;
  /** Resolves once all actions are sent, or when the station does not answer. */
  settled(): Promise<void>;
  setLost(isLost: boolean): void;
  /** Books a refused action, with this reason for a short. If that is not possible any more, the notice says what to do instead. */
  bookAnyway(key: string, reason?: string): Promise<void>;
  /** Says that a line was booked with other pieces than the person took, so that these have to be put back. */
  tookMore(key: string): void;
  /** Says that the pieces of a refused action are back at their place. History keeps a line. */
  returned(key: string): void;
  /** Discards a refused action, or one part of it. */
  forget(key: string): void;
  /** Discards a refused action with all its parts. */
  forgetAction(key: string): void;
  state(): OutboxState;
  subscribe(changed: () => void): () => void;
  /** Calls `listener` for each action that was answered or cancelled. Returns a function that removes the listener. */
  listen(listener: (sent: SentAction) => void): () => void;
};

/** The state of an outbox and the parts that its functions share. */
type OutboxContext = OutboxParts & {
  kept: KeptActions;
  link: {
    /** Resolves once the current actions have been sent; undefined if none are being sent. */
    sending: Promise<void> | undefined;
    isLost: boolean;
    /** Whether an action waits because the station did not answer, or the connection was lost. */
    isStuck: boolean;
    sent: OutboxState['sent'];
    /** Keys of the refused actions that are being booked. */
    booking: Set<string>;
  };
  /** Notifies everybody who watches the state. */
  changed(): void;
  /** Notifies the listeners of the result of an action. */
  publish(news: SentAction): void;
};

export function createOutbox(parts: OutboxParts): ActionOutbox {
  const watchers = new Set<() => void>();
  const listeners = new Set<(sent: SentAction) => void>();
  const context: OutboxContext = {
    ...parts,
    kept: createKeptActions(parts.storage, parts.person, changed),
    link: { sending: undefined, isLost: false, isStuck: false, sent: undefined, booking: new Set() },
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
    add: (action) => addAction(context, action),
    flush: () => flush(context),
    settled: () => link.sending ?? Promise.resolve(),
    setLost: (isLost) => setLost(context, isLost),
    async bookAnyway(key, reason) {
      // A second touch must not book the pieces twice.
      if (link.booking.has(key)) return;
      link.booking.add(key);
      try {
        await bookAnyway(context, key, reason);
      } finally {
        link.booking.delete(key);
      }
    },
    tookMore(key) {
      const action = refusedOf(context, key)?.action;
      if (action !== undefined) kept.setRemedy(key, { kind: 'putBack', quantity: takenWith(action) });
    },
    returned: (key) => returned(context, key),
    forget: kept.forget,
    forgetAction(key) {
      const parts = kept.now().refused.filter((each) => each.action.key === key || isPartOf(each.action, key));
      for (const { action } of parts) kept.forget(action.key);
    },
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

const refusedOf = ({ kept }: OutboxContext, key: string): RefusedAction | undefined =>
  kept.now().refused.find(({ action }) => action.key === key);

async function bookAnyway(context: OutboxContext, key: string, reason?: string): Promise<void> {
  const { kept, findRemedy, sendAnyway } = context;
  const action = refusedOf(context, key)?.action;
  if (action === undefined) return;
  const remedy = await findRemedy(action);
  const isAsked = remedy.kind === 'open' && remedy.asks === 'reason' && reason === undefined;
  if (remedy.kind !== 'open' || isAsked) return kept.setRemedy(key, remedy);
  try {
    const left = await sendAnyway(action, reason);
    if (left > 0) kept.setRemedy(key, { kind: 'putBack', quantity: left });
    else kept.forget(key);
  } catch (error) {
    if (!isJudged(failureOf(error).code)) throw error;
    // Another attempt would be refused as well, so the hands have to follow the station.
    kept.setRemedy(key, afterRefusal(action, await findRemedy(action)));
  }
}

function afterRefusal(action: KeptAction, remedy: Remedy): Remedy {
  if (remedy.kind !== 'open') return remedy;
  if (isPick(action)) return { kind: 'putBack', quantity: takenWith(action) };
  return handsAfter(action.kind === 'cart' ? action.act : undefined);
}

function returned(context: OutboxContext, key: string): void {
  const { kept } = context;
  const refused = refusedOf(context, key);
  kept.forget(key);
  if (refused?.remedy?.kind !== 'putBack') return;
  const { orderNumber: order_number, id: item_id } = itemOf(refused.action);
  const { quantity } = refused.remedy;
  const place = shelfOf(refused.action);
  if (quantity !== null && quantity > 0)
    addAction(context, { kind: 'returned', key: `${key}.returned`, order_number, item_id, place, quantity });
}

/** Asks the station about the refused actions of which nothing is known yet. If it does not answer, they are asked about later. */
async function findRemedies(context: OutboxContext): Promise<void> {
  const { kept, findRemedy } = context;
  const unknown = kept.now().refused.filter(({ remedy }) => remedy === undefined);
  await Promise.all(
    unknown.map(async ({ action }) => {
      try {
        const remedy = await findRemedy(action);
        const refused = refusedOf(context, action.key);
        if (refused !== undefined && refused.remedy === undefined) kept.setRemedy(action.key, remedy);
      } catch {
        // The notice offers to book the action, which asks again.
      }
    }),
  );
}

function stateOf({ kept, link }: OutboxContext): OutboxState {
  const { actions, refused } = kept.now();
  const waiting = unsent(actions);
  return {
    waiting,
    isStuck: waiting > 0 && link.isStuck,
    refused,
    sent: link.sent,
    items: new Set(actions.filter(({ kind }) => kind !== 'adjust').map(({ item_id: id }) => id)),
    inBatches: actions.filter((action) => action.kind === 'cart'),
  };
}

function addAction(context: OutboxContext, action: OutboxAction): void {
  const { kept, link, now, publish } = context;
  const undone = undoneBy(action, kept.now());
  if (undone !== undefined && undone.tries === 0 && !isBeingSent(context, undone)) {
    kept.remove(undone.key);
    const left = leftToUndo(action, undone);
    if (left === undefined) publish({ action, outcome: 'cancelled' });
    else keep(left);
    return;
  }
  keep(action, undone === undefined ? {} : { undoes: undone.key });

  function keep(added: OutboxAction, undoes: { undoes?: string } = {}): void {
    link.isStuck ||= link.isLost;
    kept.add({ ...added, at: now(), tries: 0, ...undoes }, replacedCounts(context, added));
    void flush(context);
  }
}

/** Returns the unanswered action that an undo reverts, if any. */
function undoneBy(undo: OutboxAction, { actions }: Kept): KeptAction | undefined {
  if (undo.kind === 'cart') return actions.find(({ key }) => key === undo.takesBack);
  if (undo.kind !== 'undo') return undefined;
  const last = actions.findLast(({ item_id: id, kind }) => id === undo.item_id && kind !== 'adjust');
  return last?.kind === 'confirm' || last?.kind === 'short' ? last : undefined;
}

/** Returns the keys of the unsent counts that a newer count for the same command replaces. */
function replacedCounts(context: OutboxContext, action: OutboxAction): ReadonlySet<string> {
  if (action.kind !== 'adjust') return new Set();
  const older = context.kept
    .now()
    .actions.filter((each) => each.kind === 'adjust' && each.command_id === action.command_id)
    .filter((each) => !isBeingSent(context, each));
  return new Set(older.map(({ key }) => key));
}

function isBeingSent({ kept, link }: OutboxContext, action: KeptAction): boolean {
  return link.sending !== undefined && kept.now().actions[0] === action;
}

function setLost(context: OutboxContext, isLost: boolean): void {
  const { kept, link, changed } = context;
  if (link.isLost === isLost) return;
  link.isLost = isLost;
  if (isLost && kept.now().actions.length > 0) link.isStuck = true;
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
  const nextAction = () => (link.isLost ? undefined : kept.now().actions[0]);
  let count = 0;
  let wasStuck = link.isStuck;
  kept.adoptStored();
  for (let action = nextAction(); action !== undefined; action = nextAction()) {
    wasStuck ||= action.tries > 0;
    // oxlint-disable-next-line no-await-in-loop -- actions are sent in order
    const outcome = await sendFirst(context, action);
    if (outcome === 'unanswered') break;
    if (outcome === 'taken' && wasStuck && action.kind !== 'adjust') count += 1;
  }
  if (kept.now().actions.length === 0) link.isStuck = false;
  void findRemedies(context);
  if (count > 0) link.sent = { count, at: now() };
  changed();
}

/** Sends the first action. Removes the action, unless the station gave no answer about it. */
async function sendFirst(context: OutboxContext, action: KeptAction): Promise<'taken' | 'refused' | 'unanswered'> {
  const { kept, link, now, send, publish } = context;
  try {
    if (action.kind === 'adjust' && now() - action.at > COUNT_KEPT_MS)
      throw new ApiError('outdated', texts.outbox.oldCount(action.place));
    await send(action);
    kept.remove(action.key);
    publish({ action, outcome: 'taken' });
    return 'taken';
  } catch (error) {
    const failure = failureOf(error);
    if (!isJudged(failure.code)) {
      link.isStuck = true;
      kept.countTry(action.key);
      return 'unanswered';
    }
    removeRefused(kept, action, restOf(action, error), failure.message);
    publish({ action, outcome: 'refused', failure, hasWaited: link.isStuck });
    return 'refused';
  }
}

/** Whether a refused action is a part of the action with this key. */
const isPartOf = (action: KeptAction, key: string): boolean =>
  action.key.startsWith(`${key}.`) && /^\d+$/.test(action.key.slice(key.length + 1));

/**
 * Splits a refused action in a batch into its items or pieces, because each may need a different answer. The
 * first part keeps the key.
 */
function partsOf(action: KeptAction): KeptAction[] {
  if (action.kind !== 'cart') return [action];
  return partsOfAct(action.act).map((act, index) => ({
    ...action,
    key: index === 0 ? action.key : `${action.key}.${index}`,
    act,
  }));
}

function partsOfAct(act: BatchAct): BatchAct[] {
  if (isWhole(act)) return [act];
  if ('pieces' in act) return piecesOfCalls(act).map((pieces) => ({ ...act, pieces }));
  if (act.does !== 'pick') return [act];
  const items = [...Map.groupBy(act.shares, ({ item_id: item }) => item).values()];
  return items.map((shares) => ({
    ...act,
    shares,
    quantity: shares.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
}

/** Returns the part of an action that the station did not book. */
function restOf(action: KeptAction, error: unknown): KeptAction {
  return error instanceof PartlyBooked && action.kind === 'cart' ? { ...action, act: error.rest } : action;
}

/**
 * Handles a refused action. If an undo of the action is waiting, removes both, because the person wants neither, and because the undo would revert
 * somebody else's work. The undo of what is booked stays.
 */
function removeRefused(kept: KeptActions, action: KeptAction, rest: KeptAction, why: string): void {
  const { key, kind } = action;
  const undo = kept.now().actions.find(({ undoes }) => undoes === key);
  if (kind === 'adjust' || kind === 'returned' || undo !== undefined) kept.remove(key);
  else {
    const parts = partsOf(rest);
    // An action without pieces has no parts. It must not stay the first one to send.
    for (const part of parts.length === 0 ? [rest] : parts) kept.refuse(part, why);
  }
  if (undo === undefined) return;
  const left = leftToUndo(undo, action, rest);
  if (left === undefined) kept.remove(undo.key);
  else kept.replace(left);
}

export function failureOf(error: unknown): ActionFailure {
  return { code: error instanceof ApiError ? error.code : 'internal', message: sentenceOf(error) };
}
