import type { RefObject } from 'react';
import type { ScanResult } from '#shared/api/picking.ts';
import { type Scan, windowScans } from '../../../scan/windowScans.ts';
import type { AnswerSounds } from '../../../sound/answerSounds.ts';
import type { Api } from '../../../station/calls/api.ts';
import { newKey } from '../../../station/outbox/actions.ts';
import { type ActionOutbox, failureOf } from '../../../station/outbox/outbox.ts';
import type { NamedDevice } from '../../../station/places.ts';
import * as texts from '../../../words/texts.ts';
import { carrierOf } from '../../../station/liveBatches.ts';
import type { KeptPresses } from '../whose/usePresses.ts';
import { loadNames, runBatchCall, sortAtWall } from './batchCalls.ts';
import { isSame } from './batchPeople.ts';
import { hasLines } from './batchSteps.ts';
import type { BatchCall, BatchEffect, BatchInput, BatchRead, BatchSession, NamedCarrier } from './batchTypes.ts';

/** What the page around the session provides. `isLost` tells whether the connection to the station is lost. */
export type Around = {
  leave(): void;
  /** Opens the pack page of the cart or wall. */
  pack(): void;
  openCarrier(carrier: NamedCarrier): void;
  isLost: boolean;
  /** Finds a device that the page knows. */
  placeNamed(code: string): NamedDevice | undefined;
};

/** What the page provides for the effects of a session at a cart or wall. */
export type EffectContext = {
  api: Api;
  me: string;
  carrier: NamedCarrier;
  /** The person's outbox, or undefined if nobody is signed in. */
  outbox: ActionOutbox | undefined;
  sounds: AnswerSounds;
  presses: KeptPresses;
  around: RefObject<Around>;
  /** Whether the page is still shown. */
  isShown: RefObject<boolean>;
  /** The current state of the session. */
  now: RefObject<BatchSession>;
  batchId: RefObject<number | undefined>;
  /** Resolves once earlier scans and calls have been handled, because scans are handled one at a time. */
  scans: RefObject<Promise<void>>;
  read(): Promise<BatchRead>;
  reread(): void;
  dispatch(event: BatchInput): void;
};

type EffectOf<Kind extends BatchEffect['do']> = Extract<BatchEffect, { do: Kind }>;

/** Runs an effect of the session, which receives the result as an event. */
export function runEffect(context: EffectContext, effect: BatchEffect): void {
  const { outbox, sounds, around, dispatch } = context;
  switch (effect.do) {
    case 'keep':
      return outbox?.add(effect.action);
    case 'forget':
      return outbox?.forgetAction(effect.key);
    case 'answered':
      return context.presses.answered(effect.press, effect.by);
    case 'calm':
      return context.presses.calm();
    case 'call':
      return beforeScans(context, call(context, effect.call));
    case 'scan':
      return afterScans(context, () => scan(context, effect.scan));
    case 'verify':
      return afterScans(context, () => verify(context, effect));
    case 'sort':
      return afterScans(context, () => sort(context, effect));
    case 'later':
      return afterScans(context, () => dispatch(effect.input));
    case 'names':
      return void loadOrderNames(context, effect.orders);
    case 'play':
      return sounds[effect.answer]();
    case 'find':
      return afterScans(context, () => find(context, effect));
    case 'open':
      return context.isShown.current ? around.current.openCarrier(effect.carrier) : undefined;
    case 'busy':
      return;
    case 'press':
      return effect.press();
    case 'leave':
      return around.current.leave();
    case 'pack':
      return around.current.pack();
    case 'clearTyped':
      return windowScans().clearTyped();
  }
}

/** Lets later scans wait for a call. The call itself waits for no scan. */
function beforeScans({ scans }: EffectContext, done: Promise<void>): void {
  scans.current = Promise.all([scans.current, done]).then(() => undefined);
}

function afterScans({ scans }: EffectContext, run: () => Promise<void> | void): void {
  scans.current = scans.current.then(run);
}

/** Asks the station what a code means. If the station does not know the code, tries its second spelling. */
async function askStation(
  { api, me }: EffectContext,
  asked: Scan,
  about: { intent?: 'verify'; item_id?: number } = {},
) {
  const result = await api.scan({ body: { code: asked.code, picker: me, ...about } });
  const isKnown = about.intent === 'verify' ? result.verified : result.result !== 'unknown';
  if (isKnown || asked.second === undefined) return { scan: asked, result };
  const second = { ...asked, code: asked.second };
  return { scan: second, result: await api.scan({ body: { code: asked.second, picker: me, ...about } }) };
}

async function scan(context: EffectContext, asked: Scan): Promise<void> {
  const { around, dispatch } = context;
  if (around.current.isLost) {
    const failure = { code: 'unreachable', message: texts.failure.unreachable } as const;
    return dispatch({ kind: 'unanswered', scan: asked, failure, place: around.current.placeNamed(asked.code) });
  }
  try {
    dispatch({ kind: 'answered', ...(await askStation(context, asked)) });
  } catch (error) {
    // The call can fail before the page notices that the station is away.
    const failure = failureOf(error);
    const place = failure.code === 'unreachable' ? around.current.placeNamed(asked.code) : undefined;
    dispatch({ kind: 'unanswered', scan: asked, failure, place });
  }
}

async function verify(context: EffectContext, { scan: asked, itemId }: EffectOf<'verify'>): Promise<void> {
  const about = { kind: 'verified', scan: asked, itemId } as const;
  try {
    const answered = await askStation(context, asked, { intent: 'verify', item_id: itemId });
    context.dispatch({ ...about, ...answered });
  } catch (error) {
    context.dispatch({ ...about, failure: failureOf(error) });
  }
}

/**
 * Sorts an article. Loads the lit slots before it passes the result to the session, because the next scan may be the
 * code of a slot.
 */
async function sort(context: EffectContext, { scan: asked, itemId, lost }: EffectOf<'sort'>): Promise<void> {
  const { api, me, now, outbox, read, reread, dispatch } = context;
  const batch = now.current.read?.batch?.id ?? 0;
  // Wait for puts that are being sent.
  await outbox?.settled();
  let key = lost?.batch === batch ? lost.key : newKey();
  const send = async () => {
    const result = await sortAtWall(api, { batch, picker: me, scan: asked, itemId, key });
    return { result, after: await read().catch(() => undefined) };
  };
  try {
    let sorted = await send();
    if (key === lost?.key && isOver(sorted, me)) {
      key = newKey();
      sorted = await send();
    }
    const { result, after } = sorted;
    dispatch({ kind: 'sorted', scan: asked, result });
    if (after !== undefined) dispatch({ kind: 'read', read: after });
  } catch (error) {
    const failure = failureOf(error);
    const sent = { batch, code: asked.code, count: asked.count, itemId, key };
    dispatch({ kind: 'sorted', scan: asked, failure, ...(failure.code === 'unreachable' ? { lost: sent } : {}) });
  }
  reread();
}

/**
 * Whether the pieces in the answer to a repeated scan have been put in the meantime. The article in hand is then another
 * piece.
 */
function isOver({ result, after }: { result: ScanResult; after: BatchRead | undefined }, me: string): boolean {
  const { batch } = after ?? {};
  if (result.result !== 'put' || batch === undefined || batch.put_confirmation === 'none') return false;
  const lit = batch.scanned.filter(({ by }) => isSame(by, me));
  return !(result.shares ?? []).every((share) =>
    lit.some(({ item_id: item, slot }) => item === share.item_id && slot === share.slot),
  );
}

async function find(
  { api, carrier: own, reread, dispatch }: EffectContext,
  { batch, scan: asked }: EffectOf<'find'>,
): Promise<void> {
  try {
    const carrier = carrierOf(await api.getBatch({ path: { id: batch } }));
    dispatch({ kind: 'found', scan: asked, carrier });
    if (carrier?.kind === own.kind && carrier.id === own.id) reread();
  } catch (error) {
    dispatch({ kind: 'found', scan: asked, failure: failureOf(error) });
  }
}

async function call(context: EffectContext, asked: BatchCall): Promise<void> {
  const { api, carrier, now, batchId, outbox, read, reread, dispatch } = context;
  // Wait until earlier actions have been sent.
  await outbox?.settled();
  try {
    const { firstCart, read: shown } = now.current;
    const done = await runBatchCall(api, { carrier: { ...carrier, firstCart }, batch: shown?.batch }, asked);
    if (done.batch !== undefined) batchId.current = done.batch.state === 'done' ? undefined : done.batch.id;
    // The next code may be a place of the walk, or a command for its first line.
    const after = hasLines(asked) ? await read().catch(() => undefined) : undefined;
    dispatch({ kind: 'called', call: asked, ...done });
    if (after !== undefined) dispatch({ kind: 'read', read: after });
  } catch (error) {
    dispatch({ kind: 'called', call: asked, failure: failureOf(error) });
  }
  reread();
}

async function loadOrderNames({ api, dispatch }: EffectContext, orders: readonly string[]): Promise<void> {
  dispatch({ kind: 'names', names: await loadNames(api, orders) });
}
