import type { Outgoing } from './protocol/exchange.ts';
import type { Reply, RequestMessage } from './protocol/messages.ts';

/** A `sync` request, repeated in each session until it is answered. */
export class Sync implements Outgoing {
  readonly done: Promise<void>;
  readonly end: () => void;
  private readonly refused: () => void;

  constructor({ ended, refused }: { ended: () => void; refused: () => void }) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.refused = refused;
    this.end = () => {
      ended();
      resolve();
    };
  }

  request(): RequestMessage {
    return { name: 'sync', body: {} };
  }

  replied(reply: Reply): void {
    // The turbo has no session yet.
    if (reply.name === 'ack' && reply.body.status === 'refused') this.refused();
    else this.end();
  }
}
