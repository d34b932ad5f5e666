import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { Transaction } from '../../db/writer.ts';
import type { CommandState, Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { CurrentLines } from './currentLines.ts';
import type { ShownLines } from './shownLines.ts';

/** State shared by the use-cases of the command queues. */
export type CommandContext = {
  repositories: TablesOf<'commands'>;
  callbacks: Callbacks;
  /** Call when a device must show something else. */
  refresh: (tx: Transaction, deviceId: string) => void;
  /** Call when a deadline was set. */
  due: (tx: Transaction) => void;
  /** How long this device may take to show a command, in milliseconds. */
  latencyMs: (deviceId: string) => number;
  /** Whether a turbo reaches this device now. */
  reaches: (deviceId: string) => boolean;
  ownerEnded: OwnerEnded;
  /** Call when a command without an owner was confirmed. */
  directPressed: (tx: Transaction, press: DirectPress) => void;
  ownerMoved: OwnerMoved;
  ownerReached: OwnerReached;
  ownerPressed: OwnerPressed;
  /** Whether a press for this unlit item counts. */
  ownerOpen: (owner: Pick<Owner, 'kind' | 'id'>) => boolean;
  /** The picker of a line. Null: no picker. Undefined: not a line. */
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>) => string | null | undefined;
  /** The line that each device showed last. */
  shownLines: ShownLines;
  /** The line that each picker's page shows. */
  currentLines: CurrentLines;
};

/** A command to queue: its content and who sent it. */
export type NewCommand = {
  deviceId: string;
  /** How it was addressed: `device`, or an alias of it. */
  target: string;
  /** The alias by which it was addressed. Empty: the device itself. */
  alias: string;
  /** The device's label. */
  label: string;
  nonce: string;
  content: CommandContent;
  /** Whether the alias added the arrow. */
  arrowAdded: boolean;
  sender: string;
  /** The step or item that lights it. Absent if a caller sends it directly. */
  owner?: Owner | null;
  /** Fulfilled pieces of the item. */
  base?: number | null;
};

export type EndedCommand = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
  /** The person on whose behalf it was ended, if not `by`. */
  for?: string | undefined;
  /** The reason of a press with less than requested. */
  reason?: string | undefined;
  /** The fulfilled pieces of the item at which the press starts counting. Null: the current ones. */
  base: number | null;
};

/** A confirmed command without an owner. `location`: as in its callback. */
export type DirectPress = { command: QueuedCommand; qty: number; by: string; location: string };

/** A press for an item, or for the pick of a batch, whose light is off. `work`: as in history. `record`: writes it to history. */
export type DarkPress = {
  kind: 'item' | 'pick';
  /** Id of the item or pick. */
  itemId: number;
  work: string;
  deviceId: string;
  qty: number;
  base: number | null;
  by: string;
  for?: string | undefined;
  /** The reason of a press with less than requested. */
  reason?: string | undefined;
  record(): Recorded;
};

/** How the command of a step or item ended. `isReported`: false for a timeout without a callback, because of a setting. */
export type OwnedEnd = EndedCommand & { owner: Owner; isReported: boolean };

/** Lets the owner update itself in the same use-case. */
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** Books a press. False: the item has ended, and nothing was booked. */
export type OwnerPressed = (tx: Transaction, press: DarkPress) => boolean;

/** Called when the step or item got a new command, perhaps on another device. */
export type OwnerMoved = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** Called when the device of the lit step or item became reachable or unreachable. */
export type OwnerReached = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** The result in API form. `unreachable`: the command is first, but no turbo reaches the device. */
export type SentCommand = {
  commandId: string;
  state: 'queued';
  delivery: 'queued' | 'unreachable';
  /** When a slow device should show it, in epoch milliseconds. */
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

/** A quantity that the worker set on the device. */
export type Adjusting = { deviceId: string; token: number; at: number; quantity: number };

/** A quantity that somebody other than the worker sets. `base`: the fulfilled pieces at which a press starts counting. */
export type NewQuantity = { quantity: number; by: string; base?: number | null };

/** The quantity left after pieces were counted elsewhere. */
export type NewRest = { quantity: number; by: string; base: number };

/** A color that was already validated. */
export type NewColor = { color: string; by: string };

/** The pressed line. `picker`: null if it has none. */
export type PressedLine = { itemId: number; picker: string | null };

/** A command that timed out. `hasCallback`: whether to send its callback. */
export type TimedOut = { deviceId: string; token: number; at: number; by: 'device' | 'station'; hasCallback: boolean };

/** A written history row: its id and time, and the location for its callback. */
export type Recorded = { historyId: number; at: number; location: string };

/** Who ended a command, and details for its timeline. */
export type EndDetail = Pick<HistoryDetail, 'by' | 'for' | 'reason' | 'replacedBy' | 'sameContent'>;
