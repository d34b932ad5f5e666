import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { isLaunched, openOf, pickedOf, sumAt } from '../../domain/batches/shares.ts';
import type { BatchContent, Share } from '../../domain/batches/types.ts';
import { sameTarget } from '../../domain/commands/commandQueue.ts';
import { pickerAt, type When } from '../../domain/orders/formerPickers.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import type { DarkPress, OwnedEnd, ShownWork } from '../commands/index.ts';
import { getPerson } from '../orders/index.ts';
import { apply, getBatch } from './apply.ts';
import { lightHands } from './lights.ts';
import { giveReason, movable, moveMissing } from './missing.ts';
import { assign, giveTo, joinAll, passOn, pauseOtherWork, pickersOf, setPickers } from './people.ts';
import { insertSharedPicks } from './sharedPicks.ts';
import type { BatchesContext, Open } from './types.ts';

/**
 * Lights everything that has to be picked, with one light for each place and article. Returns a warning if nothing was lit. Throws
 * `not_found`, `invalid` or `conflict`.
 */
export function launchBatch(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { by, picker: named, color }: { by: string; picker?: string | undefined; color?: string | undefined },
): string | undefined {
  const { batches } = context.repositories;
  const found = getBatch(context.repositories, id);
  if (found.row.state === 'done') throw new StationError('conflict', `${found.row.carrierName} is done.`);
  if (found.batch.shares.length === 0)
    throw new StationError('conflict', `${found.row.carrierName} has no orders. POST .../slots/ adds one.`);
  const person = named === undefined ? undefined : getPerson(context.repositories.accounts, named);
  const isGoingOn = isLaunched(found.batch);
  const isHelper = isGoingOn && batches.listHelpers(id).some(({ name }) => name === person?.name);
  const main = isHelper ? undefined : person;
  const row = {
    ...found.row,
    picker: main?.name ?? found.row.picker,
    color: color ?? main?.color ?? found.row.color,
  };
  if (isGoingOn) setPickers(context.repositories, found.row, row, batches.listHelpers(id));
  else joinAll(context, tx, { before: found.row, after: row }, by);
  if (person !== undefined) pauseOtherWork(context, tx, person.name, { by, but: id });
  batches.update(row, tx.now);
  const open = { ...found, row };
  const isTakenOver = isGoingOn && row.picker !== found.row.picker;
  const ofMain = isTakenOver ? batches.listPicks(id).filter(({ picker }) => picker === null) : [];
  assign(context, tx, open, ofMain, { to: null, by });
  const waiting = open.batch.shares.filter((share) => openOf(share) > 0 && share.pickId === null);
  const isWall = open.batch.kind === 'wall';
  if (isWall) launchDark(context, tx, open, by);
  const picks = isWall ? new Map<number, number>() : placeShares(context, tx, row.id, waiting, by);
  apply(context, tx, open, { kind: 'launched', picks }, { by, picker: row.picker ?? undefined, color: row.color });
  lightHands(context, tx, row);
  return isWall || isTakenOver || picks.size > 0 || wasDark(found) ? undefined : nothingLit(found, color);
}

/** Whether a launch turns on lights that were off, ignoring lights for new shares. */
function wasDark({ row, batch }: Open): boolean {
  return row.state !== 'picking' && batch.shares.some((share) => openOf(share) > 0);
}

function nothingLit({ row: { carrierName }, batch }: Open, color: string | undefined): string {
  if (batch.shares.every((share) => openOf(share) === 0))
    return `${carrierName} has nothing left to pick. Nothing was lit.`;
  return `${carrierName} is already being picked. Nothing was lit.${color === undefined ? '' : ' The color applies only to what a launch lights.'}`;
}

/** Launches the items of a wall, which have no lights. */
function launchDark(context: BatchesContext, tx: Transaction, { batch }: Open, by: string): void {
  const byOrder = new Map<number, Set<number>>();
  for (const { orderId, itemId } of notLaunched(context, batch))
    byOrder.set(orderId, (byOrder.get(orderId) ?? new Set()).add(itemId));
  for (const [orderId, itemIds] of byOrder) context.batchWork.launch(tx, orderId, itemIds, by);
}

function notLaunched({ repositories }: BatchesContext, { shares }: BatchContent): Share[] {
  return shares.filter((share) => openOf(share) > 0 && repositories.items.find(share.itemId)?.state === 'open');
}

/**
 * Assigns a pick to each share. Shares of the same article at the same place get the same pick. Returns the pick's id for each share's id.
 */
function placeShares(
  context: BatchesContext,
  tx: Transaction,
  batchId: number,
  shares: readonly Share[],
  by: string,
): Map<number, number> {
  const { items } = context.repositories;
  const byOrder = new Map<number, Share[]>();
  for (const share of shares) byOrder.set(share.orderId, [...(byOrder.get(share.orderId) ?? []), share]);
  const pickOf = insertSharedPicks(context.repositories.batches, batchId);
  const picks = new Map<number, number>();
  for (const [orderId, own] of byOrder) {
    const lines = context.batchWork.launch(tx, orderId, new Set(own.map(({ itemId }) => itemId)), by);
    const targetOf = new Map(lines.map(({ itemId, target }) => [itemId, target]));
    for (const share of own) {
      const target = targetOf.get(share.itemId);
      const item = items.find(share.itemId);
      const text = item?.place ?? item?.warehouseLocation ?? '';
      const name = target === undefined ? text : target.alias === '' ? target.label : target.alias;
      const key = [target?.deviceId ?? '', target === undefined ? name : sameTarget(target.target), share.article];
      picks.set(
        share.id,
        pickOf(key, () => ({ target, location: name, place: item?.place ?? null, picker: null })),
      );
    }
  }
  return picks;
}

/**
 * Hands open lines over to another person, in that person's color. If `from` (by default the caller) picks the batch together with others,
 * hands over only the lines of `from`. Otherwise hands over all lines; the batch then pauses if the other person is picking something else.
 * Throws `not_found`, `invalid` or `conflict`.
 */
export function handOverBatch(
  context: BatchesContext,
  tx: Transaction,
  id: number,
  { to, from, by, isPicker }: { to: string; from?: string | undefined; by: string; isPicker: boolean },
): void {
  const open = getBatch(context.repositories, id);
  if (open.row.state === 'done') throw new StationError('conflict', `${open.row.carrierName} is done.`);
  const own = context.repositories.accounts.findUser(by)?.username;
  const pickers = pickersOf(context.repositories, open.row).map((each) => each.name);
  const isOneOf = own !== undefined && pickers.includes(own);
  if (isPicker && !isOneOf)
    throw new StationError(
      'conflict',
      `${open.row.picker ?? 'Nobody'} picks ${open.row.carrierName}. You can hand over only what you pick.`,
    );
  const { name, color } = getPerson(context.repositories.accounts, to);
  const owner = from === undefined ? own : (context.repositories.accounts.findUser(from)?.username ?? from);
  if (from !== undefined && (owner === undefined || !pickers.includes(owner)))
    throw new StationError(
      'conflict',
      `${from} does not pick ${open.row.carrierName}. GET /api/batches/${id}/ lists its pickers.`,
    );
  if (isPicker && owner !== own && name !== own)
    throw new StationError('conflict', `You can take the places of ${from} yourself, but not give them to ${name}.`);
  const others = context.repositories.batches.listPickedBy(name).filter((other) => other !== id);
  const isBusy = context.batchWork.isPicking(name) || others.length > 0;
  if (owner !== undefined && pickers.includes(owner) && pickers.length > 1)
    return passOn(context, tx, open, { from: owner, to: { name, color }, isBusy, by });
  giveTo(context, tx, open, { picker: name, color }, by);
  if (isLaunched(open.batch) && !isBusy) launchBatch(context, tx, id, { by, picker: name });
}

/** Handles the end of a pick's command. Only a press books pieces; after any other end, the next launch lights the pick again. */
export function pickEnded(context: BatchesContext, tx: Transaction, ended: OwnedEnd): void {
  const { command, end, recorded, by, reason, owner } = ended;
  if (end.kind !== 'acknowledged') return context.commands.endCurrent(tx, { kind: 'pick', id: owner.id });
  const lightMs = command.state.kind === 'shown' ? Math.max(0, recorded.at - command.state.shownAt) : undefined;
  bookPick(context, tx, ended.owner.id, {
    quantity: end.qty,
    deviceId: command.deviceId,
    location: recorded.location,
    at: recorded.at,
    by,
    for: ended.for,
    reason,
    lightMs,
  });
}

/**
 * Books a press for a pick whose light is off, such as a press that a turbo held back during a pause. Returns false if none of the pick's
 * pieces are open.
 */
export function pickPressedDark(context: BatchesContext, tx: Transaction, press: DarkPress): boolean {
  const pick = context.repositories.batches.findPick(press.itemId);
  if (pick === undefined) return false;
  const { batch } = getBatch(context.repositories, pick.batchId);
  if (sumAt(batch, pick.id).sum === 0) return false;
  const { at, location } = press.record();
  const { deviceId, by, reason } = press;
  return bookPick(context, tx, pick.id, { quantity: press.qty, deviceId, location, at, by, for: press.for, reason });
}

type PickPress = {
  quantity: number;
  deviceId: string;
  location: string;
  at: number;
  by: string;
  for?: string | undefined;
  reason: string | undefined;
  lightMs?: number | undefined;
};

/** Books a press for a pick. Returns false if none of the pick's pieces are open. */
export function bookPick(context: BatchesContext, tx: Transaction, pickId: number, press: PickPress): boolean {
  const pick = context.repositories.batches.findPick(pickId);
  if (pick === undefined) return false;
  const open = getBatch(context.repositories, pick.batchId);
  const { by, at, deviceId, location, lightMs } = press;
  const picker =
    (by === 'device'
      ? pickerOfPick(context, pickId, { at, now: tx.now })
      : personBehind(context, open, press, pick.picker)) ?? '';
  const { sum, shares } = sumAt(open.batch, pickId);
  const { quantity, reason = '' } = press;
  const moves = quantity < sum ? movable(context, open, shares, pick) : undefined;
  const event = { kind: 'picked', pickId, quantity, by: picker, reason, moves } as const;
  const doer = { by, picker: picker === '' ? undefined : picker, at };
  const where = { deviceId, location, isPressed: true, lightMs };
  const row = { ...open.row, lastPickId: pickId };
  const booked = apply(context, tx, { ...open, row }, event, { ...doer, where });
  if (booked.batch === open.batch) return false;
  if (by === 'device') noteBooked(context, tx, { pick, shares, open, booked, picker, location, at });
  if (quantity < sum) {
    const after = moveMissing(context, tx, booked, pick, doer);
    giveReason(context, tx, after, { ...doer, reason, pick });
  }
  tx.emit({
    type: 'batch.picked',
    batch_id: open.row.id,
    deviceid: deviceId,
    location,
    quantity: Math.min(press.quantity, sum),
    left_over: Math.max(0, press.quantity - sum),
    picker: picker === '' ? null : picker,
  });
  return true;
}

type Booked = {
  pick: BatchPickRow;
  shares: readonly Share[];
  open: Open;
  booked: Open;
  picker: string;
  location: string;
  at: number;
};

/** Reports what a press booked if other people wait at the device. */
function noteBooked(context: BatchesContext, tx: Transaction, { pick, shares, open, booked, ...press }: Booked): void {
  const { items } = context.repositories;
  const found = (shareId: number): number => booked.batch.shares.find(({ id }) => id === shareId)?.found ?? 0;
  const [first] = shares;
  const item = first === undefined ? undefined : items.find(first.itemId);
  if (pick.deviceId === null || first === undefined || item === undefined) return;
  const picker = press.picker === '' ? null : press.picker;
  const waiting = context.commands.waitingAt(pick.deviceId, { owner: { kind: 'pick', id: pick.id }, picker });
  if (waiting.people.length === 0) return;
  const pieces = shares.map(({ id, slot, orderNumber, itemId }) => {
    return { slot, order_number: orderNumber, item_id: itemId, quantity: found(id) };
  });
  const own = pickedOf(booked.batch, item.id) - pickedOf(open.batch, item.id);
  tx.emit({
    type: 'line.booked',
    deviceid: pick.deviceId,
    at: isoTime(press.at),
    location: press.location,
    order_number: first.orderNumber,
    item_id: item.id,
    quantity: pieces.reduce((sum, { quantity }) => sum + quantity, 0),
    before: item.fulfilled - own,
    picker,
    waiting: waiting.people,
    quiet: waiting.isQuiet,
    batch: String(open.row.id),
    pieces,
  });
}

/** Books pieces of a pick without a press, by default all. Returns false if none are open. */
export function bookIntended(
  context: BatchesContext,
  tx: Transaction,
  pickId: number,
  { by, quantity: wanted }: { by: string; quantity: number | undefined },
): boolean {
  const pick = context.repositories.batches.findPick(pickId);
  if (pick === undefined) return false;
  const open = getBatch(context.repositories, pick.batchId);
  const { sum, shares } = sumAt(open.batch, pickId);
  const picker = personBehind(context, open, { by }, pick.picker) ?? '';
  const row = { ...open.row, lastPickId: pickId };
  const quantity = Math.min(wanted ?? sum, sum);
  const moves = quantity < sum ? movable(context, open, shares, pick) : undefined;
  const event = { kind: 'picked', pickId, quantity, by: picker, reason: '', moves } as const;
  const doer = { by, picker: picker === '' ? undefined : picker };
  const booked = apply(context, tx, { ...open, row }, event, doer);
  if (booked.batch === open.batch) return false;
  if (quantity < sum) {
    const after = moveMissing(context, tx, booked, pick, doer);
    giveReason(context, tx, after, { ...doer, reason: '', pick });
  }
  return true;
}

/**
 * Returns the person to credit with a press, or undefined if nobody is known. A device or a program acts for the person to whom the line is
 * assigned.
 */
export function personBehind(
  { repositories: { accounts } }: BatchesContext,
  { row }: Open,
  { by, for: forWhom }: { by: string; for?: string | undefined },
  whose: string | null = null,
): string | undefined {
  return accounts.findUser(forWhom ?? by)?.username ?? forWhom ?? whose ?? row.picker ?? undefined;
}

/** Lights shares that became open while the batch is launched. */
export function relight(context: BatchesContext, tx: Transaction, open: Open, by: string): void {
  if (!isLaunched(open.batch)) return;
  if (open.batch.kind === 'wall') {
    if (notLaunched(context, open.batch).length > 0) launchBatch(context, tx, open.row.id, { by });
    return;
  }
  const dark = open.batch.shares.some((share) => openOf(share) > 0 && share.pickId === null);
  if (dark) launchBatch(context, tx, open.row.id, { by });
}

/** Stores the new device of a pick whose light has moved. */
export function pickMoved({ repositories }: BatchesContext, id: number): void {
  const command = repositories.commands.findByOwner({ kind: 'pick', id });
  if (command !== undefined) repositories.batches.setPickDevice(command.deviceId, id);
}

/** Returns the first item of which pieces of this pick are open, or undefined if none are. */
export function itemOfPick({ repositories }: BatchesContext, id: number): number | undefined {
  const pick = repositories.batches.findPick(id);
  return pick && sumAt(getBatch(repositories, pick.batchId).batch, id).shares[0]?.itemId;
}

/** Returns what people see of a pick: the pieces of its items, in all orders of its light. Its shares lose it once they are booked. */
export function shownOfPick({ repositories }: BatchesContext, id: number): ShownWork | undefined {
  const pick = repositories.batches.findPick(id);
  if (pick === undefined) return undefined;
  const { shares } = sumAt(getBatch(repositories, pick.batchId).batch, id);
  const items = [...new Set(shares.map(({ itemId }) => itemId))].flatMap((each) => repositories.items.find(each) ?? []);
  return {
    fulfilled: items.reduce((sum, { fulfilled }) => sum + fulfilled, 0),
    ordered: items.reduce((sum, { ordered }) => sum + ordered, 0),
    isOver: shares.length === 0,
    litDeviceId: pick.deviceId,
  };
}

/**
 * Returns the person who has this pick, or had it at the time `when`. Returns null if that is nobody or unknown, and undefined if the pick
 * does not exist.
 */
export function pickerOfPick(
  { repositories: { batches } }: BatchesContext,
  id: number,
  when?: When,
): string | null | undefined {
  const pick = batches.findPick(id);
  if (pick === undefined) return undefined;
  const main = batches.find(pick.batchId)?.picker ?? null;
  if (when === undefined) return pick.picker ?? main;
  const own = pickerAt({ picker: pick.picker, former: batches.listFormerPickersOfPick(id) }, when);
  // A pick without a picker belongs to the picker of the batch.
  if (own !== null) return own ?? null;
  return pickerAt({ picker: main, former: batches.listFormerPickers(pick.batchId) }, when) ?? null;
}
