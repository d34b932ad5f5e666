import type { Put, PutResult, PutUndo } from '#shared/api/batch.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { quantityOf } from '../../domain/commands/commandQueue.ts';
import { handFor, piecesAside } from '../../domain/batches/puts.ts';
import type { BatchContent, HeldPieces } from '../../domain/batches/types.ts';
import { findPutSingle } from '../../domain/batches/wall.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import { bookedAt } from '../base/index.ts';
import type { OwnedEnd } from '../commands/index.ts';
import { apply, articleWords, getBatch } from './apply.ts';
import { refuseFreed } from './freedSlots.ts';
import { holdAgain, refuseOtherBatch } from './holdAgain.ts';
import { absentFrom, dimSlot, flashSlot, lightSlotAgain } from './lights.ts';
import { personBehind } from './picks.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/** How long a press at an unlit slot reports whose pieces an earlier press has put there. */
const TOLD_MS = 30_000;

/** Puts pieces in hand into slots. Throws `not_found`, `invalid`, or `conflict` if nothing is in hand. */
export function putPieces(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { slot, all = false, item_id: itemId, quantity }: Put,
  doer: Doer,
): PutResult {
  const open = getBatch(context.repositories, id);
  if (all && (slot !== undefined || itemId !== undefined || quantity !== undefined)) {
    const message = 'all puts the whole hand. Send it without slot, item_id and quantity, or leave it out.';
    throw new StationError('invalid', message, [{ path: '/all', message }]);
  }
  const { kind } = open.batch;
  if (piecesAside(open.batch).length === 0) {
    const remedy = kind === 'cart' ? 'pick first' : 'scan an article first';
    throw new StationError('nothing_in_hand', `Nothing is in hand: ${remedy}.`);
  }
  const by = holderOf(context, open, doer);
  if (all || slot === undefined) {
    if (!all) throw new StationError('invalid', 'Send slot or all.', [{ path: '/slot', message: 'Send slot or all.' }]);
    return put(context, tx, open, { kind: 'putAll', by }, doer);
  }
  getSlot(open, slot);
  const [first] = handFor(open.batch, slot, { itemId, by });
  if (first === undefined) return wrongSlot(context, tx, open, slot, { ...doer, of: by });
  if (open.batch.putConfirmation === 'once' && itemId === undefined && quantity === undefined)
    return put(context, tx, open, { kind: 'putAll', by: kind === 'cart' ? by : first.hand.by }, doer);
  return put(context, tx, open, { kind: 'put', slot, itemId, quantity, by }, doer);
}

/**
 * Returns the person whose pieces the caller puts, or an empty string for pieces of nobody. A person puts their own pieces, or else those of
 * nobody. A program puts those of nobody, or else those of the only person who holds pieces and has not left. At a wall, returns undefined
 * unless the caller holds pieces: then the pieces scanned first are put. Throws `nothing_in_hand` if only other people hold pieces, and
 * `conflict` if a program has to name the person.
 */
function holderOf(context: BatchesContext, { row, batch }: Open, doer: Doer): string | undefined {
  const name = personOf(context, doer);
  const holders = new Set(piecesAside(batch).map(({ by }) => by));
  if (holders.has(name)) return name;
  if (batch.kind !== 'cart') return undefined;
  if (holders.has('')) return '';
  const names = [...holders].join(' and ');
  if (name !== '')
    throw new StationError(
      'nothing_in_hand',
      `${name} holds nothing for ${row.carrierName}; ${names} ${holders.size > 1 ? 'hold' : 'holds'} pieces. POST .../hand/ takes them.`,
    );
  const absent = absentFrom(context.repositories.batches, row, batch);
  const [only, ...others] = [...holders].filter((holder) => !absent.has(holder));
  if (only === undefined)
    throw new StationError(
      'conflict',
      `${names} left pieces for ${row.carrierName} in hand. POST .../hand/ takes them, or send picker to say whose you put.`,
    );
  if (others.length === 0) return only;
  throw new StationError('conflict', `${names} hold pieces for ${row.carrierName}. Send picker to say whose you put.`);
}

/**
 * Returns the name of the person who acts, or an empty string for a program that acts for nobody. Pieces of such a program belong to
 * everyone.
 */
function personOf({ repositories }: BatchesContext, { picker, by }: Doer): string {
  return repositories.accounts.findUser(picker ?? by)?.username ?? '';
}

/**
 * Puts pieces when a slot is scanned. Pieces that were picked without a person belong to everyone. Returns undefined if the caller has
 * nothing to put.
 */
export function putByScan(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  asked: Put,
  doer: Doer,
): PutResult | undefined {
  const { batch } = getBatch(context.repositories, id);
  const isOwn = piecesAside(batch).some(({ by }) => by === '' || nameKey(by) === nameKey(doer.picker ?? doer.by));
  return isOwn ? putPieces(context, tx, id, asked, doer) : undefined;
}

function put(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  event: Parameters<typeof apply>[3],
  doer: Doer,
): PutResult {
  const after = apply(context, tx, open, event, doer);
  const put = aside(open.batch) - aside(after.batch);
  const says = put === 1 ? '1 piece put.' : `${put} pieces put.`;
  const by = 'by' in event ? event.by : undefined;
  return { result: 'put', says, quantity: put, expected: expectedOf(after.batch, by) };
}

function aside(batch: BatchContent): number {
  return piecesAside(batch).reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Lists the slots where the pieces in hand belong. At a wall, `by` limits the list to that person's pieces. */
function expectedOf(batch: BatchContent, by: string | undefined): PutResult['expected'] {
  return batch.slots.flatMap(({ slot }) => {
    const quantity = handFor(batch, slot, { by }).reduce((sum, { hand }) => sum + hand.quantity, 0);
    return quantity === 0 ? [] : [{ slot, quantity }];
  });
}

/** Reports a wrong slot, lights the slot's device red and lists the slots where the pieces belong. Books nothing. */
function wrongSlot(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  slot: string,
  { by, of }: Doer & { of?: string | undefined },
): PutResult {
  const expected = expectedOf(open.batch, of);
  const deviceId = context.repositories.carriers.findDeviceAt(open.row.carrierId, slot, 'front');
  if (deviceId !== undefined)
    flashSlot(context, tx, deviceId, { isWrong: true, lines: ['WRONG SLOT', ...where(expected)], by });
  const says = `That was ${slot}. ${where(expected).join(', ')}.`;
  tx.emit({ type: 'batch.wrong_slot', batch_id: open.row.id, slot });
  return { result: 'wrong_slot', says, quantity: 0, expected };
}

function where(expected: PutResult['expected']): string[] {
  return expected.map(({ slot, quantity }) => `Put ${quantity} into ${slot}`);
}

/** Moves pieces from a slot back into the hand. Throws `not_found`, or `conflict` if the slot holds fewer pieces. */
export function undoPut(context: BatchesContext, tx: Transaction, id: number, ask: PutUndo, doer: Doer): void {
  const open = getBatch(context.repositories, id);
  const { slot, item_id: itemId, quantity } = ask;
  if (ask.instead === true) return putInstead(context, tx, open, ask, doer);
  if (slot === undefined) return undoSingle(context, tx, open, itemId, doer);
  getSlot(open, slot);
  const by = personOf(context, doer);
  const after = apply(context, tx, open, { kind: 'putUndone', slot, itemId, quantity, by }, doer);
  if (after.batch !== open.batch) return;
  const share = open.batch.shares.find((each) => each.slot === slot && each.itemId === itemId);
  const there =
    share === undefined || share.put === 0
      ? 'no pieces'
      : `only ${share.put === 1 ? '1 piece' : `${share.put} pieces`}`;
  throw new StationError(
    'conflict',
    `Slot ${slot} holds ${there} of ${articleWords(context.repositories, itemId)}. Nothing was changed.`,
  );
}

/**
 * Returns the pieces that the last press at a slot put to the person whose pieces they were, and puts the caller's own pieces, for which the
 * press was intended. With `once`, and without a quantity, this means the whole hands. Throws `conflict` if the caller's pieces have been put since.
 */
function putInstead(
  context: BatchesContext,
  answered: Transaction,
  open: Open,
  { slot, item_id: itemId, quantity }: PutUndo,
  doer: Doer,
): void {
  const { batches } = context.repositories;
  const back = slot === undefined ? [] : batches.listPressed(open.row.id, slot);
  const [first] = back;
  if (slot === undefined || first === undefined) {
    const message = 'No press at this slot is known. Undo the put, then put your own pieces.';
    throw new StationError('conflict', message);
  }
  const itemOf = new Map(open.batch.shares.map((share) => [share.id, share.itemId]));
  // A later press at the slot put something else.
  if (!back.some(({ shareId }) => itemOf.get(shareId) === itemId))
    throw new StationError('conflict', 'Both are booked. Nothing was changed.');
  const by = personOf(context, doer);
  const isMeant = (shareId: number): boolean => open.batch.shares.find(({ id }) => id === shareId)?.slot === slot;
  const own = piecesAside(open.batch).filter((hand) => hand.by === by && by !== first.by);
  const there = own.filter(({ shareId }) => isMeant(shareId));
  const isWhole = open.batch.putConfirmation === 'once' && quantity === undefined && there.length > 0;
  const put = isWhole ? own : upTo(there, quantity ?? Infinity);
  const event = { kind: 'exchanged', back, put } as const;
  refuseFreed(open, event);
  // At a wall without picking, the press also picked the pieces, so a later count already excludes them.
  const booked = context.repositories.items.find(itemId);
  const tx = booked === undefined ? answered : bookedAt(answered, booked);
  const after = apply(context, tx, open, event, doer);
  if (after.batch === open.batch) throw new StationError('conflict', 'Both are booked. Nothing was changed.');
  batches.forgetPressed(open.row.id, slot);
}

/** Returns the first pieces, at most this many. */
function upTo(hands: readonly HeldPieces[], quantity: number): HeldPieces[] {
  let rest = quantity;
  return hands.flatMap((hand) => {
    const pieces = Math.min(rest, hand.quantity);
    rest -= pieces;
    return pieces === 0 ? [] : [{ ...hand, quantity: pieces }];
  });
}

type SlotPress = { open: Open; after: Open; slot: string; by: string; ended: OwnedEnd };

/** Records what a press at a slot put, and reports it if other people hold pieces for the slot. */
function noteSlotPress(context: BatchesContext, tx: Transaction, { open, after, slot, by, ended }: SlotPress): void {
  const held = (batch: BatchContent, { shareId }: HeldPieces): number =>
    piecesAside(batch).find((hand) => hand.by === by && hand.shareId === shareId)?.quantity ?? 0;
  const pieces = piecesAside(open.batch)
    .filter((hand) => hand.by === by)
    .map((hand) => ({ ...hand, quantity: hand.quantity - held(after.batch, hand) }))
    .filter(({ quantity }) => quantity > 0);
  context.repositories.batches.setPressed({ batchId: open.row.id, slot, pickId: null }, pieces);
  const shareOf = new Map(open.batch.shares.map((share) => [share.id, share]));
  const absent = absentFrom(context.repositories.batches, open.row, open.batch);
  const there = pieces.flatMap(({ shareId, quantity }) => {
    const share = shareOf.get(shareId);
    return share?.slot === slot ? [{ share, quantity }] : [];
  });
  const waiting = new Map<string, number>();
  for (const hand of piecesAside(open.batch)) {
    const share = shareOf.get(hand.shareId);
    if (share?.slot !== slot || hand.by === by || hand.by === '' || absent.has(hand.by)) continue;
    waiting.set(hand.by, waiting.get(hand.by) ?? share.itemId);
  }
  const [first] = there;
  if (first === undefined || waiting.size === 0) return;
  const { share } = first;
  const quantity = there.reduce((sum, each) => sum + each.quantity, 0);
  if (by !== '')
    context.repositories.batches.addAlready({
      batchId: open.row.id,
      slot,
      picker: by,
      quantity,
      now: tx.now,
      ms: TOLD_MS,
    });
  tx.emit({
    type: 'line.booked',
    deviceid: ended.command.deviceId,
    at: isoTime(ended.recorded.at),
    location: slot,
    order_number: share.orderNumber,
    item_id: share.itemId,
    quantity,
    before: share.put,
    picker: by === '' ? null : by,
    waiting: [...waiting].map(([picker, itemId]) => ({ picker, item_id: itemId })),
    quiet: false,
    batch: String(open.row.id),
    slot,
    pieces: pieces.flatMap(({ shareId, quantity }) => {
      const of = shareOf.get(shareId);
      if (of === undefined) return [];
      return [{ slot: of.slot, order_number: of.orderNumber, item_id: of.itemId, quantity }];
    }),
  });
}

/** Reverts the put of a single-piece shipment that went straight to packing. */
function undoSingle(context: BatchesContext, tx: Transaction, open: Open, itemId: number, doer: Doer): void {
  const { row, batch } = open;
  const single = row.singles === 1 ? findPutSingle(batch, itemId) : undefined;
  if (single === undefined) {
    const message = `${articleWords(context.repositories, itemId)} did not go straight to packing. Choose the slot that holds its pieces.`;
    throw new StationError('conflict', message);
  }
  refuseOtherBatch(context, open);
  holdAgain(context, open, single);
  apply(context, tx, open, { kind: 'putUndone', slot: undefined, itemId, by: personOf(context, doer) }, doer);
}

/** Throws `not_found`. */
export function getSlot({ row, batch }: Open, name: string): BatchContent['slots'][number] {
  const slot = batch.slots.find((each) => each.slot === name);
  if (slot !== undefined) return slot;
  throw new StationError('not_found', `${row.carrierName} has no slot ${name}.`);
}

/** Handles the end of a slot's command, such as a press or a timeout. */
export function slotEnded(context: BatchesContext, tx: Transaction, ended: OwnedEnd): void {
  const { command, end, by, for: forWhom } = ended;
  const of = context.repositories.batches.findSlot(ended.owner.id);
  if (of === undefined) return;
  const open = getBatch(context.repositories, of.batchId);
  if (end.kind === 'timedOut') dimSlot(context, tx, open.row, open.batch, of.slot);
  if (end.kind !== 'acknowledged') return;
  const absent = absentFrom(context.repositories.batches, open.row, open.batch);
  const hand = handFor(open.batch, of.slot, { absent });
  // The device shows this person's number of pieces, so the put is theirs.
  const whose = hand[0]?.hand.by;
  const picker = whose || personBehind(context, open, { by, for: forWhom });
  const doer = { by, picker, at: end.at };
  if (hand.length > 0 && command.content.quantity !== null) {
    const isWhole = end.qty === quantityOf(command) && command.adjusted === null;
    const first = hand[0]?.share.itemId;
    const isAll = isWhole && open.batch.putConfirmation === 'once';
    const event = isAll
      ? ({ kind: 'putAll', by: whose, isExact: true } as const)
      : ({ kind: 'put', slot: of.slot, itemId: first, quantity: end.qty, by: whose, isExact: true } as const);
    const after = apply(context, tx, open, event, doer);
    if (by === 'device') noteSlotPress(context, tx, { open, after, slot: of.slot, by: whose ?? '', ended });
    if (after.batch !== open.batch) return;
  }
  lightSlotAgain(context, tx, open.row, open.batch, of.slot);
  if (getSlot(open, of.slot).state === 'complete')
    tx.emit({ type: 'batch.slot_pressed', batch_id: open.row.id, slot: of.slot });
}

/**
 * Handles a short press on a slot device that is not lit. Reports a wrong slot if pieces in hand belong elsewhere; otherwise shows what the
 * slot holds. After a press that put pieces of a person while others waited, tells whose pieces are in the slot already.
 */
export function slotPressedDark(context: BatchesContext, tx: Transaction, deviceId: string): void {
  const { batches, carriers } = context.repositories;
  const serves = carriers.findDevice(deviceId);
  const id = serves === undefined ? undefined : batches.findLiveSlots(serves.carrierId);
  if (serves === undefined || id === undefined) return;
  const open = getBatch(context.repositories, id);
  const absent = absentFrom(context.repositories.batches, open.row, open.batch);
  const isHeld = piecesAside(open.batch).some(({ by }) => !absent.has(by));
  const already = batches.listAlready({ batchId: id, slot: serves.slot, now: tx.now, ms: TOLD_MS });
  if (already.length > 0) tx.emit({ type: 'batch.wrong_slot', batch_id: id, slot: serves.slot, already });
  else if (isHeld && handFor(open.batch, serves.slot, { absent }).length === 0) {
    wrongSlot(context, tx, open, serves.slot, { by: open.row.picker ?? '' });
    return;
  }
  const slot = open.batch.slots.find((each) => each.slot === serves.slot);
  const held = slot?.state === 'free' ? null : slot?.held;
  const lines = [held?.orderNumber ?? 'FREE'];
  flashSlot(context, tx, deviceId, { isWrong: false, lines, by: open.row.picker ?? '' });
}
