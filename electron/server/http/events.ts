import type { Response } from 'express';
import { BOARD } from '#shared/api/rights.ts';
import type { Ephemera } from '#shared/api/station.ts';
import { type Alarm, createAlarm } from '../scheduling/alarm.ts';
import type { Clock, Log } from '../ports.ts';
import type { Access, Caller } from '../services/access/index.ts';
import type { Bus } from '../services/base/index.ts';
import type { Overview } from '../services/overview.ts';

/**
 * How long messages are collected, in milliseconds, so that many commits cause one write per reader. This is the length of one display
 * frame.
 */
const FLUSH_MS = 16;
const HEARTBEAT_MS = 15_000;
/** How long new streams share their first message, in milliseconds. After a connection loss, all browsers reconnect at once. */
const SHARED_MS = 1_000;
/**
 * Maximum number of unread bytes of a reader, in addition to the current message. A reader that exceeds it is disconnected, and then
 * reconnects and resumes or starts again.
 */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

export type EventStreams = ReturnType<typeof createEventStreams>;

type StreamParts = {
  bus: Bus;
  overview: Overview;
  access: Pick<Access, 'isLive'>;
  clock: Clock;
  log: Log;
};

type Reader = { caller: Caller; /** Current limit of unread bytes. */ allowance: number };

type StreamContext = StreamParts & {
  readers: Map<Response, Reader>;
  /** Text of the messages that wait to be written to all readers. */
  pending: string;
  /** Like `pending`, for wall screens, which get no contents. */
  pendingOfBoards: string;
  /** The first message of a stream. Undefined once something newer has been published. */
  conditions: Buffer | undefined;
  flushing: Alarm;
  forgetting: Alarm;
  heartbeat: Alarm;
};

/** Creates the event streams. Each commit becomes one message, which is built once for all readers. */
export function createEventStreams(parts: StreamParts) {
  const { bus, clock } = parts;
  const context: StreamContext = {
    ...parts,
    readers: new Map(),
    pending: '',
    pendingOfBoards: '',
    conditions: undefined,
    flushing: createAlarm(clock, () => flush(context)),
    forgetting: createAlarm(clock, () => forget(context)),
    heartbeat: createAlarm(clock, () => beat(context)),
  };
  const unsubscribe = bus.subscribe({
    commit({ revision, text }) {
      forget(context);
      if (context.readers.size > 0) add(context, factsMessage(revision, text), factsMessage(revision, NO_FACTS));
    },
    ephemera(ephemera) {
      forget(context);
      if (context.readers.size > 0) add(context, ephemeraMessage(ephemera), '');
    },
  });

  return {
    /**
     * Serves one reader until it disconnects. `lastRevision` is the last revision that the reader received, NaN if it is invalid, or
     * undefined for a new reader.
     */
    open: (res: Response, caller: Caller, lastRevision: number | undefined): void =>
      open(context, res, caller, lastRevision),
    /** Ends the streams of sessions that have ended. */
    endSignedOut: (): void => endSignedOut(context),
    count: (): number => context.readers.size,
    /** Ends all streams. */
    stop(): void {
      unsubscribe();
      stop(context);
    },
  };
}

/** Data of a commit for a wall screen, which reads its board again. */
const NO_FACTS = '[]';

const isBoard = ({ scope }: Caller): boolean => scope === BOARD;

/** Discards the shared first message, which is outdated as soon as anything is published. */
function forget(context: StreamContext): void {
  context.conditions = undefined;
  context.forgetting.cancel();
}

function conditionsNow(context: StreamContext): Buffer {
  if (context.conditions === undefined) {
    context.conditions = Buffer.from(ephemeraMessage(context.overview.ephemera()));
    context.forgetting.in(SHARED_MS);
  }
  return context.conditions;
}

function add(context: StreamContext, message: string, ofBoards: string): void {
  context.pending += message;
  context.pendingOfBoards += ofBoards;
  context.flushing.within(FLUSH_MS);
}

/** Writes the pending messages to every reader. */
function flush(context: StreamContext): void {
  context.flushing.cancel();
  if (context.pending === '') return;
  const bytes = Buffer.from(context.pending, 'utf8');
  const ofBoards = Buffer.from(context.pendingOfBoards, 'utf8');
  context.pending = '';
  context.pendingOfBoards = '';
  for (const [response, reader] of context.readers)
    send(context, response, reader, isBoard(reader.caller) ? ofBoards : bytes);
}

/** Writes to one reader, and disconnects the reader if it has too many unread bytes. */
function send(context: StreamContext, response: Response, reader: Reader, bytes: Buffer): void {
  if (bytes.length === 0) return;
  // A single message may be large, so a reader that has read everything before it gets a larger allowance.
  if (response.writableLength === 0) reader.allowance = MAX_UNREAD_BYTES + bytes.length;
  response.write(bytes);
  if (response.writableLength > reader.allowance) {
    context.log.warn({ unreadBytes: response.writableLength }, 'closed an event stream whose reader does not keep up');
    drop(context, response);
    response.destroy();
  }
}

function endSignedOut(context: StreamContext): void {
  for (const [response, { caller }] of context.readers) {
    if (context.access.isLive(caller)) continue;
    drop(context, response);
    response.end();
  }
}

function drop({ readers, heartbeat }: StreamContext, reader: Response): void {
  readers.delete(reader);
  if (readers.size === 0) heartbeat.cancel();
}

/** Sends a comment, which keeps the connection open, and ends the streams of sessions that have ended. */
function beat(context: StreamContext): void {
  context.heartbeat.in(HEARTBEAT_MS);
  endSignedOut(context);
  add(context, ':\n\n', ':\n\n');
}

function open(context: StreamContext, res: Response, caller: Caller, lastRevision: number | undefined): void {
  const { overview, readers, heartbeat } = context;
  // Flush first, so that the new reader does not get pending messages after the newer facts that it starts with.
  flush(context);
  res.writeHead(200, { 'content-type': EVENT_STREAM, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  const missed = lastRevision === undefined ? [] : overview.since(lastRevision);
  const isKnown = lastRevision !== undefined && missed !== 'reset';
  // Start with an id, from which a reader resumes if it disconnects before the next commit.
  let start = `retry: 1000\nid: ${isKnown ? lastRevision : overview.revision()}\n\n`;
  if (missed === 'reset') start += 'event: reset\ndata: {}\n\n';
  else for (const { revision, facts } of missed) start += factsMessage(revision, isBoard(caller) ? NO_FACTS : facts);
  res.write(start);
  if (!isBoard(caller)) res.write(conditionsNow(context));
  readers.set(res, { caller, allowance: MAX_UNREAD_BYTES + res.writableLength });
  heartbeat.within(HEARTBEAT_MS);
  res.on('close', () => drop(context, res));
}

function stop(context: StreamContext): void {
  flush(context);
  for (const alarm of [context.flushing, context.forgetting, context.heartbeat]) alarm.stop();
  for (const reader of context.readers.keys()) reader.end();
  context.readers.clear();
}

function factsMessage(revision: number, facts: string): string {
  return `id: ${revision}\nevent: facts\ndata: ${facts}\n\n`;
}

function ephemeraMessage(ephemera: Ephemera): string {
  return `event: ephemera\ndata: ${JSON.stringify(ephemera)}\n\n`;
}
