import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import type { Clock, SerialPorts } from '../server/ports.ts';
import { streamTransport } from '../server/turbo/frames/transports/stream.ts';
import type { Transport, TransportEvents } from '../server/turbo/frames/transports/transport.ts';
import type { SimOptions } from './options.ts';

type Parts = { clock: Clock; serial: SerialPorts; say: (text: string) => void };

/** Opens a wire to the station. The wire can be used while it is still opening. Prints why it closed. */
export function openWire({ target, where, signIn }: SimOptions, { clock, serial, say }: Parts): Transport {
  const transport =
    target.kind === 'serial'
      ? pendingTransport(
          serial.open({ path: target.path, baudRate: target.baudRate, flowControl: false }),
          (stream) => streamTransport(stream, { clock, kind: 'usb', port: where }),
          where,
        )
      : streamTransport(openSocket(target, signIn), { clock, kind: 'network', port: where });
  return {
    ...transport,
    open: (events) =>
      transport.open({
        ...events,
        closed(reason) {
          say(`Lost the station (${reason}); trying again`);
          events.closed(reason);
        },
      }),
  };
}

function openSocket(
  { url, ca }: Extract<SimOptions['target'], { kind: 'network' }>,
  signIn: SimOptions['signIn'],
): Duplex {
  const trust = ca === undefined ? {} : { ca };
  const where = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
  switch (url.protocol) {
    case 'tcp:':
      return connectTcp(where);
    case 'tls:':
      return connectTls({ ...where, ...trust });
    default:
      return createWebSocketStream(
        new WebSocket(url, {
          ...trust,
          ...(signIn === undefined ? {} : { auth: `${signIn.username}:${signIn.secret}` }),
        }),
      );
  }
}

/** Returns a transport over a stream that is still opening. Drops data that is written before the stream is open. */
function pendingTransport(
  opening: Promise<Duplex>,
  transportOf: (stream: Duplex) => Transport,
  port: string,
): Transport {
  let inner: Transport | undefined;
  let closed = false;
  return {
    kind: 'usb',
    port,
    canPress: false,
    open(events: TransportEvents) {
      opening.then(
        (stream) => {
          if (closed) return stream.destroy();
          inner = transportOf(stream);
          inner.open(events);
        },
        (error: unknown) => events.closed(error instanceof Error ? error.message : String(error)),
      );
    },
    write: (bytes) => inner?.write(bytes),
    close() {
      closed = true;
      inner?.close();
    },
  };
}
