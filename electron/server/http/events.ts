import type { Response } from 'express';
import type { Ephemera } from '#shared/api/station.ts';
import { createAlarm } from '../alarm.ts';
import type { Clock, Log } from '../ports.ts';
import type { Access, Caller } from '../services/access/index.ts';
import type { Bus } from '../services/base/index.ts';
import type { Overview } from '../services/overview.ts';

/** Collect messages for one screen frame, so that many commits cause one write per reader. */
const FLUSH_MS = 16;
const HEARTBEAT_MS = 15_000;
/** After a connection loss all browsers reconnect. Streams opened within this time share their first message. */
const SHARED_MS = 1_000;
/** A reader with more unread bytes than this, beyond its current message, is disconnected. It reconnects and resumes or starts over. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

export type EventStreams = ReturnType<typeof createEventStreams>;

/** The live stream: one message per commit, built once for all readers. */
export function createEventStreams(parts: {
  bus: Bus;
  overview: Overview;
  access: Pick<Access, 'isLive'>;
  clock: Clock;
  log: Log;
}) {
  const { bus, overview, access, clock, log } = parts;
  /** The caller of each reader, and how many unread bytes it may have. */
  const readers = new Map<Response, { caller: Caller; allowance: number }>();
  let pending = '';
  /** The first message of a stream; undefined once anything was published after it. */
  let conditions: Buffer | undefined;
  const flushing = createAlarm(clock, flush);
  const forgetting = createAlarm(clock, forget);
  const heartbeat = createAlarm(clock, beat);

  const unsubscribe = bus.subscribe({
    commit({ revision, text }) {
      forget();
      if (readers.size > 0) add(factsMessage(revision, text));
    },
    ephemera(ephemera) {
      forget();
      if (readers.size > 0) add(ephemeraMessage(ephemera));
    },
  });

  function forget(): void {
    conditions = undefined;
    forgetting.cancel();
  }

  function conditionsNow(): Buffer {
    if (conditions === undefined) {
      conditions = Buffer.from(ephemeraMessage(overview.ephemera()));
      forgetting.in(SHARED_MS);
    }
    return conditions;
  }

  function add(message: string): void {
    pending += message;
    flushing.within(FLUSH_MS);
  }

  function flush(): void {
    flushing.cancel();
    if (pending === '') return;
    const bytes = Buffer.from(pending, 'utf8');
    pending = '';
    for (const [response, reader] of readers) send(response, reader, bytes);
  }

  function send(response: Response, reader: { allowance: number }, bytes: Buffer): void {
    // A single message may be large: give a reader that has read everything before time for it.
    if (response.writableLength === 0) reader.allowance = MAX_UNREAD_BYTES + bytes.length;
    response.write(bytes);
    if (response.writableLength > reader.allowance) {
      log.warn(
        { unreadBytes: response.writableLength },
        'a reader of the event stream does not keep up and was cut off',
      );
      drop(response);
      response.destroy();
    }
  }

  /** Ends the streams of sessions that have ended. */
  function endSignedOut(): void {
    for (const [response, { caller }] of readers) {
      if (access.isLive(caller)) continue;
      drop(response);
      response.end();
    }
  }

  function drop(reader: Response): void {
    readers.delete(reader);
    if (readers.size === 0) heartbeat.cancel();
  }

  function beat(): void {
    heartbeat.in(HEARTBEAT_MS);
    endSignedOut();
    add(':\n\n');
  }

  return {
    /**
     * Serves one reader until it disconnects. `lastRevision`: the last one that it received; NaN if invalid, undefined for a new reader.
     */
    open(res: Response, caller: Caller, lastRevision: number | undefined): void {
      // Send pending messages first: they are older than the rows for this reader.
      flush();
      res.writeHead(200, { 'content-type': EVENT_STREAM, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
      const missed = lastRevision === undefined ? [] : overview.since(lastRevision);
      const isKnown = lastRevision !== undefined && missed !== 'reset';
      // A reader that disconnects before the first commit resumes from here.
      let start = `retry: 1000\nid: ${isKnown ? lastRevision : overview.revision()}\n\n`;
      if (missed === 'reset') start += 'event: reset\ndata: {}\n\n';
      else for (const { revision, facts } of missed) start += factsMessage(revision, facts);
      res.write(start);
      res.write(conditionsNow());
      readers.set(res, { caller, allowance: MAX_UNREAD_BYTES + res.writableLength });
      heartbeat.within(HEARTBEAT_MS);
      res.on('close', () => drop(res));
    },
    endSignedOut,
    count: (): number => readers.size,
    /** Ends every stream. */
    stop(): void {
      unsubscribe();
      flush();
      flushing.stop();
      forgetting.stop();
      heartbeat.stop();
      for (const reader of readers.keys()) reader.end();
      readers.clear();
    },
  };
}

function factsMessage(revision: number, facts: string): string {
  return `id: ${revision}\nevent: facts\ndata: ${facts}\n\n`;
}

function ephemeraMessage(ephemera: Ephemera): string {
  return `event: ephemera\ndata: ${JSON.stringify(ephemera)}\n\n`;
}
