import { answerAsks, enqueue, type AskContent, type ModelSettings } from './asks.ts';
import { ModelCurrents } from './currents.ts';
import type { DiskHistoryRow } from './disk.ts';
import type { Entry } from './journal.ts';
import { Ledger, type ExpectedRow } from './ledger.ts';
import { ModelLines, type ShownLine } from './lines.ts';
import { ModelOrders } from './orders.ts';
import { ModelPickers } from './pickers.ts';
import { ModelPicking } from './picking.ts';
import type { ModelPerson } from './people.ts';
import { placeName } from './naming.ts';
import { happened, takeReport, type Moment } from './reports.ts';
import { ModelSequences } from './sequences.ts';
import { Shows } from './shows.ts';
import { answerStandIn, isNextInStation } from './standIns.ts';
import { nothing, type ModelCommand, type ModelDevice, type ModelOwner, type ReceivedFields } from './state.ts';
import { beginDrain, checkEnded, checkExpiry, newTimes } from './timeRules.ts';
import { answerWork, templatesOf } from './works.ts';

/** How a command ended. `told` is false for a timeout that is not reported to receivers. */
export type End = {
  kind: 'acknowledged' | 'timedOut' | 'killed';
  qty: number;
  at: number;
  by?: string;
  told: boolean;
  onDiskBy?: number | undefined;
  /** The item's quantity when the line was shown, or undefined to use the quantity when the line was lit. */
  base?: number | undefined;
  /** How many pieces the item needed when the line was shown, or undefined if that is what it needs now. */
  ordered?: number | undefined;
};

/** The callbacks expected for the end of a command, and the action that follows. */
export type Follows = { callbacks: ReceivedFields[]; next: () => void };

/** Time for which a device's restart and a screen sent to the device may cross on the wire. */
const CROSSING_MS = 1_000;

/**
 * Derives from the contract alone which data must be on disk. It sees the station's inputs and outputs, and follows the history row by row.
 * The station may only choose, within limits, when it ends an unanswered command.
 */
export class Oracle {
  readonly devices = new Map<string, ModelDevice>();
  readonly settings: ModelSettings;
  readonly people: readonly ModelPerson[];
  /** The devices with a place on the map, in walking order. */
  readonly walk: readonly string[];
  readonly times = newTimes();
  readonly ledger = new Ledger();
  readonly shows = new Shows();
  readonly sequences = new ModelSequences(this);
  readonly orders = new ModelOrders(this);
  readonly pickers = new ModelPickers(this);
  readonly picking = new ModelPicking(this);
  readonly lines = new ModelLines(this);
  readonly currents = new ModelCurrents(this);
  /** The newest command id. */
  lastId = 0;
  /** Number of expected history rows so far. A request that adds none has changed nothing. */
  told = 0;
  /** The new id of each command that was replaced by one with the same look. A press on the old command counts for the new one. */
  readonly successors = new Map<number, number>();
  /** Old ids of commands that moved to another device. A press on their old screens is late. */
  readonly movedAway = new Set<number>();
  /** The device of every command, by command id. */
  readonly owners = new Map<number, ModelDevice>();
  /** The commands and devices that have a row of late presses. */
  readonly late = new Set<string>();
  /** Commands that have ended. */
  private readonly ended = new Set<number>();
  /** Commands that devices ended by themselves, according to the events that are being applied. */
  private endedByDevice = new Set<string>();

  constructor(settings: ModelSettings, { people, walk }: Pick<Oracle, 'people' | 'walk'>) {
    this.settings = settings;
    this.people = people;
    this.walk = walk;
  }

  device(deviceId: string): ModelDevice {
    const device = this.devices.get(deviceId);
    if (device === undefined) throw new Error(`${deviceId} was never there`);
    return device;
  }

  /** Assigns a new command id. */
  newId(device: ModelDevice): number {
    this.lastId += 1;
    this.owners.set(this.lastId, device);
    return this.lastId;
  }

  /** Applies the events since the last call and checks the history rows that these events left. */
  follow(entries: readonly Entry[], rows: readonly DiskHistoryRow[], nowMono: number): void {
    this.ledger.add(rows);
    this.endedByDevice = new Set(entries.flatMap(endOf));
    for (const entry of this.inOrder(entries)) {
      while (this.expireNext(entry.wallMs));
      this.currents.passes(entry.monoMs);
      this.step(entry);
      this.currents.arrange(entry);
    }
    while (this.expireNext());
    this.currents.passes(nowMono);
    const extra = this.ledger.next();
    if (extra !== undefined) throw new Error(`Nothing explains the history row ${JSON.stringify(extra)}`);
    for (const device of this.devices.values()) checkEnded(device, this.times, nowMono);
  }

  /** Expects this history row next, after the rows of commands that the station itself ended. */
  expect(expected: ExpectedRow): void {
    this.told += 1;
    this.arrive(expected);
    this.ledger.take(expected);
  }

  private arrive(expected: ExpectedRow): void {
    while (!this.ledger.isNext(expected) && this.expireNext());
  }

  /** Expects the history row for a command that is replaced by a new one. */
  replaced(device: ModelDevice, command: ModelCommand, wallMs: number, by: string): void {
    const { id: commandId, nonce, owner } = command;
    const location = placeName(device, command);
    const expected = { kind: 'replaced', deviceId: device.id, commandId, nonce, location };
    this.expect({ ...expected, qty: 0, at: wallMs, by, work: workOf(owner), callbacks: [] });
  }

  /** Ends a command. Returns the next action of the command's step or item, to be called after everything that ends with the command. */
  close(device: ModelDevice, command: ModelCommand, end: End, now: Moment): () => void {
    const { kind, qty, at, by, onDiskBy } = end;
    const { id: commandId, nonce, owner } = command;
    const location = placeName(device, command);
    const row = { kind, deviceId: device.id, commandId, nonce, location, qty, at, onDiskBy };
    const work = workOf(owner);
    this.arrive({ ...row, callbacks: [] });
    const { callbacks, next } = this.follows(device, command, end, now);
    this.ledger.take({ ...row, ...(by === undefined ? {} : { by }), work, callbacks });
    if (by === 'device' || kind === 'timedOut') this.lines.ended(device, command, at);
    this.end(device, command, now.wallMs, now.monoMs);
    return next;
  }

  /** Records a press on a line that no longer has a light. Returns the action that follows. */
  bookDark({ item, base }: ShownLine, device: ModelDevice, commandId: number, end: End, now: Moment): () => void {
    const { kind, qty, at, by, onDiskBy } = end;
    const nonce = item.given.callback_nonce ?? '';
    const row = { kind, deviceId: device.id, commandId, nonce, location: device.label, qty, at, onDiskBy };
    this.arrive({ ...row, callbacks: [] });
    const { callbacks, next } = this.orders.booked(item, device, { ...end, base }, now);
    const work = `order:${item.of.of.number}`;
    this.ledger.take({ ...row, ...(by === undefined ? {} : { by }), work, callbacks });
    return next;
  }

  /** Lights a command for a step or an item. Direct commands never replace such a command. */
  light(device: ModelDevice, owner: ModelOwner, content: AskContent, now: Moment): ModelCommand {
    return enqueue(this, device, content, owner, now);
  }

  /** Withdraws the command of a step or an item, which then does not react to the end of the command. */
  withdraw(device: ModelDevice, command: ModelCommand, by: string, now: Moment): void {
    command.owner = command.owner === null ? null : { ...command.owner, isWithdrawn: true };
    this.close(device, command, { kind: 'killed', qty: 0, at: now.wallMs, by, told: false }, now);
  }

  private follows(device: ModelDevice, command: ModelCommand, end: End, now: Moment): Follows {
    const { owner } = command;
    if (owner?.isWithdrawn === true) return { callbacks: [], next: nothing };
    if (owner?.kind === 'step') return this.sequences.ended(owner.step, device, end, now);
    if (owner?.kind === 'item') return this.orders.ended(owner.item, device, command, end, now);
    const acknack = end.kind === 'acknowledged' ? 'ack' : 'nack';
    if (end.kind === 'killed' || !end.told || command.nonce === '' || !this.tells('device'))
      return { callbacks: [], next: nothing };
    const { nonce } = command;
    const callback = { acknack, deviceid: device.id, location: placeName(device, command), nonce, qty: end.qty };
    return { callbacks: [callback], next: nothing };
  }

  /** Removes a command from the device's queue. If it was the first, moves the command that the device should show next to the front. */
  private end(device: ModelDevice, command: ModelCommand, wallMs: number, monoMs: number): void {
    if (this.ended.has(command.id)) throw new Error(`Command ${command.id} ended twice`);
    this.ended.add(command.id);
    this.leave(device, command, { wallMs, monoMs });
  }

  /** Removes a command from the queue of a device that it has left. */
  leave(device: ModelDevice, command: ModelCommand, { wallMs, monoMs }: Moment): void {
    const wasFirst = device.queue[0] === command;
    device.queue = device.queue.filter((queued) => queued !== command);
    const next = wasFirst ? this.currents.wanted(device, monoMs) : undefined;
    if (next !== undefined) this.currents.lead(device, next, { wallMs, monoMs });
  }

  /**
   * Applies the next row if it is the timeout of a command that the station itself ended before `beforeMs`. Also accepts a timeout at
   * exactly `atMs` that the device reports too.
   */
  expireNext(beforeMs = Infinity, atMs?: number): boolean {
    const row = this.ledger.next();
    if (row?.kind !== 'timedOut' || row.at >= beforeMs) return false;
    if (row.at !== atMs && this.wasEndedByDevice(row)) return false;
    const device = this.device(row.device_id);
    const command = device.queue.find((queued) => queued.id === row.command_id);
    if (command === undefined) throw new Error(`Command ${row.command_id} timed out, but it is not open`);
    const monoMs = row.at - this.times.offsetMs;
    this.currents.passes(monoMs);
    const wasShown = (JSON.parse(row.detail) as { shownAt: string | null }).shownAt !== null;
    if (wasShown !== (command.shownAt !== null) && command.heardMono !== monoMs) {
      throw new Error(`Command ${command.id} ended as ${wasShown ? 'shown' : 'never shown'}`);
    }
    checkExpiry(device, command, wasShown, this.times, monoMs);
    const qty = command.adjusted ?? 0;
    const isTold = wasShown || this.settings.unreachable === 'nack';
    const end: End = { kind: 'timedOut', qty, at: row.at, told: isTold };
    const { owner } = command;
    this.close(device, command, end, { wallMs: row.at, monoMs })();
    if (owner?.kind === 'item') this.currents.over(owner.item);
    return true;
  }

  private wasEndedByDevice(row: DiskHistoryRow): boolean {
    return this.endedByDevice.has(`${row.command_id} at ${row.at}`);
  }

  /** Returns whether callbacks of this family are sent. */
  tells(family: keyof ModelSettings['families']): boolean {
    return this.settings.url !== '' && this.settings.families[family];
  }

  /**
   * Yields the events in the order in which the station handled them. A racing event comes when the station handled it, or last if it was
   * too late. If several devices' reports arrived at the same moment, the report that wrote the next row comes first.
   */
  private *inOrder(entries: readonly Entry[]): Generator<Entry> {
    const left = [...entries];
    let racing: Extract<Entry, { kind: 'stoodIn' }> | undefined;
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
      if (racing !== undefined && isNextInStation(racing, this.ledger.nextButTimeouts())) {
        yield racing;
        racing = undefined;
      }
      if (entry.kind === 'stoodIn' && entry.isRacing) {
        racing = entry;
        continue;
      }
      const faster = this.findFaster(entry, left);
      if (faster !== undefined) {
        // A device's shown reports before the press keep their place before the press.
        const own = left.slice(0, left.indexOf(faster)).filter((each) => isShownOf(each, faster));
        left.splice(left.indexOf(faster), 1);
        for (const each of own) left.splice(left.indexOf(each), 1);
        left.unshift(entry);
        yield* own;
      }
      yield faster ?? entry;
    }
    if (racing !== undefined) yield racing;
  }

  /** Finds a report in `later` from a different device that arrived at the same moment but was written first. */
  private findFaster(entry: Entry, later: readonly Entry[]): Entry | undefined {
    // Skip the timeouts by which the station itself ended commands.
    const row = this.ledger.nextButTimeouts((timeout) => this.wasEndedByDevice(timeout));
    if (row === undefined || entry.kind !== 'arrived' || wrote(entry, row)) return undefined;
    // A report that writes no row keeps its place among the sent messages.
    if (entry.report.name === 'shown') return undefined;
    const before = new Set([entry.report.body.device]);
    for (const other of later) {
      if (other.monoMs !== entry.monoMs) return undefined;
      // Reports that arrived after this message was sent were also written after it.
      if (other.kind === 'show') before.add(other.show.device);
      if (other.kind !== 'arrived' || other.report.name === 'shown') continue;
      const { device } = other.report.body;
      if (!before.has(device) && wrote(other, row)) return other;
      before.add(device);
    }
    return undefined;
  }

  private step(entry: Entry): void {
    const { times, settings } = this;
    const { monoMs } = entry;
    switch (entry.kind) {
      case 'asked':
        return answerAsks(this, entry);
      case 'stoodIn':
        return answerStandIn(this, entry);
      case 'worked':
        return answerWork(this, entry);
      case 'picked':
        return this.picking.answer(entry);
      case 'settings': {
        const { change } = entry;
        settings.url = change.callback_url ?? settings.url;
        Object.assign(settings.families, change.callback_families);
        Object.assign(settings.templates, templatesOf(change));
        settings.unreachable = change.unreachable_callback ?? settings.unreachable;
        settings.seconds = change.default_seconds ?? settings.seconds;
        settings.color = change.default_color ?? settings.color;
        settings.orderSeconds = change.order_seconds ?? settings.orderSeconds;
        settings.orderColor = change.order_color ?? settings.orderColor;
        return;
      }
      case 'arrived':
        return entry.refused ? undefined : takeReport(this, entry);
      case 'show': {
        const device = this.device(entry.show.device);
        while (!entry.writing && device.queue[0]?.id !== (entry.show.token || undefined)) {
          if (!this.expireNext(Infinity, entry.wallMs)) break;
        }
        return this.shows.check(device, entry);
      }
      case 'keep':
        return this.shows.kept(this.device(entry.keep.device), entry.keep);
      case 'refused':
        return this.shows.refused(entry.device);
      case 'happened':
        return happened(this.device(entry.report.body.device), entry.report, this.shows, monoMs);
      case 'restarted': {
        const device = this.device(entry.device);
        device.goodSinceMono = Math.max(device.goodSinceMono, monoMs + CROSSING_MS);
        Object.assign(device.truth, { token: 0, sinceMono: monoMs, endsMono: Infinity });
        return;
      }
      case 'jumped':
        return this.jumped(entry.ms, monoMs);
      case 'started':
        // Earlier runs on the data folder used at most four ids per second.
        this.lastId = Math.max(this.lastId, Math.floor((entry.wallMs - entry.createdAt) / 250));
        times.running = true;
        this.picking.restarted();
        this.currents.restarted();
        this.lines.restarted();
        times.startedMono = monoMs;
        beginDrain(times, 'start', monoMs);
        return this.disturb(monoMs);
      case 'stopped':
        times.running = false;
        // Current lines do not expire while the station is stopped.
        this.currents.restarted();
        return this.disturb(Infinity);
      case 'welcomed':
        this.shows.begin();
        beginDrain(times, 'link', monoMs);
        return this.disturb(monoMs);
      case 'synced':
        times.askedMono = monoMs;
        times.startDrainMono = -Infinity;
        times.linkDrainMono = -Infinity;
        return;
      case 'closed':
        times.linkDrainMono = -Infinity;
        return;
      case 'radio':
        this.radio(this.device(entry.device), entry.goodSinceMono);
    }
  }

  /** Records since when a device's radio has been good. A radio that was already good keeps the earlier time. */
  private radio(device: ModelDevice, sinceMono: number): void {
    if (sinceMono === Infinity || device.goodSinceMono === Infinity) device.goodSinceMono = sinceMono;
  }

  /** Counts every radio as good only from this moment on. */
  private disturb(monoMs: number): void {
    for (const device of this.devices.values()) device.goodSinceMono = Math.max(device.goodSinceMono, monoMs);
  }

  private jumped(ms: number, monoMs: number): void {
    this.times.offsetMs += ms;
    this.times.jumpedMono = monoMs;
    for (const { queue } of this.devices.values()) {
      for (const command of queue) {
        if (ms > 0) command.forwardMs += ms;
        // A backward step moves open deadlines back as well.
        else if (command.firstAt !== null) command.firstAt += ms;
        if (ms < 0 && command.shownAt !== null) command.shownAt += ms;
      }
    }
  }
}

/** Returns the name that the command's sequence or order has in the history. */
function workOf(owner: ModelOwner | null): string | null {
  if (owner === null) return null;
  return owner.kind === 'step' ? `sequence:${owner.step.of.id}` : `order:${owner.item.of.of.number}`;
}

function endOf(entry: Entry): string[] {
  if (entry.kind !== 'arrived' || entry.refused || entry.report.name !== 'ended') return [];
  return [`${entry.report.body.token} at ${entry.wallMs - entry.report.body.ageMs}`];
}

function isShownOf(entry: Entry, press: Entry): boolean {
  if (entry.kind !== 'arrived' || press.kind !== 'arrived' || entry.report.name !== 'shown') return false;
  return entry.report.body.device === press.report.body.device;
}

/** Returns whether this report may have written this row. */
function wrote({ report, wallMs }: Extract<Entry, { kind: 'arrived' }>, row: DiskHistoryRow): boolean {
  return report.name !== 'shown' && report.body.device === row.device_id && row.at === wallMs - report.body.ageMs;
}
