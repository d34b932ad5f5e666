import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { Transaction } from '../../db/writer.ts';
import type { CommandState, Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
import type { LinePress } from '../../domain/commands/earlyPress.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import type { LineOwner } from '../../domain/orders/currentLines.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { CurrentLines } from './currentLines.ts';
import type { ShownLines } from './shownLines.ts';

/** State shared by the functions that manage command queues. */
export type CommandContext = {
  repositories: TablesOf<'commands'>;
  callbacks: Callbacks;
  /** Called when a device must show something else. */
  refresh: (tx: Transaction, deviceId: string) => void;
  /** Called when a deadline was set. */
  due: (tx: Transaction) => void;
  /** Returns how long this device may take to show a command, in milliseconds. */
  latencyMs: (deviceId: string) => number;
  /** Whether a turbo reaches this device now. */
  reaches: (deviceId: string) => boolean;
  ownerEnded: OwnerEnded;
  /** Called when a command without an owner was confirmed. */
  directPressed: (tx: Transaction, press: DirectPress) => void;
  ownerMoved: OwnerMoved;
  ownerReached: OwnerReached;
  ownerPressed: OwnerPressed;
  /** Whether a press for this unlit item counts. */
  ownerOpen: (owner: Pick<Owner, 'kind' | 'id'>) => boolean;
  /** Returns the picker of a line now or at the time `when`: null for nobody or if it is unknown, undefined if the owner is not a line. */
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>, when?: When) => string | null | undefined;
  /** Returns the name of the slot with this id, or undefined if it does not exist. */
  slotName: (slot: number) => string | undefined;
  /** Returns an item that a line lights. For a pick of a batch, returns the first item of which pieces are open. */
  ownerItem: (owner: Pick<Owner, 'kind' | 'id'>) => number | undefined;
  /** The line that each device showed last. */
  shownLines: ShownLines;
  /** The line that each picker's page shows. */
  currentLines: CurrentLines;
};

/** A command to queue. */
export type NewCommand = {
  deviceId: string;
  /** Target of the command: `device`, or one of the device's aliases. */
  target: string;
  /** The alias to which the command was addressed, or an empty string for the device itself. */
  alias: string;
  /** The device's label. */
  label: string;
  nonce: string;
  content: CommandContent;
  /** Whether the alias added the arrow. */
  arrowAdded: boolean;
  sender: string;
  /** Owner of the command, such as a step or an item. Undefined or null if a caller sent the command directly. */
  owner?: Owner | null;
  /** The item's fulfilled pieces, to which a press adds. */
  base?: number | null;
};

export type EndedCommand = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
  /** The person on whose behalf `by` ended the command, if that is somebody else. */
  for?: string | undefined;
  /** The reason for a press with less than the requested quantity. */
  reason?: string | undefined;
  /** The item's fulfilled pieces to which the press adds, or null for the current number. */
  base: number | null;
  /** The item's ordered quantity at the time of the pressed screen, if it has changed since; otherwise null or undefined. */
  asked?: number | null;
};

/** An acknowledged command without an owner. `location` is the same as in the command's callback. */
export type DirectPress = { command: QueuedCommand; qty: number; by: string; location: string };

/**
 * A press for an item, or for a pick of a batch, whose light is off. `work` identifies the order or batch in the history. `record` writes
 * the press to the history.
 */
export type DarkPress = {
  kind: 'item' | 'pick';
  /** Id of the item or pick. */
  itemId: number;
  work: string;
  deviceId: string;
  qty: number;
  base: number | null;
  asked?: number | null;
  by: string;
  for?: string | undefined;
  /** The reason for a press with less than the requested quantity. */
  reason?: string | undefined;
  record(): Recorded;
};

/** How an owner's command ended. `isReported` is false for a timeout whose callback is disabled in the settings. */
export type OwnedEnd = EndedCommand & { owner: Owner; isReported: boolean };

/** Notifies the owner of a command that ended, so that the owner updates its rows in the same transaction. */
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** Books a press. Returns false, without booking anything, if the item has ended. */
export type OwnerPressed = (tx: Transaction, press: DarkPress) => boolean;

/** Called when a step or item got a new command, possibly on a different device. */
export type OwnerMoved = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** Called when the device of a lit step or item became reachable or unreachable. */
export type OwnerReached = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** A queued command. `delivery` is `unreachable` if the command is first in its queue, but no turbo reaches the device. */
export type SentCommand = {
  commandId: string;
  state: 'queued';
  delivery: 'queued' | 'unreachable';
  /** When a slow device should show the command, in epoch milliseconds, or null if the device is not slow. */
  expectedAt: number | null;
  /** Id of the command that was replaced, or null if none was. */
  replacedId: string | null;
};

/** Commands to remove from a device: all, or those with one target or nonce. */
export type KilledCommands = { deviceId: string; target: string | undefined; nonce: string | undefined; by: string };

/** A device's report that it shows this command. */
export type CommandShown = { deviceId: string; token: number; at: number; sentAt: number | null };

/** A press that acknowledges a command. */
export type CommandPress = {
  deviceId: string;
  token: number;
  at: number;
  qty: number | null;
  by: string;
  /** The person on whose behalf `by` acknowledges the command, if that is somebody else. */
  for?: string | undefined;
  reason: string | undefined;
};

/** A press on the front of a device. */
export type FrontPress = Pick<LinePress, 'at' | 'waitedMs' | 'lastAt' | 'sinceLastMs'> & {
  deviceId: string;
  token: number;
  quantity: number | null;
};

/** A quantity that the worker set on the device. */
export type Adjusting = { deviceId: string; token: number; at: number; quantity: number };

/** A quantity set by somebody other than the worker. `base` is the number of fulfilled pieces to which a press adds. */
export type NewQuantity = { quantity: number; by: string; base?: number | null };

/** Remaining quantity after pieces were counted elsewhere. */
export type NewRest = { quantity: number; by: string; base: number };

/** A color that was already validated. */
export type NewColor = { color: string; by: string };

/** The pressed line. `picker` is null if the line has no picker. */
export type PressedLine = { owner: LineOwner; picker: string | null };

/** A command that timed out. `hasCallback` tells whether to send the command's callback. */
export type TimedOut = { deviceId: string; token: number; at: number; by: 'device' | 'station'; hasCallback: boolean };

/** A history row that was written, with its id and time, and the location for the callback. */
export type Recorded = { historyId: number; at: number; location: string };

/** Who ended a command, and details for its timeline. */
export type EndDetail = Pick<HistoryDetail, 'by' | 'for' | 'reason' | 'replacedBy' | 'sameContent' | 'firstEqual'>;
