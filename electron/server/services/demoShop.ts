import type { StationMap } from '#shared/api/map.ts';
import type { DemoShop } from '#shared/api/setup.ts';
import { DEMO_ORDER } from '#shared/lib/orders/demoOrder.ts';
import type { Writer } from '../db/writer.ts';
import { DEMO_RACKS, DEMO_SEQUENCE } from '../domain/places/demoShop.ts';
import { inOrder, withRacks } from '../domain/places/stationMap.ts';
import { StationError } from '../errors.ts';
import type { SimulatedDevice } from '../ports.ts';
import type { Audit, By } from './base/index.ts';
import { type DemoRows, demoRows, type DemoTables } from './demoRows.ts';
import type { Devices } from './devices/index.ts';
import type { Orders } from './orders/index.ts';
import type { MapService } from './places/index.ts';
import type { Registry } from './registry.ts';
import type { Sequences } from './sequences/index.ts';
import type { Simulation } from './simulation/index.ts';

const FIRMWARE = 70;
/** Maximum number of names to list when removing the shop is refused. */
const MAX_NAMED = 5;

type DemoShopCore = {
  repositories: DemoTables;
  reads: DemoTables;
  writer: Writer;
  audit: Audit;
};

type DemoShopNeeds = {
  registry: Pick<Registry, 'removeWithin'>;
  devices: Devices;
  simulation: Simulation;
  map: MapService;
  orders: Pick<Orders, 'add' | 'removeWithin'>;
  sequences: Pick<Sequences, 'add' | 'removeWithin'>;
};

type DemoShopContext = DemoShopCore & DemoShopNeeds & { making: Promise<StationMap> | undefined };

/** Creates and removes a shop of simulated devices for trying the product. */
export function createDemoShop(core: DemoShopCore, needs: DemoShopNeeds) {
  const context: DemoShopContext = { ...core, ...needs, making: undefined };
  return {
    make: (by: By) => makeOnce(context, by),
    /** Returns the rows that `remove` would remove, those that it would keep, and what is lit. */
    get: (): DemoShop => answerOf(demoRows(context.reads)),
    remove: (by: By) => remove(context, by),
  };
}

export type DemoShopService = ReturnType<typeof createDemoShop>;

/**
 * Creates racks with simulated devices, and an order and a sequence to launch. Simultaneous calls share one result. Throws `conflict` if
 * racks exist.
 */
function makeOnce(context: DemoShopContext, by: By): Promise<StationMap> {
  context.making ??= make(context, by).finally(() => {
    context.making = undefined;
  });
  return context.making;
}

function refuseSecondMap({ repositories }: DemoShopContext): void {
  if (repositories.map.get().racks.length === 0) return;
  throw new StationError('conflict', 'There are already racks. The demo shop is for a station without any.');
}

async function make(context: DemoShopContext, by: By): Promise<StationMap> {
  const { simulation, writer, map, devices, repositories, audit, orders, sequences } = context;
  const hardware = new Map<string, SimulatedDevice>();
  for (const { shelves } of DEMO_RACKS) {
    for (const { buttons, cells } of shelves) {
      const wanted = { count: cells.length, buttons, firmware: FIRMWARE } as const;
      const added = await simulation.add(wanted, hardware.size === 0 ? () => refuseSecondMap(context) : undefined);
      for (const [column, { label }] of cells.entries()) {
        const device = added[column];
        if (device !== undefined) hardware.set(label, device);
      }
    }
  }
  const { whole, hasOrder, hasSequence } = await writer.write((tx) => {
    refuseSecondMap(context);
    const racks: StationMap['racks'] = [];
    const places: StationMap['places'] = [];
    for (const { name, note, shelves } of DEMO_RACKS) {
      const own = shelves.map((shelf) => ({ ...shelf, id: map.newId() }));
      racks.push({
        id: map.newId(),
        name,
        note,
        columns: Math.max(...shelves.map(({ cells }) => cells.length)),
        shelves: own.map((shelf) => ({ id: shelf.id, name: shelf.name })),
      });
      for (const { id, cells } of own) {
        for (const [column, { label, lines, graphics }] of cells.entries()) {
          const deviceId = hardware.get(label)?.deviceId;
          if (deviceId === undefined) continue;
          const [statica, staticb, staticc] = lines;
          devices.change(tx, deviceId, { locationoverride: label, statica, staticb, staticc, ...graphics });
          places.push({ deviceid: deviceId, shelf: id, column });
        }
      }
    }
    const whole = inOrder({ racks, zones: repositories.map.get().zones }, places);
    map.save(tx, whole);
    const made = [...hardware.values()].map(({ deviceId }) => deviceId);
    repositories.devices.setDemoShop({ devices: made, racks: racks.map(({ id }) => id) });
    audit.record(tx, { action: 'setup.demo', by, subject: '', detail: {} });
    // Notify clients that pickers may use the simulator now.
    tx.emit({ type: 'access.changed' });
    // Keep existing names. The result is stored with the transaction, so that a repeated request creates the same rows.
    const hasOrder = repositories.orders.findByNumber(DEMO_ORDER.order_number) !== undefined;
    const hasSequence = repositories.sequences.find(DEMO_SEQUENCE.sequenceid) !== undefined;
    return { whole, hasOrder, hasSequence };
  });
  if (!hasOrder) await orders.add(DEMO_ORDER, { strict: false, unknown: [] });
  if (!hasSequence) await sequences.add({ sequence: DEMO_SEQUENCE, unknown: [], strict: false });
  return whole;
}

/**
 * Removes the unchanged rows of the demo shop in one commit. Throws `conflict`, without removing anything, while any of the rows is lit.
 */
function remove(context: DemoShopContext, by: By): Promise<DemoShop> {
  const { repositories, writer, registry, orders, sequences, map, audit } = context;
  return writer.writeLarge((tx) => {
    const rows = demoRows(repositories);
    refuseLit(rows.lit);
    for (const row of rows.orders) orders.removeWithin(tx, row, by.name);
    for (const row of rows.sequences) sequences.removeWithin(tx, row, by.name);
    for (const row of rows.devices) registry.removeWithin(tx, row.device_id, by);
    const current = repositories.map.get();
    const gone = new Set(rows.racks.map(({ id }) => id));
    map.save(
      tx,
      withRacks(
        current,
        current.racks.filter(({ id }) => !gone.has(id)),
      ),
    );
    const keepsDevices = rows.kept.some(({ kind }) => kind === 'device');
    // If simulated devices remain, pickers keep the right to press them.
    if (!keepsDevices) repositories.devices.forgetDemoShop();
    const answer = answerOf(rows);
    if (isEmpty(answer)) return answer;
    audit.record(tx, { action: 'setup.demo_removed', by, subject: '', detail: {} });
    tx.emit({ type: 'access.changed' });
    return answer;
  });
}

function refuseLit(lit: readonly string[]): void {
  if (lit.length === 0) return;
  const rest = lit.length > MAX_NAMED ? ` and ${lit.length - MAX_NAMED} more` : '';
  throw new StationError(
    'conflict',
    `Some of the demo shop is lit: ${lit.slice(0, MAX_NAMED).join(', ')}${rest}. Turn it off first, for example by aborting the order. Nothing was removed.`,
  );
}

function answerOf({ orders, sequences, racks, devices, kept, lit }: DemoRows): DemoShop {
  return {
    orders: orders.map(({ orderNumber }) => orderNumber),
    sequences: sequences.map(({ sequenceId }) => sequenceId),
    racks: racks.map(({ name }) => name),
    devices: devices.map(({ device_id: deviceid, label }) => ({ deviceid, label })),
    kept,
    lit,
  };
}

function isEmpty({ orders, sequences, racks, devices }: DemoShop): boolean {
  return [orders, sequences, racks, devices].every(({ length }) => length === 0);
}
