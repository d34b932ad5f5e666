import type { Rack } from '#shared/api/map.ts';
import type { DemoShop } from '#shared/api/setup.ts';
import { DEMO_ORDER, isDemoNumber } from '#shared/lib/orders/demoOrder.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { DeviceRow } from '../db/repositories/devices.ts';
import type { OrderRow } from '../db/repositories/orders.ts';
import type { SequenceRow } from '../db/repositories/sequences.ts';
import type { TablesOf } from '../core.ts';
import { DEMO_RACKS, DEMO_SEQUENCE } from '../domain/places/demoShop.ts';

/** Range of the order numbers that the tour creates after its first order. */
const LATER = ['DEMO-', 'DEMO.'] as const;

/** The tables that contain rows of the demo shop. */
export type DemoTables = TablesOf<'demoShop'>;

/**
 * The remaining rows of the demo shop. `kept` lists rows that somebody changed. `lit` names the devices, orders and sequences that are lit
 * now.
 */
export type DemoRows = {
  orders: OrderRow[];
  sequences: SequenceRow[];
  racks: Rack[];
  devices: DeviceRow[];
  kept: DemoShop['kept'];
  lit: string[];
};

const CELLS = new Map(
  DEMO_RACKS.flatMap(({ shelves }) => shelves.flatMap(({ cells }) => cells)).map((cell) => [nameKey(cell.label), cell]),
);

/** Finds the rows that the demo shop created and that are unchanged, apart from picking. */
export function demoRows(tables: DemoTables): DemoRows {
  const { own: devices, kept: keptDevices } = demoDevices(tables);
  const { own: racks, kept: keptRacks } = demoRacks(tables, new Set(devices.map(({ device_id: id }) => id)));
  const { own: orders, kept: keptOrders } = demoOrders(tables);
  const sequences = demoSequences(tables);
  return {
    orders,
    sequences,
    racks,
    devices,
    kept: [...keptOrders, ...keptRacks, ...keptDevices],
    lit: [
      ...devices.filter(({ device_id: id }) => tables.commands.count(id) > 0).map(placeOf),
      ...orders.filter(({ counts }) => counts.active > 0).map(({ orderNumber }) => `order ${orderNumber}`),
      ...sequences.filter(({ state }) => state === 'in-progress').map(({ sequenceId }) => `sequence ${sequenceId}`),
    ],
  };
}

type Found<T> = { own: T[]; kept: DemoShop['kept'] };

function placeOf({ label, device_id: deviceId }: DeviceRow): string {
  return label === '' ? deviceId : label;
}

function demoDevices({ aliases, devices }: DemoTables): Found<DeviceRow> {
  if (!devices.isDemoShop()) return { own: [], kept: [] };
  const made = devices.findDemoShop();
  const wasMade = made === undefined ? undefined : new Set(made.devices);
  const found: Found<DeviceRow> = { own: [], kept: [] };
  for (const { deviceId } of devices.listSimulated()) {
    const row = devices.find(deviceId);
    if (row === undefined || wasMade?.has(deviceId) === false) continue;
    const isSame = isAsMade(row) || (wasMade !== undefined && isBlank(row));
    if (isSame && aliases.listByDevice(deviceId).length === 0) found.own.push(row);
    else if (wasMade !== undefined) {
      const reason = isSame ? 'It also serves places of yours.' : 'Its label or its screen texts were changed.';
      found.kept.push({ kind: 'device', name: placeOf(row), reason });
    }
  }
  return found;
}

function isAsMade(row: DeviceRow): boolean {
  const cell = CELLS.get(nameKey(row.label));
  if (cell === undefined) return false;
  const { barcode = '', qrcode = '', icon = '' } = cell.graphics;
  return isSame(statics(row), [...cell.lines, '', '', '', barcode, qrcode, icon]) && row.quantity === null;
}

/** Whether the device is blank, because another device replaced it and took its label and texts. */
function isBlank(row: DeviceRow): boolean {
  return row.label === '' && statics(row).every((text) => text === '') && row.quantity === null;
}

function statics({ statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon }: DeviceRow): string[] {
  return [statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon];
}

function demoRacks({ devices, map }: DemoTables, removed: ReadonlySet<string>): Found<Rack> {
  if (!devices.isDemoShop()) return { own: [], kept: [] };
  const made = devices.findDemoShop();
  const { racks, places } = map.get();
  const found: Found<Rack> = { own: [], kept: [] };
  for (const rack of racks) {
    const isSame = DEMO_RACKS.some((demo) => isRack(rack, demo));
    if (made === undefined ? !isSame : !made.racks.includes(rack.id)) continue;
    const shelves = new Set(rack.shelves.map(({ id }) => id));
    const holdsOwn = places.some(({ shelf, deviceid }) => shelves.has(shelf) && !removed.has(deviceid));
    if (isSame && !holdsOwn) found.own.push(rack);
    else {
      const reason = holdsOwn ? 'It holds devices that stay.' : 'It was changed.';
      found.kept.push({ kind: 'rack', name: rack.name, reason });
    }
  }
  return found;
}

function isRack({ name, note, columns, shelves }: Rack, demo: (typeof DEMO_RACKS)[number]): boolean {
  const widest = Math.max(...demo.shelves.map(({ cells }) => cells.length));
  const [is, was] = [shelves, demo.shelves].map((each) => each.map((shelf) => shelf.name));
  return name === demo.name && note === demo.note && columns === widest && isSame(is ?? [], was ?? []);
}

function demoOrders({ items, orders }: DemoTables): Found<OrderRow> {
  const first = orders.findByNumber(DEMO_ORDER.order_number);
  const later = orders.listBetween(...LATER).filter(({ orderNumber }) => isDemoNumber(orderNumber));
  const found: Found<OrderRow> = { own: [], kept: [] };
  for (const order of first === undefined ? later : [first, ...later]) {
    const lines = items
      .listOf(order.id)
      .map((item) => [item.name, item.description, item.ordered, item.warehouseLocation]);
    if (!isSame(lines.map(String), DEMO_LINES)) continue;
    const words = orders.findWords(order.id);
    if ((words?.customer ?? '') === '' && (words?.note ?? '') === '') found.own.push(order);
    else found.kept.push({ kind: 'order', name: order.orderNumber, reason: 'It has a customer or a note.' });
  }
  return found;
}

const DEMO_LINES = DEMO_ORDER.items.map((item) =>
  String([item.name, item.description, item.ordered_quantity, item.warehouse_location]),
);

function demoSequences({ sequences }: DemoTables): SequenceRow[] {
  const row = sequences.find(DEMO_SEQUENCE.sequenceid);
  if (row === undefined) return [];
  const is = sequences
    .listSteps(row.id)
    .map(({ order, location, content }) => String([order, location, content.line1, content.quantity]));
  const was = DEMO_SEQUENCE.steps.map(({ order, location, line1, quantity }) =>
    String([order, location, line1, quantity]),
  );
  return isSame(is, was) ? [row] : [];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
