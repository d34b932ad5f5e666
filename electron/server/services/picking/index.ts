import type {
  NextOrder,
  Picker,
  ScanRequest,
  ScanResult,
  WorkLine,
  WorkQuery,
  OwnProfile,
} from '#shared/api/picking.ts';
import { type InParts, whole } from '#shared/lib/inParts.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { CoreOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { once } from '../base/index.ts';
import type { Commands, CurrentLines } from '../commands/index.ts';
import type { Orders } from '../orders/index.ts';
import { type CodeMeaning, listExpected, readMeaning, type ScanTables, withExpected } from './scan.ts';
import { type IsCurrent, isMuch, lineOf, listWork } from './work.ts';

/** A second scan of the same code within this time counts as the first. */
const REPEAT_MS = 2_000;

/** Who scans. `isPerson`: an order that is scanned is taken for this person. */
type Scanner = { by: string; picker: string; isPerson: boolean };

type ScanThatActed = { code: string; key: string | undefined; at: number; answer: ScanResult };

/** What pickers do with the lit work of all orders. Contract, section 16. */
export function createPicking(
  core: CoreOf<'picking'>,
  needs: {
    orders: Orders;
    nextOrder: (picker: string | undefined) => NextOrder;
    commands: Commands;
    currentLines: CurrentLines;
  },
) {
  const { repositories, reads, snapshots, writer, clock } = core;
  const { orders, nextOrder, commands, currentLines } = needs;
  /** The last scan that acted, by caller. */
  const scanned = new Map<string, ScanThatActed>();

  function act(
    tx: Transaction,
    { answer, line, verified }: CodeMeaning,
    scan: ScanRequest,
    { picker }: Scanner,
  ): ScanResult {
    if (verified !== undefined) orders.verify(tx, verified.id);
    if (line === undefined) return answer;
    const { deviceId, id: token } = line.command;
    const quantity = scan.quantity ?? answer.quantity;
    commands.acknowledge(tx, { deviceId, token, at: tx.now, by: picker, reason: undefined, qty: quantity });
    if (answer.verified && answer.item_id !== null) orders.verify(tx, answer.item_id);
    return { ...answer, result: 'acknowledged', quantity };
  }

  /** An order that others pick is not taken: the answer says who. `confirm`: does it once for the key of this scan. */
  async function take(
    orderNumber: string,
    answer: ScanResult,
    { by, picker }: Scanner,
    confirm: (tx: Transaction, act: () => ScanResult) => ScanResult,
  ): Promise<ScanResult> {
    let taken = answer;
    try {
      await orders.launch(orderNumber, by, { picker, isTaken: true }, (tx, launch) => {
        taken = confirm(tx, () => {
          launch();
          return { ...answer, taken: true };
        });
      });
      return taken;
    } catch (error) {
      if (!(error instanceof StationError) || error.code !== 'conflict') throw error;
      const refused = { ...answer, says: error.message, pickers: orders.get(orderNumber).pickers };
      return writer.write((tx) => confirm(tx, () => refused));
    }
  }

  /** Reads what is lit, of much in parts. */
  async function readLit<T>(order: string | undefined, list: (source: ScanTables) => InParts<T>): Promise<T> {
    return isMuch(reads, order) ? snapshots.read(list) : whole(list(reads));
  }

  const isCurrent: IsCurrent = ({ id, picker }) => picker !== null && currentLines.find(picker)?.itemId === id;

  const pickerOf = ({ username: name, color }: { username: string; color: string | null }): Picker => ({
    name,
    color,
    orders: reads.orders.listNumbersOf(name),
  });

  return {
    pickers: (): Picker[] => reads.accounts.listUsers().map(pickerOf),
    shortReasons: (): string[] => core.settings.current().short_reasons,
    /** Throws `conflict` for a program. */
    setColor: (name: string, color: string): Promise<void> =>
      writer.write(() => {
        if (repositories.accounts.findUser(name) === undefined)
          throw new StationError('conflict', `There is no person ${name}: only people have a color.`);
        repositories.accounts.setColor(name, color);
      }),
    /** Throws `conflict` for a program. */
    profile(name: string): OwnProfile {
      const user = repositories.accounts.findUser(name);
      if (user === undefined)
        throw new StationError('conflict', `There is no person ${name}: only people have a color.`);
      return { ...pickerOf(user), has_pin: user.pin_hash !== null };
    },
    work: (query: WorkQuery): Promise<WorkLine[]> =>
      readLit(query.order, (source) => listWork(source, query, isCurrent)),
    /** The item that this command lights; undefined: there is no such open command, or it lights no item. */
    itemOf(commandId: string): number | undefined {
      const command = /^\d{1,15}$/.test(commandId) ? reads.commands.find(Number(commandId)) : undefined;
      return command?.owner?.kind === 'item' ? command.owner.id : undefined;
    },
    /**
     * The page of this picker shows this line, or none. Throws `not_found` for what is not lit, and `conflict` for a line of somebody
     * else.
     */
    setCurrent: (picker: string, line: { itemId: number | undefined } | null): Promise<WorkLine | undefined> =>
      writer.write((tx) => {
        if (line === null) {
          commands.setCurrent(tx, picker, null);
          return undefined;
        }
        const item = line.itemId === undefined ? undefined : repositories.items.find(line.itemId);
        const found = item && lineOf(repositories, item, isCurrent);
        if (item === undefined || found === undefined)
          throw new StationError('not_found', 'This line is no work. GET /api/work/ lists what is.');
        if (nameKey(item.picker ?? '') !== nameKey(picker)) {
          const whose = item.picker ?? 'nobody in particular';
          throw new StationError('conflict', `This line is of ${whose}, not of ${picker}.`);
        }
        commands.setCurrent(tx, picker, item.id);
        return lineOf(repositories, item, isCurrent);
      }),
    next: (picker: string | undefined): NextOrder => nextOrder(picker),
    /** Says what a code means and, with `act`, does it. */
    async scan(scan: ScanRequest, scanner: Scanner): Promise<ScanResult> {
      const { key, code, order_number } = scan;
      const scanRequired = core.settings.current().scan_required;
      const ask = { code, order_number, picker: scanner.picker, scanRequired };
      const meaning = readMeaning(reads, ask);
      const expected =
        meaning.isWrong === true ? await readLit(order_number, (source) => listExpected(source, ask)) : undefined;
      const read = withExpected(meaning, expected ?? []);
      if (!scan.act) return read;
      const { by } = scanner;
      let kept: ScanThatActed | undefined;
      // Within the use-case: of two scans that arrive together the second one finds the first.
      const confirm = (tx: Transaction, confirmed: () => ScanResult): ScanResult => {
        const at = clock.monotonic();
        const last = scanned.get(by);
        const isRepeated = last?.code === code && last.key === key && at - last.at < REPEAT_MS;
        if (isRepeated) return { ...last.answer, repeated: true };
        let isFirst = false;
        const answer = once(repositories, tx, { by, key, what: 'scan' }, () => {
          isFirst = true;
          return confirmed();
        });
        kept = { code, key, at, answer };
        scanned.set(by, kept);
        return isFirst ? answer : { ...answer, repeated: true };
      };
      const { order } = meaning;
      /** The meaning may have changed since it was read. */
      const readAgain = (): CodeMeaning => {
        const now = readMeaning(repositories, ask);
        if (now.isWrong !== true) return now;
        return { ...now, answer: withExpected(now, expected ?? whole(listExpected(repositories, ask))) };
      };
      try {
        return order !== undefined && scanner.isPerson
          ? await take(order.orderNumber, read, scanner, confirm)
          : await writer.write((tx) => confirm(tx, () => act(tx, readAgain(), scan, scanner)));
      } catch (error) {
        // Not on disk: the next one counts.
        if (scanned.get(by) === kept) scanned.delete(by);
        throw error;
      }
    },
  };
}

export type Picking = ReturnType<typeof createPicking>;
