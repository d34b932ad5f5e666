import type { Body } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import type { DiskHistoryRow } from './disk.ts';
import type { Arrival, JournalReport } from './journal.ts';
import type { ExpectedRow } from './ledger.ts';
import type { Oracle } from './oracle.ts';
import { placeName } from './naming.ts';
import type { Shows } from './shows.ts';
import type { ModelCommand, ModelDevice } from './state.ts';

export type Moment = { wallMs: number; monoMs: number };
type RowStart = Pick<ExpectedRow, 'deviceId' | 'at' | 'onDiskBy'>;

/** Applies a report that reached the station. A repeated report has no effect. */
export function takeReport(oracle: Oracle, { report, wallMs, monoMs, historyWhenAcked }: Arrival & Moment): void {
  const { body } = report;
  const device = oracle.device(body.device);
  if (report.name === 'shown') {
    oracle.shows.contradicted(device.id, body.token);
    const since = { wallMs: wallMs - body.ageMs, monoMs: monoMs - body.ageMs };
    oracle.lines.shown(device, body.token, since);
    const command = findOpen(device, body.token);
    if (command === undefined || command.shownAt !== null || device.queue[0] !== command) return;
    command.shownAt = since.wallMs;
    command.shownMono = since.monoMs;
    command.heardMono = monoMs;
    return;
  }
  const key = `${report.body.epoch}:${report.body.counter}`;
  if (device.taken.has(key)) return;
  device.taken.add(key);
  const row: RowStart = { deviceId: device.id, at: wallMs - body.ageMs, onDiskBy: historyWhenAcked };
  if (report.name === 'ended') return ended(oracle, device, body.token, row, { wallMs, monoMs });
  if (body.token === 0) return called(oracle, device, report.body, row);
  pressed(oracle, device, report.body, row, { wallMs, monoMs });
}

function ended(oracle: Oracle, device: ModelDevice, token: number, row: RowStart, now: Moment): void {
  const command = findOpen(device, token);
  if (command === undefined) return;
  const qty = command.adjusted ?? 0;
  const { id: commandId, nonce } = command;
  const location = placeName(device, command);
  const expected = { ...row, kind: 'timedOut', commandId, nonce, location, qty, callbacks: [] };
  // The station may have ended the command before it read the report. What it ends later is unrelated.
  while (!oracle.ledger.isNext(expected) && oracle.expireNext(now.wallMs + 1));
  if (!device.queue.includes(command)) return;
  const { at, onDiskBy } = row;
  oracle.close(device, command, { kind: 'timedOut', qty, at, told: true, onDiskBy }, now)();
}

/** Handles a press on an idle device, where a short front press is ignored. */
function called(oracle: Oracle, device: ModelDevice, press: Body<'button'>, row: RowStart): void {
  if (press.button === 'front' && press.hold === 'short') return;
  const kind = { front: 'call', plus: 'call_up', minus: 'call_down' }[press.button];
  const { label: location, unsolicitedNonce: nonce } = device;
  const callbacks = oracle.tells('device') ? [{ acknack: kind, deviceid: device.id, location, nonce, qty: 0 }] : [];
  oracle.expect({ ...row, kind, commandId: null, nonce, location, qty: 0, callbacks });
}

/** Handles a press on the content that was shown: an acknowledgement, a count, or an early or late press. */
function pressed(oracle: Oracle, device: ModelDevice, press: Body<'button'>, row: RowStart, now: Moment): void {
  const { token, button } = press;
  const quantity = press.quantity ?? null;
  if (button !== 'front' && quantity === null) return;
  // First apply the timeouts by which the station ended commands at this moment, before it read the report.
  const next = oracle.ledger.nextButTimeouts();
  const isLate = next?.kind === 'late' && next.command_id === token && next.at === row.at && buttonOf(next) === button;
  if (button === 'front' || isLate) while (oracle.expireNext(now.wallMs + 1));
  const { lines } = oracle;
  const line = lines.of(token);
  const isOpen = line !== undefined && lines.isOpen(line) && !hasMoved(oracle, token);
  const command = findMeant(oracle, device, token) ?? (isOpen ? line.item.command : null);
  if (command === null && !(isOpen && button === 'front')) {
    if (line !== undefined) lines.cases.late += 1;
    // All late presses of a command are one row.
    const key = `${token} ${device.id}`;
    if (oracle.late.has(key)) return;
    oracle.late.add(key);
    const late = { kind: 'late', commandId: token, nonce: '', location: device.label, callbacks: [] };
    return oracle.expect({ ...row, ...late, qty: quantity ?? 0 });
  }
  if (button !== 'front') return counted(oracle, device, command, press, now);
  const { at, onDiskBy } = row;
  // The device measures the time between its presses, so that radio does not change it.
  const monoMs = device.told.get(`${press.epoch}:${press.counter}`) ?? now.monoMs - press.ageMs;
  const made = { atMs: at, monoMs, epoch: press.epoch };
  if (lines.isEarly(device, token, made)) return early(oracle, device, command, press, row, now);
  lines.counted(device, made);
  if (line !== undefined)
    lines.count(line, { isDark: command === null, isHeld: command !== findMeant(oracle, device, token) });
  const qty = quantity ?? command?.adjusted ?? command?.quantity ?? 0;
  const end = {
    kind: 'acknowledged',
    qty,
    at,
    by: 'device',
    told: true,
    onDiskBy,
    base: line?.base,
    ordered: line?.ordered,
  } as const;
  if (line !== undefined) oracle.currents.press(device, line.item, now.monoMs);
  if (command !== null) oracle.close(oracle.owners.get(command.id) ?? device, command, end, now)();
  else if (line !== undefined) oracle.bookDark(line, device, lastOf(oracle, token), end, now)();
}

/** Handles plus and minus, which report the count on the screen. Pieces counted since the screen was drawn are subtracted. */
function counted(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand | null,
  { token, quantity }: Body<'button'>,
  now: Moment,
): void {
  if (command === null || quantity === undefined) return;
  const before = command.adjusted ?? command.quantity;
  const booked = (oracle.lines.of(command.id)?.base ?? 0) - (oracle.lines.of(token)?.base ?? 0);
  command.adjusted = Math.max(0, quantity - booked);
  command.byWorker = true;
  if (command.id !== token && before !== command.adjusted) showAnew(oracle, device, command, 'device', now);
}

/** Handles a press that came too early for the line that was shown: it does not count, and the line is shown again. */
function early(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand | null,
  { token, quantity }: Body<'button'>,
  row: RowStart,
  now: Moment,
): void {
  const work = `order:${oracle.lines.of(token)?.item.of.of.number}`;
  const { label: location } = device;
  oracle.expect({
    ...row,
    kind: 'early',
    commandId: token,
    nonce: '',
    location,
    qty: quantity ?? 0,
    work,
    callbacks: [],
  });
  // Otherwise another show of the line is already in transit.
  if (command?.id === token) showAnew(oracle, device, command, 'device', now);
}

/** Sends the device its command with a new token, because something about it differs from what the device shows. */
export function showAnew(oracle: Oracle, device: ModelDevice, command: ModelCommand, by: string, now: Moment): void {
  oracle.replaced(device, command, now.wallMs, by);
  renew(oracle, device, command, now);
}

/** Assigns a new id to the command, which then counts as not shown. */
function renew(oracle: Oracle, device: ModelDevice, command: ModelCommand, { wallMs, monoMs }: Moment): void {
  const id = oracle.newId(device);
  oracle.successors.set(command.id, id);
  Object.assign(command, { id, firstAt: wallMs, firstMono: monoMs });
  Object.assign(command, { shownAt: null, shownMono: null, trulyShownMono: null, heardMono: null, forwardMs: 0 });
  oracle.lines.frozen(command);
}

/** Changes the color of a lit command. A press on the previous screen still counts. */
export function recolor(
  oracle: Oracle,
  device: ModelDevice,
  command: ModelCommand,
  color: string,
  by: string,
  now: Moment,
): void {
  if (command.color === color) return;
  showAnew(oracle, device, command, by, now);
  command.color = color;
  if (device.queue[0] !== command) Object.assign(command, { firstAt: null, firstMono: null });
}

function buttonOf(late: DiskHistoryRow): unknown {
  return (JSON.parse(late.detail) as { button: unknown }).button;
}

function findOpen(device: ModelDevice, token: number): ModelCommand | undefined {
  return device.queue.find((queued) => queued.id === token);
}

/** Finds the open command for this token: the command with this id, or its successor with the same look. */
export function findMeant(oracle: Oracle, device: ModelDevice, token: number): ModelCommand | undefined {
  for (let id: number | undefined = token; id !== undefined; id = oracle.successors.get(id)) {
    const command = findOpen(device, id);
    if (command !== undefined) return command;
  }
  return undefined;
}

/** Returns whether the command of this screen, or one that replaced it, has moved to another device. */
function hasMoved(oracle: Oracle, token: number): boolean {
  return oracle.movedAway.has(lastOf(oracle, token));
}

/** Returns the newest command that replaced this one. */
function lastOf(oracle: Oracle, token: number): number {
  const next = oracle.successors.get(token);
  return next === undefined ? token : lastOf(oracle, next);
}

/** Records what a device actually shows, and until when, according to its turbo. */
export function happened(device: ModelDevice, report: JournalReport, shows: Shows, nowMono: number): void {
  const { body } = report;
  const monoMs = nowMono - body.ageMs;
  if (report.name === 'shown') {
    if (device.truth.sinceMono >= monoMs && device.truth.token === body.token) return;
    const command = findOpen(device, body.token);
    if (command !== undefined) command.trulyShownMono ??= monoMs;
    const seconds = shows.secondsOf(body.token);
    const endsMono = seconds === 0 ? Infinity : monoMs + seconds * 1_000;
    Object.assign(device.truth, { token: body.token, sinceMono: monoMs, endsMono });
    return;
  }
  const key = `${report.body.epoch}:${report.body.counter}`;
  if (device.told.has(key)) return;
  device.told.set(key, monoMs);
  if (report.name === 'button' && report.body.button !== 'front') return;
  if (device.truth.token !== body.token || body.token === 0) return;
  if (report.name === 'ended' && monoMs < device.truth.endsMono) {
    throw new Error(`${device.id} ended ${body.token} ${device.truth.endsMono - monoMs} ms before its time`);
  }
  if (report.name === 'ended')
    device.truth.ended = { token: body.token, sinceMono: device.truth.sinceMono, atMono: monoMs };
  Object.assign(device.truth, { token: 0, sinceMono: monoMs, endsMono: Infinity });
}
