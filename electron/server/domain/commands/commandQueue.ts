import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import type { Outage } from '../devices/outage.ts';

/** State of a command. `firstAt` is when the command became first in its queue. Times are in epoch milliseconds. */
export type CommandState =
  | { kind: 'queued'; firstAt: number | null }
  | { kind: 'sent'; firstAt: number | null; sentAt: number }
  | { kind: 'shown'; firstAt: number | null; sentAt: number | null; shownAt: number }
  | { kind: 'acknowledged'; at: number; qty: number }
  | { kind: 'timedOut'; at: number; qty: number }
  | { kind: 'killed'; at: number }
  | { kind: 'replaced'; at: number };

export type OpenState = Extract<CommandState, { kind: 'queued' | 'sent' | 'shown' }>;

export type CommandEvent =
  | { kind: 'becameFirst'; at: number }
  /** Another command is shown before this one. */
  | { kind: 'putBack' }
  | { kind: 'sent'; at: number }
  /** `sentAt` is used if the command was not recorded as sent before. */
  | { kind: 'shown'; at: number; sentAt: number | null }
  | { kind: 'pressed'; at: number; qty: number }
  | { kind: 'elapsed'; at: number; qty: number }
  | { kind: 'killed'; at: number }
  | { kind: 'replaced'; at: number };

/** A change to the quantity on the device. `by` is the device, or the caller who acts for the worker. `at` is in epoch milliseconds. */
export type Adjustment = { at: number; by: string };

/**
 * What lit a command: a sequence step, an order item, or a pick or slot of a batch. `of` is the sequence id, order number or batch id, as
 * shown in history and on the page. `name` is the cart or wall of a batch.
 */
export type Owner = { kind: 'step' | 'item' | 'pick' | 'slot'; id: number; of: string; name?: string };

/** A command in a device's queue. */
export type QueuedCommand = {
  /** Also used as the token of the command's screen, which presses refer to. */
  id: number;
  deviceId: string;
  /** Position in the queue; the command with the lowest position is shown. */
  position: number;
  /** Commands to one target never affect commands to another. */
  target: string;
  /** The alias that the command was sent to; empty if it was sent to the device itself. */
  alias: string;
  nonce: string;
  content: CommandContent;
  /** Whether the arrow in the content comes from the alias and changes with it. */
  arrowAdded: boolean;
  /** The quantity as adjusted with plus and minus; null if it was not adjusted. */
  adjusted: number | null;
  /** When and by whom the quantity was adjusted; null if it was not adjusted. */
  adjustment: Adjustment | null;
  sender: string;
  createdAt: number;
  /** The item's fulfilled pieces when it was lit; presses add to this number. Null if the command has no item. */
  base: number | null;
  /** How long the device may take to show the command once it is first, in milliseconds; 0 if negligible. */
  latencyMs: number;
  state: OpenState;
  /** Null if the device was never offline while the command was first. */
  outage: Outage | null;
  /** Null if a caller sent the command directly. */
  owner: Owner | null;
};

/** How long the station waits for a device to end an expired command before it ends the command itself. Contract, section 4. */
export const GRACE_MS = 2_000;

/** Target of commands that make a device identify itself. */
export const IDENTIFY_TARGET = 'identify';
/**
 * Target of commands that only light the LED of an idle device, in a color for the stock at its places. Any other command replaces such a
 * command.
 */
export const SHOW_STOCK_TARGET = 'show_stock';

/** Target of commands that ask whether the device's place is empty. */
export const EMPTY_TARGET = 'zero_check';

const NOT_WORK: ReadonlySet<string | null | undefined> = new Set([IDENTIFY_TARGET, SHOW_STOCK_TARGET, EMPTY_TARGET]);

/**
 * Whether a command with this target is work for a person, rather than a light that helps to find a device, shows its stock, or asks
 * whether its place is empty.
 */
export function isWork(target: string | null | undefined): boolean {
  return !NOT_WORK.has(target);
}

/** Target of commands to a device by its DeviceID. */
export const DEVICE_TARGET = 'device';
/** Target of commands to a device by its label. They follow the label, but else equal those to the DeviceID. */
export const LABEL_TARGET = 'label';

const ALIAS_TARGET = 'alias:';
const LOST_TARGET = 'name:';

/** Returns the target for commands to a name that no device has now. `key` is the key of the name. */
export function lostTarget(key: string): string {
  return `${LOST_TARGET}${key}`;
}

/** Whether a target says only by which name a place was addressed. */
export function isAddress(target: string): boolean {
  return target === LABEL_TARGET || target.startsWith(ALIAS_TARGET) || target.startsWith(LOST_TARGET);
}

/** Returns the target as it is compared: a label is another name for the device. */
export function sameTarget(target: string): string {
  return target === LABEL_TARGET ? DEVICE_TARGET : target;
}

/**
 * Returns a command's state after an event. Returns the same state if the event does not apply, such as a repeated report or a press after
 * the end.
 */
export function next(state: CommandState, event: CommandEvent): CommandState {
  if (!isOpen(state)) return state;
  switch (event.kind) {
    case 'becameFirst':
      return state.firstAt === null ? { ...state, firstAt: event.at } : state;
    case 'putBack':
      return state.firstAt === null ? state : { kind: 'queued', firstAt: null };
    case 'sent':
      return state.kind === 'queued' ? { kind: 'sent', firstAt: state.firstAt, sentAt: event.at } : state;
    case 'shown':
      if (state.kind === 'shown') return state;
      return {
        kind: 'shown',
        firstAt: state.firstAt,
        sentAt: state.kind === 'sent' ? state.sentAt : event.sentAt,
        shownAt: event.at,
      };
    case 'pressed':
      return { kind: 'acknowledged', at: event.at, qty: event.qty };
    case 'elapsed':
      return { kind: 'timedOut', at: event.at, qty: event.qty };
    case 'killed':
      return { kind: 'killed', at: event.at };
    case 'replaced':
      return { kind: 'replaced', at: event.at };
  }
}

export function isOpen(state: CommandState): state is OpenState {
  return state.kind === 'queued' || state.kind === 'sent' || state.kind === 'shown';
}

/** Whether the command is first in its queue. Other commands in the queue wait until it ends. */
export function isFirst({ state }: Pick<QueuedCommand, 'state'>): boolean {
  return state.firstAt !== null;
}

/** Returns when the device should end the command, in epoch milliseconds; null if it never ends or is not shown yet. */
export function expiresAt(state: OpenState, seconds: number): number | null {
  return state.kind === 'shown' && seconds > 0 ? state.shownAt + seconds * 1_000 : null;
}

/**
 * Returns when a slow device should have shown the command, or null if the command is already shown or not first, or if the device is not
 * slow.
 */
export function expectedAt({ state, latencyMs }: Pick<QueuedCommand, 'state' | 'latencyMs'>): number | null {
  if (latencyMs === 0 || state.kind === 'shown' || state.firstAt === null) return null;
  return state.firstAt + latencyMs;
}

/**
 * Returns when the station must check whether the device showed or ended the command, or null if the command is not first or never ends.
 */
export function dueAt(state: OpenState, seconds: number, latencyMs: number): number | null {
  if (seconds === 0) return null;
  const since = state.kind === 'shown' ? state.shownAt : (expectedAt({ state, latencyMs }) ?? state.firstAt);
  return since === null ? null : since + seconds * 1_000 + GRACE_MS;
}

/** Returns the target for commands to this alias. */
export function aliasTarget(aliasId: number): string {
  return `${ALIAS_TARGET}${aliasId}`;
}

/** Returns the alias id in a target; null if the target is not an alias. */
export function aliasIdOf(target: string): number | null {
  return target.startsWith(ALIAS_TARGET) ? Number(target.slice(ALIAS_TARGET.length)) : null;
}

/** Returns the name of the place in callbacks, in history and on the screen: the alias or, without one, the device's current label. */
export function locationOf(command: Pick<QueuedCommand, 'alias'>, label: string): string {
  return command.alias === '' ? label : command.alias;
}

/**
 * Finds the queued command that a new direct command replaces: one with the same target and nonce or, without a nonce, with the same target
 * and content. Only direct commands can be replaced.
 */
export function findReplaced(
  queue: readonly QueuedCommand[],
  added: { target: string; nonce: string; content: CommandContent },
): QueuedCommand | undefined {
  return queue.find((queued) => {
    if (queued.owner !== null || queued.nonce !== added.nonce) return false;
    if (sameTarget(queued.target) !== sameTarget(added.target)) return false;
    return added.nonce !== '' || sameContent(queued.content, added.content);
  });
}

/** Whether both contents are the same for a worker, with the same appearance, sound and quantity. */
export function sameContent(a: CommandContent, b: CommandContent): boolean {
  return lookOf(a) === lookOf(b);
}

const LOOK = ['command', 'quantity', 'arrow', 'color', 'barcode', 'qrcode', 'icon', 'sound', 'lines'] as const;

/**
 * Converts everything that a worker sees, hears and counts to text; excludes the duration. Checksums of this text are stored, so equal
 * content must produce equal text in later versions. Therefore unset fields are omitted.
 */
export function lookOf(content: CommandContent): string {
  const set = LOOK.filter((field) => content[field] !== null && String(content[field]) !== '');
  return JSON.stringify(Object.fromEntries(set.map((field) => [field, content[field]])));
}

/** Returns the work that a command belongs to, as named in history; null if it was sent directly. */
export function workOf(owner: Owner | null): string | null {
  return owner === null ? null : `${WORKS[owner.kind]}:${owner.of}`;
}

const WORKS = { step: 'sequence', item: 'order', pick: 'batch', slot: 'batch' } as const satisfies Record<
  Owner['kind'],
  string
>;

/** Returns the quantity on the screen: the adjusted quantity or, if unadjusted, the requested one. */
export function quantityOf(command: Pick<QueuedCommand, 'adjusted' | 'content'>): number | null {
  return command.adjusted ?? command.content.quantity;
}
