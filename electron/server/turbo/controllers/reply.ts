import type { Outgoing } from '../frames/protocol/exchange.ts';
import type { AckStatus } from '../frames/protocol/messages.ts';

/** Answers a request, but not at once: whoever sends is not done yet. */
export function reply(outgoing: Outgoing, status: AckStatus): void {
  queueMicrotask(() => outgoing.replied({ name: 'ack', body: { status } }));
}
