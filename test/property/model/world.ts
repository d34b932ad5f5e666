import { isDeepStrictEqual } from 'node:util';
import type { Order } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Sequence } from '#shared/api/sequence.ts';
import type { Station } from '#shared/api/station.ts';
import { applyFacts } from '#shared/api/reducer.ts';
import type { FakeClock } from '../../helpers/fakeClock.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import type { ModelDeliveries } from './deliveries.ts';
import type { Disk } from './disk.ts';
import type { Hardware } from './hardware.ts';
import type { Journal } from './journal.ts';
import { LiveReader } from './liveReader.ts';
import type { Oracle } from './oracle.ts';
import { Presses } from './presses.ts';
import type { Random } from './random.ts';
import { compareStation, lasting } from './snapshot.ts';
import { compareWorkLines } from './workLines.ts';
import { compareWorks } from './works.ts';

/** One run: the station, its hardware, its receiver, and the oracle that checks them. */
export class World {
  readonly random: Random;
  readonly clock: FakeClock;
  readonly hardware: Hardware;
  readonly oracle: Oracle;
  readonly journal: Journal;
  readonly disk: Disk;
  readonly deliveries: ModelDeliveries;
  readonly presses = new Presses();
  /** Whether people pick orders. */
  readonly picks: boolean;
  /** Whether people's pages have current lines. */
  readonly meets: boolean;
  /** All journal entries, for the analysis of a failure. */
  readonly trail: string[] = [];
  /** Errors found where throwing is not possible. */
  readonly complaints: string[];
  /** The current state of the link and the radio. */
  readonly link = { connected: true, loss: 0, latencyMs: 0 };
  readonly unreachable = new Set<string>();
  /** A step of the wall clock that the station cannot have noticed yet. */
  jump: { ms: number; commits: number } | undefined;

  private readonly options: { seed: number; dataFolder: string };
  private running: TestStation | undefined;
  private lives = 0;
  private isFirstCommit = true;
  private lastHistoryId = 0;
  /** Time since which the wire neither loses nor delays messages. */
  private clearMono = 0;
  /** The reader of the live stream, which only some runs have. */
  private reader: LiveReader | undefined;
  /** The station as computed from all facts received so far. */
  private reduced: Station | undefined;

  constructor(parts: {
    random: Random;
    clock: FakeClock;
    hardware: Hardware;
    oracle: Oracle;
    journal: Journal;
    disk: Disk;
    deliveries: ModelDeliveries;
    complaints: string[];
    seed: number;
    picks: boolean;
    meets: boolean;
    dataFolder: string;
  }) {
    this.random = parts.random;
    this.clock = parts.clock;
    this.hardware = parts.hardware;
    this.oracle = parts.oracle;
    this.journal = parts.journal;
    this.disk = parts.disk;
    this.deliveries = parts.deliveries;
    this.complaints = parts.complaints;
    this.picks = parts.picks;
    this.meets = parts.meets;
    this.lastHistoryId = parts.disk.lastHistoryId();
    this.options = { seed: parts.seed, dataFolder: parts.dataFolder };
  }

  get station(): TestStation {
    if (this.running === undefined) throw new Error('The station is stopped');
    return this.running;
  }

  get deviceIds(): [string, ...string[]] {
    const [first = '', ...others] = this.oracle.devices.keys();
    return [first, ...others];
  }

  async start(): Promise<void> {
    this.journal.note({ kind: 'started', createdAt: this.disk.createdAt() });
    // Callbacks in progress when the station stopped may have reached the receiver later.
    this.deliveries.disturb();
    this.lives += 1;
    this.isFirstCommit = true;
    this.running = await startTestStation({
      clock: this.clock,
      dataFolder: this.options.dataFolder,
      seed: this.options.seed * 101 + this.lives,
      watchTransport: (own) => this.hardware.plug(own),
    });
    this.reduced ??= await this.station.get<Station>('/api/station/');
    if (this.options.seed % 4 === 0) this.reader ??= new LiveReader(() => this.disk, this.reduced.revision);
    await this.reader?.open(this.station.url);
    this.noteRadio();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
    this.journal.note({ kind: 'stopped' });
    this.deliveries.disturb();
    await this.reader?.ended();
  }

  /** Waits until the station is idle, then passes the new events to the oracle. */
  async settle(): Promise<void> {
    await this.clock.advance(0);
    const entries = this.journal.take();
    for (const entry of entries) if (entry.kind === 'happened') this.presses.happened(entry.report, entry.monoMs);
    this.trail.push(...entries.map((entry) => JSON.stringify(entry, hideLong)));
    const rows = this.disk.historySince(this.lastHistoryId);
    this.lastHistoryId = rows.at(-1)?.id ?? this.lastHistoryId;
    this.oracle.follow(entries, rows, this.clock.monotonic());
    this.reduce();
    const [complaint] = this.complaints;
    if (complaint !== undefined) throw new Error(complaint);
    for (const { level, fields, message } of this.running?.logged ?? []) {
      if (level === 'error') throw new Error(`The station logged an error: ${message} ${JSON.stringify(fields)}`);
    }
  }

  /** Fetches the snapshot, and compares it with the oracle and with the facts. */
  async checkSnapshot(): Promise<Station> {
    const snapshot = await this.station.get<Station>('/api/station/');
    const sequences = await this.station.get<Sequence[]>('/api/sequence/');
    const orders = await this.station.get<Order[]>('/api/orders/');
    const work = await this.station.get<WorkLine[]>('/api/work/');
    await this.settle();
    compareStation(snapshot, this.oracle, this.jump === undefined);
    compareWorkLines(this.oracle, work, this.clock.monotonic());
    compareWorks(this.oracle, { sequences, orders });
    if (this.reduced?.revision !== snapshot.revision) {
      throw new Error(`The facts end at ${this.reduced?.revision}, the snapshot is of ${snapshot.revision}`);
    }
    const [told, is] = [lasting(this.reduced), lasting(snapshot)];
    if (!isDeepStrictEqual(told, is)) {
      throw new Error(`The facts tell ${JSON.stringify(told)}, and the snapshot says ${JSON.stringify(is)}`);
    }
    return snapshot;
  }

  /** Waits until the reader of the live stream has received everything. */
  async checkStream(): Promise<void> {
    await this.settle();
    await this.reader?.reaches(this.reduced?.revision ?? 0);
  }

  /** Records for each device how long its radio has been good. */
  noteRadio(): void {
    const { connected, loss, latencyMs } = this.link;
    const nowMono = this.clock.monotonic();
    const isClear = loss === 0 && latencyMs <= 200;
    if (!isClear) this.clearMono = Infinity;
    // Lost messages are repeated within about 30 s: these 19 s plus GOOD_MS.
    else if (this.clearMono === Infinity) this.clearMono = nowMono + 19_000;
    for (const device of this.deviceIds) {
      const good = connected && !this.unreachable.has(device);
      this.journal.note({ kind: 'radio', device, goodSinceMono: good ? Math.max(nowMono, this.clearMono) : Infinity });
    }
  }

  private reduce(): void {
    if (this.reduced === undefined) return;
    for (const { revision, facts } of this.disk.commitsSince(this.reduced.revision)) {
      // Revision numbers may jump at startup, so do not check the first commit.
      if (revision !== this.reduced.revision + 1 && !this.isFirstCommit)
        throw new Error(`Revision ${revision} follows ${this.reduced.revision}`);
      this.isFirstCommit = false;
      const told = JSON.parse(facts) as Parameters<typeof applyFacts>[1];
      for (const fact of told) {
        if (fact.type === 'deadlines.shifted') this.noticed(fact.ms);
        if (fact.type === 'line.booked') this.oracle.currents.told(fact);
      }
      this.reduced = applyFacts(this.reduced, told, revision);
    }
    const [booked] = this.oracle.currents.booked;
    if (booked !== undefined) throw new Error(`No fact reports ${JSON.stringify(booked)}`);
    if (this.jump === undefined || this.running === undefined) return;
    if (this.jump.commits === this.running.started.commits()) return;
    if (this.jump.ms < 0) throw new Error(`The clock went back by ${-this.jump.ms} ms and no deadline was shifted`);
    this.jump = undefined;
  }

  private noticed(ms: number): void {
    if (this.jump?.ms !== ms)
      throw new Error(`Deadlines were shifted by ${ms} ms, the clock by ${this.jump?.ms ?? 0} ms`);
    this.jump = undefined;
  }
}

function hideLong(key: string, value: unknown): unknown {
  return key === 'pixels' || key === 'headers' ? undefined : value;
}
