import { describe } from 'vitest';
import type { Clock } from '../../../electron/server/ports.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { noTerminals, serialWire, tcpWire, webSocketWire, type Wire } from '../../helpers/devices/turboWires.ts';
import { transportContract, type TransportPair } from './turboTransportContract.ts';

/** Number of turns of the event loop without traffic after which nothing more will arrive. */
const QUIET_TURNS = 200;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Counts bytes in and out, so that tests can wait for events instead of a fixed time. */
async function counted(connect: (clock: Clock) => Promise<Wire>): Promise<TransportPair> {
  const wire = await connect(createFakeClock(0));
  const station = tap(wire.station);
  const turbo = tap(wire.turbo);
  const isSettled = () => {
    if (station.closed() !== turbo.closed()) return false;
    return station.closed() || (station.written() === turbo.arrived() && turbo.written() === station.arrived());
  };
  return {
    station: station.transport,
    turbo: turbo.transport,
    async settle() {
      // An end of a cable notices only that the cable is unplugged, not that the other end is closed.
      if (wire.station.kind === 'usb' && station.closed() !== turbo.closed()) void wire.stop();
      while (!isSettled()) await turn();
      if (station.closed()) for (let turns = 0; turns < QUIET_TURNS; turns += 1) await turn();
    },
    stop: () => {
      wire.station.close();
      wire.turbo.close();
      void wire.stop();
    },
  };
}

function tap(inner: Transport) {
  let written = 0;
  let arrived = 0;
  let closed = false;
  const transport: Transport = {
    ...inner,
    open: (events) =>
      inner.open({
        bytes(chunk) {
          arrived += chunk.length;
          events.bytes(chunk);
        },
        closed(reason) {
          closed = true;
          events.closed(reason);
        },
      }),
    write(bytes) {
      written += bytes.length;
      return inner.write(bytes);
    },
    close() {
      closed = true;
      inner.close();
    },
  };
  return { transport, written: () => written, arrived: () => arrived, closed: () => closed };
}

transportContract('TCP', () => counted(tcpWire));
transportContract('TLS', () => counted((clock) => tcpWire(clock, true)));
transportContract('a WebSocket', () => counted(webSocketWire));

describe.skipIf(noTerminals !== undefined)(
  `a serial port${noTerminals === undefined ? '' : `: ${noTerminals}`}`,
  () => {
    transportContract('a pseudo-terminal', () => counted(serialWire));
  },
);
