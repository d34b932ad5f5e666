import type { Clock, Timer } from '../../ports.ts';
import { decodePayload } from './codec.ts';
import { createFrameWriter, encodeFrame, FLAG_REPLY, FrameParser } from './frame.ts';
import { MESSAGES, type AckStatus, type Message, type Reply, type Request, type Side } from './messages.ts';
import { SeenRequests } from './seenRequests.ts';
import type { Reader } from './wire.ts';

/** Something that wants an answer. One object serves many requests, one at a time, so that a frame costs no closure. */
export type Outgoing = {
  /**
   * What to send; asked before each transmission (`attempt` counts from 1), so that ages are true. Undefined: no longer
   * wanted, nothing is sent and no answer told. Later ones must mean the same as the first.
   */
  request(attempt: number): Request | undefined;
  /** The answer came. */
  replied(reply: Reply): void;
};

/** What somebody waits for is urgent: it overtakes what waits for the window, and finds room in it. */
export type Rank = 'urgent' | 'usual';

/** Names one received request for its answer. Worthless after `reset`. */
export type Ticket = number;

export type ExchangeOptions = {
  clock: Clock;
  side: Side;
  /** The sequence number of the first request. */
  firstSeq: number;
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** A request that was not seen before. To be answered by `reply`, or given back by `abandon`. */
  requested(request: Request, ticket: Ticket): void;
  /** Sees every message, for the log. */
  trace: ((direction: 'in' | 'out', message: Message) => void) | undefined;
};

type InFlight = {
  seq: number;
  outgoing: Outgoing;
  rank: Rank;
  request: Request;
  attempt: number;
  dueMs: number;
};

const SEQ_COUNT = 0x10000;

/** One in so many places of the window is kept for what is urgent. */
const KEPT_FREE = 8;

/**
 * One side of a conversation: numbers requests, keeps at most a window of them in flight, repeats what is not answered,
 * matches answers, and answers repeated requests without handling them again. Both sides of a link are the same here.
 */
export class Exchange {
  /** Requests in flight at most. What is more waits in order. */
  window = 1;
  /** Of what is usual at most so many are in flight: what is urgent finds a short queue on the wire, too. */
  mostUsual = Infinity;
  /** Monotonic moment of the last good frame. */
  lastHeardMs: number;
  /** Bytes that belonged to no frame. */
  junkBytes = 0;

  private readonly options: ExchangeOptions;
  private readonly parser: FrameParser;
  private readonly scratch = createFrameWriter();
  private readonly inFlight = new Map<number, InFlight>();
  private readonly seen = new SeenRequests();
  private readonly waiting = { urgent: new Set<Outgoing>(), usual: new Set<Outgoing>() };
  private usualInFlight = 0;
  private nextSeq: number;
  private session = 0;
  private stopped = false;
  /** One timer for everything that is due. It may fire too early, which costs less than setting it for each frame. */
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
    });
  }

  /** Takes what the transport delivered. */
  receive(chunk: Uint8Array): void {
    if (this.stopped) return;
    this.parser.push(chunk, this.options.clock.monotonic());
    this.wakeAt(this.parser.deadline() ?? Infinity);
  }

  /**
   * Sends a request now, or as soon as the window has room for it: what is urgent before everything else that waits. What
   * waits may become urgent.
   */
  request(outgoing: Outgoing, rank: Rank = 'usual'): void {
    if (this.stopped) return;
    if (rank === 'urgent') this.waiting.usual.delete(outgoing);
    if (this.waiting[rank].size === 0 && this.hasRoom(rank)) this.begin(outgoing, rank);
    else this.waiting[rank].add(outgoing);
  }

  /** No longer wanted: it is not sent, or not again, and its answer is not told. */
  withdraw(outgoing: Outgoing): void {
    this.waiting.urgent.delete(outgoing);
    this.waiting.usual.delete(outgoing);
    for (const [seq, entry] of this.inFlight) if (entry.outgoing === outgoing) this.inFlight.delete(seq);
    this.fillWindow();
  }

  /** Answers a request and remembers the answer for its repetitions. */
  reply(ticket: Ticket, reply: Reply): void {
    if (this.stopped || Math.floor(ticket / SEQ_COUNT) !== this.session) return;
    const seq = ticket % SEQ_COUNT;
    this.options.trace?.('out', reply);
    const bytes = encodeFrame(this.scratch, reply, seq, true);
    this.seen.answered(seq, bytes);
    void this.options.write(bytes);
  }

  ack(ticket: Ticket, status: AckStatus): void {
    this.reply(ticket, { name: 'ack', body: { status } });
  }

  /** Leaves a request without an answer; its repetition is handled like a new one. */
  abandon(ticket: Ticket): void {
    if (Math.floor(ticket / SEQ_COUNT) === this.session) this.seen.forget(ticket % SEQ_COUNT);
  }

  /** Starts a new session: what is in flight or waiting is dropped without an answer, what was seen is forgotten. */
  reset(): void {
    this.session++;
    this.inFlight.clear();
    this.usualInFlight = 0;
    this.waiting.urgent.clear();
    this.waiting.usual.clear();
    this.seen.clear();
  }

  /** `reset`, but the request that is being handled, the one that began the session, is still to be answered. */
  resetFor(ticket: Ticket): Ticket {
    this.reset();
    const seq = ticket % SEQ_COUNT;
    this.seen.begin(seq);
    return this.session * SEQ_COUNT + seq;
  }

  stop(): void {
    this.reset();
    this.stopped = true;
    this.parser.reset();
    this.timer?.cancel();
    this.timer = undefined;
  }

  private begin(outgoing: Outgoing, rank: Rank): void {
    const request = outgoing.request(1);
    if (request === undefined) return;
    // A number that is still in flight after 65,536 others is skipped.
    while (this.inFlight.has(this.nextSeq)) this.nextSeq = (this.nextSeq + 1) % SEQ_COUNT;
    const seq = this.nextSeq;
    this.nextSeq = (seq + 1) % SEQ_COUNT;
    const entry: InFlight = { seq, outgoing, rank, request, attempt: 1, dueMs: Infinity };
    if (rank === 'usual') this.usualInFlight++;
    this.inFlight.set(seq, entry);
    this.transmit(entry);
  }

  private transmit(entry: InFlight): void {
    this.options.trace?.('out', entry.request);
    const written = this.options.write(encodeFrame(this.scratch, entry.request, entry.seq, false));
    // The time to answer counts from when the bytes have left: a slow line is no silent turbo.
    if (written === undefined) this.awaitReply(entry);
    else {
      entry.dueMs = Infinity;
      void written.then(() => this.awaitReply(entry));
    }
  }

  private awaitReply(entry: InFlight): void {
    if (this.inFlight.get(entry.seq) !== entry) return;
    const { replyMs, longestMs } = MESSAGES[entry.request.name];
    entry.dueMs = this.options.clock.monotonic() + Math.min(replyMs * 2 ** (entry.attempt - 1), longestMs);
    this.wakeAt(entry.dueMs);
  }

  private received(type: number, flags: number, seq: number, payload: Reader): void {
    if (this.stopped) return;
    this.lastHeardMs = this.options.clock.monotonic();
    const isReply = (flags & FLAG_REPLY) !== 0;
    const repeated = isReply ? undefined : this.seen.find(seq);
    if (repeated === 'handling') return;
    if (repeated !== undefined) return void this.options.write(repeated);
    const message = decodePayload(type, payload);
    if (typeof message === 'object') this.options.trace?.('in', message);
    if (isReply) return this.settle(seq, message);
    const ticket = this.session * SEQ_COUNT + seq;
    this.seen.begin(seq);
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
    // A bare "ok" is no welcome: it answers an older request that happened to have this number.
    if (message.name !== expected && (message.name !== 'ack' || message.body.status === 'ok')) return;
    this.inFlight.delete(seq);
    if (entry.rank === 'usual') this.usualInFlight--;
    entry.outgoing.replied(message);
    this.fillWindow();
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

function isRequest(message: Message): message is Request {
  return MESSAGES[message.name].reply !== undefined;
}
