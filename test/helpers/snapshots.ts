import { rightsOf, type CallerStanding } from '#shared/api/rights.ts';
import type { Alert } from '#shared/api/alert.ts';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';

export const AT = '2026-11-20T08:00:00.000Z';

/** Returns a waiting command with the fields in `given` replaced. */
export function command(id: string, given: Partial<CommandEntry> = {}): CommandEntry {
  return {
    command_id: id,
    command: 'pick',
    nonce: '',
    location: '',
    alias_id: null,
    state: 'queued',
    delivery: given.state ?? 'queued',
    line1: `work ${id}`,
    line2: '',
    line3: '',
    line4: '',
    line5: '',
    arrow: null,
    barcode: '',
    qrcode: '',
    icon: '',
    quantity: 2,
    color: 'red',
    sound: '',
    seconds: 60,
    sender: 'script',
    sequenceid: null,
    batch_id: null,
    order_number: null,
    created_at: AT,
    expected_at: null,
    sent_at: null,
    shown_at: null,
    expires_at: null,
    unreachable_since: null,
    ...given,
  };
}

/** Returns a device that shows its static content, with the fields in `given` replaced. */
export function device(deviceid: string, given: Partial<Device> = {}): Device {
  return {
    deviceid,
    locationoverride: '',
    location: '',
    statica: '',
    staticb: '',
    staticc: '',
    staticd: '',
    statice: '',
    arrow: null,
    barcode: '',
    qrcode: '',
    quantity: null,
    icon: '',
    firmware: 70,
    buttons: 1,
    capabilities: { screen: true, led: true, buttons: 1, latency: 'live' },
    brightness: 100,
    unsolicitedNonce: '',
    state: 'static',
    commands: [],
    voltage: 2.98,
    battery: 97,
    uptime: 10,
    up_since: AT,
    rssi: -60,
    turbo: 'T1',
    online: true,
    last_seen: AT,
    can_press: true,
    screen_size: { width: 296, height: 128 },
    displayed: null,
    ...given,
  };
}

/** Returns a signed-in person with the rights of a trial station. */
export function userOf(name: string, scope: CallerStanding): Station['user'] {
  return { name, scope, rights: rightsOf(scope, { pickerRights: [], isTrial: true }) };
}

export function station(...devices: Device[]): Station {
  return {
    revision: 5,
    version: '1.0.0',
    shop_name: '',
    shop_address: '',
    slip_closing: '',
    shop_logo: null,
    time_zone: 'UTC',
    user: userOf('admin', 'admin'),
    defaults: { seconds: 60, color: 'red' },
    limits: { alert_battery_percent: 15, alert_weak_dbm: -85, order_stalled_minutes: 15 },
    fleet: false,
    pack_check: false,
    enter_confirms: 'unless_scanning',
    devices,
    turbos: [],
    links: [],
    map: { racks: [], places: [], zones: [] },
    aliases: [],
    alerts: [],
    last_import: null,
    receiver: null,
    setup: 'done',
    id: 'station-1',
  };
}

/** Returns a low-battery alert with the fields in `given` replaced. */
export function alert(id: string, given: Partial<Alert> = {}): Alert {
  return {
    id,
    kind: 'battery_low',
    deviceid: '51D000:000001',
    turbo: null,
    order_number: null,
    about: null,
    since: AT,
    value: 12,
    threshold: 15,
    problem: null,
    acknowledged: null,
    acknowledged_by: null,
    ended: null,
    ...given,
  };
}
