import type { Duplex } from 'node:stream';
import type { Admission, Clock, Timer } from '../../../ports.ts';
import {
  createMessageTurns,
  readInTurns,
  type MessageTurns,
  type ReadInTurns,
} from '../../../scheduling/messageTurns.ts';
import type { Transport, TransportEvents } from './transport.ts';

/**
 * Maximum number of unsent bytes. Above this limit, reading pauses, because requests that are read cause answers, which would queue too.
 */
const MAX_UNSENT_BYTES = 64 * 1_024;
/**
 * A line counts as jammed if it accepts no bytes for this long, because the driver hangs or the other end of the socket stopped reading.
 */
const JAMMED_AFTER_MS = 10_000;

type StreamOptions = {
  clock: Clock;
  kind: Transport['kind'];
  port: string;
  admission?: Admission;
  /** The turns in which the stream is read. By default, it shares them with no other stream. */
  turns?: MessageTurns | undefined;
};

/** Creates a transport over an open byte stream: serial port, socket or WebSocket. */
export function streamTransport(
  stream: Duplex,
  { clock, kind, port, admission, turns = createMessageTurns() }: StreamOptions,
): Transport {
  let events: TransportEvents | undefined;
  let closed = false;
  let reason = 'closed by the other side';
  let jammed: Timer | undefined;
  let reading: ReadInTurns | undefined;
  /** Whether the stream ended before `open`. */
  let isOver = false;

  function end(): void {
    jammed?.cancel();
    jammed = undefined;
    if (closed) return;
    isOver = true;
    if (events === undefined) return;
    closed = true;
    events.closed(reason);
  }

  function watch(): Timer {
    return clock.setTimer(JAMMED_AFTER_MS, () => {
      reason = `jammed: nothing could be sent for ${JAMMED_AFTER_MS / 1_000} s`;
      stream.destroy();
    });
  }

  function sent(): void {
    jammed?.cancel();
    jammed = !closed && stream.writableLength > 0 ? watch() : undefined;
    if (stream.writableLength <= MAX_UNSENT_BYTES) reading?.resume();
  }

  stream.on('error', (error) => {
    if (!reason.startsWith('jammed')) reason = error.message;
  });
  // Close half-open connections, because the other side no longer needs answers.
  stream.once('end', () => stream.destroy());
  stream.once('close', end);

  return {
    kind,
    port,
    canPress: false,
    ...(admission === undefined ? {} : { admission }),
    open(handlers) {
      events = handlers;
      if (isOver) {
        process.nextTick(end);
        return;
      }
      reading = readInTurns(stream, turns, (piece) => {
        if (!closed) handlers.bytes(piece);
      });
    },
    write(bytes) {
      if (closed || stream.destroyed) return undefined;
      let resolve: (() => void) | undefined;
      stream.write(bytes, () => {
        sent();
        resolve?.();
      });
      // The system has already accepted all bytes.
      if (stream.writableLength === 0) return undefined;
      jammed ??= watch();
      if (stream.writableLength > MAX_UNSENT_BYTES) reading?.pause();
      return new Promise((done) => {
        resolve = done;
      });
    },
    close() {
      if (closed) return;
      closed = true;
      jammed?.cancel();
      reading?.discard();
      // Send the last answer first. The timer handles a connection that does not accept it.
      stream.end(() => stream.destroy());
      const giveUp = clock.setTimer(JAMMED_AFTER_MS, () => stream.destroy());
      stream.once('close', () => giveUp.cancel());
    },
  };
}
