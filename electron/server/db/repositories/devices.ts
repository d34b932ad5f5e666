import type { Arrow } from '#shared/screen/content.ts';
import type { StaticChanges } from '#shared/lib/deviceRequest.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Db } from '../db.ts';

/** A stored device: settings, statics, and its last saved condition. */
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
  /** Elements that may have come in a line that was not stored, separated by spaces: migration 0002. */
  unknown_origin: string;
  unsolicited_nonce: string;
  brightness: number;
  buttons: 1 | 3;
  firmware: number;
  battery_mv: number | null;
  rssi_dbm: number | null;
  uptime_s: number | null;
  last_seen_at: number | null;
};

export type SavedCondition = {
  deviceId: string;
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  lastSeenAt: number;
};

/** API names of the settable fields, and their columns. */
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

export type DeviceRows = ReturnType<typeof deviceRows>;

export function deviceRows(db: Db) {
  const columns = `device_id, label, statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon, quantity,
    unknown_origin, unsolicited_nonce, brightness, buttons, firmware, battery_mv, rssi_dbm, uptime_s, last_seen_at`;
  const one = db.prepare<[string], DeviceRow>(`SELECT ${columns} FROM devices WHERE device_id = ?`);
  const place = db.prepare<[string], { label: string; brightness: number }>(
    'SELECT label, brightness FROM devices WHERE device_id = ?',
  );
  const all = db.prepare<[], DeviceRow>(`SELECT ${columns} FROM devices ORDER BY device_id`);
  const ids = db.prepare<[], string>('SELECT device_id FROM devices ORDER BY device_id').pluck();
  // Redundant condition, so that SQLite uses the partial index.
  const byLabel = db
    .prepare<[string], string>(
      "SELECT device_id FROM devices WHERE label_key = ? AND label_key <> '' ORDER BY device_id",
    )
    .pluck();
  const insert = db.prepare('INSERT INTO devices (device_id, buttons, firmware, created_at) VALUES (?, ?, ?, ?)');
  const setHardware = db.prepare('UPDATE devices SET buttons = ?, firmware = ? WHERE device_id = ?');
  const update = db.prepare(
    `UPDATE devices SET label = :label, label_key = :label_key, statica = :statica, staticb = :staticb, staticc = :staticc,
       staticd = :staticd, statice = :statice, arrow = :arrow, barcode = :barcode, qrcode = :qrcode, icon = :icon,
       quantity = :quantity, unknown_origin = :unknown_origin, unsolicited_nonce = :unsolicited_nonce, brightness = :brightness
     WHERE device_id = :device_id`,
  );
  const saveCondition = db.prepare(
    'UPDATE devices SET battery_mv = ?, rssi_dbm = ?, uptime_s = ?, last_seen_at = ? WHERE device_id = ?',
  );
  const remove = db.prepare('DELETE FROM devices WHERE device_id = ?');
  const removeSimulated = db.prepare('DELETE FROM simulated_devices WHERE device_id = ?');
  const insertSimulated = db.prepare(
    'INSERT OR IGNORE INTO simulated_devices (device_id, buttons, firmware) VALUES (?, ?, ?)',
  );
  const countSimulated = db.prepare<[], number>('SELECT count(*) FROM simulated_devices').pluck();
  const demo = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'demo_shop'").pluck();
  const setDemo = db.prepare("INSERT INTO meta (key, value) VALUES ('demo_shop', '1') ON CONFLICT DO NOTHING");
  const simulated = db.prepare<[], { device_id: string; buttons: 1 | 3; firmware: number }>(
    'SELECT device_id, buttons, firmware FROM simulated_devices ORDER BY device_id',
  );

  return {
    find: (deviceId: string): DeviceRow | undefined => one.get(deviceId),
    /** What every command needs from its device. */
    findPlace: (deviceId: string): { label: string; brightness: number } | undefined => place.get(deviceId),
    list: (): DeviceRow[] => all.all(),
    listIds: (): string[] => ids.all(),
    /** DeviceIDs with this label, ignoring case. */
    listByLabel: (label: string): string[] => byLabel.all(nameKey(label)),
    insert(device: { deviceId: string; buttons: 1 | 3; firmware: number; createdAt: number }): void {
      insert.run(device.deviceId, device.buttons, device.firmware, device.createdAt);
    },
    setHardware: (deviceId: string, hardware: { buttons: 1 | 3; firmware: number }): void =>
      void setHardware.run(hardware.buttons, hardware.firmware, deviceId),
    /** Writes a row made by `changed`. */
    update: (row: DeviceRow): void => void update.run({ ...row, label_key: nameKey(row.label) }),
    saveConditions(conditions: readonly SavedCondition[]): void {
      for (const { deviceId, batteryMv, rssiDbm, uptimeS, lastSeenAt } of conditions) {
        saveCondition.run(batteryMv, rssiDbm, uptimeS, lastSeenAt, deviceId);
      }
    },
    /** Remove everything else that refers to the device first. */
    remove(deviceId: string): void {
      removeSimulated.run(deviceId);
      remove.run(deviceId);
    },
    insertSimulated: (device: { deviceId: string; buttons: 1 | 3; firmware: number }): void =>
      void insertSimulated.run(device.deviceId, device.buttons, device.firmware),
    countSimulated: (): number => countSimulated.get() ?? 0,
    /** Whether the demo shop was chosen here. */
    isDemoShop: (): boolean => demo.get() !== undefined,
    setDemoShop: (): void => void setDemo.run(),
    listSimulated: () =>
      simulated.all().map((row) => ({ deviceId: row.device_id, buttons: row.buttons, firmware: row.firmware })),
  };
}

/** The row with these changes; does not modify the given one. */
export function changed(row: DeviceRow, changes: StaticChanges): DeviceRow {
  const columns = Object.entries(changes).map(([name, value]) => [COLUMNS[name as keyof StaticChanges], value]);
  return { ...row, ...(Object.fromEntries(columns) as Partial<DeviceRow>) };
}

/** The row with the statics and settings of another device; modifies neither. */
export function withSettingsOf(row: DeviceRow, other: DeviceRow): DeviceRow {
  const columns = [...Object.values(COLUMNS), 'unknown_origin' as const].map((column) => [column, other[column]]);
  return { ...row, ...(Object.fromEntries(columns) as Partial<DeviceRow>) };
}
