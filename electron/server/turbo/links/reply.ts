import type { Outgoing } from '../protocol/exchange.ts';
import type { AckStatus } from '../protocol/messages.ts';

/** Answers a request, but not at once: whoever sends is not done yet. */
export function reply(outgoing: Outgoing, status: AckStatus): void {
  queueMicrotask(() => outgoing.replied({ name: 'ack', body: { status } }));
}
