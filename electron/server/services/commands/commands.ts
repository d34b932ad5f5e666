import { isoTime } from '../../domain/isoTime.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
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
} from '../../domain/commandQueue.ts';
import { lasts, nextOutage, type Outage, type OutageEvent } from '../../domain/outage.ts';
import type { CommandContent } from '#shared/lib/deviceRequest.ts';
import { commandEntry, isoOrNull } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import { type EndDetail, type Recorded, labelOf, recordCommand } from './history.ts';
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
export type OwnerEnded = (tx: Transaction, ended: OwnedEnd) => void;

/** The same: the command of a step or an item is another one now, perhaps at another device. */
export type OwnerMoved = (tx: Transaction, owner: Owner) => void;

/** As the answer tells it. `unreachable`: it is the next to be shown, and no turbo reaches the device. */
export type SentCommand = { commandId: string; state: 'queued'; delivery: 'queued' | 'unreachable' };

/** The command queues. Every function runs inside a use-case and leaves rows, history and outbox consistent. */
export type Commands = {
  send(tx: Transaction, command: NewCommand): SentCommand;
  /** Removes a device's commands without a callback; of one target or nonce where these are given. Answers how many. */
  kill(
    tx: Transaction,
    which: { deviceId: string; target: string | undefined; nonce: string | undefined; by: string },
  ): number;
  /** A step or item takes back what it lit, if that is open still: it alone is not told. */
  withdraw(tx: Transaction, owner: Pick<Owner, 'kind' | 'id'>, by: string): void;
  /** Removes this one open command without a callback. */
  takeAway(tx: Transaction, command: QueuedCommand, by: string): void;
  markSent(tx: Transaction, deviceId: string, token: number, at: number): void;
  markShown(tx: Transaction, shown: { deviceId: string; token: number; at: number; sentAt: number | null }): void;
  /** Acknowledges the command that `token` names. False: there is none any more, the press was late. */
  acknowledge(
    tx: Transaction,
    press: { deviceId: string; token: number; at: number; qty: number | null; by: string; reason: string | undefined },
  ): boolean;
  /** The worker changed the quantity of the shown command. False: it was late. */
  adjust(tx: Transaction, press: { deviceId: string; token: number; at: number; quantity: number }): boolean;
  /** Somebody else set the quantity of an open command. Answers the id of the command that has it now. */
  setQuantity(tx: Transaction, command: QueuedCommand, adjusted: { quantity: number; by: string }): number;
  /** The first command of this queue was taken out of it: lights the next one. */
  goOn(tx: Transaction, deviceId: string): void;
  /** Whether a turbo reaches the device: written down where its first command is not shown yet. */
  noteReach(tx: Transaction, deviceId: string, isReached: boolean): void;
  /** The device, or in its place the station, ended a command unanswered. */
  timeOut(
    tx: Transaction,
    end: { deviceId: string; token: number; at: number; by: 'device' | 'station'; tell: boolean },
  ): void;
};

export function createCommands(parts: {
  repositories: Repositories;
  callbacks: Callbacks;
  /** The device must show something else now. */
  refresh: (tx: Transaction, deviceId: string) => void;
  /** A deadline was set. */
  due: (tx: Transaction) => void;
  /** Whether a turbo reaches this device now. */
  reaches: (deviceId: string) => boolean;
  ownerEnded: OwnerEnded;
  ownerMoved: OwnerMoved;
}): Commands {
  const { repositories, callbacks, refresh, due, reaches, ownerEnded, ownerMoved } = parts;

  /** Puts an open command's new state on disk. */
  function advance(tx: Transaction, command: QueuedCommand, event: CommandEvent): boolean {
    const state = next(command.state, event);
    if (state === command.state || !isOpen(state)) return false;
    repositories.commands.setState(command.id, state, command.content.seconds);
    command.state = state;
    due(tx);
    return true;
  }

  /** Takes an ended command out of its queue, into history. */
  function end(tx: Transaction, command: QueuedCommand, event: CommandEvent, extra: EndedBy): Ended {
    const ended = takeOut(tx, command, event, extra);
    if (isFirst(command)) goOn(tx, command.deviceId);
    return ended;
  }

  function takeOut(tx: Transaction, command: QueuedCommand, event: CommandEvent, extra: EndedBy): Ended {
    const state = next(command.state, event);
    if (isOpen(state) || state.kind === 'replaced') throw new Error(`A command cannot end as ${state.kind}.`);
    repositories.commands.remove(command.id);
    return { command, end: state, recorded: recordCommand(repositories, tx, command, state, extra), by: extra.by };
  }

  /** The first command of this queue is gone. */
  function goOn(tx: Transaction, deviceId: string): void {
    const follower = repositories.commands.findFollower(deviceId);
    if (follower !== undefined) {
      advance(tx, follower, { kind: 'becameFirst', at: tx.now });
      if (!reaches(deviceId)) noteOutage(tx, follower, { kind: 'lost', at: tx.now });
    }
    refresh(tx, deviceId);
  }

  /** Whether the device that is to show this can be reached has changed. */
  function noteOutage(tx: Transaction, command: QueuedCommand, event: OutageEvent): void {
    const outage = nextOutage(command.outage, event);
    if (outage === command.outage) return;
    const wasLasting = lasts(command.outage);
    repositories.commands.setOutage(command.id, outage);
    command.outage = outage;
    if (event.kind === 'shown' || wasLasting === lasts(outage)) return;
    tx.emit({
      type: lasts(outage) ? 'command.unreachable' : 'command.reached',
      deviceid: command.deviceId,
      command_id: String(command.id),
      at: isoTime(event.at),
    });
  }

  function find(deviceId: string, token: number): QueuedCommand | undefined {
    const command = repositories.commands.find(token);
    return command?.deviceId === deviceId ? command : undefined;
  }

  /** Of a command that is new: it heads its queue, and nobody reaches its device. */
  function outageAt(tx: Transaction, deviceId: string, { firstAt }: OpenState): Outage | null {
    return firstAt === null || reaches(deviceId) ? null : { since: tx.now, until: null };
  }

  /** A press on something that an equal command has replaced since was meant for that one. */
  function findPressed(deviceId: string, token: number): QueuedCommand | undefined {
    let command = find(deviceId, token);
    for (let id = token; command === undefined;) {
      const successor = repositories.history.findSuccessor(id);
      if (successor === undefined) return undefined;
      id = successor;
      command = find(deviceId, id);
    }
    return command;
  }

  /** Puts a command where another one stood. Answers its id. */
  function replace(
    tx: Transaction,
    replaced: QueuedCommand,
    change: Pick<QueuedCommand, 'content' | 'arrowAdded' | 'sender' | 'adjusted' | 'adjustment' | 'createdAt'>,
    by: string,
  ): number {
    const { deviceId, target, alias, nonce, position, owner } = replaced;
    const state = { kind: 'queued', firstAt: isFirst(replaced) ? tx.now : null } as const;
    const added = {
      ...change,
      deviceId,
      target,
      alias,
      nonce,
      position,
      state,
      outage: outageAt(tx, deviceId, state),
      owner,
    };
    repositories.commands.remove(replaced.id);
    const id = repositories.commands.insert(added);
    const same = sameContent(replaced.content, added.content);
    recordCommand(
      repositories,
      tx,
      replaced,
      { kind: 'replaced', at: tx.now },
      { by, replacedBy: id, sameContent: same },
    );
    tx.emit({
      type: 'command.replaced',
      deviceid: deviceId,
      command_id: String(replaced.id),
      command: commandEntry({ ...added, id }, labelOf(repositories, deviceId)),
    });
    if (owner !== null) ownerMoved(tx, owner);
    if (isFirst(replaced)) light(tx, deviceId);
    return id;
  }

  /** Answers the id under which the device is told the quantity. */
  function sendAdjusted(tx: Transaction, command: QueuedCommand, adjusted: number, adjustment: Adjustment): number {
    const { content, arrowAdded, sender, createdAt } = command;
    return replace(tx, command, { content, arrowAdded, sender, createdAt, adjusted, adjustment }, adjustment.by);
  }

  function noteAdjusted(tx: Transaction, command: QueuedCommand, quantity: number, adjustment: Adjustment): void {
    const { id, deviceId } = command;
    repositories.commands.setAdjusted(id, quantity, adjustment);
    refresh(tx, deviceId);
    tx.emit({ type: 'command.adjusted', deviceid: deviceId, command_id: String(id), quantity });
  }

  function killThese(tx: Transaction, deviceId: string, killed: readonly QueuedCommand[], by: string): void {
    for (const ended of takeOutThese(tx, deviceId, killed, by)) tellOwner(tx, ended, true);
  }

  /** Answers how they ended, for their owners. */
  function takeOutThese(tx: Transaction, deviceId: string, killed: readonly QueuedCommand[], by: string): Ended[] {
    const ended: Ended[] = [];
    for (const command of killed) {
      ended.push(takeOut(tx, command, { kind: 'killed', at: tx.now }, { by }));
      tx.emit({
        type: 'command.killed',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(tx.now),
        qty: 0,
        by,
      });
    }
    if (killed.some(isFirst)) goOn(tx, deviceId);
    return ended;
  }

  /** Last of all: what an owner lights next stands behind what waits already. */
  function tellOwner(tx: Transaction, ended: Ended, told: boolean): void {
    const { owner } = ended.command;
    if (owner !== null) ownerEnded(tx, { ...ended, owner, told });
  }

  /** Another command heads this queue. */
  function light(tx: Transaction, deviceId: string): void {
    refresh(tx, deviceId);
    due(tx);
  }

  return {
    send(tx, { label, owner = null, ...asked }) {
      const command = { ...asked, owner };
      const { deviceId, content, arrowAdded, sender } = command;
      const first = repositories.commands.findFirst(deviceId);
      const isDirect = owner === null && first !== undefined;
      const waiting = isDirect ? repositories.commands.listWaitingLike(deviceId, command) : [];
      const replaced = isDirect ? findReplaced([first, ...waiting], command) : undefined;
      if (replaced !== undefined) {
        // A script that repeats its call must not undo what the worker has counted.
        const same = sameContent(replaced.content, content);
        const { adjusted, adjustment } = same ? replaced : { adjusted: null, adjustment: null };
        const change = { content, arrowAdded, sender, adjusted, adjustment, createdAt: tx.now };
        const id = replace(tx, replaced, change, sender);
        const isLost = isFirst(replaced) && !reaches(deviceId);
        return { commandId: String(id), state: 'queued', delivery: isLost ? 'unreachable' : 'queued' };
      }
      const state = { kind: 'queued', firstAt: first === undefined ? tx.now : null } as const;
      const outage = outageAt(tx, deviceId, state);
      const added: Omit<QueuedCommand, 'id'> = {
        ...command,
        position: newPosition(repositories, deviceId, first),
        adjusted: null,
        adjustment: null,
        createdAt: tx.now,
        state,
        outage,
      };
      const id = repositories.commands.insert(added);
      const entry = commandEntry({ ...added, id }, label);
      tx.emit({ type: 'command.queued', deviceid: deviceId, command: entry });
      if (first === undefined) light(tx, deviceId);
      return { commandId: entry.command_id, state: 'queued', delivery: outage === null ? 'queued' : 'unreachable' };
    },

    kill(tx, { deviceId, target, nonce, by }) {
      const first = repositories.commands.findFirst(deviceId);
      if (first === undefined) return 0;
      const candidates =
        nonce === undefined
          ? repositories.commands.list(deviceId)
          : [first, ...repositories.commands.listWaitingWithNonce(deviceId, nonce)];
      const killed = candidates.filter(
        (command) =>
          (target === undefined || command.target === target) && (nonce === undefined || command.nonce === nonce),
      );
      killThese(tx, deviceId, killed, by);
      return killed.length;
    },

    withdraw(tx, owner, by) {
      const command = repositories.commands.findByOwner(owner);
      if (command !== undefined) takeOutThese(tx, command.deviceId, [command], by);
    },

    takeAway: (tx, command, by) => killThese(tx, command.deviceId, [command], by),

    markSent(tx, deviceId, token, at) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(tx, command, { kind: 'sent', at })) return;
      tx.emit({
        type: 'command.sent',
        deviceid: deviceId,
        command_id: String(token),
        at: isoTime(at),
      });
    },

    markShown(tx, { deviceId, token, at, sentAt }) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(tx, command, { kind: 'shown', at, sentAt })) return;
      noteOutage(tx, command, { kind: 'shown', at });
      tx.emit({
        type: 'command.shown',
        deviceid: deviceId,
        command_id: String(token),
        sent_at: isoOrNull(command.state.kind === 'queued' ? null : command.state.sentAt),
        at: isoTime(at),
        expires_at: isoOrNull(expiresAt(command.state, command.content.seconds)),
      });
    },

    acknowledge(tx, { deviceId, token, at, qty, by, reason }) {
      const command = findPressed(deviceId, token);
      if (command === undefined) return false;
      const counted = qty ?? quantityOf(command) ?? 0;
      const extra = reason === undefined ? { by } : { by, reason };
      const ended = end(tx, command, { kind: 'pressed', at, qty: counted }, extra);
      tell(tx, command, 'ack', counted, ended.recorded);
      tx.emit({
        type: 'command.acknowledged',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(at),
        qty: counted,
        by,
      });
      tellOwner(tx, ended, true);
      return true;
    },

    adjust(tx, { deviceId, token, at, quantity }) {
      const command = findPressed(deviceId, token);
      if (command === undefined) return false;
      if (command.id !== token && quantityOf(command) !== quantity) {
        // A device that shows a command keeps its own count of it: only another token brings it this one.
        sendAdjusted(tx, command, quantity, { at, by: 'device' });
        return true;
      }
      // The device knows already; a device that starts anew is to be told.
      noteAdjusted(tx, command, quantity, { at, by: 'device' });
      return true;
    },

    setQuantity(tx, command, { quantity, by }) {
      if (quantityOf(command) === quantity) return command.id;
      if (command.state.kind !== 'queued' || isFirst(command)) {
        return sendAdjusted(tx, command, quantity, { at: tx.now, by });
      }
      noteAdjusted(tx, command, quantity, { at: tx.now, by });
      return command.id;
    },

    goOn,

    noteReach(tx, deviceId, isReached) {
      const first = repositories.commands.findFirst(deviceId);
      if (first === undefined || first.state.kind === 'shown') return;
      noteOutage(tx, first, { kind: isReached ? 'reached' : 'lost', at: tx.now });
    },

    timeOut(tx, { deviceId, token, at, by, tell: owed }) {
      const command = find(deviceId, token);
      if (command === undefined) return;
      // An old receiver books any quantity above 0 as picked: only what the worker set himself counts.
      const qty = command.adjusted ?? 0;
      const ended = end(tx, command, { kind: 'elapsed', at, qty }, { by });
      if (owed) tell(tx, command, 'nack', qty, ended.recorded);
      tx.emit({
        type: 'command.timedOut',
        deviceid: deviceId,
        command_id: String(command.id),
        at: isoTime(at),
        qty,
      });
      tellOwner(tx, ended, owed);
    },
  };

  /** Only a command with a nonce is answered by a callback; what is owed of a step or item, its owner adds. */
  function tell(
    tx: Transaction,
    command: QueuedCommand,
    acknack: 'ack' | 'nack',
    qty: number,
    recorded: Recorded,
  ): void {
    if (command.nonce === '' || command.owner !== null) return;
    const { deviceId, nonce } = command;
    const { historyId, location } = recorded;
    callbacks.add(tx, {
      family: 'device',
      historyId,
      payload: { acknack, deviceid: deviceId, location, nonce, qty },
    });
  }
}
