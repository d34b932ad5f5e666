import type { BrokerClient } from '../ports/broker.ts';
import { createMessageTurns } from '../scheduling/index.ts';

/**
 * Number of messages of the broker per turn of the event loop. Most are retained ones, which take microseconds; a command waits for its
 * commit anyway.
 */
const AT_ONCE = 32;

/** Returns a client that handles received messages in turns. The next message of a connection is read after the previous one was handled. */
export function clientInTurns(client: BrokerClient): BrokerClient {
  const turns = createMessageTurns(AT_ONCE);
  return {
    connect: (signIn, protocol, events) =>
      client.connect(signIn, protocol, {
        ...events,
        message(message) {
          let isHandled = false;
          let handled: Promise<void> | undefined;
          const later = Promise.withResolvers<void>();
          turns.take(() => {
            isHandled = true;
            handled = events.message(message);
            later.resolve(handled);
          });
          // Without a promise, the client reads the next message in this turn.
          return isHandled ? handled : later.promise;
        },
      }),
  };
}
