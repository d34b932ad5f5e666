import type { AckStatus, Body, Reply, Request } from '../turbo/protocol/messages.ts';
import { HELD_REPORTS } from '../turbo/protocol/messages.ts';
import type { Outgoing } from '../turbo/protocol/exchange.ts';

/** A report as the device keeps it; `madeMs` is monotonic, its age is counted anew for each transmission. */
export type Held =
  | { name: 'shown'; madeMs: number; token: number; checksum: number }
  | { name: 'ended'; madeMs: number; token: number; counter: number; epoch: number; quantity: number | undefined }
  | ({ name: 'button'; madeMs: number } & Pick<
      Body<'button'>,
      'token' | 'counter' | 'epoch' | 'button' | 'hold' | 'quantity'
    >);

export type OutboxHost = {
  monotonic(): number;
  status(): Body<'deviceStatus'>;
  /** The transmission was answered; there may be more to send. */
  answered(status: AckStatus): void;
};

/** What one device has to report: one at a time, in order, kept until the station has it; its status comes last. */
export class Outbox implements Outgoing {
  /** False while the device hears no turbo: what was not transmitted yet stays where it is. */
  reachable = true;

  private readonly deviceId: string;
  private readonly host: OutboxHost;
  private held: Held[] = [];
  private statusDue = false;
  private flying: Held | 'status' | undefined;
  /** Counts changes of the condition, to notice those that the status in flight does not tell. */
  private revision = 0;
  private toldRevision = 0;

  constructor(deviceId: string, host: OutboxHost) {
    this.deviceId = deviceId;
    this.host = host;
  }

  get size(): number {
    return this.held.length;
  }

  isFull(): boolean {
    return this.held.length >= HELD_REPORTS;
  }

  /** Whether something can be sent now. */
  isReady(): boolean {
    return this.flying === undefined && (this.statusDue || (this.reachable && this.held.length > 0));
  }

  /** Whether everything that can be sent was sent and answered. */
  isClear(): boolean {
    return this.flying === undefined && !this.isReady();
  }

  hold(report: Held): void {
    const last = this.held.at(-1);
    // Nobody needs to know any more that the background was there for a moment.
    if (report.name === 'shown' && last?.name === 'shown' && last.token === 0 && last !== this.flying) this.held.pop();
    this.held.push(report);
  }

  /** The device's condition is to be told, behind what it holds. */
  tellStatus(): void {
    this.statusDue = true;
    this.revision++;
  }

  /** The session is over: what was in flight is to be sent again. */
  land(): void {
    if (this.flying === 'status') this.statusDue = true;
    this.flying = undefined;
  }

  /** The device lost its memory. */
  lose(): void {
    this.held = this.held.filter((report) => report === this.flying);
  }

  request(attempt: number): Request | undefined {
    if (attempt === 1) {
      if (!this.isReady()) return undefined;
      this.flying = this.reachable ? (this.held[0] ?? 'status') : 'status';
      if (this.flying === 'status') {
        this.statusDue = false;
        this.toldRevision = this.revision;
      }
    }
    if (this.flying === undefined) return undefined;
    if (this.flying === 'status') return { name: 'deviceStatus', body: this.host.status() };
    return this.reportRequest(this.flying);
  }

  replied(reply: Reply): void {
    const status = reply.name === 'ack' ? reply.body.status : 'ok';
    const { flying } = this;
    this.flying = undefined;
    if (status === 'refused') {
      // No session: it is to be said again in the next one.
      if (flying === 'status') this.statusDue = true;
    } else if (flying === 'status') {
      if (this.toldRevision !== this.revision) this.statusDue = true;
    } else if (flying !== undefined && this.held[0] === flying) this.held.shift();
    this.host.answered(status);
  }

  private reportRequest(report: Held): Request {
    const { token } = report;
    const device = this.deviceId;
    const ageMs = this.host.monotonic() - report.madeMs;
    if (report.name === 'shown') return { name: 'shown', body: { device, token, checksum: report.checksum, ageMs } };
    const { epoch, counter, quantity } = report;
    if (report.name === 'ended') return { name: 'ended', body: { device, epoch, counter, token, ageMs, quantity } };
    const { button, hold } = report;
    return { name: 'button', body: { device, epoch, counter, token, button, hold, ageMs, quantity } };
  }
}
