import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Outage } from './outage.ts';

/** Where a command stands. `firstAt`: since when it has been the first of its queue. All times are epoch milliseconds. */
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
  | { kind: 'sent'; at: number }
  /** `sentAt`: when it was sent, where that was not told before. */
  | { kind: 'shown'; at: number; sentAt: number | null }
  | { kind: 'pressed'; at: number; qty: number }
  | { kind: 'elapsed'; at: number; qty: number }
  | { kind: 'killed'; at: number }
  | { kind: 'replaced'; at: number };

/** `by`: the device, or whoever stands in for the worker. `at`: epoch milliseconds. */
export type Adjustment = { at: number; by: string };

/**
 * The step of a sequence, or the item of an order, that lit a command. `of`: the sequenceid or order_number, by which
 * history and the window know it.
 */
export type Owner = { kind: 'step' | 'item'; id: number; of: string };

/** One command of a device's queue. */
export type QueuedCommand = {
  /** Also the token of what is shown: a press names it. */
  id: number;
  deviceId: string;
  /** Its place: the lowest is shown. */
  position: number;
  /** What it was addressed by: commands to one target never disturb another's. */
  target: string;
  /** The alias it was addressed by; empty: the device itself. */
  alias: string;
  nonce: string;
  content: CommandContent;
  /** The arrow in the content is the one that the alias gave, and follows it. */
  arrowAdded: boolean;
  /** What the worker made of the quantity by plus and minus; null while he did not touch it. */
  adjusted: number | null;
  /** When that was, and by whom; null while nobody did. */
  adjustment: Adjustment | null;
  sender: string;
  createdAt: number;
  state: OpenState;
  /** Null: it always could be reached, or waits behind others. */
  outage: Outage | null;
  /** Null: a caller sent it by itself. */
  owner: Owner | null;
};

/** The station ends a command by itself only this long after the device should have. Contract, section 4. */
export const GRACE_MS = 2_000;

const ALIAS_TARGET = 'alias:';

/** The life of a command. Unknown pairs change nothing: a repeated report, a press after the end. */
export function next(state: CommandState, event: CommandEvent): CommandState {
  if (!isOpen(state)) return state;
  switch (event.kind) {
    case 'becameFirst':
      return state.firstAt === null ? { ...state, firstAt: event.at } : state;
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

/** Whether it heads its queue: all others wait until it ends. */
export function isFirst({ state }: Pick<QueuedCommand, 'state'>): boolean {
  return state.firstAt !== null;
}

/** When the device should end the command by itself; null: never, or not shown yet. Epoch milliseconds. */
export function expiresAt(state: OpenState, seconds: number): number | null {
  return state.kind === 'shown' && seconds > 0 ? state.shownAt + seconds * 1_000 : null;
}

/** When the station must look: the device should have ended it, or never showed it. Null: it waits behind others, or for ever. */
export function dueAt(state: OpenState, seconds: number): number | null {
  if (seconds === 0) return null;
  const since = state.kind === 'shown' ? state.shownAt : state.firstAt;
  return since === null ? null : since + seconds * 1_000 + GRACE_MS;
}

/** The target of commands that are addressed by this alias. */
export function aliasTarget(aliasId: number): string {
  return `${ALIAS_TARGET}${aliasId}`;
}

/** The alias of a target; null: the device itself. */
export function aliasIdOf(target: string): number | null {
  return target.startsWith(ALIAS_TARGET) ? Number(target.slice(ALIAS_TARGET.length)) : null;
}

/** What callbacks, history and the screen call the place: the alias, else the label that the device has by then. */
export function locationOf(command: Pick<QueuedCommand, 'alias'>, label: string): string {
  return command.alias === '' ? label : command.alias;
}

/**
 * The queued command that a new one replaces: the same target and nonce or, without a nonce, the same target and
 * content. Only direct commands replace direct commands.
 */
export function findReplaced(
  queue: readonly QueuedCommand[],
  added: { target: string; nonce: string; content: CommandContent },
): QueuedCommand | undefined {
  return queue.find((queued) => {
    if (queued.owner !== null || queued.target !== added.target || queued.nonce !== added.nonce) return false;
    return added.nonce !== '' || sameContent(queued.content, added.content);
  });
}

/** Whether a worker sees, hears and counts the same. */
export function sameContent(a: CommandContent, b: CommandContent): boolean {
  return lookOf(a) === lookOf(b);
}

/** What a worker sees, hears and counts, as one text. How long it stays lit is not part of that. */
export function lookOf(content: CommandContent): string {
  const { command, quantity, arrow, color, barcode, qrcode, icon, sound, lines } = content;
  return JSON.stringify([command, quantity, arrow, color, barcode, qrcode, icon, sound, ...lines]);
}

/** What history calls the work of this command; null: it was sent by itself. */
export function workOf(owner: Owner | null): string | null {
  return owner === null ? null : `${owner.kind === 'step' ? 'sequence' : 'order'}:${owner.of}`;
}

/** The quantity on the screen: as asked for, or as adjusted. */
export function quantityOf(command: Pick<QueuedCommand, 'adjusted' | 'content'>): number | null {
  return command.adjusted ?? command.content.quantity;
}
