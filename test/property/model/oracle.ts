import { isDeepStrictEqual } from 'node:util';
import type { Body } from '../../../electron/server/turbo/protocol/messages.ts';
import { answerAsks, type ModelSettings } from './asks.ts';
import type { HistoryRow } from './disk.ts';
import type { Arrival, Entry, Report } from './journal.ts';
import { beginDrain, checkEnded, checkExpiry, type Times } from './timeRules.ts';
import {
  countOf,
  LED_COLORS,
  lookOf,
  screenOf,
  type ExpectedRow,
  type ModelCommand,
  type ModelDevice,
  type Payload,
} from './state.ts';

/**
 * Says from the contract alone what the station must have on disk: it is shown what went in and out, and steps through
 * the history row by row. Only when the station itself ends a command unanswered is left to the station, within bounds.
 */
export class Oracle {
  readonly devices = new Map<string, ModelDevice>();
  readonly settings: ModelSettings;
  readonly times: Times = { running: false, startedMono: 0, startDrainMono: -Infinity, linkDrainMono: -Infinity, chainMono: -Infinity, jumpedMono: -Infinity, offsetMs: 0 };
  /** When a device was told to show something else. */
  lastShowMono = 0;
  /** The newest command id. */
  lastId = 0;
  /** Commands that were taken over by one that looks the same: a press on the old one is meant for the new one. */
  readonly successors = new Map<number, number>();
  /** How each command ended. */
  readonly ends = new Map<number, string>();
  private rows: HistoryRow[] = [];
  /** What devices ended by themselves, in what is being followed. */
  private endedByDevice = new Set<string>();
  /** How long a device was told to show a command. */
  private readonly seconds = new Map<number, number>();
  private readonly contents = new Map<number, object>();
  private readonly bitmaps = new Map<number, { packing: 'raw' | 'packBits'; pixels: Uint8Array }>();

  constructor(settings: ModelSettings) {
    this.settings = settings;
  }

  device(deviceId: string): ModelDevice {
    const device = this.devices.get(deviceId);
    if (device === undefined) throw new Error(`${deviceId} was never there`);
    return device;
  }

  /** Steps through what happened since, and the history rows that it left. */
  follow(entries: readonly Entry[], rows: readonly HistoryRow[], nowMono: number): void {
    this.rows.push(...rows);
    this.endedByDevice = new Set(entries.flatMap(endOf));
    for (const entry of entries) {
      while (this.expireNext(entry.wallMs));
      this.step(entry);
    }
    while (this.expireNext());
    const [extra] = this.rows;
    if (extra !== undefined) throw new Error(`Nothing explains the history row ${JSON.stringify(extra)}`);
    for (const device of this.devices.values()) checkEnded(device, this.times, nowMono);
  }

  /** The content that a checksum stands for, as it was sent. */
  content(checksum: number): object | undefined {
    return this.contents.get(checksum);
  }

  bitmap(checksum: number): { packing: 'raw' | 'packBits'; pixels: Uint8Array } | undefined {
    return this.bitmaps.get(checksum);
  }

  /** Ends a command; what stands behind it is the first one from now. */
  end(device: ModelDevice, command: ModelCommand, kind: string, wallMs: number, monoMs: number): void {
    if (this.ends.has(command.id)) throw new Error(`Command ${command.id} ended twice`);
    this.ends.set(command.id, kind);
    const wasFirst = device.queue[0] === command;
    device.queue = device.queue.filter((queued) => queued !== command);
    const [first] = device.queue;
    if (!wasFirst || first === undefined || first.firstAt !== null) return;
    first.firstAt = wallMs;
    first.firstMono = monoMs;
  }

  /** Takes the next history row, which must be this one, with its callback or with none. */
  expect(expected: ExpectedRow): void {
    while (!this.isNext(expected) && this.expireNext());
    const row = this.rows.shift();
    if (row === undefined) throw new Error(`Missing in the history: ${JSON.stringify(expected)}`);
    const { id, at, kind, device_id, command_id, nonce, location, qty } = row;
    const found = { kind, deviceId: device_id, commandId: command_id, nonce, location, qty, at };
    const { callback, onDiskBy, ...wanted } = expected;
    if (!isDeepStrictEqual(found, wanted)) {
      throw new Error(`History row ${id} is ${JSON.stringify(found)}, and should be ${JSON.stringify(wanted)}`);
    }
    checkCallbacks(row, callback);
    if (onDiskBy !== undefined && id > onDiskBy) throw new Error(`A report was acknowledged before row ${id} was on disk`);
  }

  private isNext(expected: ExpectedRow): boolean {
    const [row] = this.rows;
    return row?.kind === expected.kind && row.command_id === expected.commandId && row.at === expected.at;
  }

  /** Where the next row is a command that the station itself ended before this moment, takes it. */
  private expireNext(beforeMs = Infinity): boolean {
    const [row] = this.rows;
    if (row?.kind !== 'timedOut' || row.at >= beforeMs) return false;
    if (this.endedByDevice.has(`${row.command_id} at ${row.at}`)) return false;
    const device = this.device(row.device_id);
    const command = device.queue.find((queued) => queued.id === row.command_id);
    if (command === undefined) throw new Error(`Command ${row.command_id} timed out, but it is not open`);
    const monoMs = row.at - this.times.offsetMs;
    const wasShown = (JSON.parse(row.detail) as { shownAt: string | null }).shownAt !== null;
    if (wasShown !== (command.shownAt !== null) && command.heardMono !== monoMs) {
      throw new Error(`Command ${command.id} ended as ${wasShown ? 'shown' : 'never shown'}`);
    }
    checkExpiry(device, command, wasShown, this.times, monoMs);
    this.rows.shift();
    const told = wasShown || this.settings.unreachable === 'nack';
    checkCallbacks(row, told ? this.callback('nack', device, command, command.adjusted ?? 0) : null);
    if (row.qty !== (command.adjusted ?? 0)) throw new Error(`Command ${command.id} timed out with quantity ${row.qty}`);
    this.end(device, command, 'timedOut', row.at, monoMs);
    return true;
  }

  /** What the receiver is owed for a command's end. */
  private callback(acknack: string, device: ModelDevice, command: ModelCommand, qty: number): Payload | null {
    if (command.nonce === '' || !this.tells()) return null;
    return { acknack, deviceid: device.id, location: command.location, nonce: command.nonce, qty };
  }

  private tells(): boolean {
    return this.settings.url !== '' && this.settings.deviceFamily;
  }

  private step(entry: Entry): void {
    const { times } = this;
    switch (entry.kind) {
      case 'asked':
        return answerAsks(this, entry);
      case 'settings': {
        const { change } = entry;
        this.settings.url = change.callback_url ?? this.settings.url;
        this.settings.deviceFamily = change.callback_families?.device ?? this.settings.deviceFamily;
        this.settings.unreachable = change.unreachable_callback ?? this.settings.unreachable;
        this.settings.seconds = change.default_seconds ?? this.settings.seconds;
        this.settings.color = change.default_color ?? this.settings.color;
        return;
      }
      case 'arrived':
        return entry.refused ? undefined : this.arrived(entry);
      case 'show':
        this.lastShowMono = entry.monoMs;
        return this.sent(entry.show, entry.firstOnDisk);
      case 'happened':
        return this.happened(entry.report, entry.monoMs);
      case 'restarted': {
        const device = this.device(entry.device);
        device.truth = { token: 0, sinceMono: entry.monoMs, firstMono: entry.monoMs, endsMono: Infinity };
        device.goodSinceMono = entry.monoMs;
        return;
      }
      case 'jumped':
        return this.jumped(entry.ms, entry.monoMs);
      case 'started':
        times.running = true;
        times.startedMono = entry.monoMs;
        beginDrain(times, 'start', entry.monoMs);
        return this.disturb(entry.monoMs);
      case 'stopped':
        times.running = false;
        return this.disturb(Infinity);
      case 'welcomed':
        beginDrain(times, 'link', entry.monoMs);
        return this.disturb(entry.monoMs);
      case 'synced':
        times.startDrainMono = -Infinity;
        times.linkDrainMono = -Infinity;
        return;
      case 'closed':
        times.linkDrainMono = -Infinity;
        return;
      case 'radio':
        for (const device of this.devices.values()) {
          if (entry.device === undefined || entry.device === device.id) {
            device.goodSinceMono = entry.good ? entry.monoMs : Infinity;
          }
        }
    }
  }

  /** Whatever was good until now counts as good from this moment only. */
  private disturb(monoMs: number): void {
    for (const device of this.devices.values()) device.goodSinceMono = Math.max(device.goodSinceMono, monoMs);
  }

  private jumped(ms: number, monoMs: number): void {
    this.times.offsetMs += ms;
    this.times.jumpedMono = monoMs;
    for (const device of this.devices.values()) {
      for (const command of device.queue) {
        if (ms > 0) command.forwardMs += ms;
        // A step backwards takes open deadlines with it.
        else if (command.firstAt !== null) command.firstAt += ms;
        if (ms < 0 && command.shownAt !== null) command.shownAt += ms;
      }
    }
  }

  private arrived({ report, wallMs, monoMs, historyWhenAcked }: Arrival & { wallMs: number; monoMs: number }): void {
    const { body } = report;
    const device = this.device(body.device);
    const command = device.queue.find((queued) => queued.id === body.token);
    if (report.name === 'shown') {
      if (command === undefined || command.shownAt !== null) return;
      command.shownAt = wallMs - body.ageMs;
      command.shownMono = monoMs - body.ageMs;
      command.heardMono = monoMs;
      return;
    }
    const key = `${report.body.epoch}:${report.body.counter}`;
    if (device.taken.has(key)) return;
    device.taken.add(key);
    const at = wallMs - body.ageMs;
    const row = { deviceId: device.id, at, onDiskBy: historyWhenAcked };
    if (report.name === 'ended') {
      if (command === undefined) return;
      const qty = command.adjusted ?? 0;
      const expected = { ...row, kind: 'timedOut', commandId: command.id, nonce: command.nonce, location: command.location };
      const callback = this.callback('nack', device, command, qty);
      const full: ExpectedRow = { ...expected, qty, callback };
      while (!this.isNext(full) && this.expireNext());
      // The station itself was faster.
      if (!device.queue.includes(command)) return;
      this.expect(full);
      return this.end(device, command, 'timedOut', wallMs, monoMs);
    }
    this.pressed(device, report.body, row, wallMs, monoMs);
  }

  private pressed(
    device: ModelDevice,
    press: Body<'button'>,
    row: Pick<ExpectedRow, 'deviceId' | 'at' | 'onDiskBy'>,
    wallMs: number,
    monoMs: number,
  ): void {
    const { token, button, hold } = press;
    const { label } = device;
    if (token === 0) {
      if (button === 'front' && hold === 'short') return;
      const kind = button === 'front' ? 'call' : button === 'plus' ? 'call_up' : 'call_down';
      const payload = { acknack: kind, deviceid: device.id, location: label, nonce: device.unsolicitedNonce, qty: 0 };
      const callback = this.tells() ? payload : null;
      return this.expect({ ...row, kind, commandId: null, nonce: payload.nonce, location: label, qty: 0, callback });
    }
    const quantity = press.quantity ?? null;
    if (button !== 'front' && quantity === null) return;
    // What the station ended at this very moment, before it read the report, is over.
    const next = this.rows.find((candidate) => candidate.kind !== 'timedOut');
    const leavesRow = button === 'front' || (next?.kind === 'late' && next.command_id === token && next.at === row.at);
    while (leavesRow && this.expireNext());
    const command = this.meant(device, token);
    if (command === undefined) {
      const late = { kind: 'late', commandId: token, nonce: '', location: label, qty: quantity ?? 0, callback: null };
      return this.expect({ ...row, ...late });
    }
    if (button !== 'front') {
      command.adjusted = quantity;
      return;
    }
    const qty = quantity ?? command.adjusted ?? command.quantity ?? 0;
    const { id: commandId, nonce, location } = command;
    const callback = this.callback('ack', device, command, qty);
    this.expect({ ...row, kind: 'acknowledged', commandId, nonce, location, qty, callback });
    this.end(device, command, 'acknowledged', wallMs, monoMs);
  }

  /** The open command that a press on this token was meant for. */
  private meant(device: ModelDevice, token: number): ModelCommand | undefined {
    for (let id: number | undefined = token; id !== undefined; id = this.successors.get(id)) {
      const command = device.queue.find((queued) => queued.id === id);
      if (command !== undefined) return command;
    }
    return undefined;
  }

  /** Nothing is shown but what was asked for, and what was asked for is on disk by then. */
  private sent(show: Body<'show'>, firstOnDisk: number): void {
    const device = this.device(show.device);
    while ((device.queue[0]?.id ?? 0) !== show.token && this.expireNext());
    const [command] = device.queue;
    const light = command === undefined ? undefined : LED_COLORS[command.color];
    const wanted = {
      token: command?.id ?? 0,
      quantity: countOf(device),
      led: command === undefined ? 'off' : command.word === 'flash' ? 'blink' : 'steady',
      color: light?.color ?? 0,
      brightness: device.brightness,
      fixedBrightness: light?.fixedBrightness ?? false,
      sound: '',
    };
    const { token, quantity, led, color, brightness, fixedBrightness, sound } = show;
    const shown = { token, quantity, led, color, brightness, fixedBrightness, sound };
    if (!isDeepStrictEqual(shown, wanted)) {
      throw new Error(`${device.id} is sent ${JSON.stringify(shown)}, and should be sent ${JSON.stringify(wanted)}`);
    }
    if (token !== firstOnDisk) throw new Error(`${device.id} is sent ${token} while ${firstOnDisk} is on disk`);
    this.seconds.set(token, show.seconds);
    const wantedScreen = screenOf(device);
    if (show.screen.form === 'bitmap') this.bitmaps.set(show.checksum, show.screen);
    if (show.screen.form === 'fields') {
      const { form: _, ...fields } = show.screen;
      if (fields.quantity !== quantity) throw new Error(`${device.id} is sent two quantities`);
      const content = { ...fields, quantity: wantedScreen.quantity };
      const known = this.contents.get(show.checksum) ?? content;
      if (!isDeepStrictEqual(known, content)) throw new Error(`Two contents have the checksum ${show.checksum}`);
      this.contents.set(show.checksum, content);
    }
    const content = this.contents.get(show.checksum);
    if (content === undefined ? this.bitmaps.has(show.checksum) : isDeepStrictEqual(content, wantedScreen)) return;
    throw new Error(`${device.id} is sent ${JSON.stringify(content)} instead of ${JSON.stringify(wantedScreen)}`);
  }

  private happened(report: Report, nowMono: number): void {
    const { body } = report;
    const device = this.device(body.device);
    const monoMs = nowMono - body.ageMs;
    if (report.name === 'shown') {
      if (device.truth.sinceMono >= monoMs && device.truth.token === body.token) return;
      const firstMono = device.truth.token === body.token ? device.truth.firstMono : monoMs;
      const seconds = this.seconds.get(body.token) ?? 0;
      const endsMono = seconds === 0 ? Infinity : monoMs + seconds * 1_000;
      device.truth = { token: body.token, sinceMono: monoMs, firstMono, endsMono };
      return;
    }
    const key = `${report.body.epoch}:${report.body.counter}`;
    if (device.told.has(key)) return;
    device.told.add(key);
    if (report.name === 'button' && report.body.button !== 'front') return;
    if (device.truth.token === body.token && body.token !== 0) {
      if (report.name === 'ended' && monoMs < device.truth.endsMono) {
        throw new Error(`${device.id} ended ${body.token} ${device.truth.endsMono - monoMs} ms before its time`);
      }
      device.truth = { token: 0, sinceMono: monoMs, firstMono: monoMs, endsMono: Infinity };
    }
  }
}

function endOf(entry: Entry): string[] {
  if (entry.kind !== 'arrived' || entry.refused || entry.report.name !== 'ended') return [];
  return [`${entry.report.body.token} at ${entry.wallMs - entry.report.body.ageMs}`];
}

function checkCallbacks(row: HistoryRow, callback: Payload | null): void {
  const found = (JSON.parse(row.callbacks) as string[]).map((payload) => JSON.parse(payload) as unknown);
  const wanted = callback === null ? [] : [callback];
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${JSON.stringify(row)} has the callbacks ${JSON.stringify(found)}, owed is ${JSON.stringify(wanted)}`);
}

export { lookOf };
