import type { Duplex } from 'node:stream';
import type { Admission, Clock, Timer } from '../../ports.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Bytes that may wait to leave. Beyond it nothing more is read: what is read is answered, and the answers would wait too. */
const MAX_UNSENT_BYTES = 64 * 1_024;
/** A line that takes nothing for so long is jammed: a port whose driver hangs, a socket whose other end stopped reading. */
const JAMMED_AFTER_MS = 10_000;

/** A transport over a stream of bytes that is open already: serial port, socket, WebSocket. */
export function streamTransport(
  stream: Duplex,
  { clock, kind, port, admission }: { clock: Clock; kind: Transport['kind']; port: string; admission?: Admission },
): Transport {
  let events: TransportEvents | undefined;
  let closed = false;
  let reason = 'closed by the other side';
  let jammed: Timer | undefined;
  /** It ended before somebody listened. */
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

  /** Something was sent. */
  function left(): void {
    jammed?.cancel();
    jammed = !closed && stream.writableLength > 0 ? watch() : undefined;
    if (stream.writableLength <= MAX_UNSENT_BYTES && stream.isPaused()) stream.resume();
  }

  stream.on('error', (error) => {
    if (!reason.startsWith('jammed')) reason = error.message;
  });
  // The other side wants no more answers either.
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
      stream.on('data', (chunk: Uint8Array) => {
        if (!closed) handlers.bytes(chunk);
      });
    },
    write(bytes) {
      if (closed || stream.destroyed) return undefined;
      let resolve: (() => void) | undefined;
      stream.write(bytes, () => {
        left();
        resolve?.();
      });
      // The system took it at once.
      if (stream.writableLength === 0) return undefined;
      jammed ??= watch();
      if (stream.writableLength > MAX_UNSENT_BYTES) stream.pause();
      return new Promise((done) => {
        resolve = done;
      });
    },
    close() {
      if (closed) return;
      closed = true;
      jammed?.cancel();
      // What was answered last leaves first; a line that does not take it is given up.
      stream.end(() => stream.destroy());
      const giveUp = clock.setTimer(JAMMED_AFTER_MS, () => stream.destroy());
      stream.once('close', () => giveUp.cancel());
    },
  };
}
