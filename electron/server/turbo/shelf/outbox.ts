import {
  type AckStatus,
  type Body,
  type Reply,
  type RequestMessage,
  HELD_REPORTS,
} from '../frames/protocol/messages.ts';
import type { Outgoing, Rank } from '../frames/protocol/exchange.ts';

/** Maximum number of `shown` reports to keep. Older ones would delay the status, although newer ones make them superfluous. */
const KEPT_SHOWN = 4;

/** A report that is held until the station has received it. `madeMs` is monotonic; the age is recomputed for each transmission. */
export type HeldReport =
  | { name: 'shown'; madeMs: number; token: number; checksum: number }
  | { name: 'ended'; madeMs: number; token: number; counter: number; epoch: number; quantity: number | undefined }
  | ({ name: 'button'; madeMs: number } & Pick<
      Body<'button'>,
      'token' | 'counter' | 'epoch' | 'button' | 'hold' | 'quantity' | 'sinceMs'
    >);

export type OutboxHost = {
  monotonic(): number;
  status(): Body<'deviceStatus'>;
  /** Calls `retry` after a second, because the station is busy. */
  later(retry: () => void): void;
  /** Called when the station has received this report. */
  taken(report: HeldReport): void;
  /** Called when a transmission was answered. More reports may be waiting. */
  answered(status: AckStatus): void;
};

/**
 * Reports from one device, held until the station has received them. Presses and ends of commands are sent in order, one at a time. `shown`
 * reports are sent in parallel, so that a press does not wait for them. The status is sent last.
 */
export class Outbox {
  /** Whether the device is in range. Unsent reports are kept while it is not. */
  reachable = true;
  private readonly events: Lane;
  private readonly shows: Lane;
  private readonly status: StatusLane;

  constructor(deviceId: string, host: OutboxHost) {
    this.events = new Lane(deviceId, host);
    this.shows = new Lane(deviceId, host);
    this.status = new StatusLane(host);
  }

  get size(): number {
    return this.events.held.length + this.shows.held.length;
  }

  isFull(): boolean {
    return this.events.held.length >= HELD_REPORTS;
  }

  /** Calls `send` for each transmission that can begin now. */
  pump(send: (outgoing: Outgoing, rank?: Rank) => void): void {
    if (this.reachable) {
      if (this.shows.isReady()) send(this.shows);
      if (this.events.isReady()) send(this.events, 'urgent');
    }
    if (this.status.isReady() && (!this.reachable || this.size === 0)) send(this.status);
  }

  /** Whether the requested status and everything before it were answered. */
  isClear(): boolean {
    return !this.status.isDue() && !this.events.isFlying() && !this.shows.isFlying();
  }

  hold(report: HeldReport): void {
    if (report.name === 'shown') this.shows.holdNewest(report);
    else this.events.held.push(report);
  }

  /** Sends the device's status after its held reports. */
  reportStatus(): void {
    this.status.markDue();
  }

  /** Handles the end of the session. Everything in flight will be sent again. */
  land(): void {
    this.events.land();
    this.shows.land();
    this.status.land();
  }

  /** Drops all reports that are not in flight, because the device lost its memory. */
  lose(): void {
    this.events.lose();
    this.shows.lose();
  }
}

/** Sends reports of one kind in order, one at a time. */
class Lane implements Outgoing {
  held: HeldReport[] = [];
  private flying: HeldReport | undefined;
  private isResting = false;
  private readonly deviceId: string;
  private readonly host: OutboxHost;

  constructor(deviceId: string, host: OutboxHost) {
    this.deviceId = deviceId;
    this.host = host;
  }

  isReady(): boolean {
    return this.flying === undefined && !this.isResting && this.held.length > 0;
  }

  isFlying(): boolean {
    return this.flying !== undefined;
  }

  /** Holds the newest `shown` report. Drops the previous one if it was about a background, which was visible only for a moment. */
  holdNewest(report: HeldReport): void {
    const last = this.held.at(-1);
    if (last?.name === 'shown' && last.token === 0) this.held.pop();
    this.held.push(report);
    if (this.held.length > KEPT_SHOWN) this.held.shift();
  }

  land(): void {
    this.flying = undefined;
  }

  private rest(): void {
    this.isResting = true;
    this.host.later(() => {
      this.isResting = false;
      this.host.answered('busy');
    });
  }

  lose(): void {
    this.held = this.held.filter((report) => report === this.flying);
  }

  request(attempt: number): RequestMessage | undefined {
    if (attempt === 1) {
      if (!this.isReady()) return undefined;
      this.flying = this.held[0];
    }
    return this.flying === undefined ? undefined : reportRequest(this.flying, this.deviceId, this.host.monotonic());
  }

  replied(reply: Reply): void {
    const status = statusOf(reply);
    const { flying } = this;
    this.flying = undefined;
    if (status === 'busy') return this.rest();
    // Keep a refused report: the station refuses it without a session, and gets it again in the next one.
    if (status !== 'refused' && flying !== undefined && this.held[0] === flying) {
      this.held.shift();
      this.host.taken(flying);
    }
    this.host.answered(status);
  }
}

/** Sends the device's status. Only the newest status counts. */
class StatusLane implements Outgoing {
  private due = false;
  private flying = false;
  private readonly host: OutboxHost;

  constructor(host: OutboxHost) {
    this.host = host;
  }

  /** Whether a status is waiting or unanswered. */
  isDue(): boolean {
    return this.due || this.flying;
  }

  isReady(): boolean {
    return this.due && !this.flying;
  }

  /** Requests a status. If a status is in flight, another one with newer values follows. */
  markDue(): void {
    this.due = true;
  }

  land(): void {
    this.due ||= this.flying;
    this.flying = false;
  }

  request(attempt: number): RequestMessage | undefined {
    if (attempt === 1) {
      if (!this.isReady()) return undefined;
      this.due = false;
      this.flying = true;
    }
    return this.flying ? { name: 'deviceStatus', body: this.host.status() } : undefined;
  }

  replied(reply: Reply): void {
    const status = statusOf(reply);
    this.flying = false;
    if (status === 'refused') this.due = true;
    this.host.answered(status);
  }
}

function statusOf(reply: Reply): AckStatus {
  return reply.name === 'ack' ? reply.body.status : 'ok';
}

function reportRequest(report: HeldReport, device: string, nowMs: number): RequestMessage {
  const { token } = report;
  const ageMs = Math.round(nowMs - report.madeMs);
  if (report.name === 'shown') return { name: 'shown', body: { device, token, checksum: report.checksum, ageMs } };
  const { epoch, counter, quantity } = report;
  if (report.name === 'ended') return { name: 'ended', body: { device, epoch, counter, token, ageMs, quantity } };
  const { button, hold, sinceMs } = report;
  return { name: 'button', body: { device, epoch, counter, token, button, hold, ageMs, quantity, sinceMs } };
}
