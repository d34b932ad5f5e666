import type { Transport, TransportEvents } from '../../../electron/server/turbo/frames/transports/transport.ts';

/** Injects arbitrary bytes into the wire between a station and its simulated turbo. Pass `watch` as the station's `watchTransport`. */
export function tapWire() {
  let events: TransportEvents | undefined;
  let station: Transport | undefined;
  return {
    watch(end: Transport): Transport {
      station = end;
      return {
        ...end,
        open(handlers) {
          events = handlers;
          end.open(handlers);
        },
      };
    },
    toStation: (bytes: Uint8Array) => events?.bytes(bytes),
    toTurbo: (bytes: Uint8Array) => void station?.write(bytes),
  };
}
