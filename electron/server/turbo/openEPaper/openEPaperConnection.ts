import { MAX_DEVICES } from '#shared/lib/devices/deviceLimits.ts';
import type { Clock, Ids, LinkMemory, Log } from '../../ports.ts';
import type { Greeting, TurboConnection, ConnectionHost } from '../types.ts';
import type { Outgoing, Rank } from '../frames/protocol/exchange.ts';
import { PROTOCOL_VERSION } from '../frames/protocol/messages.ts';
import { parseRecords, type AccessPointInfo, type TagRecord, type TagType } from './accessPointAnswers.ts';
import { openAccessPoint, type AccessPointSession } from './accessPointSession.ts';
import { readTagList, readTagType, typeName } from './inventory.ts';
import { keepTag, recallTags } from './tagMemory.ts';
import { TagReports } from './tagReports.ts';
import { createTag, takeRecord, type RememberedTag, type TagState } from './tagState.ts';
import { TagWork } from './tagWork.ts';

/** How long an access point can be away before its tags count as offline. A restart takes half a minute. */
const AWAY_AFTER_MS = 60_000;
/**
 * The station sets the access point's clock if it is off by more than this many seconds. Without internet access, an access point does not
 * know the time.
 */
const CLOCK_OFF_S = 300;
const MAX_PROBLEMS = 10;

export type OpenEPaperConnectionOptions = {
  url: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  memory: LinkMemory;
  /** As in `ControllerParts`. */
  claim: (serialNumber: string) => string | undefined;
  /** As in `ControllerParts`. */
  changed: () => void;
};

/**
 * An OpenEPaperLink access point as a turbo. Its tags are slow devices that check in every 40 s. Stores what the tags display, and
 * identifies a press by the second of the tag's check-in, so that each press counts once. See docs/open-epaper-link.md.
 */
export class OpenEPaperConnection implements TurboConnection {
  readonly transport: TurboConnection['transport'];
  state: TurboConnection['state'] = 'connecting';
  turbo: Greeting | undefined;
  uptimeS = 0;
  lastSeenAt = 0;
  readonly problem = undefined;
  synced = false;
  readonly firstSync: Promise<void>;

  private readonly options: OpenEPaperConnectionOptions;
  private readonly host: ConnectionHost;
  private readonly session: AccessPointSession;
  private readonly reports: TagReports;
  private readonly work: TagWork;
  private readonly bootId: number;
  private readonly tags = new Map<string, TagState>();
  private readonly byDevice = new Map<string, TagState>();
  private readonly remembered: Map<string, RememberedTag>;
  private readonly types = new Map<number, TagType | undefined>();
  /** Tags whose type has not been read yet. */
  private readonly newcomers = new Map<string, TagRecord>();
  private readonly strange = new Map<string, string>();
  private readonly syncs = new Set<() => void>();
  private readonly endFirstSync: () => void;
  private isOpen = false;
  private isTimed = false;
  /** Whether the tag list is being read or will be. */
  private isReading = false;
  private sessions = 0;
  private lostMs: number | undefined;

  constructor(host: ConnectionHost, options: OpenEPaperConnectionOptions) {
    const { url, clock, ids, memory, log } = options;
    this.host = host;
    this.options = options;
    this.transport = { kind: 'openepaperlink', port: url, canPress: false };
    this.bootId = Buffer.from(ids.bytes(4)).readUInt32LE();
    this.remembered = recallTags(memory);
    const first = Promise.withResolvers<void>();
    this.firstSync = first.promise;
    this.endFirstSync = first.resolve;
    this.reports = new TagReports(this, host, { clock, log });
    this.session = openAccessPoint(url, clock, {
      online: (info, settings) => this.cameOnline(info, settings),
      message: (message) => this.receive(message),
      lost: () => this.wasLost(),
      failed: (problem) => this.failed(problem),
    });
    this.work = new TagWork({
      http: this.session.http,
      clock,
      log,
      tagOf: (deviceId) => this.byDevice.get(deviceId),
      session: () => this.sessions,
      changed: (tag) => keepTag(memory, tag),
      shown: (tag) => this.reports.shown(tag),
      stuck: (tag) => this.reports.status(tag),
      silent: () => this.session.restart(),
    });
  }

  /** Messages about tags that cannot be used as devices. */
  get problems(): readonly string[] {
    return Array.from(this.strange.values()).slice(0, MAX_PROBLEMS);
  }

  /** Whether nothing except timers is pending. */
  idle(): boolean {
    return this.work.idle() && this.session.idle() && this.reports.idle();
  }

  send(outgoing: Outgoing, rank: Rank): void {
    if (this.state !== 'closed') this.work.send(outgoing, rank);
  }

  withdraw(outgoing: Outgoing): void {
    this.work.withdraw(outgoing);
  }

  /** Reads the tag list, immediately or after the next connection. */
  sync(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    if (!this.isReading) {
      this.isReading = true;
      this.work.runUrgently(
        () => this.readAll(),
        () => (this.isReading = false),
      );
    }
    return new Promise((resolve) => this.syncs.add(resolve));
  }

  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.work.close();
    this.session.stop();
    this.endSyncs();
    this.endFirstSync();
    this.host.closed(this, reason);
  }

  private cameOnline({ alias, version }: AccessPointInfo, { isOpen }: { isOpen: boolean }): void {
    const { url, clock, claim } = this.options;
    // Derive the serial number from the address, because an access point reports its own only together with its Wi-Fi password.
    const serialNumber = `oepl-${new URL(url).host}`;
    const taken = claim(serialNumber);
    if (taken !== undefined) return this.close(taken);
    this.sessions += 1;
    this.lostMs = undefined;
    this.isOpen = isOpen;
    this.isTimed = false;
    this.lastSeenAt = clock.now();
    this.turbo = {
      protocol: PROTOCOL_VERSION,
      serialNumber,
      name: alias === '' ? 'OpenEPaperLink' : alias,
      firmware: version,
      bootId: this.bootId,
      uptimeS: this.uptimeS,
      window: 1,
    };
    this.state = 'online';
    this.synced = false;
    for (const tag of this.tags.values()) tag.isReachable = undefined;
    for (const [hwType, type] of this.types) if (type === undefined) this.types.delete(hwType);
    this.work.open();
    this.host.online(this, this.turbo);
  }

  private wasLost(): void {
    this.work.pause();
    if (this.state === 'online') this.lostMs = this.options.clock.monotonic();
    this.state = 'connecting';
  }

  private failed(problem: string): void {
    const { lostMs } = this;
    if (lostMs === undefined || this.options.clock.monotonic() - lostMs >= AWAY_AFTER_MS) this.close(problem);
  }

  private receive(message: { readonly [name: string]: unknown }): void {
    if (this.state !== 'online') return;
    this.lastSeenAt = this.options.clock.now();
    const { sys, tags } = message;
    if (typeof sys === 'object' && sys !== null) this.heardSystem(sys);
    if (Array.isArray(tags)) for (const record of parseRecords(tags)) this.take(record, true);
  }

  private heardSystem({ currtime, uptime }: { currtime?: unknown; uptime?: unknown }): void {
    const nowS = Math.floor(this.options.clock.now() / 1_000);
    if (typeof uptime === 'number' && uptime >= 0 && uptime < 0xffff_ffff) this.uptimeS = Math.trunc(uptime);
    if (typeof currtime === 'number') {
      this.reports.aheadS = Math.trunc(currtime) - nowS;
      if (Math.abs(this.reports.aheadS) > CLOCK_OFF_S && !this.isTimed) this.setClock(nowS);
    }
    for (const tag of this.tags.values())
      if (tag.isReachable !== undefined && this.reports.isReachable(tag) !== tag.isReachable) this.reports.status(tag);
  }

  private setClock(epoch: number): void {
    this.isTimed = true;
    this.work.runUrgently(async () => void (await this.session.http.post('set_time', { epoch: String(epoch) })));
  }

  private async readAll(): Promise<void> {
    const { http } = this.session;
    const { records, isCut } = await readTagList(http);
    this.strange.clear();
    if (isCut)
      this.strange.set('', 'The access point lists only its first tags; the others appear when they check in.');
    for (const record of records) if (!record.isExternal) await this.readType(record.hwType);
    for (const record of records) this.take(record, false);
    // From now on, do not accept tags of neighbors.
    if (this.isOpen && this.tags.size > 0) await http.post('save_apcfg', { lock: '1' });
    this.isOpen = false;
    await this.reports.settled();
    this.isReading = false;
    this.synced = true;
    this.endFirstSync();
    this.endSyncs();
    this.host.synced(this);
    this.options.changed();
  }

  private async readType(hwType: number): Promise<void> {
    if (!this.types.has(hwType)) this.types.set(hwType, await readTagType(this.session.http, hwType));
  }

  private async readNewcomers(): Promise<void> {
    for (const [mac, record] of this.newcomers) {
      await this.readType(record.hwType);
      this.newcomers.delete(mac);
      this.take(record, true);
    }
  }

  /** Handles a tag record. `isLive` tells whether the record comes from an event rather than from the tag list. */
  private take(record: TagRecord, isLive: boolean): void {
    const known = this.tags.get(record.mac);
    if (known !== undefined) return this.follow(known, record);
    if (record.isExternal || this.tags.size + this.newcomers.size >= MAX_DEVICES) return;
    const type = this.types.get(record.hwType);
    if (type !== undefined) {
      const tag = this.add(record, type, isLive);
      if (tag !== undefined) this.follow(tag, record);
    } else if (this.types.has(record.hwType)) {
      const problem = `The tag ${record.mac} is of type ${typeName(record.hwType)}, of which the access point knows no screen.`;
      if (this.strange.size < MAX_DEVICES) this.strange.set(record.mac, problem);
      if (isLive) this.options.changed();
    } else {
      this.newcomers.set(record.mac, record);
      if (this.newcomers.size > 1) return;
      this.work.runUrgently(
        () => this.readNewcomers(),
        () => this.newcomers.clear(),
      );
    }
  }

  private add(record: TagRecord, type: TagType, isLive: boolean): TagState | undefined {
    const { mac } = record;
    const nowMs = this.options.clock.monotonic();
    const tag = createTag({ record, type, session: this.sessions }, this.remembered.get(mac), { isLive, nowMs });
    const other = this.byDevice.get(tag.deviceId);
    if (other !== undefined) {
      this.strange.set(mac, `The tag ${mac} has the same DeviceID as the tag ${other.mac}.`);
      return undefined;
    }
    this.tags.set(mac, tag);
    this.byDevice.set(tag.deviceId, tag);
    return tag;
  }

  private follow(tag: TagState, record: TagRecord): void {
    const news = takeRecord(tag, record, this.sessions, this.options.clock.monotonic());
    if (news.isShown) this.reports.shown(tag);
    if (news.isPressed) this.pressed(tag, record.lastseen);
    const isNews = news.isLost || news.hasBooted || news.hasCheckedIn;
    if (isNews || tag.isReachable !== this.reports.isReachable(tag)) this.reports.status(tag);
    // A tag takes one item at a time, so the LED program waits until nothing is queued.
    if ((news.hasCheckedIn || news.hasReceived) && record.pending === 0) this.work.renew(tag);
    keepTag(this.options.memory, tag);
  }

  private pressed(tag: TagState, lastseen: number): void {
    const { token } = tag.shown;
    tag.pressing = lastseen;
    this.reports.press(tag, token, lastseen, () => {
      tag.pressedAt = lastseen;
      keepTag(this.options.memory, tag);
      if (token !== 0) this.work.goBack(tag, token);
    });
  }

  private endSyncs(): void {
    const ended = [...this.syncs];
    this.syncs.clear();
    for (const end of ended) end();
  }
}
