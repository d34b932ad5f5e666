import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { Transaction } from '../../db/writer.ts';
import type { CommandState, Owner, QueuedCommand } from '../../domain/commandQueue.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { CurrentLines } from './currentLines.ts';
import type { ShownLines } from './shownLines.ts';

/** What the use-cases of the queues of devices share: their needs and their state. */
export type CommandContext = {
  repositories: TablesOf<'commands'>;
  callbacks: Callbacks;
  /** The device must show something else now. */
  refresh: (tx: Transaction, deviceId: string) => void;
  /** A deadline was set. */
  due: (tx: Transaction) => void;
  /** How long this device may take to show a command, in milliseconds. */
  latencyMs: (deviceId: string) => number;
  /** Whether a turbo reaches this device now. */
  reaches: (deviceId: string) => boolean;
  ownerEnded: OwnerEnded;
  /** A command without an owner was confirmed. */
  directPressed: (tx: Transaction, press: DirectPress) => void;
  ownerMoved: OwnerMoved;
  ownerReached: OwnerReached;
  ownerPressed: OwnerPressed;
  /** Whether a press for this item counts although it is not lit. */
  ownerOpen: (owner: Pick<Owner, 'kind' | 'id'>) => boolean;
  /** Whose line it is; null: nobody's; undefined: no line. */
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>) => string | null | undefined;
  /** What each device showed last. */
  shownLines: ShownLines;
  /** What pickers do now. */
  currentLines: CurrentLines;
};

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
  owner?: Owner | null;
  /** Of an item: its fulfilled pieces. */
  base?: number | null;
};

export type EndedCommand = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
  /** The person on whose behalf it was ended, if not `by`. */
  for?: string | undefined;
  /** Of a press with less than asked. */
  reason?: string | undefined;
  /** Of an item: the fulfilled pieces from which the press counts; null: those that it has. */
  base: number | null;
};

/** A confirmed command without an owner. `location`: where, as its callback says. */
export type DirectPress = { command: QueuedCommand; qty: number; by: string; location: string };

/** A press for an item, or the pick of a batch, whose light is off. `work`: as in history. `record`: writes it to history. */
export type DarkPress = {
  kind: 'item' | 'pick';
  /** Of the item or pick. */
  itemId: number;
  work: string;
  deviceId: string;
  qty: number;
  base: number | null;
  by: string;
  for?: string | undefined;
  /** Of a press with less than asked. */
  reason?: string | undefined;
  record(): Recorded;
};

/** How the command of a step or an item ended. `told`: false for a timeout that the settings keep from callbacks. */
export type OwnedEnd = EndedCommand & { owner: Owner; told: boolean };

/** Sequences and orders write in the same use-case what follows from this end. */
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** False: the item has ended, and nothing was booked. */
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

/** Which commands of a device to remove: all, or those of one target or nonce. */
export type KilledCommands = { deviceId: string; target: string | undefined; nonce: string | undefined; by: string };

/** A device reports that it shows this command. */
export type CommandShown = { deviceId: string; token: number; at: number; sentAt: number | null };

/** A press that acknowledges. */
export type CommandPress = {
  deviceId: string;
  token: number;
  at: number;
  qty: number | null;
  by: string;
  /** The person on whose behalf it is acknowledged, if not `by`. */
  for?: string | undefined;
  reason: string | undefined;
};

/** A press of the front button. `lastAt`: when the device was pressed last, or null. */
export type FrontPress = {
  deviceId: string;
  token: number;
  at: number;
  lastAt: number | null;
  quantity: number | null;
};

/** The worker set this quantity at the device. */
export type Adjusting = { deviceId: string; token: number; at: number; quantity: number };

/** A quantity that somebody other than the worker sets. `base`: from what a press counts. */
export type NewQuantity = { quantity: number; by: string; base?: number | null };

/** What is left after some were counted elsewhere. */
export type NewRest = { quantity: number; by: string; base: number };

/** A color, parsed before. */
export type NewColor = { color: string; by: string };

/** The line that was pressed. `picker`: whose line it is; null: nobody's. */
export type PressedLine = { itemId: number; picker: string | null };

/** A command that ran out of time. `tell`: its callback is owed. */
export type TimedOut = { deviceId: string; token: number; at: number; by: 'device' | 'station'; tell: boolean };

/** A row in history with its time, and the location that its callback repeats. */
export type Recorded = { historyId: number; at: number; location: string };

/** Who ended a command, and details for its timeline. */
export type EndDetail = Pick<HistoryDetail, 'by' | 'for' | 'reason' | 'replacedBy' | 'sameContent'>;
