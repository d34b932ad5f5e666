import type { Timeline } from '#shared/api/history.ts';
import type { TablesOf } from '../../core.ts';
import type { HistoryRow } from '../../db/repositories/history.ts';
import type { Owner, QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { stepsOf } from '../../domain/commands/timeline.ts';
import { StationError } from '../../errors.ts';
import { commandEntry } from '../base/index.ts';
import { numberOf, outageOf, ownerOf, stateOf, timeOf } from './entry.ts';
import { type EndedRow, callbackEntry, isEnding, lifeOfEnded, lifeOfOpen, replacedByOf } from './life.ts';

/** Reads command timelines, which explain why a device is or was lit. */
export function createHistory({ reads }: { reads: TablesOf<'history'> }) {
  function openTimeline(command: QueuedCommand): Timeline {
    const label = reads.devices.find(command.deviceId)?.label ?? '';
    const { command_id, nonce, location, sender, state: word, ...entry } = commandEntry(command, label);
    return {
      command_id,
      deviceid: command.deviceId,
      state: word,
      sender,
      nonce,
      location,
      qty: null,
      reason: '',
      replaced_by: null,
      command: entry,
      steps: stepsOf(lifeOfOpen(command)),
      callbacks: [],
      callbacks_kept: true,
    };
  }

  /** Returns the owner of an ended command, with the name of the cart or wall of a batch. */
  function namedOwner(work: string | null | undefined): Owner | null {
    const owner = ownerOf(work);
    const name = owner?.kind === 'pick' ? reads.batches.find(Number(owner.of))?.carrierName : undefined;
    return owner === null || name === undefined ? owner : { ...owner, name };
  }

  function endedTimeline(ended: EndedRow, late: readonly HistoryRow[]): Timeline {
    const { detail } = ended;
    const callbacks = reads.outbox.listByHistory(ended.id);
    const life = lifeOfEnded(ended, { late, callbacks });
    return {
      command_id: String(ended.commandId),
      deviceid: ended.deviceId,
      state: ended.kind,
      sender: life.sender,
      nonce: ended.nonce,
      location: ended.location,
      qty: ended.qty,
      reason: detail.reason ?? '',
      replaced_by: replacedByOf(ended.detail),
      command: entryOf(ended, namedOwner(ended.work)),
      steps: stepsOf(life),
      callbacks: callbacks.map(callbackEntry),
      callbacks_kept: callbacks.length > 0 || reads.outbox.isKeptSince(ended.id),
    };
  }

  return {
    /** Returns the timeline of an open or ended command. Throws `not_found`. */
    timeline(commandId: string): Timeline {
      const number = numberOf(commandId);
      if (number === undefined) throw unknown(commandId);
      const open = reads.commands.find(number);
      if (open !== undefined) return openTimeline(open);
      const found = reads.history.listByCommand(number);
      const ended = found.find(isEnding);
      if (ended === undefined) throw unknown(commandId);
      return endedTimeline(
        ended,
        found.filter(({ kind }) => kind === 'late'),
      );
    },
  };
}

export type HistoryService = ReturnType<typeof createHistory>;

function unknown(commandId: string): StationError {
  return new StationError('not_found', `There is no command ${commandId}, and history does not know one either.`);
}

/** Converts the command in its final state to API form. */
function entryOf({ deviceId, commandId, nonce, location, detail }: EndedRow, owner: Owner | null): Timeline['command'] {
  const content = detail.content;
  if (content === undefined) throw new Error(`History has no content of command ${commandId}.`);
  const command: QueuedCommand = {
    id: commandId ?? 0,
    deviceId,
    position: 0,
    target: detail.target ?? '',
    alias: '',
    nonce,
    content,
    arrowAdded: false,
    adjusted: detail.adjusted ?? null,
    adjustment: null,
    sender: detail.sender ?? '',
    createdAt: timeOf(detail.createdAt) ?? 0,
    base: detail.shown?.base ?? null,
    latencyMs: 0,
    state: stateOf(detail),
    outage: outageOf(detail),
    owner,
  };
  const {
    command_id: _id,
    nonce: _nonce,
    location: _location,
    sender: _sender,
    state: _state,
    ...entry
  } = commandEntry(command, location);
  return entry;
}
