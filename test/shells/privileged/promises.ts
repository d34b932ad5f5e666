import { FLAG_REPLY, FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import type { Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { SystemCall } from './trace.ts';

/** An output of the process whose cause must already be on disk. `at` is its index among the system calls. */
export type Promised = { at: number } & (
  | { kind: 'answer'; commandId: number }
  | { kind: 'fact'; revision: number }
  | { kind: 'callback'; delivery: number }
  | { kind: 'show'; token: number }
  | { kind: 'acknowledgement'; token: number; reportedAt: number }
);

/**
 * Finds everything that the station promised: answers to commands, facts, callbacks, shows, and acknowledged presses.
 */
export function findPromises(calls: readonly SystemCall[]): Promised[] {
  const promised: Promised[] = [];
  const presses = new Map<number, { token: number; at: number }>();
  let at = 0;
  const fromTurbo = frameReader((message, seq) => {
    if (message.name === 'button' && message.body.token !== 0) presses.set(seq, { token: message.body.token, at });
  });
  const toTurbo = frameReader((message, seq, isReply) => {
    if (message.name === 'show' && message.body.token !== 0)
      promised.push({ at, kind: 'show', token: message.body.token });
    const press = isReply && message.name === 'ack' && message.body.status === 'ok' ? presses.get(seq) : undefined;
    if (press === undefined) return;
    promised.push({ at, kind: 'acknowledgement', token: press.token, reportedAt: press.at });
    presses.delete(seq);
  });
  for (; at < calls.length; at++) {
    const call = calls[at];
    if (call === undefined) break;
    if (call.path.endsWith('/from-turbo')) fromTurbo(call.bytes);
    if (call.path.endsWith('/to-turbo')) toTurbo(call.bytes);
    if (call.path.startsWith('TCP')) promised.push(...ofSocket(call.bytes.toString('utf8'), at));
  }
  return promised;
}

function ofSocket(text: string, at: number): Promised[] {
  const delivery = /^POST [^]*?\r\nwebhook-id: msg_[\w-]*?_(\d+)\r\n/i.exec(text)?.[1];
  if (delivery !== undefined) return [{ at, kind: 'callback', delivery: Number(delivery) }];
  if (text.startsWith('HTTP/1.1 200')) {
    const found = text.matchAll(/"command_id":"(\d+)","state":"\w+","delivery":"\w+","warnings"/g);
    return [...found].map(([, id]) => ({ at, kind: 'answer', commandId: Number(id) }));
  }
  return [...text.matchAll(/^id: (\d+)\nevent: facts$/gm)].map(([, id]) => ({
    at,
    kind: 'fact',
    revision: Number(id),
  }));
}

function frameReader(take: (message: Message, seq: number, isReply: boolean) => void): (chunk: Uint8Array) => void {
  const parser = new FrameParser({
    frame(type, flags, seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string') throw new Error(`A frame of type ${type} is ${message}`);
      take(message, seq, (flags & FLAG_REPLY) !== 0);
    },
    junk(count) {
      throw new Error(`${count} bytes are no frame`);
    },
  });
  return (chunk) => parser.push(chunk, 0);
}
