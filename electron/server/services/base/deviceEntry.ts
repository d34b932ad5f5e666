import { isoTime } from '../../domain/station/isoTime.ts';
import type { Capabilities, CommandEntry, Condition, Device } from '#shared/api/device.ts';
import { hardwareOf, type DeviceRow } from '../../db/repositories/devices.ts';
import {
  aliasIdOf,
  expectedAt,
  expiresAt,
  locationOf,
  quantityOf,
  SHOW_STOCK_TARGET,
  type QueuedCommand,
} from '../../domain/commands/commandQueue.ts';
import { commandDelivery, lasts } from '../../domain/devices/outage.ts';

/** Converts epoch milliseconds, or null, to API form. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

/**
 * Converts a queued command to its API form. `label` is the label of the command's device. Lists the fields explicitly, so that new stored
 * fields are not exposed.
 */
export function commandEntry(command: QueuedCommand, label: string): CommandEntry {
  const { state, outage, owner } = command;
  const { content } = command;
  const [line1 = '', line2 = '', line3 = '', line4 = '', line5 = ''] = content.lines;
  return {
    command_id: String(command.id),
    command: content.command,
    quantity: quantityOf(command),
    arrow: content.arrow,
    barcode: content.barcode,
    qrcode: content.qrcode,
    icon: content.icon,
    color: content.color,
    sound: content.sound,
    seconds: content.seconds,
    nonce: command.nonce,
    location: locationOf(command, label),
    alias_id: aliasIdOf(command.target),
    state: state.kind,
    delivery: commandDelivery(state, outage),
    line1,
    line2,
    line3,
    line4,
    line5,
    sender: command.sender,
    sequenceid: owner?.kind === 'step' ? owner.of : null,
    order_number: owner?.kind === 'item' ? owner.of : null,
    batch_id: owner?.kind === 'pick' || owner?.kind === 'slot' ? Number(owner.of) : null,
    ...(owner?.name === undefined ? {} : { batch_name: owner.name }),
    ...(command.target === SHOW_STOCK_TARGET ? { shows_stock: true } : {}),
    created_at: isoTime(command.createdAt),
    expected_at: isoOrNull(expectedAt(command)),
    sent_at: isoOrNull(state.kind === 'queued' ? null : state.sentAt),
    shown_at: isoOrNull(state.kind === 'shown' ? state.shownAt : null),
    expires_at: isoOrNull(expiresAt(state, content.seconds)),
    unreachable_since: isoOrNull(lasts(outage) ? outage.since : null),
  };
}

/** Returns the settings of a device that people can change, in API form. */
export function deviceSettings(row: DeviceRow) {
  return {
    locationoverride: row.label,
    location: row.label,
    statica: row.statica,
    staticb: row.staticb,
    staticc: row.staticc,
    staticd: row.staticd,
    statice: row.statice,
    arrow: row.arrow === '' ? null : row.arrow,
    barcode: row.barcode,
    qrcode: row.qrcode,
    quantity: row.quantity,
    icon: row.icon,
    firmware: row.firmware,
    buttons: row.buttons,
    capabilities: capabilitiesOf(row),
    brightness: row.brightness,
    unsolicitedNonce: row.unsolicited_nonce,
  };
}

/**
 * Converts a device to its API form. Lists the fields explicitly, because spreading would take a third of the time of a snapshot with
 * 10,000 devices.
 */
export function deviceEntry(row: DeviceRow, queue: readonly QueuedCommand[], condition: Condition): Device {
  return {
    deviceid: row.device_id,
    locationoverride: row.label,
    location: row.label,
    statica: row.statica,
    staticb: row.staticb,
    staticc: row.staticc,
    staticd: row.staticd,
    statice: row.statice,
    arrow: row.arrow === '' ? null : row.arrow,
    barcode: row.barcode,
    qrcode: row.qrcode,
    quantity: row.quantity,
    icon: row.icon,
    firmware: row.firmware,
    buttons: row.buttons,
    capabilities: capabilitiesOf(row),
    brightness: row.brightness,
    unsolicitedNonce: row.unsolicited_nonce,
    state: queue.length > 0 ? 'active' : 'static',
    commands: queue.map((command) => commandEntry(command, row.label)),
    voltage: condition.voltage,
    battery: condition.battery,
    uptime: condition.uptime,
    up_since: condition.up_since,
    rssi: condition.rssi,
    turbo: condition.turbo,
    online: condition.online,
    last_seen: condition.last_seen,
    can_press: condition.can_press,
    screen_size: condition.screen_size,
    displayed: condition.displayed,
  };
}

function capabilitiesOf(row: DeviceRow): Capabilities {
  const { firmware: _, ...capabilities } = hardwareOf(row);
  return capabilities;
}
