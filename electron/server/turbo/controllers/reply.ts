import type { Outgoing } from '../frames/protocol/exchange.ts';
import type { AckStatus } from '../frames/protocol/messages.ts';

/** Answers a request after the current turn of the event loop, because the sender is still running. */
export function reply(outgoing: Outgoing, status: AckStatus): void {
  queueMicrotask(() => outgoing.replied({ name: 'ack', body: { status } }));
}
