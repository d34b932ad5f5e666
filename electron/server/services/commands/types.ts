import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryDetail } from '../../db/repositories/history.ts';
import type { Transaction } from '../../db/writer.ts';
import type { CommandState, Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
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
  /** How long this device may take to show a command, in milliseconds. */
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
  /** The picker of a line. Null if the line has no picker, undefined if the owner is not a line. */
  ownerPicker: (owner: Pick<Owner, 'kind' | 'id'>) => string | null | undefined;
  /** The line that each device showed last. */
  shownLines: ShownLines;
  /** The line that each picker's page shows. */
  currentLines: CurrentLines;
};

/** A command to queue: its content and who sent it. */
export type NewCommand = {
  deviceId: string;
  /** Target of the command: `device`, or one of the device's aliases. */
  target: string;
  /** The alias to which it was addressed; empty for the device itself. */
  alias: string;
  /** The device's label. */
  label: string;
  nonce: string;
  content: CommandContent;
  /** Whether the alias added the arrow. */
  arrowAdded: boolean;
  sender: string;
  /** Owner of the command, such as a step or an item. Not set if a caller sent the command directly. */
  owner?: Owner | null;
  /** Fulfilled pieces of the item. */
  base?: number | null;
};

export type EndedCommand = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
  /** The person on whose behalf the command was ended, if not `by`. */
  for?: string | undefined;
  /** The reason for a press with less than the requested quantity. */
  reason?: string | undefined;
  /** The item's fulfilled pieces to which the press adds; null for the current number. */
  base: number | null;
};

/** A confirmed command without an owner. `location`: the same as in its callback. */
export type DirectPress = { command: QueuedCommand; qty: number; by: string; location: string };

/**
 * A press for an item, or for a pick of a batch, whose light is off. `work`: as in the history. `record`: writes the press to the history.
 */
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
  /** The reason for a press with less than the requested quantity. */
  reason?: string | undefined;
  record(): Recorded;
};

/** How an owner's command ended. `isReported`: false for a timeout without a callback, as a setting can require. */
export type OwnedEnd = EndedCommand & { owner: Owner; isReported: boolean };

/** Notifies the owner, which updates its rows in the same transaction. */
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** Books a press. Returns false, without booking anything, if the item has ended. */
export type OwnerPressed = (tx: Transaction, press: DarkPress) => boolean;

/** Called when a step or item got a new command, perhaps on another device. */
export type OwnerMoved = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** Called when the device of a lit step or item became reachable or unreachable. */
export type OwnerReached = (tx: Transaction, owner: Owner, isReached: boolean) => void;

/** The result in API form. `unreachable`: the command is first in its queue, but no turbo reaches the device. */
export type SentCommand = {
  commandId: string;
  state: 'queued';
  delivery: 'queued' | 'unreachable';
  /** When a slow device should show the command, in epoch milliseconds. */
  expectedAt: number | null;
  /** The command that was replaced; null if none. */
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
  /** The person on whose behalf the command is acknowledged, if not `by`. */
  for?: string | undefined;
  reason: string | undefined;
};

/** A press on the front of a device. `lastAt`: when the last counted press was made, or null. */
export type FrontPress = {
  deviceId: string;
  token: number;
  at: number;
  lastAt: number | null;
  quantity: number | null;
};

/** A quantity that the worker set on the device. */
export type Adjusting = { deviceId: string; token: number; at: number; quantity: number };

/** A quantity set by somebody other than the worker. `base`: the fulfilled pieces to which a press adds. */
export type NewQuantity = { quantity: number; by: string; base?: number | null };

/** Remaining quantity after pieces were counted elsewhere. */
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
