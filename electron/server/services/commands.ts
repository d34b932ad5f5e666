import { isoTime } from '../domain/isoTime.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction } from '../db/writer.ts';
import {
  expiresAt,
  findReplaced,
  isFirst,
  isOpen,
  next,
  quantityOf,
  sameContent,
  type Adjustment,
  type CommandEvent,
  type CommandState,
  type OpenState,
  type Owner,
  type QueuedCommand,
} from '../domain/commandQueue.ts';
import { lasts, nextOutage, type Outage, type OutageEvent } from '../domain/outage.ts';
import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Callbacks } from './callbacks.ts';
import { labelOf, recordCommand, type EndDetail, type Recorded } from './commandHistory.ts';
import { commandEntry, isoOrNull } from './deviceEntry.ts';
import { newPosition } from './queuePlace.ts';

/** A thing to show on a device, with whom to tell. */
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
  /** The step or item that lights it; left out of what a caller sends by itself. */
  owner?: Owner;
};

type EndedBy = EndDetail & { by: string };

type Ended = {
  command: QueuedCommand;
  end: Extract<CommandState, { kind: 'acknowledged' | 'timedOut' | 'killed' }>;
  recorded: Recorded;
  by: string;
};

/** How the command of a step or an item ended. `told`: a timeout of a device that nobody reached may be one that is not told. */
export type OwnedEnd = Ended & { owner: Owner; told: boolean };

/** Sequences and orders, for the queue: each writes what follows from this end inside the same use-case. */
export type OwnerEnded = (unit: Transaction, ended: OwnedEnd) => void;

/** The same: the command of a step or an item is another one now, perhaps at another device. */
export type OwnerMoved = (unit: Transaction, owner: Owner) => void;

/** As the answer tells it. `unreachable`: it is the next to be shown, and no turbo reaches the device. */
export type SentCommand = { commandId: string; state: 'queued'; delivery: 'queued' | 'unreachable' };

/** The command queues. Every function runs inside a use-case and leaves rows, history and outbox consistent. */
export type Commands = {
  send(unit: Transaction, command: NewCommand): SentCommand;
  /** Removes a device's commands without a callback; of one target or nonce where these are given. Answers how many. */
  kill(
    unit: Transaction,
    which: { deviceId: string; target: string | undefined; nonce: string | undefined; by: string },
  ): number;
  /** A step or item takes back what it lit, if that is open still: it alone is not told. */
  withdraw(unit: Transaction, owner: Pick<Owner, 'kind' | 'id'>, by: string): void;
  /** Removes this one open command without a callback. */
  takeAway(unit: Transaction, command: QueuedCommand, by: string): void;
  markSent(unit: Transaction, deviceId: string, token: number, at: number): void;
  markShown(unit: Transaction, shown: { deviceId: string; token: number; at: number; sentAt: number | null }): void;
  /** Acknowledges the command that `token` names. False: there is none any more, the press was late. */
  acknowledge(
    unit: Transaction,
    press: { deviceId: string; token: number; at: number; qty: number | null; by: string; reason: string | undefined },
  ): boolean;
  /** The worker changed the quantity of the shown command. False: it was late. */
  adjust(unit: Transaction, press: { deviceId: string; token: number; at: number; quantity: number }): boolean;
  /** Somebody else set the quantity of an open command. Answers the id of the command that has it now. */
  setQuantity(unit: Transaction, command: QueuedCommand, adjusted: { quantity: number; by: string }): number;
  /** The first command of this queue was taken out of it: lights the next one. */
  goOn(unit: Transaction, deviceId: string): void;
  /** Whether a turbo reaches the device: written down where its first command is not shown yet. */
  noteReach(unit: Transaction, deviceId: string, isReached: boolean): void;
  /** The device, or in its place the station, ended a command unanswered. */
  timeOut(
    unit: Transaction,
    end: { deviceId: string; token: number; at: number; by: 'device' | 'station'; tell: boolean },
  ): void;
};

export function createCommands(parts: {
  rows: Repositories;
  callbacks: Callbacks;
  /** The device must show something else now. */
  refresh: (unit: Transaction, deviceId: string) => void;
  /** A deadline was set. */
  due: (unit: Transaction) => void;
  /** Whether a turbo reaches this device now. */
  reaches: (deviceId: string) => boolean;
  ownerEnded: OwnerEnded;
  ownerMoved: OwnerMoved;
}): Commands {
  const { rows, callbacks, refresh, due, reaches, ownerEnded, ownerMoved } = parts;

  /** Puts an open command's new state on disk. */
  function advance(unit: Transaction, command: QueuedCommand, event: CommandEvent): boolean {
    const state = next(command.state, event);
    if (state === command.state || !isOpen(state)) return false;
    rows.commands.setState(command.id, state, command.content.seconds);
    command.state = state;
    due(unit);
    return true;
  }

  /** Takes an ended command out of its queue, into history. */
  function end(unit: Transaction, command: QueuedCommand, event: CommandEvent, extra: EndedBy): Ended {
    const ended = takeOut(unit, command, event, extra);
    if (isFirst(command)) goOn(unit, command.deviceId);
    return ended;
  }

  function takeOut(unit: Transaction, command: QueuedCommand, event: CommandEvent, extra: EndedBy): Ended {
    const state = next(command.state, event);
    if (isOpen(state) || state.kind === 'replaced') throw new Error(`A command cannot end as ${state.kind}.`);
    rows.commands.remove(command.id);
    return { command, end: state, recorded: recordCommand(rows, unit, command, state, extra), by: extra.by };
  }

  /** The first command of this queue is gone. */
  function goOn(unit: Transaction, deviceId: string): void {
    const follower = rows.commands.findFollower(deviceId);
    if (follower !== undefined) {
      advance(unit, follower, { kind: 'becameFirst', at: unit.now });
      if (!reaches(deviceId)) noteOutage(unit, follower, { kind: 'lost', at: unit.now });
    }
    refresh(unit, deviceId);
  }

  /** Whether the device that is to show this can be reached has changed. */
  function noteOutage(unit: Transaction, command: QueuedCommand, event: OutageEvent): void {
    const outage = nextOutage(command.outage, event);
    if (outage === command.outage) return;
    const wasLasting = lasts(command.outage);
    rows.commands.setOutage(command.id, outage);
    command.outage = outage;
    if (event.kind === 'shown' || wasLasting === lasts(outage)) return;
    unit.emit({
      type: lasts(outage) ? 'command.unreachable' : 'command.reached',
      deviceid: command.deviceId,
      command_id: String(command.id),
      at: isoTime(event.at),
    });
  }

  function find(deviceId: string, token: number): QueuedCommand | undefined {
    const command = rows.commands.find(token);
    return command?.deviceId === deviceId ? command : undefined;
  }

  /** Of a command that is new: it heads its queue, and nobody reaches its device. */
  function outageAt(unit: Transaction, deviceId: string, { firstAt }: OpenState): Outage | null {
    return firstAt === null || reaches(deviceId) ? null : { since: unit.now, until: null };
  }

  /** A press on something that an equal command has replaced since was meant for that one. */
  function findPressed(deviceId: string, token: number): QueuedCommand | undefined {
    let command = find(deviceId, token);
    for (let id = token; command === undefined;) {
      const successor = rows.history.findSuccessor(id);
      if (successor === undefined) return undefined;
      id = successor;
      command = find(deviceId, id);
    }
    return command;
  }

  /** Puts a command where another one stood. Answers its id. */
  function replace(
    unit: Transaction,
    replaced: QueuedCommand,
    change: Pick<QueuedCommand, 'content' | 'arrowAdded' | 'sender' | 'adjusted' | 'adjustment' | 'createdAt'>,
    by: string,
  ): number {
    const { deviceId, target, alias, nonce, position, owner } = replaced;
    const state = { kind: 'queued', firstAt: isFirst(replaced) ? unit.now : null } as const;
    const added = {
      ...change,
      deviceId,
      target,
      alias,
      nonce,
      position,
      state,
      outage: outageAt(unit, deviceId, state),
      owner,
    };
    rows.commands.remove(replaced.id);
    const id = rows.commands.insert(added);
    const same = sameContent(replaced.content, added.content);
    recordCommand(rows, unit, replaced, { kind: 'replaced', at: unit.now }, { by, replacedBy: id, sameContent: same });
    unit.emit({
      type: 'command.replaced',
      deviceid: deviceId,
      command_id: String(replaced.id),
      command: commandEntry({ ...added, id }, labelOf(rows, deviceId)),
    });
    if (owner !== null) ownerMoved(unit, owner);
    if (isFirst(replaced)) light(unit, deviceId);
    return id;
  }

  /** Answers the id under which the device is told the quantity. */
  function sendAdjusted(unit: Transaction, command: QueuedCommand, adjusted: number, adjustment: Adjustment): number {
    const { content, arrowAdded, sender, createdAt } = command;
    return replace(unit, command, { content, arrowAdded, sender, createdAt, adjusted, adjustment }, adjustment.by);
  }

  function noteAdjusted(unit: Transaction, command: QueuedCommand, quantity: number, adjustment: Adjustment): void {
    const { id, deviceId } = command;
    rows.commands.setAdjusted(id, quantity, adjustment);
    refresh(unit, deviceId);
    unit.emit({ type: 'command.adjusted', deviceid: deviceId, command_id: String(id), quantity });
  }

  function killThese(unit: Transaction, deviceId: string, killed: readonly QueuedCommand[], by: string): void {
    for (const ended of takeOutThese(unit, deviceId, killed, by)) tellOwner(unit, ended, true);
  }

  /** Answers how they ended, for their owners. */
  function takeOutThese(unit: Transaction, deviceId: string, killed: readonly QueuedCommand[], by: string): Ended[] {
    const ended: Ended[] = [];
    for (const command of killed) {
      ended.push(takeOut(unit, command, { kind: 'killed', at: unit.now }, { by }));
      unit.emit({
        type: 'command.killed',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(unit.now),
        qty: 0,
        by,
      });
    }
    if (killed.some(isFirst)) goOn(unit, deviceId);
    return ended;
  }

  /** Last of all: what an owner lights next stands behind what waits already. */
  function tellOwner(unit: Transaction, ended: Ended, told: boolean): void {
    const { owner } = ended.command;
    if (owner !== null) ownerEnded(unit, { ...ended, owner, told });
  }

  /** Another command heads this queue. */
  function light(unit: Transaction, deviceId: string): void {
    refresh(unit, deviceId);
    due(unit);
  }

  return {
    send(unit, { label, owner = null, ...asked }) {
      const command = { ...asked, owner };
      const { deviceId, content, arrowAdded, sender } = command;
      const first = rows.commands.findFirst(deviceId);
      const isDirect = owner === null && first !== undefined;
      const waiting = isDirect ? rows.commands.listWaitingLike(deviceId, command) : [];
      const replaced = isDirect ? findReplaced([first, ...waiting], command) : undefined;
      if (replaced !== undefined) {
        // A script that repeats its call must not undo what the worker has counted.
        const same = sameContent(replaced.content, content);
        const { adjusted, adjustment } = same ? replaced : { adjusted: null, adjustment: null };
        const change = { content, arrowAdded, sender, adjusted, adjustment, createdAt: unit.now };
        const id = replace(unit, replaced, change, sender);
        const isLost = isFirst(replaced) && !reaches(deviceId);
        return { commandId: String(id), state: 'queued', delivery: isLost ? 'unreachable' : 'queued' };
      }
      const state = { kind: 'queued', firstAt: first === undefined ? unit.now : null } as const;
      const outage = outageAt(unit, deviceId, state);
      const added: Omit<QueuedCommand, 'id'> = {
        ...command,
        position: newPosition(rows, deviceId, first),
        adjusted: null,
        adjustment: null,
        createdAt: unit.now,
        state,
        outage,
      };
      const id = rows.commands.insert(added);
      const entry = commandEntry({ ...added, id }, label);
      unit.emit({ type: 'command.queued', deviceid: deviceId, command: entry });
      if (first === undefined) light(unit, deviceId);
      return { commandId: entry.command_id, state: 'queued', delivery: outage === null ? 'queued' : 'unreachable' };
    },

    kill(unit, { deviceId, target, nonce, by }) {
      const first = rows.commands.findFirst(deviceId);
      if (first === undefined) return 0;
      const candidates =
        nonce === undefined
          ? rows.commands.list(deviceId)
          : [first, ...rows.commands.listWaitingWithNonce(deviceId, nonce)];
      const killed = candidates.filter(
        (command) =>
          (target === undefined || command.target === target) && (nonce === undefined || command.nonce === nonce),
      );
      killThese(unit, deviceId, killed, by);
      return killed.length;
    },

    withdraw(unit, owner, by) {
      const command = rows.commands.findByOwner(owner);
      if (command !== undefined) takeOutThese(unit, command.deviceId, [command], by);
    },

    takeAway: (unit, command, by) => killThese(unit, command.deviceId, [command], by),

    markSent(unit, deviceId, token, at) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(unit, command, { kind: 'sent', at })) return;
      unit.emit({
        type: 'command.sent',
        deviceid: deviceId,
        command_id: String(token),
        at: isoTime(at),
      });
    },

    markShown(unit, { deviceId, token, at, sentAt }) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(unit, command, { kind: 'shown', at, sentAt })) return;
      noteOutage(unit, command, { kind: 'shown', at });
      unit.emit({
        type: 'command.shown',
        deviceid: deviceId,
        command_id: String(token),
        sent_at: isoOrNull(command.state.kind === 'queued' ? null : command.state.sentAt),
        at: isoTime(at),
        expires_at: isoOrNull(expiresAt(command.state, command.content.seconds)),
      });
    },

    acknowledge(unit, { deviceId, token, at, qty, by, reason }) {
      const command = findPressed(deviceId, token);
      if (command === undefined) return false;
      const counted = qty ?? quantityOf(command) ?? 0;
      const extra = reason === undefined ? { by } : { by, reason };
      const ended = end(unit, command, { kind: 'pressed', at, qty: counted }, extra);
      tell(unit, command, 'ack', counted, ended.recorded);
      unit.emit({
        type: 'command.acknowledged',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(at),
        qty: counted,
        by,
      });
      tellOwner(unit, ended, true);
      return true;
    },

    adjust(unit, { deviceId, token, at, quantity }) {
      const command = findPressed(deviceId, token);
      if (command === undefined) return false;
      if (command.id !== token && quantityOf(command) !== quantity) {
        // A device that shows a command keeps its own count of it: only another token brings it this one.
        sendAdjusted(unit, command, quantity, { at, by: 'device' });
        return true;
      }
      // The device knows already; a device that starts anew is to be told.
      noteAdjusted(unit, command, quantity, { at, by: 'device' });
      return true;
    },

    setQuantity(unit, command, { quantity, by }) {
      if (quantityOf(command) === quantity) return command.id;
      if (command.state.kind !== 'queued' || isFirst(command)) {
        return sendAdjusted(unit, command, quantity, { at: unit.now, by });
      }
      noteAdjusted(unit, command, quantity, { at: unit.now, by });
      return command.id;
    },

    goOn,

    noteReach(unit, deviceId, isReached) {
      const first = rows.commands.findFirst(deviceId);
      if (first === undefined || first.state.kind === 'shown') return;
      noteOutage(unit, first, { kind: isReached ? 'reached' : 'lost', at: unit.now });
    },

    timeOut(unit, { deviceId, token, at, by, tell: owed }) {
      const command = find(deviceId, token);
      if (command === undefined) return;
      // An old receiver books any quantity above 0 as picked: only what the worker set himself counts.
      const qty = command.adjusted ?? 0;
      const ended = end(unit, command, { kind: 'elapsed', at, qty }, { by });
      if (owed) tell(unit, command, 'nack', qty, ended.recorded);
      unit.emit({
        type: 'command.timedOut',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(at),
        qty,
      });
      tellOwner(unit, ended, owed);
    },
  };

  /** Only a command with a nonce is answered by a callback; what is owed of a step or item, its owner adds. */
  function tell(
    unit: Transaction,
    command: QueuedCommand,
    acknack: 'ack' | 'nack',
    qty: number,
    recorded: Recorded,
  ): void {
    if (command.nonce === '' || command.owner !== null) return;
    const { deviceId, nonce } = command;
    const { historyId, location } = recorded;
    callbacks.add(unit, {
      family: 'device',
      historyId,
      payload: { acknack, deviceid: deviceId, location, nonce, qty },
    });
  }
}
