import type { Outgoing } from '../frames/protocol/exchange.ts';
import type { AckStatus } from '../frames/protocol/messages.ts';

/** Answers a request in a microtask, because the sender's call has not returned yet. */
export function reply(outgoing: Outgoing, status: AckStatus): void {
  queueMicrotask(() => outgoing.replied({ name: 'ack', body: { status } }));
}
