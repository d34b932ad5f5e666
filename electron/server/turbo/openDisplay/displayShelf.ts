import type { Clock, Ids } from '../../ports.ts';
import type { TurboConnection, ConnectionHost, Report } from '../types.ts';
import type { Outgoing } from '../frames/protocol/exchange.ts';
import {
  BUSY_RETRY_MS,
  CAN_DRAW_FIELDS,
  HAS_NO_LED,
  HAS_NO_SCREEN,
  type Body,
  type RequestMessage,
} from '../frames/protocol/messages.ts';
import { Outbox } from '../shelf/outbox.ts';
import { ShelfDevice, type DevicePaper } from '../shelf/shelfDevice.ts';
import type { DisplayButton, DisplayParts } from './displayConfig.ts';
import { isDrawable, sizeOf } from './displayPicture.ts';
import { DRAWING_RULES } from '../controllers/shownContent.ts';

const LEAST_BUTTONS_FOR_COUNTS = 3;
/** Minimum duration of a long press, as on our boards. */
const LONG_MS = 800;

/** The connection over which to report, and its host. */
export type ReportLine = { connection: TurboConnection; host: ConnectionHost };

/**
 * State that a display does not store: what it has to show, the count on its screen, and reports that the station has not received yet.
 * Survives reconnects.
 */
export class DisplayShelf {
  readonly device: ShelfDevice;
  readonly deviceId: string;
  batteryMv = 0;
  private readonly clock: Clock;
  private readonly parts: DisplayParts;
  private readonly outbox: Outbox;
  private line: ReportLine | undefined;
  private sinceMs = 0;
  /** A press that began while the display was idle and has not ended. */
  private held: { button: DisplayButton; sinceMs: number } | undefined;
  private reporting = 0;
  private resting = 0;
  private cleared: (() => void)[] = [];

  constructor(deviceId: string, parts: DisplayParts, paper: DevicePaper, { clock, ids }: { clock: Clock; ids: Ids }) {
    this.deviceId = deviceId;
    this.clock = clock;
    this.parts = parts;
    this.outbox = new Outbox(deviceId, {
      monotonic: () => clock.monotonic(),
      status: () => this.status(),
      later: (retry) => this.later(retry),
      taken: (report) => this.device.acknowledged(report),
      answered: () => this.pump(),
    });
    this.device = new ShelfDevice({
      deviceId,
      buttons: parts.buttons.length >= LEAST_BUTTONS_FOR_COUNTS ? 3 : 1,
      host: {
        clock,
        newEpoch: () => Buffer.from(ids.bytes(4)).readUInt32LE(),
        report: (report) => {
          this.outbox.hold(report);
          this.pump();
        },
        isFull: () => this.outbox.isFull(),
        lightsFirst: false,
        // Presses come over the network, which delays them.
        feelsPresses: false,
        paper,
      },
    });
  }

  /** Whether the station has answered every report. */
  idle(): boolean {
    return this.reporting === this.resting;
  }

  /**
   * Sends reports over this connection from now on. `line` is undefined if the connection ended; reports in flight will then be sent again.
   */
  reportOver(line: ReportLine | undefined): void {
    this.line = line;
    this.sinceMs = this.clock.monotonic();
    if (line !== undefined) return;
    this.outbox.land();
    this.clear();
  }

  /** Reports the status, after all other reports. Resolves when the station has received everything, or the connection has ended. */
  reportAll(): Promise<void> {
    this.outbox.reportStatus();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.cleared.push(resolve);
    this.pump();
    return promise;
  }

  /** Handles a press. The first button confirms. If there are at least three buttons, the second and third change the quantity. */
  press(button: DisplayButton): void {
    const at = this.parts.buttons.findIndex(({ byte, id }) => byte === button.byte && id === button.id);
    const counts = this.parts.buttons.length >= LEAST_BUTTONS_FOR_COUNTS;
    const name = counts ? (['front', 'minus', 'plus'] as const)[at] : 'front';
    if (name === undefined) return;
    // While the display is idle, a long press is a call, so wait for the end of the press.
    if (name === 'front' && this.isIdle()) this.held = { button, sinceMs: this.clock.monotonic() };
    else this.device.press(name, 'short');
  }

  /** Reports a press that began while the display was idle, once the button is released (short) or has been held long enough (long). */
  settle(isDown: (button: DisplayButton) => boolean): void {
    const { held } = this;
    if (held === undefined) return;
    const isLong = this.clock.monotonic() - held.sinceMs >= LONG_MS;
    const isUp = !isDown(held.button);
    if (!isLong && !isUp) return;
    this.held = undefined;
    // Check again, because the press must not confirm work that has arrived since.
    if (this.isIdle()) this.device.press('front', isUp ? 'short' : 'long');
  }

  private isIdle(): boolean {
    return this.device.look().shownToken === 0;
  }

  /** Handles a message with content to display now or later. Returns the status for the answer. */
  take(request: RequestMessage): ReturnType<ShelfDevice['check']> {
    if (request.name !== 'show' && request.name !== 'keep') return 'unsupported';
    if (request.body.device !== this.deviceId) return 'unknownDevice';
    const { body } = request;
    const screen = body.screen.form === 'same' ? this.device.screenOf(body.checksum) : body.screen;
    if (screen === undefined) return 'contentMissing';
    if (request.name === 'keep') {
      this.device.keep({ ...request.body, screen });
      return 'ok';
    }
    const status = this.device.check(request.body);
    if (status === 'ok') this.device.take({ ...request.body, screen });
    return status;
  }

  stop(): void {
    this.line = undefined;
    this.device.stop();
    this.clear();
  }

  private later(retry: () => void): void {
    this.resting += 1;
    this.reporting += 1;
    this.clock.setTimer(BUSY_RETRY_MS, () => {
      this.resting -= 1;
      this.reporting -= 1;
      retry();
    });
  }

  private clear(): void {
    for (const resolve of this.cleared.splice(0)) resolve();
  }

  private pump(): void {
    const { line } = this;
    if (line === undefined) return;
    this.outbox.pump((outgoing) => void this.deliver(outgoing, line));
    if (this.outbox.isClear() && this.outbox.size === 0) this.clear();
  }

  private async deliver(outgoing: Outgoing, line: ReportLine): Promise<void> {
    const request = outgoing.request(1);
    if (request === undefined) return;
    this.reporting += 1;
    // The outbox is still sending.
    await Promise.resolve();
    const status = await this.answerOf(request, line);
    this.reporting -= 1;
    if (this.line === line) outgoing.replied({ name: 'ack', body: { status } });
  }

  private async answerOf(
    request: RequestMessage,
    { connection, host }: ReportLine,
  ): Promise<'ok' | 'busy' | 'refused'> {
    if (request.name === 'deviceStatus') {
      host.status(connection, request.body, sizeOf(this.parts));
      return 'ok';
    }
    try {
      await host.report(connection, request as Report);
      return 'ok';
    } catch {
      return 'busy';
    }
  }

  private status(): Body<'deviceStatus'> {
    const { shownToken, shownChecksum, remainingMs, pendingToken, pendingChecksum, backgroundChecksum } =
      this.device.look();
    const { buttons, leds } = this.parts;
    return {
      device: this.deviceId,
      epoch: this.device.epoch,
      firmware: DRAWING_RULES,
      buttons: buttons.length === 0 ? 0 : buttons.length >= LEAST_BUTTONS_FOR_COUNTS ? 3 : 1,
      capabilities: CAN_DRAW_FIELDS | (isDrawable(this.parts) ? 0 : HAS_NO_SCREEN) | (leds === 0 ? HAS_NO_LED : 0),
      batteryMv: this.batteryMv,
      rssiDbm: 0,
      uptimeS: Math.floor((this.clock.monotonic() - this.sinceMs) / 1_000),
      shownToken,
      shownChecksum,
      remainingMs,
      reachable: true,
      pendingToken,
      pendingChecksum,
      backgroundChecksum,
    };
  }
}
