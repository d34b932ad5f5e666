import type { Arrow } from '#shared/screen/content.ts';
import type { StaticChanges } from '#shared/lib/requests/deviceRequest.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Capabilities } from '#shared/api/device.ts';
import type { DeviceHardware } from '../../ports.ts';
import type { Db } from '../db.ts';
import { RowCache } from '../rowCache.ts';
import { statements } from './statements.ts';

/** A stored device: settings, static texts, and its last saved condition. */
export type DeviceRow = {
  device_id: string;
  label: string;
  statica: string;
  staticb: string;
  staticc: string;
  staticd: string;
  statice: string;
  arrow: Arrow | '';
  barcode: string;
  qrcode: string;
  icon: string;
  quantity: number | null;
  unsolicited_nonce: string;
  brightness: number;
  buttons: Capabilities['buttons'];
  screen: 0 | 1;
  led: 0 | 1;
  slow: 0 | 1;
  firmware: number;
  battery_mv: number | null;
  rssi_dbm: number | null;
  uptime_s: number | null;
  last_seen_at: number | null;
};

/** Ids of the devices and racks that the demo shop created. */
export type DemoShopRecord = { devices: string[]; racks: string[] };

export type SavedCondition = {
  deviceId: string;
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  lastSeenAt: number;
};

/** Columns of the settable fields, by their API names. */
const COLUMNS = {
  statica: 'statica',
  staticb: 'staticb',
  staticc: 'staticc',
  staticd: 'staticd',
  statice: 'statice',
  arrow: 'arrow',
  barcode: 'barcode',
  qrcode: 'qrcode',
  icon: 'icon',
  quantity: 'quantity',
  locationoverride: 'label',
  unsolicitedNonce: 'unsolicited_nonce',
  brightness: 'brightness',
} as const satisfies Record<keyof StaticChanges, keyof DeviceRow>;

const DEVICES = `SELECT device_id, label, statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon, quantity,
  unsolicited_nonce, brightness, buttons, screen, led, slow, firmware, battery_mv, rssi_dbm, uptime_s, last_seen_at FROM devices`;

/** SQL condition for slot devices, which are not places and are not found by label. */
export const IS_SLOT = 'EXISTS (SELECT 1 FROM slot_devices WHERE slot_devices.device_id = devices.device_id)';

/** The hardware of a device as columns. */
type HardwareColumns = Pick<DeviceRow, 'buttons' | 'screen' | 'led' | 'slow' | 'firmware'>;
type Known = { deviceId: string; buttons: 1 | 3; firmware: number };

/** Hardware to assume until a device reports its own. */
const WITH_SCREEN = { screen: true, led: true, latency: 'live' } as const;
export type NewHardware = Pick<DeviceHardware, 'buttons' | 'firmware'> & Partial<DeviceHardware>;

export function deviceRows(db: Db, cache = new RowCache()) {
  const { find, list, meta, number, run, value, values } = statements(db);
  // The condition `label_key <> ''` makes SQLite use the partial index.
  const byLabel = values<[key: string, limit: number], string>(
    `SELECT device_id FROM devices WHERE label_key = ? AND label_key <> '' AND NOT ${IS_SLOT} ORDER BY label_order, device_id LIMIT ?`,
  );
  const setHardware = run<[device: HardwareColumns & { deviceId: string }]>(
    `UPDATE devices SET buttons = :buttons, screen = :screen, led = :led, slow = :slow, firmware = :firmware
     WHERE device_id = :deviceId`,
  );
  const insert = run<[device: HardwareColumns & { deviceId: string }]>(
    `INSERT INTO devices (device_id, buttons, screen, led, slow, firmware)
     VALUES (:deviceId, :buttons, :screen, :led, :slow, :firmware)`,
  );
  const update = run<[row: DeviceRow & { label_key: string }]>(
    `UPDATE devices SET label_order = CASE label_key WHEN :label_key THEN label_order ELSE
         (SELECT COALESCE(max(label_order), 0) + 1 FROM devices WHERE label_key = :label_key AND label_key <> '') END,
       label = :label, label_key = :label_key, statica = :statica, staticb = :staticb, staticc = :staticc,
       staticd = :staticd, statice = :statice, arrow = :arrow, barcode = :barcode, qrcode = :qrcode, icon = :icon,
       quantity = :quantity, unsolicited_nonce = :unsolicited_nonce, brightness = :brightness
     WHERE device_id = :device_id`,
  );
  const giveLabelOrder = run<[devices: { from: string; to: string }]>(
    'UPDATE devices SET label_order = (SELECT label_order FROM devices WHERE device_id = :from) WHERE device_id = :to',
  );
  const saveCondition = run<[condition: SavedCondition]>(
    `UPDATE devices SET battery_mv = :batteryMv, rssi_dbm = :rssiDbm, uptime_s = :uptimeS, last_seen_at = :lastSeenAt
     WHERE device_id = :deviceId`,
  );
  const one = find<[deviceId: string], DeviceRow>(`${DEVICES} WHERE device_id = ?`);
  const known = cache.rows<string, DeviceRow>();
  const remove = run<[deviceId: string]>('DELETE FROM devices WHERE device_id = ?');
  const removeSimulated = run<[deviceId: string]>('DELETE FROM simulated_devices WHERE device_id = ?');
  const slot = value<[deviceId: string], number>('SELECT 1 FROM slot_devices WHERE device_id = ?');
  const demo = meta('demo_shop');

  return {
    find: (deviceId: string): DeviceRow | undefined => known.get(deviceId) ?? known.keep(deviceId, one(deviceId)),
    list: list<[], DeviceRow>(`${DEVICES} ORDER BY device_id`),
    /** Lists devices by DeviceID, starting after this one. */
    listAfter: list<[after: string, limit: number], DeviceRow>(
      `${DEVICES} WHERE device_id > ? ORDER BY device_id LIMIT ?`,
    ),
    listIds: values<[], string>('SELECT device_id FROM devices ORDER BY device_id'),
    /** Whether the device serves a slot of a cart or wall. */
    isSlot: (deviceId: string): boolean => slot(deviceId) === 1,
    /** Lists the DeviceIDs of places with this label, ignoring case; the device that had it first comes first. By default, lists all. */
    listByLabel: (label: string, limit = -1) => byLabel(nameKey(label), limit),
    insert: ({ deviceId, ...hardware }: NewHardware & { deviceId: string }) =>
      insert({ deviceId, ...columnsOf({ ...WITH_SCREEN, ...hardware }) }),
    setHardware(deviceId: string, hardware: DeviceHardware): void {
      known.delete(deviceId);
      setHardware({ deviceId, ...columnsOf(hardware) });
    },
    /** Saves a row that `changed` returned. */
    update(row: DeviceRow): void {
      known.delete(row.device_id);
      update({ ...row, label_key: nameKey(row.label) });
    },
    /** Lets `to`, which got the label of `from`, count as if it had had this label as long as `from`. */
    giveLabelOrder: (from: string, to: string) => giveLabelOrder({ from, to }),
    saveCondition(condition: SavedCondition): void {
      known.delete(condition.deviceId);
      saveCondition(condition);
    },
    /** Removes the device. Everything that refers to it must be removed first. */
    remove(deviceId: string): void {
      known.delete(deviceId);
      removeSimulated(deviceId);
      remove(deviceId);
    },
    insertSimulated: run<[device: Known]>(
      'INSERT OR IGNORE INTO simulated_devices (device_id, buttons, firmware) VALUES (:deviceId, :buttons, :firmware)',
    ),
    countSimulated: number<[]>('SELECT count(*) FROM simulated_devices'),
    /** Whether this data folder has the demo shop. */
    isDemoShop: () => demo.get() !== undefined,
    setDemoShop: (made: DemoShopRecord) => demo.set(JSON.stringify(made)),
    /** Returns what the demo shop created, or undefined if there is no demo shop, or if an earlier version created it. */
    findDemoShop(): DemoShopRecord | undefined {
      const made = demo.getJson();
      return made === 1 ? undefined : (made as DemoShopRecord | undefined);
    },
    forgetDemoShop: demo.remove,
    listSimulated: list<[], Known>(
      'SELECT device_id AS deviceId, buttons, firmware FROM simulated_devices ORDER BY device_id',
    ),
  };
}

function columnsOf({ buttons, screen, led, latency, firmware }: DeviceHardware): HardwareColumns {
  return { buttons, screen: screen ? 1 : 0, led: led ? 1 : 0, slow: latency === 'slow' ? 1 : 0, firmware };
}

/** Returns a device's hardware from its row. */
export function hardwareOf({ buttons, screen, led, slow, firmware }: HardwareColumns): DeviceHardware {
  return { screen: screen === 1, led: led === 1, buttons, latency: slow === 1 ? 'slow' : 'live', firmware };
}

/** Returns the row with these changes, without modifying `row`. */
export function changed(row: DeviceRow, changes: StaticChanges): DeviceRow {
  const columns = Object.entries(changes).map(([name, value]) => [COLUMNS[name as keyof StaticChanges], value]);
  return { ...row, ...(Object.fromEntries(columns) as Partial<DeviceRow>) };
}

/** Returns the row with the static texts and settings of another device, without modifying either row. */
export function withSettingsOf(row: DeviceRow, other: DeviceRow): DeviceRow {
  const columns = Object.values(COLUMNS).map((column) => [column, other[column]]);
  return { ...row, ...(Object.fromEntries(columns) as Partial<DeviceRow>) };
}
