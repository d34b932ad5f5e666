import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { FLAG_REPLY, FrameParser } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type { Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import type { Disk } from './disk.ts';
import type { Arrival, Journal, JournalReport } from './journal.ts';

type Frame = { message: Message; seq: number; isReply: boolean };

/**
 * Taps both ends of a wire. Messages sent by the turbo show the real state of its devices. Messages that arrive are all that the station
 * can know.
 */
export type WireTap = {
  /** Wraps the station's end. */
  station(end: Transport): Transport;
  /** Wraps the turbo's end. */
  turbo(end: Transport): Transport;
};

export function createWireTap(parts: {
  journal: Journal;
  disk: () => Disk;
  complain: (text: string) => void;
}): WireTap {
  const { journal, disk, complain } = parts;
  return {
    station(end) {
      const waiting = new Map<number, Arrival>();
      const sentShows = new Map<number, string>();
      const sentKeeps = new Set<number>();
      let session: number | undefined;
      const sent = frames(complain, ({ message, seq, isReply }) => {
        // A repeated hello is answered with the same welcome again.
        if (message.name === 'welcome' && message.body.sessionId !== session) {
          session = message.body.sessionId;
          journal.note({ kind: 'welcomed' });
        }
        if (message.name === 'show' && !sentShows.has(seq)) {
          sentShows.set(seq, message.body.device);
          const { device } = message.body;
          const reporting = [...waiting.values()].map(({ report }) => report.body.device);
          const writing = reporting.includes(device);
          const writingOther = !writing && reporting.length > 0;
          const firstOnDisk = disk().firstCommand(device);
          journal.note({ kind: 'show', show: message.body, firstOnDisk, writing, writingOther });
        }
        // A repeated message describes the time when it was first sent, so record only the first.
        if (message.name === 'keep' && !sentKeeps.has(seq)) {
          sentKeeps.add(seq);
          journal.note({ kind: 'keep', keep: message.body });
        }
        const arrival = isReply ? waiting.get(seq) : undefined;
        if (arrival === undefined || message.name !== 'ack') return;
        waiting.delete(seq);
        if (message.body.status !== 'ok') arrival.refused = true;
        // The turbo now deletes the report, so the changes that it caused must be on disk.
        else arrival.historyWhenAcked = disk().lastHistoryId();
      });
      const heard = frames(complain, ({ message, seq, isReply }) => {
        if (message.name === 'synced') journal.note({ kind: 'synced' });
        const device = sentShows.get(seq);
        if (isReply && message.name === 'ack' && message.body.status !== 'ok' && device !== undefined) {
          journal.note({ kind: 'refused', device });
        }
        if (isReply || !isReport(message)) return;
        if (isSame(waiting.get(seq)?.report, message)) return;
        const arrival: Arrival = { kind: 'arrived', report: message, refused: false, historyWhenAcked: undefined };
        waiting.set(seq, arrival);
        journal.note(arrival);
      });
      return tapped(end, { sent, heard, closed: () => journal.note({ kind: 'closed' }) });
    },
    turbo(end) {
      const told = new Set<number>();
      const sent = frames(complain, ({ message, seq, isReply }) => {
        if (isReply || !isReport(message) || told.has(seq)) return;
        told.add(seq);
        journal.note({ kind: 'happened', report: message });
      });
      return tapped(end, { sent, heard: () => undefined, closed: () => undefined });
    },
  };
}

/** Returns whether a report is a repetition that arrives while the first one is being handled. */
function isSame(report: JournalReport | undefined, other: JournalReport): boolean {
  if (report === undefined || report.name === 'shown' || other.name === 'shown') return false;
  return report.body.epoch === other.body.epoch && report.body.counter === other.body.counter;
}

function isReport(message: Message): message is JournalReport {
  return message.name === 'shown' || message.name === 'button' || message.name === 'ended';
}

function frames(complain: (text: string) => void, found: (frame: Frame) => void): (chunk: Uint8Array) => void {
  const parser = new FrameParser({
    frame(type, flags, seq, payload) {
      const message = decodePayload(type, payload);
      if (typeof message === 'string') return complain(`A frame of type ${type} is ${message}`);
      found({ message, seq, isReply: (flags & FLAG_REPLY) !== 0 });
    },
    junk: (count) => complain(`${count} bytes on the wire belong to no frame`),
  });
  // In-process wires carry whole frames, so no frame is ever given up as incomplete.
  return (chunk) => parser.push(chunk, 0);
}

type Ears = { sent(chunk: Uint8Array): void; heard(chunk: Uint8Array): void; closed(): void };

function tapped(end: Transport, tap: Ears): Transport {
  return {
    ...end,
    open(events) {
      end.open({
        ...events,
        bytes(chunk) {
          tap.heard(chunk);
          events.bytes(chunk);
        },
        closed(reason) {
          tap.closed();
          events.closed(reason);
        },
      });
    },
    close() {
      tap.closed();
      end.close();
    },
    write(bytes) {
      tap.sent(bytes);
      return end.write(bytes);
    },
  };
}
