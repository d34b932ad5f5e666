import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Transaction } from '../../db/writer.ts';
import type { CommandState, Owner, QueuedCommand } from '../../domain/commandQueue.ts';
import { bind } from '../base/index.ts';
import { kill, takeAway, withdraw } from './kill.ts';
import { acknowledge, adjust, describeLate, itemOf, refuseEarly } from './presses.ts';
import { goOn, markSent, markShown, noteReach, type QueueContext, type Recorded, timeOut } from './queue.ts';
import { arrange, arrangeAll, arrive, setCurrent, waitingAt } from './shownFirst.ts';
import { noteBackground } from './screens.ts';
import { send, setColor, setQuantity, showRest } from './sending.ts';

/** What to show on a device, and whom to notify. */
export type NewCommand = {
  deviceId: string;
  /** What it was addressed by: `device`, or an alias on it. */
  target: string;
  /** The alias it was addressed by; empty: the device itself. */
  alias: string;
  /** The device's label. */
  label: string;
  nonce: string;
  content: CommandContent;
  /** The arrow in the content is the one that the alias gave. */
  arrowAdded: boolean;
  sender: string;
  /** The step or item that lights it; absent for a command that a caller sends directly. */
  owner?: Owner;
  /** Of an item: its fulfilled pieces. */
  base?: number;
};

export type EndedCommand = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
  /** The person on whose behalf it was ended, if not `by`. */
  for?: string | undefined;
  /** Of an item: the fulfilled pieces from which the press counts; null: those that it has. */
  base: number | null;
};

/** A press for an item whose light is off. `work`: as in history. `record`: writes it to history. */
export type DarkPress = {
  itemId: number;
  work: string;
  deviceId: string;
  qty: number;
  base: number | null;
  by: string;
  for?: string | undefined;
  record(): Recorded;
};

/** How the command of a step or an item ended. `told`: false for a timeout that the settings keep from callbacks. */
export type OwnedEnd = EndedCommand & { owner: Owner; told: boolean };

/** Sequences and orders write in the same use-case what follows from this end. */
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** False: the item is over, and nothing was booked. */
export type OwnerPressed = (tx: Transaction, press: DarkPress) => boolean;

/** The step or item has another command now, perhaps at another device. */
export type OwnerMoved = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** A turbo reaches the device of the lit step or item again, or none does. */
export type OwnerReached = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** As the API answers. `unreachable`: the command is next, and no turbo reaches the device. */
export type SentCommand = {
  commandId: string;
  state: 'queued';
  delivery: 'queued' | 'unreachable';
  /** When a slow device should show it, epoch milliseconds. */
  expectedAt: number | null;
  /** The command that it replaced; null: none. */
  replacedId: string | null;
};

/** The command queues. Every function runs inside a use-case and leaves rows, history and outbox consistent. */
export type Commands = {
  send(tx: Transaction, command: NewCommand): SentCommand;
  /** Removes the commands of a device without a callback, optionally of one target or nonce only. Returns their number. */
  kill(
    tx: Transaction,
    which: { deviceId: string; target: string | undefined; nonce: string | undefined; by: string },
  ): number;
  /** Removes the open command of a step or item, without notifying that owner. */
  withdraw(tx: Transaction, owner: Pick<Owner, 'kind' | 'id'>, by: string): void;
  /** Removes this one open command without a callback. */
  takeAway(tx: Transaction, command: QueuedCommand, by: string): void;
  markSent(tx: Transaction, deviceId: string, token: number, at: number): void;
  markShown(tx: Transaction, shown: { deviceId: string; token: number; at: number; sentAt: number | null }): void;
  /** Notes that the device has shown its background since `at`. */
  noteBackground(deviceId: string, at: number): void;
  /**
   * Acknowledges the command that `token` names or, if its light went out while its line is open, the line. False: the press was
   * late, and the line is over.
   */
  acknowledge(
    tx: Transaction,
    press: {
      deviceId: string;
      token: number;
      at: number;
      qty: number | null;
      by: string;
      /** The person on whose behalf it is acknowledged, if not `by`. */
      for?: string | undefined;
      reason: string | undefined;
    },
  ): boolean;
  /**
   * Whether a front press comes too early to be meant for the line that `token` names: then it books nothing, and the line is lit
   * again. `lastAt`: when the device was pressed last, or null.
   */
  refuseEarly(
    tx: Transaction,
    press: { deviceId: string; token: number; at: number; lastAt: number | null; quantity: number | null },
  ): boolean;
  /** The item that this command lights or lit; undefined: none. */
  itemOf(token: number): number | undefined;
  /** What a late press was made at. `picker`: whose line it was; null: nobody's. */
  describeLate(token: number): { location: string; quantity: number | null; picker: string | null };
  /** The worker changed the quantity of the shown command. False: the press was late. */
  adjust(tx: Transaction, press: { deviceId: string; token: number; at: number; quantity: number }): boolean;
  /**
   * Sets the quantity of an open command for somebody other than the worker, and from what a press counts. Returns the id of the
   * command that has it now.
   */
  setQuantity(
    tx: Transaction,
    command: QueuedCommand,
    adjusted: { quantity: number; by: string; base?: number },
  ): number;
  /** Some were counted elsewhere: shows this rest instead, always as a new command. Returns its id. */
  showRest(tx: Transaction, command: QueuedCommand, rest: { quantity: number; by: string; base: number }): number;
  /** Lights an open command in another color, parsed before. Returns the id of the command that has it now. */
  setColor(tx: Transaction, command: QueuedCommand, change: { color: string; by: string }): number;
  /** This picker's page shows this item; null: none. A device shows it before other lines of orders. */
  setCurrent(tx: Transaction, picker: string, itemId: number | null): void;
  /** The picker scanned or touched something at this device: the picker's line there is shown before all others. */
  arrive(tx: Transaction, picker: string, deviceId: string): void;
  /** Shows what pickers are at or go to before other lines of orders. */
  arrange(tx: Transaction, deviceId: string): void;
  /** The same at every device that a picker is at or goes to. */
  arrangeAll(tx: Transaction): void;
  /** Pickers who wait at this device for another line than the one that was pressed there. */
  waitingAt(deviceId: string, pressed: { itemId: number; picker: string | null }): string[];
  /** The first command of this queue was removed: lights the next one. */
  goOn(tx: Transaction, deviceId: string): void;
  /** Records whether a turbo reaches the device, unless it shows its first command already. */
  noteReach(tx: Transaction, deviceId: string, isReached: boolean): void;
  /** A command timed out, as its device or the station found. */
  timeOut(
    tx: Transaction,
    end: { deviceId: string; token: number; at: number; by: 'device' | 'station'; tell: boolean },
  ): void;
};

export function createCommands(context: QueueContext): Commands {
  return bind(context, {
    send,
    kill,
    withdraw,
    takeAway,
    markSent,
    markShown,
    noteBackground,
    acknowledge,
    refuseEarly,
    describeLate,
    itemOf,
    adjust,
    setQuantity,
    showRest,
    setColor,
    setCurrent,
    arrive,
    arrange,
    arrangeAll,
    waitingAt,
    goOn,
    noteReach,
    timeOut,
  });
}
