import type { Clock, Log } from '../../ports.ts';
import type { TurboConnection, ConnectionHost, Report } from '../types.ts';
import { type Body, CAN_DRAW_FIELDS, HAS_NO_LED, IS_SLOW } from '../frames/protocol/messages.ts';
import { DRAWING_RULES } from '../controllers/shownContent.ts';
import { reportIdOf, type TagState } from './tagState.ts';

/** A tag counts as offline after this much time without a check-in. Tags with bad reception check in every 10 minutes. */
const TAG_AWAY_S = 1_800;
const REPORT_RETRY_MS = 1_000;
const DAY_S = 86_400;

/** Sends reports about a connection's tags to the station in order, because a press belongs to the content that was shown before. */
export class TagReports {
  /** How many seconds the access point's clock is ahead. */
  aheadS = 0;
  private readonly connection: TurboConnection;
  private readonly host: ConnectionHost;
  private readonly clock: Clock;
  private readonly log: Log;
  private last: Promise<unknown> = Promise.resolve();
  private reporting = 0;

  constructor(connection: TurboConnection, host: ConnectionHost, { clock, log }: { clock: Clock; log: Log }) {
    this.connection = connection;
    this.host = host;
    this.clock = clock;
    this.log = log;
  }

  /** Whether the station has stored every report. */
  idle(): boolean {
    return this.reporting === 0;
  }

  isReachable({ record }: TagState): boolean {
    return !record.isExternal && this.ageS(record.lastseen) <= TAG_AWAY_S;
  }

  status(tag: TagState): void {
    const { deviceId, record, shown, queued, background, type } = tag;
    tag.isReachable = this.isReachable(tag);
    const status: Body<'deviceStatus'> = {
      device: deviceId,
      epoch: 1,
      firmware: DRAWING_RULES,
      // A tag's buttons cannot be told apart, so report them as one.
      buttons: type.hasButton ? 1 : 0,
      capabilities: CAN_DRAW_FIELDS | IS_SLOW | (type.hasLed ? 0 : HAS_NO_LED),
      batteryMv: record.batteryMv,
      rssiDbm: record.rssi,
      uptimeS: 0,
      shownToken: shown.token,
      shownChecksum: shown.checksum,
      remainingMs: undefined,
      reachable: tag.isReachable,
      pendingToken: queued?.token,
      pendingChecksum: queued?.checksum,
      backgroundChecksum: background?.checksum,
    };
    this.host.status(this.connection, status, { width: type.width, height: type.height });
  }

  shown({ deviceId, shown: { token, checksum } }: TagState): void {
    if (checksum === undefined) return;
    this.enqueue(() => this.report({ name: 'shown', body: { device: deviceId, token, checksum, ageMs: 0 } }));
  }

  /**
   * Reports a press. Any button counts as the front button. On an idle tag, a press is a call, because tags have no long press. `token` is
   * the token of the screen at the time of the press. Calls `taken` once the press is on disk.
   */
  press(tag: TagState, token: number, lastseen: number, taken: () => void): void {
    const ageMs = Math.min(DAY_S, Math.max(0, this.ageS(lastseen))) * 1_000;
    const hold = token === 0 ? 'long' : 'short';
    const body = { ...reportIdOf(tag, lastseen), token, button: 'front', hold, ageMs, quantity: undefined } as const;
    this.enqueue(async () => {
      if (await this.report({ name: 'button', body })) taken();
    });
  }

  /** Resolves when all reports so far are on disk. */
  async settled(): Promise<void> {
    await this.last;
  }

  private ageS(lastseen: number): number {
    return Math.floor(this.clock.now() / 1_000) + this.aheadS - lastseen;
  }

  private enqueue(send: () => Promise<unknown>): void {
    this.reporting += 1;
    this.last = this.last.then(send).finally(() => {
      this.reporting -= 1;
    });
  }

  /** Repeats a report until it is on disk, because the access point does not store it. Returns false if the connection closed first. */
  private async report(report: Report): Promise<boolean> {
    while (this.connection.state !== 'closed') {
      try {
        await this.host.report(this.connection, report);
        return true;
      } catch (error) {
        this.log.warn({ err: error, device: report.body.device }, `A ${report.name} report could not be stored`);
        await new Promise<void>((resolve) => void this.clock.setTimer(REPORT_RETRY_MS, resolve));
      }
    }
    return false;
  }
}
