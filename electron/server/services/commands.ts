import type { Rows } from '../db/rows.ts';
import type { Unit } from '../db/writer.ts';
import {
  findReplaced,
  isOpen,
  next,
  quantityOf,
  sameContent,
  type CommandEvent,
  type CommandState,
  type QueuedCommand,
} from '../domain/commandQueue.ts';
import type { CommandContent } from '../domain/deviceRequest.ts';
import { StationError } from '../errors.ts';
import type { Callbacks } from './callbacks.ts';
import { commandEntry, isoOrNull } from './deviceEntry.ts';

/** More than a worker presses away in a day: what goes beyond is a script that runs wild. */
const MAX_QUEUE = 1_000;

/** A thing to show on a device, with whom to tell. */
export type NewCommand = {
  deviceId: string;
  /** What it was addressed by: `device`, or a place on it. */
  target: string;
  location: string;
  nonce: string;
  content: CommandContent;
  sender: string;
};

/** The command queues. Every function runs inside a use-case and leaves rows, history and outbox consistent. */
export type Commands = {
  send(unit: Unit, command: NewCommand): { commandId: string; state: 'queued' };
  /** Removes a device's commands without a callback; of one target or nonce where these are given. Answers how many. */
  kill(
    unit: Unit,
    which: { deviceId: string; target: string | undefined; nonce: string | undefined; by: string },
  ): number;
  markSent(unit: Unit, deviceId: string, token: number, at: number): void;
  markShown(unit: Unit, shown: { deviceId: string; token: number; at: number; sentAt: number | null }): void;
  /** Acknowledges the command that `token` names. False: there is none any more, the press was late. */
  acknowledge(
    unit: Unit,
    press: { deviceId: string; token: number; at: number; qty: number | null; by: string },
  ): boolean;
  /** The worker changed the quantity of the shown command. False: it was late. */
  adjust(unit: Unit, press: { deviceId: string; token: number; quantity: number }): boolean;
  /** The device, or in its place the station, ended a command unanswered. */
  timeOut(unit: Unit, end: { deviceId: string; token: number; at: number; tell: boolean }): void;
};

export function createCommands(parts: {
  rows: Rows;
  callbacks: Callbacks;
  /** The device must show something else now. */
  refresh: (unit: Unit, deviceId: string) => void;
  /** A deadline was set. */
  due: (unit: Unit) => void;
}): Commands {
  const { rows, callbacks, refresh, due } = parts;

  /** Puts an open command's new state on disk. */
  function advance(unit: Unit, command: QueuedCommand, event: CommandEvent): boolean {
    const state = next(command.state, event);
    if (state === command.state || !isOpen(state)) return false;
    rows.commands.setState(command.id, state, command.content.seconds);
    command.state = state;
    due(unit);
    return true;
  }

  /** Takes an ended command out of its queue, into history. Answers the history row. */
  function end(
    unit: Unit,
    queue: readonly QueuedCommand[],
    command: QueuedCommand,
    state: CommandState,
    extra: object,
  ): number {
    if (isOpen(state) || state.kind === 'replaced') throw new Error(`A command cannot end as ${state.kind}.`);
    rows.commands.remove(command.id);
    const historyId = record(command, state, extra);
    if (queue[0]?.id === command.id) {
      const follower = queue[1];
      if (follower !== undefined) advance(unit, follower, { kind: 'becameFirst', at: unit.now });
      refresh(unit, command.deviceId);
    }
    return historyId;
  }

  function record(command: QueuedCommand, state: Extract<CommandState, { at: number }>, extra: object): number {
    const open = command.state;
    return rows.history.insert({
      at: state.at,
      kind: state.kind,
      deviceId: command.deviceId,
      commandId: command.id,
      nonce: command.nonce,
      location: command.location,
      qty: 'qty' in state ? state.qty : 0,
      detail: {
        sender: command.sender,
        target: command.target,
        content: command.content,
        createdAt: isoOrNull(command.createdAt),
        sentAt: isoOrNull(open.kind === 'queued' ? null : open.sentAt),
        shownAt: isoOrNull(open.kind === 'shown' ? open.shownAt : null),
        ...extra,
      },
    });
  }

  function find(deviceId: string, token: number): QueuedCommand | undefined {
    const command = rows.commands.find(token);
    return command?.deviceId === deviceId ? command : undefined;
  }

  /** A press on something that an equal command has replaced since was meant for that one. */
  function findPressed(queue: readonly QueuedCommand[], token: number): QueuedCommand | undefined {
    let id: number | undefined = token;
    while (id !== undefined) {
      const current: number = id;
      const command = queue.find((queued) => queued.id === current);
      if (command !== undefined) return command;
      if (queue.length === 0) return undefined;
      id = rows.history.findSuccessor(current);
    }
    return undefined;
  }

  return {
    send(unit, command) {
      const queue = rows.commands.list(command.deviceId);
      const replaced = findReplaced(queue, command);
      const isFirst = replaced === undefined ? queue.length === 0 : queue[0]?.id === replaced.id;
      const last = queue[queue.length - 1];
      if (replaced === undefined && queue.length >= MAX_QUEUE) {
        throw new StationError(
          'invalid',
          `The queue of ${command.deviceId} holds ${MAX_QUEUE} commands already. Let them be picked, or take them away with the command kill.`,
        );
      }
      const same = replaced !== undefined && sameContent(replaced.content, command.content);
      const added: Omit<QueuedCommand, 'id'> = {
        ...command,
        position: replaced?.position ?? (last === undefined ? 0 : last.position + 1),
        // A script that repeats its call must not undo what the worker has counted.
        adjusted: same ? replaced.adjusted : null,
        createdAt: unit.now,
        state: { kind: 'queued', firstAt: isFirst ? unit.now : null },
      };
      if (replaced !== undefined) rows.commands.remove(replaced.id);
      const id = rows.commands.insert(added);
      const entry = commandEntry({ ...added, id });
      if (replaced === undefined) {
        unit.emit({ type: 'command.queued', deviceid: command.deviceId, command: entry });
      } else {
        record(replaced, { kind: 'replaced', at: unit.now }, { replacedBy: id, sameContent: same });
        unit.emit({
          type: 'command.replaced',
          deviceid: command.deviceId,
          command_id: String(replaced.id),
          command: entry,
        });
      }
      if (isFirst) {
        refresh(unit, command.deviceId);
        due(unit);
      }
      return { commandId: entry.command_id, state: 'queued' };
    },

    kill(unit, { deviceId, target, nonce, by }) {
      let queue = rows.commands.list(deviceId);
      const killed = queue.filter(
        (command) =>
          (target === undefined || command.target === target) && (nonce === undefined || command.nonce === nonce),
      );
      for (const command of killed) {
        end(unit, queue, command, next(command.state, { kind: 'killed', at: unit.now }), { by });
        queue = queue.filter((queued) => queued.id !== command.id);
        unit.emit({
          type: 'command.killed',
          deviceid: deviceId,
          command_id: String(command.id),
          at: new Date(unit.now).toISOString(),
          qty: 0,
          by,
        });
      }
      return killed.length;
    },

    markSent(unit, deviceId, token, at) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(unit, command, { kind: 'sent', at })) return;
      unit.emit({
        type: 'command.sent',
        deviceid: deviceId,
        command_id: String(token),
        at: new Date(at).toISOString(),
      });
    },

    markShown(unit, { deviceId, token, at, sentAt }) {
      const command = find(deviceId, token);
      if (command === undefined || !advance(unit, command, { kind: 'shown', at, sentAt })) return;
      const entry = commandEntry(command);
      unit.emit({
        type: 'command.shown',
        deviceid: deviceId,
        command_id: entry.command_id,
        sent_at: entry.sent_at,
        at: new Date(at).toISOString(),
        expires_at: entry.expires_at,
      });
    },

    acknowledge(unit, { deviceId, token, at, qty, by }) {
      const queue = rows.commands.list(deviceId);
      const command = findPressed(queue, token);
      if (command === undefined) return false;
      const counted = qty ?? quantityOf(command) ?? 0;
      const state = next(command.state, { kind: 'pressed', at, qty: counted });
      const historyId = end(unit, queue, command, state, { by });
      tell(unit, command, 'ack', counted, historyId);
      unit.emit({
        type: 'command.acknowledged',
        deviceid: deviceId,
        command_id: String(command.id),
        at: new Date(at).toISOString(),
        qty: counted,
        by,
      });
      return true;
    },

    adjust(unit, { deviceId, token, quantity }) {
      const command = findPressed(rows.commands.list(deviceId), token);
      if (command === undefined) return false;
      rows.commands.setAdjusted(command.id, quantity);
      // The device knows already; a device that starts anew is to be told.
      refresh(unit, deviceId);
      unit.emit({ type: 'command.adjusted', deviceid: deviceId, command_id: String(command.id), quantity });
      return true;
    },

    timeOut(unit, { deviceId, token, at, tell: owed }) {
      const queue = rows.commands.list(deviceId);
      const command = queue.find((queued) => queued.id === token);
      if (command === undefined) return;
      // An old receiver books any quantity above 0 as picked: only what the worker set himself counts.
      const qty = command.adjusted ?? 0;
      const historyId = end(unit, queue, command, next(command.state, { kind: 'elapsed', at, qty }), {});
      if (owed) tell(unit, command, 'nack', qty, historyId);
      unit.emit({
        type: 'command.timedOut',
        deviceid: deviceId,
        command_id: String(command.id),
        at: new Date(at).toISOString(),
        qty,
      });
    },
  };

  /** Only a command with a nonce is answered by a callback. Specification, Simple device callback. */
  function tell(unit: Unit, command: QueuedCommand, acknack: 'ack' | 'nack', qty: number, historyId: number): void {
    if (command.nonce === '') return;
    const { deviceId, location, nonce } = command;
    callbacks.add(unit, {
      family: 'device',
      historyId,
      payload: { acknack, deviceid: deviceId, location, nonce, qty },
    });
  }
}
