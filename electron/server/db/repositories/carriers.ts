import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Db } from '../db.ts';
import { statements } from './statements.ts';

export type SlotSide = 'front' | 'back';

/** A cart or a wall. `code` is empty if it has none. */
export type CarrierRow = { id: number; kind: CarrierKind; name: string; code: string; rows: number; columns: number };

/** A slot of a cart or a wall, such as A1. */
export type CarrierSlotRow = { slot: string; code: string; deviceId: string | null; backDeviceId: string | null };

/** The slot that a device serves, and its side. */
export type SlotDevice = { carrierId: number; slot: string; side: SlotSide };

/** A cart, wall or slot with a code. `slot` is null for the cart or wall itself. */
export type CarrierCode = { carrierId: number; slot: string | null };

const CARRIERS = 'SELECT id, kind, name, code, row_count AS rows, column_count AS columns FROM carriers';
const side = (name: SlotSide): string =>
  `(SELECT device_id FROM slot_devices WHERE carrier_id = slots.carrier_id AND slot = slots.slot AND side = '${name}')`;

/** Reads and writes carts and walls, with their slots and slot devices. */
export function carrierRows(db: Db) {
  const { find, insert, list, run, value } = statements(db);
  const add = insert(
    'INSERT INTO carriers (kind, name, name_key, code, code_key, row_count, column_count) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const change = run(
    'UPDATE carriers SET name = ?, name_key = ?, code = ?, code_key = ?, row_count = ?, column_count = ? WHERE id = ?',
  );
  const addSlot = run('INSERT INTO carrier_slots (carrier_id, slot, code, code_key) VALUES (?, ?, ?, ?)');
  const addDevice = run('INSERT INTO slot_devices (device_id, carrier_id, slot, side) VALUES (?, ?, ?, ?)');
  const removeSlots = run<[carrierId: number]>('DELETE FROM carrier_slots WHERE carrier_id = ?');
  const byName = find<[key: string], CarrierRow>(`${CARRIERS} WHERE name_key = ?`);
  const byCode = find<[code: { key: string }], CarrierCode>(
    `SELECT id AS carrierId, NULL AS slot FROM carriers WHERE code_key = :key AND code_key <> ''
     UNION ALL SELECT carrier_id, slot FROM carrier_slots WHERE code_key = :key AND code_key <> '' LIMIT 1`,
  );
  const deviceAt = value<[carrierId: number, slot: string, side: SlotSide], string>(
    'SELECT device_id FROM slot_devices WHERE carrier_id = ? AND slot = ? AND side = ?',
  );

  return {
    list: list<[kind: CarrierKind], CarrierRow>(`${CARRIERS} WHERE kind = ? ORDER BY id`),
    find: find<[id: number], CarrierRow>(`${CARRIERS} WHERE id = ?`),
    findByName: (name: string) => byName(nameKey(name)),
    findByCode: (code: string) => byCode({ key: nameKey(code) }),
    /** Lists the slots of a cart or wall by row, starting with A1. */
    listSlots: list<[carrierId: number], CarrierSlotRow>(
      `SELECT slot, code, ${side('front')} AS deviceId, ${side('back')} AS backDeviceId FROM carrier_slots AS slots
       WHERE carrier_id = ? ORDER BY slot`,
    ),
    /** Finds the slot that a device serves. Returns undefined if there is none. */
    findDevice: find<[deviceId: string], SlotDevice>(
      'SELECT carrier_id AS carrierId, slot, side FROM slot_devices WHERE device_id = ?',
    ),
    findDeviceAt: (carrierId: number, slot: string, at: SlotSide): string | undefined => deviceAt(carrierId, slot, at),
    /** Returns the id. */
    insert({ kind, name, code, rows, columns }: Omit<CarrierRow, 'id'>): number {
      return add(kind, name, nameKey(name), code, nameKey(code), rows, columns);
    },
    update({ id, name, code, rows, columns }: CarrierRow): void {
      change(name, nameKey(name), code, nameKey(code), rows, columns, id);
    },
    /** Replaces all slots of a cart or wall. */
    setSlots(carrierId: number, slots: readonly CarrierSlotRow[]): void {
      removeSlots(carrierId);
      for (const { slot, code, deviceId, backDeviceId } of slots) {
        addSlot(carrierId, slot, code, nameKey(code));
        if (deviceId !== null) addDevice(deviceId, carrierId, slot, 'front');
        if (backDeviceId !== null) addDevice(backDeviceId, carrierId, slot, 'back');
      }
    },
    /** Removes a cart or wall and its slots. */
    remove: run<[id: number]>('DELETE FROM carriers WHERE id = ?'),
    removeDevice: run<[deviceId: string]>('DELETE FROM slot_devices WHERE device_id = ?'),
    giveDevice: run<[to: string, from: string]>('UPDATE slot_devices SET device_id = ? WHERE device_id = ?'),
  };
}
