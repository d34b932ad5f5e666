import type { AckStatus, Body, Reply, RequestMessage } from '../frames/protocol/messages.ts';
import { HELD_REPORTS } from '../frames/protocol/messages.ts';
import type { Outgoing, Rank } from '../frames/protocol/exchange.ts';

/** Only the newest `shown` reports are kept: older ones are implied by what followed, and would delay the status. */
const KEPT_SHOWN = 4;

/** A held report; `madeMs` is monotonic, and its age is recomputed for each transmission. */
export type HeldReport =
  | { name: 'shown'; madeMs: number; token: number; checksum: number }
  | { name: 'ended'; madeMs: number; token: number; counter: number; epoch: number; quantity: number | undefined }
  | ({ name: 'button'; madeMs: number } & Pick<
      Body<'button'>,
      'token' | 'counter' | 'epoch' | 'button' | 'hold' | 'quantity'
    >);

export type OutboxHost = {
  monotonic(): number;
  status(): Body<'deviceStatus'>;
  /** Retries after a second: the station is busy. */
  later(retry: () => void): void;
  /** The station has this report. */
  taken(report: HeldReport): void;
  /** The transmission was answered; more may be waiting. */
  answered(status: AckStatus): void;
};

/**
 * Reports of one device, held until the station has them. Presses and ends go in order, one at a time; `shown` goes in
 * parallel, so that a press does not wait for it; the status comes last.
 */
export class Outbox {
  /** False while the device is out of range: unsent reports stay. */
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

  /** Whether the requested status was answered, with everything before it. */
  isClear(): boolean {
    return !this.status.isDue() && !this.events.isFlying() && !this.shows.isFlying();
  }

  hold(report: HeldReport): void {
    if (report.name === 'shown') this.shows.holdNewest(report);
    else this.events.held.push(report);
  }

  /** Sends the condition of the device, after its held reports. */
  reportStatus(): void {
    this.status.markDue();
  }

  /** The session ended, so everything in flight is sent again. */
  land(): void {
    this.events.land();
    this.shows.land();
    this.status.land();
  }

  /** The device lost its memory. */
  lose(): void {
    this.events.lose();
    this.shows.lose();
  }
}

/** Reports of one kind, one in flight at a time, in order. */
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

  /** Holds the newest `shown`, and drops the one before it if that was of a background: it was visible only for a moment. */
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
    // Without a session the station refuses it: it is sent again in the next one.
    if (status !== 'refused' && flying !== undefined && this.held[0] === flying) {
      this.held.shift();
      this.host.taken(flying);
    }
    this.host.answered(status);
  }
}

/** The condition of the device: only the newest counts. */
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

  /** While one is in flight, requests another with the newer condition. */
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
  const { button, hold } = report;
  return { name: 'button', body: { device, epoch, counter, token, button, hold, ageMs, quantity } };
}
