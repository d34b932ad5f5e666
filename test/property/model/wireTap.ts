import { decodePayload } from '../../../electron/server/turbo/protocol/codec.ts';
import { FLAG_REPLY, FrameParser } from '../../../electron/server/turbo/protocol/frame.ts';
import type { Message } from '../../../electron/server/turbo/protocol/messages.ts';
import type { Transport } from '../../../electron/server/turbo/transports/transport.ts';
import type { Disk } from './disk.ts';
import type { Arrival, Journal, Report } from './journal.ts';

type Frame = { message: Message; seq: number; isReply: boolean };

/** Listens at both ends of a wire: what the turbo says is the truth of its devices, what arrives is what the station can know. */
export type WireTap = {
  /** Around the station's end. */
  station(end: Transport): Transport;
  /** Around the turbo's end. */
  turbo(end: Transport): Transport;
};

export function createWireTap(parts: { journal: Journal; disk: () => Disk; monotonic: () => number }): WireTap {
  const { journal, disk, monotonic } = parts;
  return {
    station(end) {
      const waiting = new Map<number, Arrival>();
      const sentShows = new Set<number>();
      const sent = frames(monotonic, ({ message, seq, isReply }) => {
        if (message.name === 'welcome' && message.body.status === 'accepted') journal.note({ kind: 'welcomed' });
        if (message.name === 'show' && !sentShows.has(seq)) {
          sentShows.add(seq);
          journal.note({ kind: 'show', show: message.body, firstOnDisk: disk().firstCommand(message.body.device) });
        }
        const arrival = isReply ? waiting.get(seq) : undefined;
        if (arrival === undefined || message.name !== 'ack') return;
        waiting.delete(seq);
        if (message.body.status === 'ok') acked(arrival, disk());
        else arrival.refused = true;
      });
      const heard = frames(monotonic, ({ message, seq, isReply }) => {
        if (message.name === 'synced') journal.note({ kind: 'synced' });
        if (isReply || !isReport(message)) return;
        const arrival: Arrival = { kind: 'arrived', report: message, refused: false, historyWhenAcked: undefined };
        waiting.set(seq, arrival);
        journal.note(arrival);
      });
      return tapped(end, { sent, heard });
    },
    turbo(end) {
      const told = new Set<number>();
      const sent = frames(monotonic, ({ message, seq, isReply }) => {
        if (isReply || !isReport(message) || told.has(seq)) return;
        told.add(seq);
        journal.note({ kind: 'happened', report: message });
      });
      return tapped(end, { sent, heard: () => undefined });
    },
  };
}

/** The turbo forgets the report now: what it changed has to be on disk. */
function acked(arrival: Arrival, disk: Disk): void {
  arrival.historyWhenAcked = disk.lastHistoryId();
  const { name, body } = arrival.report;
  if (name === 'shown' && body.token !== 0 && disk.stateOf(body.token) === 'queued') {
    throw new Error(`That ${body.device} shows ${body.token} was taken, but it is not on disk`);
  }
}

function isReport(message: Message): message is Report {
  return message.name === 'shown' || message.name === 'button' || message.name === 'ended';
}

function frames(monotonic: () => number, found: (frame: Frame) => void): (chunk: Uint8Array) => void {
  const parser = new FrameParser({
    frame(type, flags, seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string') throw new Error(`A frame of type ${type} is ${message}`);
      found({ message, seq, isReply: (flags & FLAG_REPLY) !== 0 });
    },
    junk: (count) => {
      throw new Error(`${count} bytes on the wire belong to no frame`);
    },
  });
  return (chunk) => parser.push(chunk, monotonic());
}

function tapped(end: Transport, tap: { sent: (chunk: Uint8Array) => void; heard: (chunk: Uint8Array) => void }): Transport {
  return {
    ...end,
    open(events) {
      end.open({
        ...events,
        bytes(chunk) {
          tap.heard(chunk);
          events.bytes(chunk);
        },
      });
    },
    write(bytes) {
      tap.sent(bytes);
      return end.write(bytes);
    },
  };
}
