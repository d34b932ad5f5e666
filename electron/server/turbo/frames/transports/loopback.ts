import type { Clock, Timer } from '../../../ports.ts';
import type { WireFaults, Transport, TransportEvents } from './transport.ts';

/**
 * Creates wires inside one process. `fraction` returns random numbers from 0 to 1 that decide which writes are lost; tests use a seeded
 * generator.
 */
export function createLoopbacks(options: { clock: Clock; fraction: () => number }) {
  let pending = 0;
  const onWay = (change: 1 | -1): void => {
    pending += change;
  };
  return {
    /** Creates a wire with two ends. Bytes that one end writes in a turn of the event loop arrive at the other end as one chunk. */
    connect(faults: WireFaults): { station: Transport; turbo: Transport } {
      const ends: [End, End] = [createEnd(options, faults, onWay), createEnd(options, faults, onWay)];
      ends[0].joinTo(ends[1]);
      ends[1].joinTo(ends[0]);
      return { station: ends[0].transport, turbo: ends[1].transport };
    },
    /** Number of chunks in transit on all wires, except chunks that are delayed by latency. */
    pending: (): number => pending,
  };
}

type End = {
  transport: Transport;
  joinTo(other: End): void;
  receive(chunk: Uint8Array): void;
  lose(reason: string): void;
};

function createEnd(
  { clock, fraction }: { clock: Clock; fraction: () => number },
  faults: WireFaults,
  onWay: (change: 1 | -1) => void,
): End {
  let events: TransportEvents | undefined;
  let other: End | undefined;
  let closed = false;
  let written: Uint8Array[] = [];
  /**
   * Chunks that are delayed by the latency. Each timer delivers the oldest chunk, so that chunks stay in order when the latency changes.
   */
  const late: { chunk: Uint8Array; timer: Timer }[] = [];

  function sendWritten(): void {
    onWay(-1);
    const chunk = written.length === 1 ? written[0] : Buffer.concat(written);
    written = [];
    if (closed || chunk === undefined) return;
    if (faults.latencyMs <= 0 && late.length === 0) return other?.receive(chunk);
    const timer = clock.setTimer(faults.latencyMs, () => {
      const oldest = late.shift();
      if (oldest !== undefined) other?.receive(oldest.chunk);
    });
    late.push({ chunk, timer });
  }

  function shut(): void {
    closed = true;
    for (const { timer } of late.splice(0)) timer.cancel();
  }

  return {
    transport: {
      kind: 'simulated',
      port: 'loopback',
      canPress: true,
      open(handlers) {
        events = handlers;
      },
      write(bytes) {
        if (closed || (faults.loss > 0 && fraction() < faults.loss)) return undefined;
        written.push(bytes);
        if (written.length === 1) {
          onWay(1);
          process.nextTick(sendWritten);
        }
        return undefined;
      },
      close() {
        if (closed) return;
        shut();
        other?.lose('closed by the other side');
      },
    },
    joinTo(end) {
      other = end;
    },
    receive(chunk) {
      if (!closed) events?.bytes(chunk);
    },
    lose(reason) {
      if (closed) return;
      shut();
      onWay(1);
      setImmediate(() => {
        onWay(-1);
        events?.closed(reason);
      });
    },
  };
}
