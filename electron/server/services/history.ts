import type { Timeline, TimelineCallback } from '#shared/api/history.ts';
import type { HistoryDetail, HistoryRow } from '../db/repositories/history.ts';
import { webhookId, type OutboxRow } from '../db/repositories/outbox.ts';
import type { Rows } from '../db/rows.ts';
import type { Writer } from '../db/writer.ts';
import type { QueuedCommand } from '../domain/commandQueue.ts';
import { stepsOf, type Delivery, type Ended, type Life } from '../domain/timeline.ts';
import { StationError } from '../errors.ts';
import type { Log } from '../ports.ts';
import type { Bus } from './bus.ts';
import { commandEntry, isoOrNull } from './deviceEntry.ts';
import { numberOf, outageOf, ownerOf, stateOf, timeOf } from './historyEntry.ts';

/** Why something is lit, or was. */
export type HistoryService = {
  /** Of an open command or one that is over. Throws `not_found`. */
  timeline(commandId: string): Timeline;
  stop(): void;
};

/** Rows that may wait for the index of commands: looking through them takes about a millisecond. */
const MOST_UNINDEXED = 2_000;
/** Brought forward in one use-case. */
const INDEXED_AT_ONCE = 2_000;

type EndedRow = HistoryRow & { kind: Ended['kind'] };

export function createHistory(parts: { rows: Rows; reads: Rows; writer: Writer; bus: Bus; log: Log }): HistoryService {
  const { rows, reads, writer, bus, log } = parts;
  /** At least so many rows are newer than the index. */
  let unindexed = reads.history.countUnindexed();
  let isIndexing = false;
  const unsubscribe = bus.subscribe({
    commit({ facts }) {
      // Every row of history is told by a fact; some facts have none.
      unindexed += facts.length;
      if (unindexed >= MOST_UNINDEXED) bringForward();
    },
    ephemera: () => undefined,
  });

  function bringForward(): void {
    if (isIndexing) return;
    isIndexing = true;
    writer
      .writeSoon((unit) => {
        rows.history.indexCommands(INDEXED_AT_ONCE);
        const left = rows.history.countUnindexed();
        unit.afterCommit(() => {
          unindexed = left;
        });
      })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the index of commands in history could not be brought forward'),
      )
      .finally(() => {
        isIndexing = false;
      });
  }

  function callbacksOf(row: HistoryRow): OutboxRow[] {
    return reads.outbox.listByHistory(row.id);
  }

  function openTimeline(command: QueuedCommand): Timeline {
    const { state, adjusted, adjustment } = command;
    const label = reads.devices.findPlace(command.deviceId)?.label ?? '';
    const life: Life = {
      sender: command.sender,
      createdAt: command.createdAt,
      firstAt: state.firstAt,
      sentAt: state.kind === 'queued' ? null : state.sentAt,
      shownAt: state.kind === 'shown' ? state.shownAt : null,
      outage: command.outage,
      adjusted: adjusted === null || adjustment === null ? undefined : { ...adjustment, quantity: adjusted },
      ended: undefined,
      late: [],
      deliveries: [],
    };
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
      steps: stepsOf(life),
      callbacks: [],
      callbacks_kept: true,
    };
  }

  function endedTimeline(ended: EndedRow, late: readonly HistoryRow[]): Timeline {
    const { detail } = ended;
    const callbacks = callbacksOf(ended);
    const replacedBy = detail.replacedBy === undefined ? null : String(detail.replacedBy);
    const life: Life = {
      sender: detail.sender ?? '',
      createdAt: timeOf(detail.createdAt),
      firstAt: timeOf(detail.firstAt),
      sentAt: timeOf(detail.sentAt),
      shownAt: timeOf(detail.shownAt),
      outage: outageOf(detail),
      adjusted: adjustmentOf(detail),
      ended: {
        kind: ended.kind,
        at: ended.at,
        by: detail.by ?? '',
        qty: ended.qty,
        reason: detail.reason ?? '',
        replacedBy,
        committedAt: timeOf(detail.committedAt),
      },
      late: late.map((row) => ({ at: row.at, committedAt: row.at + (row.detail.ageMs ?? 0) })),
      deliveries: callbacks.map(deliveryOf),
    };
    return {
      command_id: String(ended.commandId),
      deviceid: ended.deviceId,
      state: ended.kind,
      sender: life.sender,
      nonce: ended.nonce,
      location: ended.location,
      qty: ended.qty,
      reason: detail.reason ?? '',
      replaced_by: replacedBy,
      command: entryOf(ended),
      steps: stepsOf(life),
      callbacks: callbacks.map(callbackEntry),
      callbacks_kept: callbacks.length > 0 || reads.outbox.isKeptSince(ended.id),
    };
  }

  return {
    timeline(commandId) {
      const number = numberOf(commandId);
      if (number === undefined) throw unknown(commandId);
      const open = reads.commands.find(number);
      if (open !== undefined) return openTimeline(open);
      const found = reads.history.listByCommand(number);
      const ended = found.find((row): row is EndedRow => ENDINGS.has(row.kind));
      if (ended === undefined) throw unknown(commandId);
      return endedTimeline(
        ended,
        found.filter(({ kind }) => kind === 'late'),
      );
    },
    stop: unsubscribe,
  };
}

const ENDINGS: ReadonlySet<string> = new Set(['acknowledged', 'timedOut', 'killed', 'replaced']);

function unknown(commandId: string): StationError {
  return new StationError('not_found', `There is no command ${commandId}, and history does not know one either.`);
}

function adjustmentOf({ adjusted, adjustedAt, adjustedBy }: HistoryDetail): Life['adjusted'] {
  const at = timeOf(adjustedAt);
  return at === null || typeof adjusted !== 'number' ? undefined : { at, by: adjustedBy ?? '', quantity: adjusted };
}

/** The command as it was when it ended. */
function entryOf({ deviceId, commandId, nonce, location, detail, work }: EndedRow): Timeline['command'] {
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
    state: stateOf(detail),
    outage: outageOf(detail),
    owner: ownerOf(work),
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

function acknackOf(row: OutboxRow): string {
  const { acknack, order_event: event } = JSON.parse(row.payload) as { acknack?: unknown; order_event?: unknown };
  return [acknack, event].find((word) => typeof word === 'string') ?? row.family;
}

function deliveryOf(row: OutboxRow): Delivery {
  return {
    acknack: acknackOf(row),
    state: row.state,
    attempts: row.attempts,
    lastAt: row.last_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

function callbackEntry(row: OutboxRow): TimelineCallback {
  return {
    id: webhookId(row),
    acknack: acknackOf(row),
    state: row.state,
    attempts: row.attempts,
    at: new Date(row.created_at).toISOString(),
    last_status: row.last_status,
    last_error: row.last_error,
    delivered_at: isoOrNull(row.state === 'delivered' ? row.last_attempt_at : null),
  };
}
