import type {
  Batch,
  BatchLaunch,
  BatchProgress,
  BatchQuery,
  BatchShort,
  BatchSlotAsk,
  HandChange,
  NewBatch,
  NewBatchResult,
  Put,
  PutResult,
  PutUndo,
  Reassign,
} from '#shared/api/batch.ts';
import type { PickAct } from '#shared/api/batchActs.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { RenamedKey } from '../../db/repositories/stock.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import type { Transaction } from '../../db/writer.ts';
import { changeBetween } from './actChange.ts';
import { batchAnswer, batchProgress } from './answers.ts';
import { getBatch } from './apply.ts';
import { changeHeld, closeShort, piecesReturned } from './held.ts';
import { addOrder, createBatch } from './loading.ts';
import type { CommandMoves } from '../commands/index.ts';
import { leaveEmptied } from './missing.ts';
import { joinBatch, leaveBatch, pauseBatch, pauseHeld, pausePicked } from './people.ts';
import { bookPickAct, type PickedAct } from './pickAct.ts';
import {
  handOverBatch,
  launchBatch,
  itemOfPick,
  pickEnded,
  pickMoved,
  pickPressedDark,
  pickerOfPick,
  relight,
  shownOfPick,
} from './picks.ts';
import { type PickLight, relightPicks, renamePicks } from './placeLights.ts';
import { putByScan, putPieces, slotEnded, slotPressedDark, undoPut } from './puts.ts';
import {
  abortBatch,
  freeComplete,
  freeSlot,
  fullSlot,
  moveSlot,
  orderStopped,
  reassignShares,
  removeOldest,
  removeOrder,
  removeOrderByNumber,
  settleHand,
  slotHeld,
  undoFree,
} from './slotWork.ts';
import type { BatchesContext, Doer, Open } from './types.ts';
import { type ArticleScan, readScan, scanAtWall, type WallResult } from './wallScans.ts';
import { batchLines } from './work.ts';

const PAGE = 1_000;

/** Manages batches: orders that are picked together onto a cart or sorted into a wall. Contract, section 21. */
export function createBatches(context: BatchesContext) {
  const { reads, settings, writer } = context;
  return {
    list: ({ state, attention, holder, after, limit = PAGE }: BatchQuery): BatchProgress[] =>
      reads.batches
        .list({
          state: state ?? null,
          attention: attention === undefined ? 0 : 1,
          holder: holder === undefined ? null : (reads.accounts.findUser(holder)?.username ?? holder),
          before: Number(after ?? Number.MAX_SAFE_INTEGER),
          limit,
        })
        .map((row) => batchProgress(reads, row)),
    /** Throws `not_found`. */
    get: (id: number): Batch => batchAnswer(reads, getBatch(reads, id), settings.current()),
    find: (id: number): Batch | undefined => {
      const row = reads.batches.find(id);
      return row && batchAnswer(reads, { row, batch: reads.batches.read(row) }, settings.current());
    },
    /** Returns the lines to pick, in walking order. With `picker`, returns only that person's lines. Throws `not_found`. */
    work: (id: number, picker?: string): WorkLine[] =>
      batchLines(reads, getBatch(reads, id), { whose: picker, isCurrent: context.commands.isCurrent }),
    add: (wanted: NewBatch, by: string): Promise<NewBatchResult & { warnings?: string[] }> =>
      writer.writeLarge((tx) => {
        const { id, leftOut, warnings } = createBatch(context, tx, wanted, by);
        const answer = { ...answerOf(context, id), left_out: leftOut };
        return warnings.length === 0 ? answer : { ...answer, warnings };
      }),
    addOrder: (id: number, ask: BatchSlotAsk, by: string) =>
      changed(context, id, (tx) => {
        const { open, warning } = addOrder(context, tx, getBatch(context.repositories, id), ask, by);
        relight(context, tx, open, by);
        return warning;
      }),
    removeOrder: (id: number, slot: string, doer: Doer) =>
      changed(context, id, (tx) => removeOrder(context, tx, id, slot, doer)),
    removeOrderByNumber: (id: number, orderNumber: string, doer: Doer) =>
      changed(context, id, (tx) => removeOrderByNumber(context, tx, id, orderNumber, doer)),
    /** Removes the batch that ended first, if it ended before this time. Returns whether it removed a batch. */
    removeOldest: async (before: number): Promise<boolean> =>
      reads.batches.findEnded(before) !== undefined && writer.writeLarge((tx) => removeOldest(context, tx, before)),
    launch: (id: number, { color }: BatchLaunch, doer: Doer) =>
      changed(context, id, (tx) => launchBatch(context, tx, id, { ...doer, color })),
    join: (id: number, doer: Doer) => changed(context, id, (tx) => joinBatch(context, tx, id, doer)),
    pause: (id: number, doer: Doer) => changed(context, id, (tx) => pauseBatch(context, tx, id, doer)),
    leave: (id: number, doer: Doer) => changed(context, id, (tx) => leaveBatch(context, tx, id, doer)),
    handOver: (id: number, how: { to: string; from?: string | undefined; by: string; isPicker: boolean }) =>
      changed(context, id, (tx) => handOverBatch(context, tx, id, how)),
    abort: (id: number, how: { abortsOrders: boolean; frees: boolean }, by: string) =>
      changed(context, id, (tx) => abortBatch(context, tx, id, { ...how, by })),
    put: (id: number, put: Put, doer: Doer): Promise<PutResult> =>
      writer.write((tx) => putPieces(context, tx, id, put, doer)),
    /** Puts pieces into a scanned slot, within a transaction. Returns undefined if the caller has nothing to put. */
    putByScan: (tx: Transaction, id: number, asked: Put, doer: Doer): PutResult | undefined =>
      putByScan(context, tx, id, asked, doer),
    /** Returns what scanning an article at the wall would do. Throws `not_found`, or `conflict` if the batch is not launched. */
    readWallScan: (id: number, scan: ArticleScan): WallResult => readScan(reads, id, scan),
    /** Handles a scanned article at the wall, within a transaction. Throws the same errors as `readWallScan`. */
    scanAtWall: (tx: Transaction, id: number, scan: ArticleScan, doer: Doer): WallResult =>
      scanAtWall(context, tx, id, scan, doer),
    /** Returns a batch with its contents, within a transaction. Throws `not_found`. */
    read: (id: number): Open => getBatch(context.repositories, id),
    /** Books a pick of one place, within a transaction. Throws the errors of `bookPickAct`. */
    pick: (tx: Transaction, id: number, act: PickAct, doer: Doer): PickedAct => bookPickAct(context, tx, id, act, doer),
    /** Returns what has changed in a batch since `before`, within a transaction. */
    changeSince: (before: Open, named: ReadonlySet<number>) =>
      changeBetween(context, before, getBatch(context.repositories, before.row.id), named),
    undoPut: (id: number, undo: PutUndo, doer: Doer) =>
      changed(context, id, (tx) => undoPut(context, tx, id, undo, doer)),
    reassign: (id: number, reassign: Reassign, doer: Doer) =>
      changed(context, id, (tx) => reassignShares(context, tx, id, reassign, doer)),
    closeShort: (id: number, asked: BatchShort, doer: Doer) =>
      changed(context, id, (tx) => closeShort(context, tx, id, asked, doer)),
    settleHand: (id: number, hand: HandChange, doer: Doer) =>
      changed(context, id, (tx) => settleHand(context, tx, id, hand, doer)),
    moveSlot: (id: number, move: { slot: string; to: string }, doer: Doer) =>
      changed(context, id, (tx) => moveSlot(context, tx, id, move, doer)),
    fullSlot: (id: number, slot: string, doer: Doer) =>
      changed(context, id, (tx) => fullSlot(context, tx, id, slot, doer)),
    freeSlot: (id: number, slot: string, doer: Doer & { keeps: boolean }) =>
      changed(context, id, (tx) => freeSlot(context, tx, id, slot, doer)),
    undoFree: (id: number, slot: string, doer: Doer) =>
      changed(context, id, (tx) => undoFree(context, tx, id, slot, doer)),
    freeComplete: (id: number, doer: Doer) => changed(context, id, (tx) => freeComplete(context, tx, id, doer)),
    /** Handles a short press on a slot device that is not lit, within a transaction. */
    slotPressed: (tx: Transaction, deviceId: string): void => slotPressedDark(context, tx, deviceId),
    /** Handles a long press on a slot device, within a transaction. Returns whether this freed the slot. */
    slotHeld: (tx: Transaction, deviceId: string): boolean => slotHeld(context, tx, deviceId),
    /** Renames places in the picks, within a transaction. */
    renamePicks: (tx: Transaction, renamed: readonly RenamedKey[]): void => renamePicks(context, tx, renamed),
    /** Follows the light of a place with its picks, within a transaction. */
    relightPicks: (tx: Transaction, moves: CommandMoves, where: PickLight): void =>
      relightPicks(context, tx, moves, where),
    /** Handlers to register with the services for commands and for orders in batches. */
    followers: {
      pick: {
        ended: (tx: Transaction, end: Parameters<typeof pickEnded>[2]) => pickEnded(context, tx, end),
        moved: (_tx: Transaction, id: number) => pickMoved(context, id),
        pickerOf: (id: number, when?: When) => pickerOfPick(context, id, when),
        itemOf: (id: number) => itemOfPick(context, id),
        isOpen: (id: number) => itemOfPick(context, id) !== undefined,
        shownOf: (id: number) => shownOfPick(context, id),
        pressed: (tx: Transaction, press: Parameters<typeof pickPressedDark>[2]) => pickPressedDark(context, tx, press),
      },
      slot: {
        ended: (tx: Transaction, end: Parameters<typeof slotEnded>[2]) => slotEnded(context, tx, end),
        moved: () => undefined,
        slotName: (id: number) => context.repositories.batches.findSlot(id)?.slot,
      },
      holds: {
        stopped: (tx: Transaction, orderId: number, by: string) => orderStopped(context, tx, orderId, by),
        returned: (tx: Transaction, ...what: ReturnedArguments) => piecesReturned(context, tx, ...what),
        paused: (tx: Transaction, picker: string, by: string) => pausePicked(context, tx, picker, { by }),
        signedOut: (tx: Transaction, picker: string) => pauseHeld(context, tx, picker),
        emptied: (tx: Transaction, ...what: EmptiedArguments) => leaveEmptied(context, tx, ...what),
        change: (tx: Transaction, id: number, ...what: HeldArguments) => changeHeld(context, tx, id, ...what),
      },
    },
  };
}

type ReturnedArguments = Parameters<typeof piecesReturned> extends [unknown, unknown, ...infer Rest] ? Rest : never;
type EmptiedArguments = Parameters<typeof leaveEmptied> extends [unknown, unknown, ...infer Rest] ? Rest : never;
type HeldArguments = Parameters<typeof changeHeld> extends [unknown, unknown, unknown, ...infer Rest] ? Rest : never;

export type Batches = ReturnType<typeof createBatches>;

/** Returns the new state of a batch, within a transaction. */
const answerOf = ({ repositories, settings }: BatchesContext, id: number): Batch =>
  batchAnswer(repositories, getBatch(repositories, id), settings.current());

/** Changes a batch and returns its new state. `change` may return a warning, such as that nothing changed. */
function changed(
  context: BatchesContext,
  id: number,
  change: (tx: Transaction) => string | undefined | void,
): Promise<Batch & { warnings?: string[] }> {
  return context.writer.writeLarge((tx) => {
    const warning = change(tx);
    const answer = answerOf(context, id);
    return warning === undefined ? answer : { ...answer, warnings: [warning] };
  });
}
