import { ask } from './asking.ts';
import { labelAsks } from './requests.ts';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Order } from '#shared/api/order.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { expectRestorable } from '../../helpers/files/keepBackup.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { numberCommandsFromOne } from '../../helpers/screens/template.ts';
import { ModelDeliveries } from './deliveries.ts';
import { openDisk, type Disk } from './disk.ts';
import { finish } from './finish.ts';
import { createHardware } from './hardware.ts';
import { createJournal } from './journal.ts';
import { set } from './asking.ts';
import type { LineCases } from './lines.ts';
import { OPERATIONS, type ModelOperation } from './operations.ts';
import { Oracle } from './oracle.ts';
import { createRandom, type Random } from './random.ts';
import { newDevice } from './state.ts';
import { createWireTap } from './wireTap.ts';
import { PASSWORD, PEOPLE, type ModelPerson } from './people.ts';
import { MAP, WALK } from './walk.ts';
import { World } from './world.ts';

const OPERATIONS_PER_RUN = 120;

const DEVICES = [
  { deviceId: '51D000:000001', buttons: 1, firmware: 70 },
  { deviceId: '51D000:000002', buttons: 3, firmware: 70 },
  { deviceId: '51D000:000003', buttons: 3, firmware: 70 },
  { deviceId: '51D000:000004', buttons: 1, firmware: 40 },
] as const;

/**
 * Runs one seed to its end and returns the counts of special presses on lines. Throws with the list of operations if the station and the
 * oracle disagree.
 */
export async function runSeed(
  seed: number,
  { picks = true, meets = picks }: { picks?: boolean; meets?: boolean } = {},
): Promise<LineCases> {
  const random = createRandom(seed);
  await using world = await openWorld(seed, random, { picks, meets });
  const done: string[] = [];
  const operations = OPERATIONS.filter(
    ({ isPicking = false, isMeeting = false }) => (picks || !isPicking) && (meets || !isMeeting),
  );
  const moods = operations.map((operation) => ({
    operation,
    weight: operation.weight * (0.2 + 2 * random.fraction()),
  }));
  const count = OPERATIONS_PER_RUN / 2 + random.below(OPERATIONS_PER_RUN);
  try {
    await ask(world, labelAsks(world), true);
    await world.settle();
    for (let number = 1; number <= count; number += 1) {
      const operation = choose(random, moods);
      done.push(`${number} ${operation.name}`);
      const told = await operation.run(world);
      done[done.length - 1] += `: ${told}`;
      await world.settle();
    }
    done.push('the end');
    await expectRestorable(world.station);
    await finish(world);
    await expectRestorable(world.station);
    return world.oracle.lines.cases;
  } catch (error) {
    const less = picks ? (meets ? '' : ' FUZZ_MEETS=0') : ' FUZZ_PICKS=0';
    const line = `FUZZ_SEED=${seed}${less} npx vitest run test/property/modelFuzz.test.ts`;
    const message = error instanceof Error ? error.message : String(error);
    if (process.env['FUZZ_TRAIL'] !== undefined)
      console.error(world.trail.slice(-Number(process.env['FUZZ_TRAIL'])).join('\n'));
    throw new Error(`${message}\n\nReplay it by\n  ${line}\n\nWhat was done:\n  ${done.join('\n  ')}`, {
      cause: error,
    });
  }
}

function choose(random: Random, moods: readonly { operation: ModelOperation; weight: number }[]): ModelOperation {
  const total = moods.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.fraction() * total;
  for (const { operation, weight } of moods) {
    left -= weight;
    if (left < 0) return operation;
  }
  throw new Error('There is nothing to do');
}

type Template = { folder: string; people: ModelPerson[] };

let template: Promise<Template> | undefined;

/** Returns a data folder with schema, accounts and people. It is created only once. */
async function freshFolder(): Promise<Template> {
  template ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pickstation-fuzz-template-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const station = await startTestStation({ dataFolder: folder });
    const people = await addPeople(station);
    await station.stop();
    numberCommandsFromOne(folder);
    return { folder, people };
  })();
  const { folder: made, people } = await template;
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-fuzz-'));
  cpSync(made, folder, { recursive: true });
  return { folder, people };
}

/** Adds people. The station chooses a person's color when they pick their first order. */
async function addPeople(station: TestStation): Promise<ModelPerson[]> {
  await station.patch('/api/settings/', { basic_auth: true });
  await station.post('/api/orders/', { order_number: 'first', items: [] });
  for (const username of PEOPLE) {
    await station.post('/api/users/', { username, password: PASSWORD, role: 'picker' });
    await station.post('/api/orders/first/join/', { picker: username });
  }
  const { pickers } = await station.get<Order>('/api/orders/first/');
  await station.request('DELETE', '/api/orders/first/');
  return pickers.map(({ name, color }) => ({ name, color }));
}

async function openWorld(
  seed: number,
  random: Random,
  { picks, meets }: Pick<World, 'picks' | 'meets'>,
): Promise<World & AsyncDisposable> {
  const { folder: dataFolder, people } = await freshFolder();
  const walk = picks && seed % 2 === 0 ? WALK : [];
  const clock = createFakeClock(START_MS);
  const journal = createJournal(clock);
  const complaints: string[] = [];
  const disk: Disk = openDisk(dataFolder);
  const tap = createWireTap({ journal, disk: () => disk, complain: (text) => void complaints.push(text) });
  const hardware = createHardware({ clock, seed, tap });
  clock.whenIdle(() => hardware.idle(), 'the hardware');
  const receiver = await startReceiver();
  const deliveries = new ModelDeliveries(receiver, () => clock.monotonic());
  const oracle = new Oracle(
    {
      url: '',
      families: { device: true, sequence: true, order: true },
      templates: { ordernonce: '', shipmentnonce: '', callback_nonce: '' },
      unreachable: 'nack',
      seconds: 60,
      color: 'red',
      orderSeconds: 0,
      orderColor: 'green',
    },
    { people, walk },
  );
  oracle.times.offsetMs = START_MS;
  const world = new World({
    random,
    clock,
    hardware,
    oracle,
    journal,
    disk,
    deliveries,
    complaints,
    seed,
    picks,
    meets,
    dataFolder,
  });
  for (const device of DEVICES) {
    hardware.sim.addDevice(device);
    if (seed % 2 === 0) hardware.sim.setDevice(device.deviceId, { refreshFullMs: 0, refreshPartialMs: 0 });
    oracle.devices.set(device.deviceId, newDevice(device.deviceId, device.buttons, device.firmware));
  }
  await world.start();
  await clock.advance(3_000);
  await set(world, { callback_url: receiver.url });
  if (walk.length > 0) await world.station.request('PUT', '/api/map/', MAP);
  await world.settle();
  return Object.assign(world, {
    async [Symbol.asyncDispose]() {
      await world.stop();
      hardware.sim.stop();
      disk.close();
      await receiver.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  });
}
