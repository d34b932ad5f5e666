import type { Clock, Timer } from '../../../ports.ts';
import { TransientMap } from '../../../transientMap.ts';
import { decodePayload } from './codec.ts';
import { CRC_BYTES, createFrameWriter, encodeFrame, FLAG_REPLY, FrameParser, HEADER_BYTES } from './frame.ts';
import { MESSAGES, type AckStatus, type Message, type Reply, type RequestMessage, type Side } from './messages.ts';
import { SeenRequests } from './seenRequests.ts';
import type { Reader } from './wire.ts';

/** A request that expects an answer. One object is reused for many requests, one at a time, so that no closure is needed for each frame. */
export type Outgoing = {
  /**
   * Returns the request to send, or undefined to cancel it without an answer. Called before each transmission (`attempt` counts from 1), so
   * that ages are current. Repetitions must have the same meaning.
   */
  request(attempt: number): RequestMessage | undefined;
  replied(reply: Reply): void;
};

/**
 * Priority of a request. Urgent requests, whose result somebody is waiting for, go before other waiting requests and have reserved room in
 * the window.
 */
export type Rank = 'urgent' | 'usual';

/** Identifies a received request, so that it can be answered later. Invalid after `reset`. */
export type Ticket = number;

export type ExchangeOptions = {
  clock: Clock;
  side: Side;
  /** The sequence number of the first request. */
  firstSeq: number;
  write(bytes: Uint8Array): Promise<void> | undefined;
  /**
   * Calls `leave` later, so that frames are combined into one write, because each write is a system call. If undefined, each frame is
   * written immediately.
   */
  collect?: (leave: () => void) => void;
  /** Called for each new request. Answer it with `reply`, or drop it with `abandon`. */
  requested(request: RequestMessage, ticket: Ticket): void;
  /** Observer of all traffic; no overhead if undefined. */
  tap: Tap | undefined;
  /** Called when a damaged frame arrived. */
  broken?: () => void;
};

/** Observes all traffic, for counters and the frame log. */
export type Tap = {
  /** Called with the number of received bytes, inside or outside frames. */
  arrived(byteCount: number): void;
  /** Called for each whole frame. `bytes` are valid only during the call. `repeated` tells whether the frame is a repetition. */
  frame(direction: 'in' | 'out', bytes: Uint8Array, repeated: boolean): void;
  /** Called when a damaged frame arrived. */
  broken(): void;
  /** Called with the round-trip time when a request was acknowledged after its first transmission. */
  answered(roundTripMs: number): void;
};

type InFlight = {
  seq: number;
  outgoing: Outgoing;
  rank: Rank;
  request: RequestMessage;
  attempt: number;
  /** When the bytes of the request were sent. */
  leftMs: number;
  dueMs: number;
};

const SEQ_COUNT = 0x10000;

/** Highest message type. A type is one byte. */
const MAX_TYPE = 0xff;

/**
 * Waiting frames are written immediately if they exceed this many bytes, because a slow line that takes seconds for one write would seem
 * jammed.
 */
const MAX_BATCH_BYTES = 4_096;

/** The window reserves one place in this many for urgent requests. */
const KEPT_FREE = 8;

/**
 * One side of a connection: numbers requests, limits requests in flight to a window, repeats unanswered requests, matches answers, and
 * answers repeated requests from memory. Both sides use it.
 */
export class Exchange {
  /** Maximum number of requests in flight. Other requests wait in order. */
  window = 1;
  /** Maximum number of usual requests in flight, so that an urgent request does not have to wait behind many of them on the wire. */
  mostUsual = Infinity;
  /** Monotonic time of the last valid frame. */
  lastHeardMs: number;
  /** Number of bytes outside frames. */
  junkBytes = 0;

  private readonly options: ExchangeOptions;
  private readonly parser: FrameParser;
  private readonly scratch = createFrameWriter();
  private readonly inFlight = new TransientMap<InFlight>();
  private readonly seen = new SeenRequests();
  private readonly waiting = { urgent: new Set<Outgoing>(), usual: new Set<Outgoing>() };
  private frames: Uint8Array[] = [];
  private frameBytes = 0;
  /** Requests among the frames that wait to be written. */
  private departing: InFlight[] = [];
  private usualInFlight = 0;
  private nextSeq: number;
  private session = 0;
  private stopped = false;
  /** One timer for everything that is due. It may fire early, which is cheaper than setting it for each frame. */
  private timer: Timer | undefined;
  private timerDueMs = Infinity;

  constructor(options: ExchangeOptions) {
    this.options = options;
    this.nextSeq = options.firstSeq % SEQ_COUNT;
    this.lastHeardMs = options.clock.monotonic();
    this.parser = new FrameParser({
      frame: (type, flags, seq, payload) => this.received(type, flags, seq, payload),
      junk: (count) => {
        this.junkBytes += count;
      },
      broken: () => {
        this.options.tap?.broken();
        this.options.broken?.();
      },
    });
  }

  /** Limits the payload of received frames. Longer ones count as damaged. */
  limitPayload(bytes: number): void {
    this.parser.maxPayloadBytes = bytes;
  }

  receive(chunk: Uint8Array): void {
    if (this.stopped) return;
    this.options.tap?.arrived(chunk.length);
    this.parser.push(chunk, this.options.clock.monotonic());
    this.wakeAt(this.parser.deadline() ?? Infinity);
  }

  /** Sends a request now or once the window has room, urgent requests first. A waiting request can become urgent. */
  request(outgoing: Outgoing, rank: Rank = 'usual'): void {
    if (this.stopped) return;
    if (rank === 'urgent') this.waiting.usual.delete(outgoing);
    if (this.waiting[rank].size === 0 && this.hasRoom(rank)) this.begin(outgoing, rank);
    else this.waiting[rank].add(outgoing);
  }

  /** Cancels a request. It is not sent again, and its answer is ignored. */
  withdraw(outgoing: Outgoing): void {
    this.waiting.urgent.delete(outgoing);
    this.waiting.usual.delete(outgoing);
    for (const entry of this.inFlight.values()) if (entry.outgoing === outgoing) this.land(entry);
    this.fillWindow();
  }

  /** Answers a request and remembers the answer for repetitions. */
  reply(ticket: Ticket, reply: Reply): void {
    if (this.stopped || Math.floor(ticket / SEQ_COUNT) !== this.session) return;
    const seq = ticket % SEQ_COUNT;
    const bytes = encodeFrame(this.scratch, reply, seq, true);
    this.seen.answered(seq, bytes);
    this.send(bytes, false);
  }

  ack(ticket: Ticket, status: AckStatus): void {
    this.reply(ticket, { name: 'ack', body: { status } });
  }

  /** Leaves a request unanswered. Its repetition is handled like a new request. */
  abandon(ticket: Ticket): void {
    if (Math.floor(ticket / SEQ_COUNT) === this.session) this.seen.forget(ticket % SEQ_COUNT);
  }

  /** Starts a new session: drops requests in flight and waiting requests without an answer, and forgets received requests. */
  reset(): void {
    this.beginSession();
  }

  /** Like `reset`, but keeps this request, which began the session. Returns the new ticket with which to answer it. */
  resetFor(ticket: Ticket): Ticket {
    const seq = ticket % SEQ_COUNT;
    this.beginSession(seq);
    return this.session * SEQ_COUNT + seq;
  }

  private beginSession(kept?: number): void {
    this.session++;
    this.inFlight.clear();
    this.usualInFlight = 0;
    this.waiting.urgent.clear();
    this.waiting.usual.clear();
    this.seen.clear(kept);
  }

  stop(): void {
    this.leave();
    this.reset();
    this.stopped = true;
    this.parser.reset();
    this.timer?.cancel();
    this.timer = undefined;
  }

  private begin(outgoing: Outgoing, rank: Rank): void {
    const request = outgoing.request(1);
    if (request === undefined) return;
    // Skip sequence numbers that are still in flight after 65,536 others.
    while (this.inFlight.has(this.nextSeq)) this.nextSeq = (this.nextSeq + 1) % SEQ_COUNT;
    const seq = this.nextSeq;
    this.nextSeq = (seq + 1) % SEQ_COUNT;
    const entry: InFlight = { seq, outgoing, rank, request, attempt: 1, leftMs: 0, dueMs: Infinity };
    if (rank === 'usual') this.usualInFlight++;
    this.inFlight.set(seq, entry);
    this.transmit(entry);
  }

  private transmit(entry: InFlight): void {
    entry.dueMs = Infinity;
    this.departing.push(entry);
    this.send(encodeFrame(this.scratch, entry.request, entry.seq, false), entry.attempt > 1);
  }

  private send(bytes: Uint8Array, repeated: boolean): void {
    const { tap, collect } = this.options;
    tap?.frame('out', bytes, repeated);
    this.frames.push(bytes);
    this.frameBytes += bytes.length;
    if (collect === undefined || this.frameBytes >= MAX_BATCH_BYTES) this.leave();
    else if (this.frames.length === 1) collect(this.leave);
  }

  private readonly leave = (): void => {
    const { frames, departing } = this;
    const [first] = frames;
    if (first === undefined) return;
    this.frames = [];
    this.frameBytes = 0;
    this.departing = [];
    const written = this.options.write(frames.length === 1 ? first : Buffer.concat(frames));
    // The timeout begins when the bytes have been sent, because a slow line is not the turbo's fault.
    const left = (): void => departing.forEach((entry) => this.awaitReply(entry));
    if (written === undefined) left();
    else void written.then(left);
  };

  private awaitReply(entry: InFlight): void {
    if (this.inFlight.get(entry.seq) !== entry) return;
    const { replyMs, longestMs } = MESSAGES[entry.request.name];
    entry.leftMs = this.options.clock.monotonic();
    entry.dueMs = entry.leftMs + Math.min(replyMs * 2 ** (entry.attempt - 1), longestMs);
    this.wakeAt(entry.dueMs);
  }

  private received(type: number, flags: number, seq: number, payload: Reader): void {
    if (this.stopped) return;
    this.lastHeardMs = this.options.clock.monotonic();
    const isReply = (flags & FLAG_REPLY) !== 0;
    const { tap } = this.options;
    const whole = tap && wholeFrame(payload);
    const message = decodePayload(type, payload);
    const kind = kindOf(type, message);
    const repeated = isReply ? undefined : this.seen.find(seq, kind);
    if (whole !== undefined) tap?.frame('in', whole, repeated !== undefined);
    if (repeated === 'handling') return;
    if (repeated !== undefined) return this.send(repeated, true);
    if (isReply) return this.settle(seq, message);
    const ticket = this.session * SEQ_COUNT + seq;
    this.seen.begin(seq, kind);
    if (typeof message === 'string') return this.ack(ticket, message);
    if (!isRequest(message) || MESSAGES[message.name].from === this.options.side) {
      return this.ack(ticket, 'unsupported');
    }
    this.options.requested(message, ticket);
  }

  private settle(seq: number, message: Message | 'unsupported' | 'malformed'): void {
    const entry = this.inFlight.get(seq);
    if (entry === undefined || typeof message === 'string' || isRequest(message)) return;
    const expected = MESSAGES[entry.request.name].reply;
    // An "ok" instead of the expected reply answers an older request with this number.
    if (message.name !== expected && (message.name !== 'ack' || message.body.status === 'ok')) return;
    this.land(entry);
    // Measure only acknowledgements of a first transmission: other answers take work, and an answer to a repetition may belong to either
    // transmission.
    if (entry.attempt === 1 && message.name === 'ack' && entry.dueMs < Infinity)
      this.options.tap?.answered(this.lastHeardMs - entry.leftMs);
    entry.outgoing.replied(message);
    this.fillWindow();
  }

  /** Removes an answered or canceled request from the window. Only this function decrements the number in flight. */
  private land(entry: InFlight): void {
    if (this.inFlight.delete(entry.seq) && entry.rank === 'usual') this.usualInFlight--;
  }

  private hasRoom(rank: Rank): boolean {
    if (rank === 'urgent') return this.inFlight.size < this.window;
    if (this.usualInFlight >= this.mostUsual) return false;
    return this.inFlight.size < this.window - Math.floor(this.window / KEPT_FREE);
  }

  private fillWindow(): void {
    for (const rank of ['urgent', 'usual'] as const) {
      for (const outgoing of this.waiting[rank]) {
        if (!this.hasRoom(rank)) return;
        this.waiting[rank].delete(outgoing);
        this.begin(outgoing, rank);
      }
    }
  }

  private wakeAt(dueMs: number): void {
    if (dueMs >= this.timerDueMs || this.stopped) return;
    this.timer?.cancel();
    this.timerDueMs = dueMs;
    this.timer = this.options.clock.setTimer(dueMs - this.options.clock.monotonic(), () => this.wake());
  }

  private wake(): void {
    this.timer = undefined;
    this.timerDueMs = Infinity;
    const nowMs = this.options.clock.monotonic();
    this.parser.expire(nowMs);
    let earliestMs = this.parser.deadline() ?? Infinity;
    for (const entry of this.inFlight.values()) {
      if (entry.dueMs <= nowMs) this.repeat(entry);
      earliestMs = Math.min(earliestMs, entry.dueMs);
    }
    this.wakeAt(earliestMs);
  }

  private repeat(entry: InFlight): void {
    entry.attempt++;
    const request = entry.outgoing.request(entry.attempt);
    if (request === undefined) return this.withdraw(entry.outgoing);
    entry.request = request;
    this.transmit(entry);
  }
}

/**
 * Returns a key that a request shares with its repetitions: its type and, for a hello, also the `bootId`. A restarted turbo continues at a
 * random number, so its hello can have the number of an earlier request.
 */
function kindOf(type: number, message: Message | 'unsupported' | 'malformed'): number {
  return typeof message !== 'string' && message.name === 'hello' ? MAX_TYPE + 1 + message.body.bootId : type;
}

/** Returns the frame that contains this payload. */
function wholeFrame({ bytes, position, end }: Reader): Uint8Array {
  return bytes.subarray(position - HEADER_BYTES, end + CRC_BYTES);
}

function isRequest(message: Message): message is RequestMessage {
  return MESSAGES[message.name].reply !== undefined;
}
