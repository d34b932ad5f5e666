import type { BatchActs } from '#shared/api/batchActs.ts';
import type {
  NextOrder,
  Picker,
  ScanRequest,
  ScanResult,
  ShortNumbers,
  WorkLine,
  WorkQuery,
  OwnProfile,
} from '#shared/api/picking.ts';
import { type InParts, whole } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { actedAt, refuseOutdated } from '../base/index.ts';
import type { ItemStock } from '../articles/index.ts';
import type { Batches } from '../batches/index.ts';
import type { CommandOwners, Commands, CurrentLines } from '../commands/index.ts';
import type { Orders } from '../orders/index.ts';
import { actInBatch } from './acts.ts';
import { actOnScan, findTooMany, putIntoSlot } from './actOnScan.ts';
import { currentOrder, type NamedLine, setCurrent } from './current.ts';
import { bookPutAway, scanPutAway } from './putAway.ts';
import { readCommandCode } from '#shared/lib/picking/scanCommands.ts';
import type { StockShow } from '#shared/api/stock.ts';
import { endShowAtStart, showStock } from './showStock.ts';
import { listExpected, readMeaning, withExpected } from './scan.ts';
import type { CodeMeaning, ScanTables } from './scanLines.ts';
import { findAtCart } from './scanCart.ts';
import { scanToVerify } from './scanToVerify.ts';
import { asNotNeeded, asSeveral, findAtWall, wallAnswer, type AtWall } from './scanWall.ts';
import { isMuch, listWork } from './work.ts';

/** How long scanning the same code again has no effect, in milliseconds. */
const REPEAT_MS = 2_000;

/**
 * Caller who scans, and the person for whom the caller scans. `takes` tells whether a scanned order is taken for this person, launched
 * without a picker, or neither. `isThere` tells whether the scan shows where this person is, because the caller may act for the person.
 */
type Scanner = { by: string; picker: string; takes: 'person' | 'nobody' | undefined; isThere: boolean };

/** Last scan of a caller that had an effect, with its response. Scans with the same `what` count as the same scan. */
type ScanThatActed = { what: string; at: number; answer: ScanResult };

type PickingNeeds = {
  batches: Pick<Batches, 'changeSince' | 'pick' | 'putByScan' | 'read' | 'readWallScan' | 'scanAtWall'>;
  orders: Orders;
  nextOrder: (picker: string | undefined) => NextOrder;
  commands: Commands;
  owners: Pick<CommandOwners, 'followDirect'>;
  currentLines: CurrentLines;
  itemStock: ItemStock;
};

/** State shared by the picking functions. */
type PickingContext = Pick<
  CoreOf<'picking'>,
  'repositories' | 'reads' | 'snapshots' | 'writer' | 'clock' | 'settings' | 'log'
> &
  PickingNeeds & {
    /** Last scan with an effect, by caller. */
    scanned: Map<string, ScanThatActed>;
  };

/** Creates the service for picking lit work of all orders. Contract, section 16. */
export function createPicking(core: CoreOf<'picking'>, needs: PickingNeeds) {
  const { repositories, reads, snapshots, writer, clock } = core;
  const { batches, orders, nextOrder, commands, currentLines, owners, itemStock } = needs;
  core.onStart(
    () =>
      void endShowAtStart(core.writer, { repositories, commands }).catch((error: unknown) =>
        core.log.warn({ err: error }, 'could not end stock lights'),
      ),
  );
  owners.followDirect((tx, press) => bookPutAway({ repositories, commands, itemStock }, tx, press));
  const context: PickingContext = {
    repositories,
    reads,
    snapshots,
    writer,
    clock,
    batches,
    orders,
    nextOrder,
    commands,
    currentLines,
    owners,
    itemStock,
    settings: core.settings,
    log: core.log,
    scanned: new Map<string, ScanThatActed>(),
  };
  return {
    pickers: (): Picker[] => reads.accounts.listUsers().map((each0) => pickerOf(context, each0)),
    shortReasons: () => shortReasons(context),
    shortNumbers: (): ShortNumbers => ({ exist: reads.orders.haveShortNumbers() }),
    setColor: (name: string, color: string) => setColor(context, name, color),
    profile: (name: string) => profile(context, name),
    work: (query: WorkQuery): Promise<WorkLine[]> =>
      readLit(context, query.order, (source) => listWork(source, query, currentLines.isCurrent)),
    setCurrent: (picker: string, line: NamedLine | null) => setCurrent(context, picker, line),
    next: (picker: string | undefined): NextOrder => nextOrder(picker),
    /** Shows the stock of places on the LEDs of idle devices. */
    showStock: (show: StockShow, by: string) => showStock(context, show, by),
    scan: (scanRequest: ScanRequest, scanner: Scanner) => scan(context, scanRequest, scanner),
    /** Books what a person did in a batch. */
    actInBatch: (id: number, acts: BatchActs, who: Parameters<typeof actInBatch>[3]) =>
      actInBatch(context, id, acts, who),
  };
}

/** Sets a person's color. Throws `conflict` for a program, because only people have a color. */
function setColor({ writer, repositories }: PickingContext, name: string, color: string): Promise<void> {
  return writer.write(() => {
    if (repositories.accounts.findUser(name) === undefined)
      throw new StationError('conflict', `There is no person ${name}: only people have a color.`);
    repositories.accounts.setColor(name, color);
  });
}

/** Returns a person's profile. Throws `conflict` for a program, because only people have one. */
function profile(context: PickingContext, name: string): OwnProfile {
  const { repositories } = context;
  const user = repositories.accounts.findUser(name);
  if (user === undefined) throw new StationError('conflict', `There is no person ${name}: only people have a color.`);
  return { ...pickerOf(context, user), has_pin: user.pin_hash !== null };
}

/** Returns what a code means and, with `act`, performs the action. Throws `invalid` for a short without a reason. */
async function scan(context: PickingContext, scan: ScanRequest, scanner: Scanner): Promise<ScanResult> {
  const { reads, clock, scanned, repositories, writer } = context;
  const { code, order_number, batch, item_id, intent } = scan;
  const { picker } = scanner;
  if (intent === 'put_away' && readCommandCode(readScan(code).text) === undefined)
    return scanPutAway(context, scan, scanner);
  if (intent === 'verify' && readCommandCode(readScan(code).text) === undefined)
    return scanToVerify(context, scan, scanner);
  const ask = { code, order_number, batch, item_id, picker, currentOrder: currentOrder(context, picker) };
  const meaningOf = (tables: ScanTables): CodeMeaning =>
    asSeveral(tables, scan) ?? findAtCart(tables, scan, picker) ?? readMeaning(tables, ask);
  const atWall = findAtWall(reads, scan);
  if (atWall !== undefined) return sortAtWall(context, scan, scanner, atWall);
  const meaning = meaningOf(reads);
  const notNeeded = asNotNeeded(reads, scan, meaning);
  if (notNeeded !== undefined) return sortAtWall(context, scan, scanner, notNeeded);
  const expected =
    meaning.isWrong === true
      ? await readLit(context, order_number ?? ask.currentOrder, (source) => listExpected(source, ask))
      : undefined;
  const read = withExpected(meaning, expected ?? []);
  if (meaning.answer.result === 'command') return read;
  if (!scan.act || intent === 'sort') {
    const at = intent === undefined && scanner.isThere ? placeOf(meaning) : undefined;
    if (at !== undefined) await noteArrival(context, picker, at);
    return findTooMany(meaning, scan) ?? read;
  }
  const { by } = scanner;
  const what = repeatable(scan, scanner);
  let kept: ScanThatActed | undefined;
  // Check inside the transaction, so that the second of two simultaneous scans finds the first one.
  const confirm = (confirmed: () => ScanResult): ScanResult => {
    const at = clock.monotonic();
    const last = what === undefined ? undefined : scanned.get(by);
    if (last !== undefined && last.what === what && at - last.at < REPEAT_MS) return { ...last.answer, repeated: true };
    const answer = confirmed();
    if (what !== undefined) scanned.set(by, (kept = { what, at, answer }));
    return answer;
  };
  const { order } = meaning;
  /** Looks up the meaning again inside the transaction, because it may have changed. */
  const readAgain = (): CodeMeaning => {
    const now = meaningOf(repositories);
    if (now.isWrong !== true) return now;
    return { ...now, answer: withExpected(now, expected ?? whole(listExpected(repositories, ask))) };
  };
  try {
    return order !== undefined && scanner.takes !== undefined
      ? await take(context, order.orderNumber, { answer: read, scan }, scanner, confirm)
      : await writer.write((tx) => confirm(() => act(context, tx, readAgain(), scan, scanner)));
  } catch (error) {
    // The scan was not stored, so the next one must count.
    if (kept !== undefined && scanned.get(by) === kept) scanned.delete(by);
    throw error;
  }
}

/** Records that a scan showed where a person is. If it cannot be stored, the scan still answers, because it only reads. */
async function noteArrival({ commands, log, writer }: PickingContext, picker: string, at: string): Promise<void> {
  try {
    await writer.write((tx) => commands.arrive(tx, picker, at));
  } catch (error) {
    log.warn({ err: error }, 'could not record where a person scanned');
  }
}

/** Handles the scan of an article at a wall. Throws `invalid` for a quantity of 0. */
async function sortAtWall(
  { batches, clock, repositories, writer }: PickingContext,
  scan: ScanRequest,
  { by, picker }: Scanner,
  { batch, article, quantity }: AtWall,
): Promise<ScanResult> {
  if (quantity === 0) {
    const message = 'The number is 0. Type how many pieces you hold.';
    throw new StationError('invalid', message, [{ path: '/quantity', message }]);
  }
  const asked = { article, quantity, by: picker };
  if (!scan.act) return wallAnswer(batches.readWallScan(batch, { ...asked, at: clock.now() }));
  return writer.write((began) => {
    const tx = actedAt(began, scan);
    refuseOutdated(undefined, scan, tx.now);
    // The batch may have changed since the lookup.
    const now = findAtWall(repositories, scan) ?? { batch, article, quantity };
    return wallAnswer(
      batches.scanAtWall(tx, batch, { ...asked, article: now.article, quantity: now.quantity, at: tx.now }, { by }),
    );
  });
}

function act(
  context: PickingContext,
  began: Transaction,
  meaning: CodeMeaning,
  scan: ScanRequest,
  { by, picker }: Scanner,
): ScanResult {
  const { repositories, orders, commands } = context;
  const tx = actedAt(began, scan);
  if (meaning.slot !== undefined)
    return putIntoSlot(context.batches, tx, { ...meaning, slot: meaning.slot }, scan, { by, picker });
  const answer = actOnScan(
    { tables: repositories, orders, commands, shortReasons: () => shortReasons(context).map(({ key }) => key) },
    tx,
    meaning,
    scan,
    {
      by,
      picker,
    },
  );
  // The picker is at that place, so show the picker's line there first.
  const at = answer.result === 'acknowledged' ? undefined : placeOf(meaning);
  if (at !== undefined) commands.arrive(tx, picker, at);
  return answer;
}

/** Returns the device at which a person scanned something, or undefined if the scan does not tell. */
function placeOf({ line, answer: { result, deviceid, verified } }: CodeMeaning): string | undefined {
  if (line !== undefined) return line.command.deviceId;
  return result === 'place' && !verified ? (deviceid ?? undefined) : undefined;
}

/** Takes an order. If other people pick it, the response names them. `confirm` calls `act`, unless the same scan was just handled. */
async function take(
  { orders }: PickingContext,
  orderNumber: string,
  { answer, scan }: { answer: ScanResult; scan: ScanRequest },
  { by, picker, takes }: Scanner,
  confirm: (act: () => ScanResult) => ScanResult,
): Promise<ScanResult> {
  const isTaken = takes === 'person';
  let taken: ScanResult = { ...answer, taken: isTaken, launched: !isTaken };
  try {
    await orders.launch(orderNumber, by, isTaken ? { picker, isTaken: true } : {}, (tx, launch) => {
      taken = confirm(() => {
        refuseOutdated(undefined, scan, tx.now);
        launch();
        return taken;
      });
    });
    return taken;
  } catch (error) {
    if (!(error instanceof StationError) || error.code !== 'conflict') throw error;
    const { state, pickers } = orders.get(orderNumber);
    // Nobody can join an order that has ended.
    const isOpen = state === 'open' || state === 'in_progress';
    const refused = { ...answer, says: error.message, pickers: isOpen ? pickers : [] };
    return confirm(() => refused);
  }
}

/** Reads lit work. If there is a lot, reads it in parts from a snapshot. */
async function readLit<T>(
  { reads, snapshots }: PickingContext,
  order: string | undefined,
  list: (source: ScanTables) => InParts<T>,
): Promise<T> {
  return isMuch(reads, order) ? snapshots.read(list) : whole(list(reads));
}

function shortReasons(context: PickingContext): ShortReason[] {
  return context.settings.current().short_reasons;
}

function pickerOf(
  { reads }: PickingContext,
  { username: name, color }: { username: string; color: string | null },
): Picker {
  return {
    name,
    color,
    orders: reads.orderPickers.listNumbersOf(name),
  };
}

/**
 * Returns the key that identifies quick repetitions of the same scan. Returns undefined if every scan counts, because it has an idempotency
 * key, a quantity or a batch.
 */
function repeatable(
  { key, code, quantity, batch, order_number, item_id }: ScanRequest,
  { picker }: Pick<Scanner, 'picker'>,
): string | undefined {
  if (key !== undefined || quantity !== undefined || batch !== undefined) return undefined;
  return JSON.stringify([nameKey(readScan(code).text), order_number ?? null, item_id ?? null, nameKey(picker)]);
}

export type Picking = ReturnType<typeof createPicking>;
