import type { StationMap } from '#shared/api/map.ts';
import { DEMO_ORDER } from '#shared/lib/demoOrder.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Writer } from '../db/writer.ts';
import { DEMO_RACKS, DEMO_SEQUENCE } from '../domain/demoShop.ts';
import { inOrder } from '../domain/stationMap.ts';
import { StationError } from '../errors.ts';
import type { Ids, SimulatedDevice } from '../ports.ts';
import { type Access, type People, refuseGuessablePassword } from './access/index.ts';
import { type Audit, type By, STATION } from './base/index.ts';
import type { Devices } from './devices/index.ts';
import type { Orders } from './orders/index.ts';
import type { MapService } from './places/index.ts';
import type { Sequences } from './sequences/index.ts';
import type { Simulation } from './simulation/index.ts';

const ADMIN = 'admin';
const admin = (passwordHash: string) =>
  ({ username: ADMIN, passwordHash, role: 'admin', sessions: 'end', by: STATION, method: 'environment' }) as const;
const FIRMWARE = 70;

/** Begins to hash the password of the configuration on another thread, while the start continues. */
export function hashOfAdmin(people: Pick<People, 'hashOf'>, password: string | undefined): Promise<string> | undefined {
  const hash = password === undefined ? undefined : people.hashOf(ADMIN, password);
  // An early failure is reported by the code that awaits the promise; this keeps Node from calling it unhandled.
  hash?.catch(() => undefined);
  return hash;
}

type SetupCore = {
  repositories: Pick<Repositories, 'accounts' | 'devices' | 'map' | 'orders' | 'sequences'>;
  writer: Writer;
  audit: Audit;
  ids: Ids;
};

type SetupNeeds = {
  access: Pick<Access, 'people' | 'apiUsers'>;
  devices: Devices;
  simulation: Simulation;
  map: MapService;
  orders: Pick<Orders, 'add'>;
  sequences: Pick<Sequences, 'add'>;
};

/** What the use-cases of set-up share: their needs and their state. */
type SetupContext = SetupCore &
  SetupNeeds & {
    making: Promise<StationMap> | undefined;
  };

/** The first start. */
export function createSetup(core: SetupCore, needs: SetupNeeds) {
  const { repositories, writer, audit, ids } = core;
  const { access, devices, simulation, map, orders, sequences } = needs;
  const context: SetupContext = {
    repositories,
    writer,
    audit,
    ids,
    access,
    devices,
    simulation,
    map,
    orders,
    sequences,
    making: undefined,
  };
  return {
    start: (asked: {
      /** Of the password that `admin` is to have; undefined: the configuration says none. */
      adminHash: Promise<string> | undefined;
      apiKey: string | undefined;
      /** Who sets the password of a new data folder: the station, which prints it, or a person at the window. */
      firstRun: 'print' | 'window';
    }) => start(context, asked),
    finish: (password: string, by: By) => finish(context, password, by),
    makeDemoShop: (by: By) => makeDemoShop(context, by),
  };
}

export type Setup = ReturnType<typeof createSetup>;

/** Makes the accounts that the configuration asks for. Answers a password that was made, to be said once. */
async function start(
  context: SetupContext,
  {
    adminHash,
    apiKey,
    firstRun,
  }: {
    /** Of the password that `admin` is to have; undefined: the configuration says none. */
    adminHash: Promise<string> | undefined;
    apiKey: string | undefined;
    /** Who sets the password of a new data folder: the station, which prints it, or a person at the window. */
    firstRun: 'print' | 'window';
  },
): Promise<string | undefined> {
  const { access, repositories, ids } = context;
  if (apiKey !== undefined) await access.apiUsers.setEnvironmentKey(apiKey);
  const isFresh = access.people.count() === 0;
  const settle = () => repositories.accounts.setSetupPending(false);
  if (adminHash !== undefined) {
    await access.people.put(admin(await adminHash), settle);
    return undefined;
  }
  if (firstRun === 'window') {
    // A random password: until a person chooses another one, only the window is signed in.
    const unknown = Buffer.from(ids.bytes(32)).toString('base64url');
    if (isFresh)
      await access.people.put(await accountOf(context, unknown), () => repositories.accounts.setSetupPending(true));
    return undefined;
  }
  // The first start was in a window, and ended before a password was chosen.
  if (!isFresh && !repositories.accounts.isSetupPending()) return undefined;
  const password = readablePassword(ids.bytes(12));
  await access.people.put(await accountOf(context, password), settle);
  return password;
}

/** Gives `admin` the password that was chosen. Throws `conflict` where there is one already, and `invalid` if it is guessed first. */
async function finish(context: SetupContext, password: string, by: By): Promise<void> {
  const { repositories, access, audit } = context;
  const refuse = () => {
    if (repositories.accounts.isSetupPending()) return;
    throw new StationError(
      'conflict',
      'The first password was chosen already. Sign in with it; a signed-in person changes his own at /api/user/password/.',
    );
  };
  await refuseGuessablePassword('admin', password, 'password');
  // The window in which it is chosen stays signed in.
  const chosen = { ...(await accountOf(context, password)), sessions: 'keep', by, method: 'window' } as const;
  await access.people.put(chosen, (tx) => {
    refuse();
    repositories.accounts.setSetupPending(false);
    audit.record(tx, { action: 'setup.done', by, subject: '', detail: {} });
    tx.emit({ type: 'setup.done' });
  });
}

/** Creates a shop of simulated devices, with an order and a sequence to launch. Throws `conflict` if there are racks already. */
function makeDemoShop(context: SetupContext, by: By): Promise<StationMap> {
  context.making ??= make(context, by).finally(() => {
    context.making = undefined;
  });
  return context.making;
}

async function accountOf({ access }: SetupContext, password: string) {
  return admin(await access.people.hashOf(ADMIN, password));
}

function refuseSecondMap({ repositories }: SetupContext): void {
  if (repositories.map.get().racks.length === 0) return;
  throw new StationError('conflict', 'There are racks already. The demo shop is for a station without any.');
}

async function make(context: SetupContext, by: By): Promise<StationMap> {
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
    repositories.devices.setDemoShop();
    audit.record(tx, { action: 'setup.demo', by, subject: '', detail: {} });
    // Pickers may use the simulator from now on.
    tx.emit({ type: 'access.changed' });
    // Keep existing names. A repeated request must add the same again, so it gets this answer from its first attempt.
    const hasOrder = repositories.orders.findByNumber(DEMO_ORDER.order_number) !== undefined;
    const hasSequence = repositories.sequences.find(DEMO_SEQUENCE.sequenceid) !== undefined;
    return { whole, hasOrder, hasSequence };
  });
  if (!hasOrder) await orders.add(DEMO_ORDER, { strict: false, unknown: [] });
  if (!hasSequence) await sequences.add({ sequence: DEMO_SEQUENCE, unknown: [], strict: false });
  return whole;
}

/** Twelve letters and digits in groups, without those that look alike. */
function readablePassword(bytes: Uint8Array): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const letters = [...bytes].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}
