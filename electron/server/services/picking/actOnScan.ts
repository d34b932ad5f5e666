import type { ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { remainingOf } from '../../domain/orders/order.ts';
import { StationError } from '../../errors.ts';
import { refuseOtherLine, refuseOutdated } from '../base/index.ts';
import type { Batches } from '../batches/index.ts';
import type { Commands } from '../commands/index.ts';
import type { Orders } from '../orders/index.ts';
import { type CodeMeaning, saysLine, type ScanTables } from './scanLines.ts';

type Parts = {
  tables: ScanTables;
  orders: Pick<Orders, 'count' | 'verify'>;
  commands: Pick<Commands, 'acknowledge'>;
  shortReasons: () => readonly string[];
};

/** Caller who scans, and the person for whom the caller scans. */
type Doer = { by: string; picker: string };

type Asked = Pick<ScanRequest, 'quantity' | 'close' | 'over' | 'reason' | 'confirmed_at' | 'seen' | 'item_id'>;

/**
 * Returns the response to a scan of more pieces than the line has left, with or without `act`. Returns undefined if the line has enough
 * pieces.
 */
export function findTooMany(meaning: CodeMeaning, asked: Asked): ScanResult | undefined {
  const { answer, line, unlit, pack } = meaning;
  const { quantity, over } = inPieces(meaning, asked);
  const item = line?.item ?? unlit;
  const remaining = item === undefined ? answer.quantity : remainingOf(item);
  if (over || quantity === undefined || remaining === null || quantity <= remaining) return undefined;
  if (line === undefined && unlit === undefined) return undefined;
  const where = `Only ${remaining} left to pick at ${answer.location || answer.text}`;
  const says =
    pack === undefined || asked.quantity !== undefined
      ? `${where}, not ${quantity}.`
      : `${where}: the pack has ${pack}. Nothing was counted.`;
  return { ...answer, result: 'too_many', says, quantity: null, remaining };
}

/** Returns the scan with its number of pieces: the quantity that it states or, for the code of a pack, the pieces of the pack. */
function inPieces({ pack }: CodeMeaning, { quantity = pack, ...asked }: Asked): Asked {
  return { ...asked, quantity };
}

/** Adds the number of pieces in the scanned pack to the response. */
export function withPack(meaning: CodeMeaning): CodeMeaning {
  const { answer, pack } = meaning;
  if (pack === undefined || answer.result !== 'lit') return meaning;
  const counts = { ...answer, quantity: pack, pack };
  return { ...meaning, answer: { ...counts, says: saysLine(counts) } };
}

/**
 * Performs the action that the code means, inside a transaction. Without a quantity, closes the line as a press does. With a quantity,
 * counts the pieces, and closes the line if it is complete or the scan requests it. Throws `invalid` for a short without a reason, and
 * `outdated` for a delayed scan whose line has changed since.
 */
export function actOnScan(
  { tables, orders, commands, shortReasons }: Parts,
  tx: Transaction,
  meaning: CodeMeaning,
  asked: Asked,
  { by, picker }: Doer,
): ScanResult {
  const { answer, line, unlit, verified } = meaning;
  const scan = inPieces(meaning, asked);
  const who = { by, forWhom: picker };
  const booked = line?.item ?? unlit ?? verified;
  if (booked !== undefined) refuseOtherLine(booked.id, scan.item_id);
  refuseOutdated(booked && { ...booked, isOver: false }, scan, tx.now);
  if (verified !== undefined) orders.verify(tx, verified.id, who);
  const tooMany = findTooMany(meaning, asked);
  if (tooMany !== undefined) return tooMany;
  for (const id of meaning.verifies ?? []) orders.verify(tx, id, who);
  if (line === undefined && unlit === undefined) return answer;
  const item = line?.item ?? unlit;
  const isOfBatch = line?.command.owner?.kind === 'pick';
  const remaining = item !== undefined ? remainingOf(item) : isOfBatch ? answer.quantity : null;
  const pieces = scan.quantity ?? answer.quantity;
  const isFull = remaining === null || pieces === null || pieces >= remaining;
  const closes = isFull || scan.quantity === undefined || scan.close;
  const isShort = scan.close && !isFull;
  const reason = isShort ? checkReason(scan.reason, shortReasons()) : undefined;
  if (!closes && isOfBatch) {
    const all = `This light takes all of its ${remaining} pieces in one scan.`;
    refuse('/quantity', `${all} Type ${remaining}, or close the line with a reason if there are fewer.`);
  }
  if (!closes && pieces === 0) refuse('/quantity', 'Nothing to count. To close the line, give a reason.');
  const picked = { ...answer, quantity: pieces, says: saysLine({ ...answer, quantity: pieces }) };
  // Verify before booking, so that the line is complete as soon as it is picked.
  if (answer.verified && item !== undefined) orders.verify(tx, item.id, who);
  if (item !== undefined && (!closes || line === undefined)) {
    orders.count(tx, item.id, { pieces: pieces ?? 0, closes, reason, ...who });
  } else if (line !== undefined) {
    const { deviceId, id: token } = line.command;
    const forWhom = nameKey(by) === nameKey(picker) ? undefined : picker;
    commands.acknowledge(tx, { deviceId, token, at: tx.now, by, for: forWhom, reason, qty: pieces });
  }
  if (closes || item === undefined) return { ...picked, result: 'acknowledged' };
  const rest = (remaining ?? 0) - (pieces ?? 0);
  const command = tables.commands.findByOwner({ kind: 'item', id: item.id });
  const command_id = command === undefined ? null : String(command.id);
  return { ...picked, result: 'counted', says: `${picked.says}, ${rest} to go.`, remaining: rest, command_id };
}

/**
 * Puts pieces into a slot, as a press on the slot's device does, inside a transaction. If the caller holds no pieces, only describes the
 * contents of the slot. Throws `invalid` for a quantity of 0.
 */
export function putIntoSlot(
  batches: Pick<Batches, 'putByScan'>,
  tx: Transaction,
  { answer, slot: { batch, name: slot } }: CodeMeaning & Required<Pick<CodeMeaning, 'slot'>>,
  { quantity }: Asked,
  doer: Doer,
): ScanResult {
  if (quantity === 0) refuse('/quantity', 'The number is 0. Type how many pieces you put into the slot.');
  const put = batches.putByScan(tx, batch, { slot, quantity }, doer);
  if (put === undefined) return { ...answer, says: `You hold nothing. ${answer.says}` };
  const expected = put.expected.map((each) => each.slot);
  return { ...answer, result: put.result, says: put.says, quantity: put.quantity, expected };
}

function checkReason(reason: string | undefined, known: readonly string[]): string {
  if (reason !== undefined && known.includes(reason)) return reason;
  const asked =
    reason === undefined ? 'Closing a line with fewer pieces than requested needs a reason' : 'The reason has to be';
  return refuse('/reason', `${asked}${reason === undefined ? ': ' : ' '}one of ${known.join(', ')}.`);
}

function refuse(path: string, message: string): never {
  throw new StationError('invalid', message, [{ path, message }]);
}
