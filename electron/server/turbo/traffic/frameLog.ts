import type { LoggedFrame } from '../../ports.ts';
import { decodePayload, findSecret, mayHoldSecret, secretFields } from '../frames/protocol/codec.ts';
import { FrameRing, type KeptFrame } from './frameRing.ts';
import { CRC_BYTES, FLAG_REPLY, HEADER_BYTES } from '../frames/protocol/frame.ts';
import type { Message } from '../frames/protocol/messages.ts';
import { Reader } from '../frames/protocol/wire.ts';

/** Replacement for a secret value. */
const HIDDEN = '(hidden)';

/**
 * The last frames of one turbo. Stores the bytes and decodes them on demand. Erases secrets. Frame numbers increase while the station runs.
 */
export class FrameLog {
  private readonly ring = new FrameRing();
  private readonly reader = new Reader();

  add(at: number, direction: 'in' | 'out', frame: Uint8Array, repeated: boolean): void {
    this.ring.add(at, direction, frame, repeated);
    if (!mayHoldSecret(frame[2] ?? 0)) return;
    const number = this.ring.next - 1;
    const kept = this.ring.at(number);
    const secret = kept && findSecret(frame[2] ?? 0, this.payloadOf(kept.bytes));
    if (secret !== undefined) this.ring.hide(number, secret);
  }

  /** Appends the frames of another log. */
  adopt({ ring: other }: FrameLog): void {
    for (let number = other.first; number < other.next; number++) {
      const entry = other.at(number);
      if (entry === undefined) continue;
      this.ring.add(entry.at, entry.direction, entry.bytes, entry.repeated);
      if (entry.hiddenFrom !== undefined) this.ring.hide(this.ring.next - 1, entry.hiddenFrom);
    }
  }

  /**
   * Lists frames with a number above `after`, oldest first. Lists all frames if `after` is undefined or has not been reached, because it
   * comes from an earlier run of the station.
   */
  list(after: number | undefined): LoggedFrame[] {
    const { first, next } = this.ring;
    const from = after === undefined || after >= next ? first : Math.max(after + 1, first);
    const listed: LoggedFrame[] = [];
    for (let number = from; number < next; number++) {
      const entry = this.ring.at(number);
      if (entry !== undefined) listed.push(this.viewOf(entry));
    }
    return listed;
  }

  private viewOf(entry: KeptFrame): LoggedFrame {
    const { number, at, direction, repeated, bytes, hiddenFrom } = entry;
    const message = this.decode(entry);
    const body = typeof message === 'string' ? {} : message.body;
    const asked = isReply(bytes) ? this.requestOf(entry) : undefined;
    return {
      number,
      at,
      direction,
      message: nameOf(message, bytes),
      sequence: sequenceOf(bytes),
      answers: asked === undefined ? undefined : nameOf(asked, bytes),
      device: deviceOf(message) ?? (asked === undefined ? undefined : deviceOf(asked)),
      repeated,
      fields: { ...readable(body), ...(hiddenFrom === undefined ? {} : hiddenOf(message)) },
      bytes: hexOf(bytes, hiddenFrom),
    };
  }

  /** Returns the latest request with the sequence number of this reply, or undefined if the request is no longer stored. */
  private requestOf({ number, direction, bytes }: KeptFrame): Message | 'unsupported' | 'malformed' | undefined {
    const sequence = sequenceOf(bytes);
    for (let earlier = number - 1; earlier >= this.ring.first; earlier--) {
      const entry = this.ring.at(earlier);
      if (entry === undefined || entry.direction === direction || isReply(entry.bytes)) continue;
      if (sequenceOf(entry.bytes) === sequence) return this.decode(entry);
    }
    return undefined;
  }

  private decode({ bytes, hiddenFrom }: KeptFrame): Message | 'unsupported' | 'malformed' {
    // Do not decode a hidden payload, because any part of it may be a secret.
    if (hiddenFrom === HEADER_BYTES) return 'malformed';
    return decodePayload(bytes[2] ?? 0, this.payloadOf(bytes));
  }

  private payloadOf(bytes: Buffer): Reader {
    return this.reader.over(bytes, HEADER_BYTES, bytes.length - CRC_BYTES);
  }
}

function isReply(bytes: Uint8Array): boolean {
  return ((bytes[3] ?? 0) & FLAG_REPLY) !== 0;
}

function sequenceOf(bytes: Uint8Array): number {
  return (bytes[4] ?? 0) | ((bytes[5] ?? 0) << 8);
}

function nameOf(message: Message | 'unsupported' | 'malformed', bytes: Uint8Array): string {
  if (typeof message === 'object') return message.name;
  return `${message} 0x${hexPair(bytes[2] ?? 0).toLowerCase()}`;
}

function deviceOf(message: Message | 'unsupported' | 'malformed'): string | undefined {
  return typeof message === 'object' && 'device' in message.body ? message.body.device : undefined;
}

function hiddenOf(message: Message | 'unsupported' | 'malformed'): { [name: string]: string } {
  if (typeof message === 'string') return {};
  return Object.fromEntries(secretFields(message.name).map((name) => [name, HIDDEN]));
}

/** Converts fields to JSON values. Shows only the length of byte fields, because the frame contains the bytes. */
function readable(body: object): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return [];
      if (value instanceof Uint8Array) return [[name, `${value.length} bytes`]];
      const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [[name, isGroup ? readable(value) : value]];
    }),
  );
}

function hexOf(bytes: Uint8Array, hiddenFrom: number | undefined): string {
  return Array.from(bytes, (byte, place) => (place >= (hiddenFrom ?? Infinity) ? '··' : hexPair(byte))).join(' ');
}

function hexPair(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
