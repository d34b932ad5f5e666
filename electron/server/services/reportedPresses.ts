import type { SimpleCallback } from '#shared/api/callback.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { TablesOf } from '../core.ts';
import type { Transaction } from '../db/writer.ts';
import { isoTime } from '../domain/station/isoTime.ts';
import type { LinePress } from '../domain/commands/earlyPress.ts';
import type { PressDistances } from '../domain/commands/pressDistances.ts';
import type { LateLimit } from '../domain/commands/lateLimit.ts';
import { takeReport } from '../domain/commands/reportWindow.ts';
import type { ButtonReport, ReportId } from '../ports.ts';
import type { Batches } from './batches/index.ts';
import type { Callbacks } from './callbacks/index.ts';
import type { Commands } from './commands/index.ts';
import type { Devices, Display } from './devices/index.ts';

const CALLS = { front: 'call', plus: 'call_up', minus: 'call_down' } as const satisfies Record<
  string,
  SimpleCallback['acknack']
>;

/** State shared by the functions that handle presses. */
export type PressContext = {
  repositories: TablesOf<'reports'>;
  commands: Commands;
  callbacks: Callbacks;
  devices: Devices;
  display: Display;
  /** Called after a long press on this idle device, in addition to the `call` callback. */
  called: (tx: Transaction, deviceId: string) => void;
  batches: Pick<Batches, 'slotHeld' | 'slotPressed'>;
  distances: PressDistances;
  lateLimit: LateLimit;
};

/**
 * Handles a report once, and ignores repeated reports. Stores that the report was handled in the same savepoint as its changes. `act`
 * receives and returns the time of the last counted press. Stores nothing about devices that the station does not know, because a turbo can
 * invent any number of them.
 */
export function takeOnce(
  { repositories }: Pick<PressContext, 'repositories'>,
  tx: Transaction,
  { deviceId, epoch, counter }: ReportId,
  act: (pressedAt: number | null) => number | null | 'dropped',
): void {
  const window = takeReport(repositories.reportWindows.find(deviceId, epoch), counter);
  if (window === 'duplicate') return;
  const pressedAt = act(window.pressedAt);
  if (pressedAt === 'dropped' || repositories.devices.find(deviceId) === undefined) return;
  repositories.reportWindows.save(deviceId, epoch, { ...window, pressedAt }, tx.now);
}

/** A button report with the time of the press, in epoch milliseconds; see `LinePress`. */
type ReceivedPress = ButtonReport & { at: number; waitedMs: number };

/** Handles a button report. Returns when the last counted press of the front button was made. */
export function press(
  context: PressContext,
  tx: Transaction,
  report: ReceivedPress,
  turboKey: string | undefined,
  lastAt: number | null,
): number | null | 'dropped' {
  const { distances } = context;
  const elapsedMs = distances.sinceCounted(report);
  const countedAt = handle(context, tx, report, turboKey, { lastAt, sinceLastMs: elapsedMs });
  if (countedAt === 'dropped') return 'dropped';
  tx.afterCommit(() => distances.made(report, { isCounted: countedAt !== null, elapsedMs }));
  return countedAt ?? lastAt;
}

/** Returns when the press was made if it counts as a press of the front button, otherwise null. */
function handle(
  context: PressContext,
  tx: Transaction,
  report: ReceivedPress,
  turboKey: string | undefined,
  { lastAt, sinceLastMs }: Pick<LinePress, 'lastAt' | 'sinceLastMs'>,
): number | null | 'dropped' {
  const { commands, display } = context;
  if (report.token === 0) {
    call(context, tx, report, turboKey);
    return null;
  }
  const { deviceId, token, button, quantity, hold, at, waitedMs } = report;
  // A device that only shows stock counts as idle, so a long press is a call.
  if (button === 'front' && commands.endStockShown(tx, token, 'device')) {
    tx.afterCommit(() => display.ended(deviceId, token));
    if (hold === 'long') call(context, tx, report, turboKey);
    return null;
  }
  if (button === 'front') {
    tx.afterCommit(() => display.ended(deviceId, token));
    const isSlot = hold === 'long' && context.repositories.devices.isSlot(deviceId);
    if (isSlot && context.batches.slotHeld(tx, deviceId)) return at;
    if (commands.refuseEarly(tx, { deviceId, token, at, waitedMs, lastAt, sinceLastMs, quantity })) return null;
    if (commands.acknowledge(tx, { deviceId, token, at, qty: quantity, by: 'device', reason: undefined })) return at;
    return late(context, tx, report);
  }
  if (quantity === null) return null;
  if (!commands.adjust(tx, { deviceId, token, at, quantity }) && late(context, tx, report) === 'dropped')
    return 'dropped';
  tx.afterCommit(() => display.adjusted(deviceId, token, quantity));
  return null;
}

/**
 * Handles a press on an idle device. A short press on the front, and any press on an unknown device, only helps people to find the device.
 */
function call(context: PressContext, tx: Transaction, report: ReceivedPress, turboKey: string | undefined): void {
  const { repositories, devices, callbacks } = context;
  const { deviceId, button, hold, at } = report;
  const row = repositories.devices.find(deviceId) ?? firstHeard(context, tx, report, turboKey);
  // The page shows presses on devices that wait to be accepted.
  if (row === undefined && devices.isRefused(deviceId)) return;
  if (button === 'front' && hold === 'short' && repositories.devices.isSlot(deviceId))
    context.batches.slotPressed(tx, deviceId);
  if (row === undefined || (button === 'front' && hold === 'short')) {
    tx.emit({ type: 'device.pressed', deviceid: deviceId, button, hold, at: isoTime(at) });
    return;
  }
  const acknack = CALLS[button];
  const { device_id: deviceid, label: location, unsolicited_nonce: nonce } = row;
  const historyId = repositories.history.insert({
    at,
    kind: acknack,
    deviceId: deviceid,
    commandId: null,
    nonce,
    location,
    qty: 0,
    detail: { ageMs: report.ageMs },
  });
  callbacks.add(tx, { family: 'device', historyId, at, payload: { acknack, deviceid, location, nonce, qty: 0 } });
  tx.emit({ type: 'device.called', deviceid, acknack, at: isoTime(at) });
  if (button === 'front') context.called(tx, deviceId);
}

/**
 * Registers the device of a press that was held until a turbo first received the device, if new devices are accepted. Otherwise, the press
 * does not count.
 */
function firstHeard(
  { devices, repositories }: PressContext,
  tx: Transaction,
  { deviceId, button }: ButtonReport,
  turboKey: string | undefined,
): DeviceRow | undefined {
  const isAccepted = devices.acceptPressed(tx, deviceId, button === 'front' ? 1 : 3, turboKey);
  return isAccepted ? repositories.devices.find(deviceId) : undefined;
}

/** Time in which the presses of a device for unknown commands share one row. */
const UNKNOWN_MS = 24 * 60 * 60_000;

/**
 * Records a press for a command that has ended. The press acknowledges nothing. All such presses of a command share one row, and so do a day's
 * presses of a device for unknown commands. Those beyond the limit are dropped, because a jammed button sends them all night. The first one
 * of a command is never dropped.
 */
function late(
  { repositories, commands, lateLimit }: PressContext,
  tx: Transaction,
  report: ReceivedPress,
): null | 'dropped' {
  const { at, token, deviceId } = report;
  const { history } = repositories;
  const known = history.findLate(token, deviceId);
  const isKnown = known !== undefined || history.findEnd(token)?.deviceId === deviceId;
  if (!isKnown && repositories.devices.find(deviceId) === undefined) return 'dropped';
  const isFirst = isKnown && known === undefined;
  if (!isFirst && !lateLimit.take(deviceId, token)) return 'dropped';
  const row = isKnown ? known : history.findLateUnknown(deviceId, at - UNKNOWN_MS);
  if (row === undefined) insertLate(repositories, report, isKnown ? token : null);
  else history.countLate(isoTime(at), row);
  tx.emit({
    type: 'press.late',
    deviceid: deviceId,
    at: isoTime(at),
    ...commands.describeLate(token, { at, now: tx.now }),
  });
  return null;
}

function insertLate(repositories: PressContext['repositories'], report: ReceivedPress, commandId: number | null): void {
  const { at } = report;
  repositories.history.insert({
    at,
    kind: 'late',
    deviceId: report.deviceId,
    commandId,
    nonce: '',
    location: repositories.devices.find(report.deviceId)?.label ?? '',
    qty: report.quantity ?? 0,
    detail: { button: report.button, ageMs: report.ageMs },
  });
}
