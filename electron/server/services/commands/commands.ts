import type { Transaction } from '../../db/writer.ts';
import { type Owner, type QueuedCommand, SHOW_STOCK_TARGET } from '../../domain/commands/commandQueue.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import { isSameLine, type LineOwner } from '../../domain/orders/currentLines.ts';
import { kill, cancel, withdraw } from './kill.ts';
import { acknowledge, adjust, describeLate, itemOf, refuseEarly } from './presses.ts';
import { showNext, markSent, markShown, noteReach, timeOut } from './queue.ts';
import { noteBackground } from './screens.ts';
import { send, setColor, setQuantity, showRest } from './sending.ts';
import { arrange, arrangeAll, arrive, setCurrent, waitingAt } from './shownFirst.ts';
import type {
  CommandContext,
  NewCommand,
  KilledCommands,
  CommandShown,
  CommandPress,
  FrontPress,
  Adjusting,
  NewQuantity,
  NewRest,
  NewColor,
  PressedLine,
  TimedOut,
} from './types.ts';

/** Manages the command queues. Call these functions inside a transaction. They keep rows, history and outbox consistent. */
export function createCommands(context: CommandContext) {
  return {
    send: (tx: Transaction, command: NewCommand) => send(context, tx, command),
    kill: (tx: Transaction, which: KilledCommands) => kill(context, tx, which),
    withdraw: (tx: Transaction, owner: Pick<Owner, 'kind' | 'id'>, by: string) => withdraw(context, tx, owner, by),
    cancel: (tx: Transaction, command: QueuedCommand, by: string) => cancel(context, tx, command, by),
    markSent: (tx: Transaction, deviceId: string, token: number, at: number) =>
      markSent(context, tx, deviceId, token, at),
    markShown: (tx: Transaction, shown: CommandShown) => markShown(context, tx, shown),
    noteBackground: (deviceId: string, at: number) => noteBackground(context, deviceId, at),
    acknowledge: (tx: Transaction, press: CommandPress) => acknowledge(context, tx, press),
    refuseEarly: (tx: Transaction, press: FrontPress) => refuseEarly(context, tx, press),
    itemOf: (token: number) => itemOf(context, token),
    describeLate: (token: number, when: When) => describeLate(context, token, when),
    adjust: (tx: Transaction, press: Adjusting) => adjust(context, tx, press),
    setQuantity: (tx: Transaction, command: QueuedCommand, adjusted: NewQuantity) =>
      setQuantity(context, tx, command, adjusted),
    showRest: (tx: Transaction, command: QueuedCommand, rest: NewRest) => showRest(context, tx, command, rest),
    setColor: (tx: Transaction, command: QueuedCommand, change: NewColor) => setColor(context, tx, command, change),
    setCurrent: (tx: Transaction, picker: string, owner: LineOwner | null) => setCurrent(context, tx, picker, owner),
    /** Makes a line no longer current for anybody, or for anybody but `picker`, because it has ended or was assigned to `picker`. */
    endCurrent: (tx: Transaction, owner: LineOwner, picker?: string | null): void =>
      void context.currentLines.end(tx, owner, picker),
    /** Whether the page of this picker shows this line now. */
    isCurrent: (owner: LineOwner, picker: string | null): boolean => context.currentLines.isCurrent(owner, picker),
    /** Whether a picker has scanned or touched something for this line. */
    isInHand: (owner: LineOwner): boolean =>
      context.currentLines
        .list()
        .some((line) => isSameLine(line.owner, owner) && context.currentLines.hasArrived(line)),
    /** Ends this command if it only shows the stock at a place. Returns whether the command ended. */
    endStockShown: (tx: Transaction, token: number, by: string): boolean => {
      const command = context.repositories.commands.find(token);
      if (command === undefined || command.target !== SHOW_STOCK_TARGET) return false;
      cancel(context, tx, command, by);
      return true;
    },
    arrive: (tx: Transaction, picker: string, deviceId: string) => arrive(context, tx, picker, deviceId),
    arrange: (tx: Transaction, deviceId: string) => arrange(context, tx, deviceId),
    arrangeAll: (tx: Transaction) => arrangeAll(context, tx),
    waitingAt: (deviceId: string, pressed: PressedLine) => waitingAt(context, deviceId, pressed),
    showNext: (tx: Transaction, deviceId: string) => showNext(context, tx, deviceId),
    noteReach: (tx: Transaction, deviceId: string, isReached: boolean) => noteReach(context, tx, deviceId, isReached),
    timeOut: (tx: Transaction, end: TimedOut) => timeOut(context, tx, end),
  };
}

export type Commands = ReturnType<typeof createCommands>;
