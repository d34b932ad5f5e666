import type { PickAct } from '#shared/api/batchActs.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import { isLive, openOf, pickedOf, sumAt } from '../../domain/batches/shares.ts';
import { StationError } from '../../errors.ts';
import { actedAt, refuseOutdated, type Waited } from '../base/index.ts';
import { checkReason } from '../orders/index.ts';
import { articleWords, getBatch } from './apply.ts';
import { confirmHeld, openPieces } from './confirms.ts';
import { bookPick } from './picks.ts';
import { reassignShares } from './slotWork.ts';
import type { BatchesContext, Doer, Open } from './types.ts';

/**
 * What a pick booked. `leftOver` is the number of pieces that nobody needs. `refused` has the lines that have changed since the caller saw
 * them, by their index.
 */
export type PickedAct = {
  pieces: ReadonlyMap<number, number>;
  leftOver: number;
  location: string;
  refused: ReadonlyMap<number, StationError>;
};

type Lines = PickAct['lines'];

/**
 * Books pieces of one place and article. A light is acknowledged, as by a press; lines without a light are confirmed. Lines that have changed
 * since the caller saw them are left out. Call inside a transaction. Throws `invalid` or `conflict` if the lines do not fit, and the error of
 * the first line if all of them have changed.
 */
export function bookPickAct(
  context: BatchesContext,
  began: Transaction,
  id: number,
  act: PickAct,
  { by, picker }: Doer,
): PickedAct {
  const tx = actedAt(began, { confirmed_at: act.acted_at });
  const open = getBatch(context.repositories, id);
  const { reason } = act;
  if (reason !== undefined) checkReason(context, reason);
  const { lines, refused } = standingLines(context, open, act, tx.now);
  const doer = { by, picker, at: tx.actedAt ?? tx.now };
  const pick = pickOf(context, open, lines);
  const wanted = new Map(lines.map(({ item_id: itemId, quantity }) => [itemId, quantity]));
  const isLit = pick !== undefined && pick.deviceId !== null;
  if (isLit) acknowledge(context, tx, open, { pick, wanted, reason }, doer);
  else confirmHeld(context, tx, open, wanted, { ...doer, reason: reason ?? '' });
  const after = getBatch(context.repositories, id);
  const pieces = new Map(
    [...wanted.keys()].map((itemId) => [itemId, pickedOf(after.batch, itemId) - pickedOf(open.batch, itemId)]),
  );
  return { pieces, leftOver: sum(wanted) - sum(pieces), location: pick?.location ?? '', refused };
}

const sum = (pieces: ReadonlyMap<number, number>): number =>
  [...pieces.values()].reduce((total, each) => total + each, 0);

/** Splits the lines into those that can be booked and those that cannot. Throws if there are none to book. */
function standingLines(
  context: BatchesContext,
  open: Open,
  act: PickAct,
  now: number,
): { lines: Lines; refused: Map<number, StationError> } {
  const named = new Set<number>();
  const refused = new Map<number, StationError>();
  for (const [index, line] of act.lines.entries()) {
    const { item_id: itemId } = line;
    if (named.has(itemId)) {
      const message = `Item ${itemId} is named twice. Send one line for each item.`;
      throw new StationError('invalid', message, [{ path: `/lines/${index}/item_id`, message }]);
    }
    named.add(itemId);
    const error = refusalOf(context, open, line, { confirmed_at: act.acted_at, late: act.late }, now);
    if (error !== undefined) refused.set(index, error);
  }
  const lines = act.lines.filter((_, index) => !refused.has(index));
  const [first] = refused.values();
  if (lines.length === 0 && first !== undefined) throw first;
  return { lines, refused };
}

function refusalOf(
  { repositories }: BatchesContext,
  { row, batch }: Open,
  { item_id: itemId, seen }: Lines[number],
  when: Waited,
  now: number,
): StationError | undefined {
  const isHere = batch.shares.some((share) => share.itemId === itemId && isLive(share));
  const item = isHere ? repositories.items.find(itemId) : undefined;
  if (item === undefined) {
    const message = `This line is not in ${row.carrierName}. GET /api/batches/${row.id}/ lists its items.`;
    return new StationError('not_found', message);
  }
  const isOver = openPieces(batch, itemId) === 0;
  try {
    refuseOutdated({ fulfilled: item.fulfilled, isOver }, { ...when, seen }, now);
  } catch (error) {
    if (error instanceof StationError) return error;
    throw error;
  }
  const message = `Nothing is left to pick of ${articleWords(repositories, itemId)}.`;
  return isOver ? new StationError('conflict', message) : undefined;
}

/** Returns where the lines are picked. Throws `invalid` if they are at several places, and `conflict` if they are not launched. */
function pickOf({ repositories }: BatchesContext, { row, batch }: Open, lines: Lines): BatchPickRow | undefined {
  // At a wall without picking, confirming the line says what to do instead.
  if (batch.kind === 'wall') return undefined;
  const items = new Set(lines.map(({ item_id: itemId }) => itemId));
  const shares = batch.shares.filter((share) => items.has(share.itemId) && openOf(share) > 0);
  const picks = new Set(shares.map(({ pickId }) => pickId));
  const [pickId = null, ...others] = picks;
  if (others.length > 0) {
    const message = 'These lines are not of one place and article. Send one act for each place.';
    throw new StationError('invalid', message, [{ path: '/lines', message }]);
  }
  const pick = pickId === null ? undefined : repositories.batches.findPick(pickId);
  if (pick !== undefined) return pick;
  throw new StationError('conflict', `Nobody picks these lines now. Start ${row.carrierName} first.`);
}

type Acknowledged = { pick: BatchPickRow; wanted: ReadonlyMap<number, number>; reason: string | undefined };

/** Acknowledges a light, or books a press for a light that is off, and gives each item its pieces. */
function acknowledge(
  context: BatchesContext,
  tx: Transaction,
  open: Open,
  { pick, wanted, reason }: Acknowledged,
  doer: Doer & { at: number },
): void {
  const { by, picker, at } = doer;
  const { shares, sum: asked } = sumAt(open.batch, pick.id);
  const other = shares.find(({ itemId }) => !wanted.has(itemId));
  if (other !== undefined) {
    const message = `The light at ${pick.location} also shows item ${other.itemId}. Send all items of the light.`;
    throw new StationError('invalid', message, [{ path: '/lines', message }]);
  }
  const given = new Map(
    [...wanted].map(([itemId, pieces]) => [itemId, Math.min(pieces, openPieces(open.batch, itemId))]),
  );
  // Report surplus pieces only if nobody needs them.
  const quantity = sum(given) === asked ? sum(wanted) : sum(given);
  const forWhom = picker === undefined || nameKey(picker) === nameKey(by) ? undefined : picker;
  const command = context.repositories.commands.findByOwner({ kind: 'pick', id: pick.id });
  const press = { at, by, for: forWhom, reason };
  const isBooked =
    command === undefined
      ? bookPick(context, tx, pick.id, { ...press, quantity, deviceId: pick.deviceId ?? '', location: pick.location })
      : context.commands.acknowledge(tx, { ...press, qty: quantity, deviceId: command.deviceId, token: command.id });
  if (!isBooked) throw new StationError('conflict', `Nothing is left to pick at ${pick.location}.`);
  const found = new Map<number, number>();
  for (const share of getBatch(context.repositories, open.row.id).batch.shares)
    if (share.found !== null) found.set(share.itemId, (found.get(share.itemId) ?? 0) + share.found);
  if ([...given].every(([itemId, pieces]) => (found.get(itemId) ?? 0) === pieces)) return;
  const shared = [...given].map(([itemId, pieces]) => ({ item_id: itemId, quantity: pieces }));
  reassignShares(context, tx, open.row.id, { shares: shared, reason }, doer);
}
