import type { BrokerClient } from '../ports/broker.ts';
import type { MessageTurns } from '../scheduling/index.ts';

/** Returns a client that handles received messages in turns. The next message of a connection is read after the previous one was handled. */
export function clientInTurns(client: BrokerClient, turns: MessageTurns): BrokerClient {
  return {
    connect: (signIn, protocol, events) =>
      client.connect(signIn, protocol, {
        ...events,
        message: (message) =>
          new Promise((resolve) => {
            turns.take(() => resolve(events.message(message)));
          }),
      }),
  };
}
