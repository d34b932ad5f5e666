import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Body, Message, MessageName } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';

/** Records the messages on a station's wires through `watchTransport`. Their bodies are in order and include repetitions. */
export function watchMessages() {
  const messages: { direction: 'sent' | 'received'; message: Message }[] = [];

  function reader(direction: 'sent' | 'received'): (bytes: Uint8Array) => void {
    const parser = new FrameParser({
      frame(type, _flags, _seq, payload) {
        const message = decodePayload(type, payload);
        if (typeof message === 'object') messages.push({ direction, message });
      },
      junk: () => undefined,
    });
    return (bytes) => parser.push(bytes, 0);
  }

  const bodies =
    (direction: 'sent' | 'received') =>
    <N extends MessageName>(name: N): Body<N>[] =>
      messages.flatMap((entry) =>
        entry.direction === direction && entry.message.name === name ? [entry.message.body as Body<N>] : [],
      );

  return {
    watch(transport: Transport): Transport {
      const [sent, received] = [reader('sent'), reader('received')];
      return {
        ...transport,
        open: (handlers) =>
          transport.open({
            ...handlers,
            bytes(chunk) {
              received(chunk);
              handlers.bytes(chunk);
            },
          }),
        write(bytes) {
          sent(bytes);
          return transport.write(bytes);
        },
      };
    },
    /** Messages from the station. */
    sent: bodies('sent'),
    /** Messages from turbos. */
    received: bodies('received'),
    forgetPast() {
      messages.length = 0;
    },
  };
}
