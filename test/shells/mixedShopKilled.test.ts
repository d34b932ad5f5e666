import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Order } from '#shared/api/order.ts';
import type { Clock } from '../../electron/server/ports.ts';
import { startFakeAccessPoint, type FakeAccessPoint } from '../helpers/devices/fakeAccessPoint.ts';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { seededFraction } from '../helpers/seeded.ts';
import { startWled, type WledController } from '../helpers/devices/wledController.ts';
import { deliveryId } from './killLoop/verdict.ts';
import type { TurboUnderTest } from './turboContract.ts';
import { BOARD_WAYS, openBoards, openPython, PYTHON_WAYS } from './turboPrograms.ts';
import { openShop, type TurboShop } from './turboShop.ts';
import { until } from './until.ts';

/** `MIXED_KILLS=200 MIXED_MINUTES=12 MIXED_SEED=7` makes the test long, limited and repeatable. */
const KILLS = Number(process.env['MIXED_KILLS'] ?? 2);
const LIMIT_MS = Number(process.env['MIXED_MINUTES'] ?? 2) * 60_000;
const SEED = Number(process.env['MIXED_SEED'] ?? 1);
const LEAST_KILLS = Number(process.env['MIXED_LEAST'] ?? 1);

const SIMULATED = '51D000:000001';
const STRIP = ['D3E4F5:000001', 'D3E4F5:000002'];
const MAC = '0000A0B1C2000001';
const TAG = 'A0B1C2:000001';
const ORDERED = 3;
/** Number of pickers. Each of them picks one order at a time. */
const LINES = 2;
const LONGEST_RUN_MS = 4_000;
/** One kill in this number is combined with an accident of other hardware. */
const ACCIDENT_EVERY = 3;
/** Factor by which radio time runs faster, so that a tag checks in every second. */
const RADIO_SPEED = 40;
const AGAIN_MS = 1_500;

const radioClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now() * RADIO_SPEED,
  setTimer(delayMs, run) {
    const timer = setTimeout(run, delayMs / RADIO_SPEED);
    return { cancel: () => clearTimeout(timer) };
  },
  onSleep: () => () => undefined,
};

/** Time limit for an order. It is long, because a slow machine may need all kills until the station runs long enough to launch one. */
const PATIENCE_MS = LIMIT_MS + 120_000;

const fraction = seededFraction(SEED);
let shop: TurboShop;
let receiver: Receiver;
let wled: WledController;
let accessPoint: FakeAccessPoint;
let turbos: TurboUnderTest[] = [];

beforeAll(async () => {
  shop = await openShop('mixed', { simulate: 1 });
  receiver = await startReceiver();
  wled = await startWled();
  accessPoint = await startFakeAccessPoint(radioClock, [{ mac: MAC, type: '33' }]);
  await shop.ask('PATCH', '/api/settings/', { callback_url: receiver.url });
  const places = STRIP.map((_device, index) => ({ label: `Strip ${index + 1}`, start: 3 * index, count: 3 }));
  await shop.ask('POST', '/api/turbo/links/', { kind: 'wled', url: wled.url, places });
  await shop.ask('POST', '/api/turbo/links/', { kind: 'openepaperlink', url: accessPoint.url });
  turbos = [await openPython(shop, PYTHON_WAYS.TCP), await openBoards(shop, BOARD_WAYS['a WebSocket'])];
});

afterAll(async () => {
  for (const turbo of turbos) await turbo.stop();
  await shop.close();
  await Promise.all([receiver.stop(), wled.stop(), accessPoint.stop()]);
});

/** Returns the station's answer, or undefined if the station is offline or refuses the request. */
async function tried<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
  return shop.ask<T>(method, path, body).catch(() => undefined);
}

/** Returns the command that a device shows. */
async function litAt(device: string): Promise<Device['commands'][number] | undefined> {
  const [first] = (await tried<Device>('GET', `/api/device/${device}/`))?.commands ?? [];
  return first?.state === 'shown' ? first : undefined;
}

/** A device and its worker, who handles each lit command. The worker knows whether the device accepted a press. */
class Post {
  /** Confirmed quantities that the worker saw accepted, by nonce. */
  readonly taken = new Map<string, number>();
  readonly device: string;
  private readonly confirm: (lit: Device['commands'][number]) => Promise<number | undefined>;

  constructor(device: string, confirm: Post['confirm']) {
    this.device = device;
    this.confirm = confirm;
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const lit = await litAt(this.device);
      const count = lit === undefined ? undefined : await this.confirm(lit);
      if (lit === undefined || count === undefined) {
        await pause(20);
        continue;
      }
      this.taken.set(lit.nonce, count);
      const what = `${lit.nonce} at ${this.device}, which was confirmed, to be over`;
      await until(what, () => this.isOver(lit.command_id), PATIENCE_MS);
    }
  }

  private async isOver(id: string): Promise<boolean> {
    const device = await tried<Device>('GET', `/api/device/${this.device}/`);
    return device !== undefined && device.commands.every(({ command_id }) => command_id !== id);
  }
}

function atTurbo(turbo: TurboUnderTest): Post[] {
  return turbo.devices.map(
    (device) =>
      new Post(device, async ({ quantity }) => {
        // A press too soon after the previous one is not counted, and its line is lit again with its count.
        let count = quantity ?? ORDERED;
        if (fraction() < 0.3 && (await turbo.use('minus', device)) === 'taken') count -= 1;
        return (await turbo.use('press', device)) === 'taken' ? count : undefined;
      }),
  );
}

function posts(): Post[] {
  let pressedMs = 0;
  return [
    ...turbos.flatMap(atTurbo),
    ...STRIP.map(
      (device) =>
        new Post(device, async ({ command_id }) => {
          const done = await tried('POST', `/api/device/${device}/acknowledge/`, { command_id });
          return done === undefined ? undefined : ORDERED;
        }),
    ),
    // These two do not keep a press while the station is offline, so the worker cannot know whether it counted, and
    // presses again while the device is lit.
    new Post(SIMULATED, async () => {
      await tried('POST', `/api/simulator/devices/${SIMULATED}/press/`, { button: 'front' });
      return undefined;
    }),
    new Post(TAG, () => {
      if (performance.now() - pressedMs > AGAIN_MS) {
        pressedMs = performance.now();
        accessPoint.tag(MAC).press();
      }
      return Promise.resolve(undefined);
    }),
  ];
}

/** Picks one order after another, each over all devices, until it is fulfilled. Returns their nonces. */
async function pick(devices: readonly string[], prefix: string, isOver: () => boolean): Promise<string[]> {
  const nonces: string[] = [];
  for (let count = 1; count === 1 || !isOver(); count += 1) {
    const number = `${prefix}-${count}`;
    const items = devices.map((deviceid) => ({
      name: 'Washer',
      deviceid,
      ordered_quantity: ORDERED,
      callback_nonce: `${number} ${deviceid}`,
    }));
    const order = () => tried<Order>('GET', `/api/orders/${number}/`);
    await until(
      `${number} to be launched`,
      async () => {
        if ((await order()) === undefined) await tried('POST', '/api/orders/', { order_number: number, items });
        if ((await order())?.state === 'open') await tried('POST', `/api/orders/${number}/launch/`, {});
        return ((await order())?.state ?? 'open') !== 'open';
      },
      PATIENCE_MS,
    );
    nonces.push(...items.map(({ callback_nonce }) => callback_nonce));
    await until(`${number} to be fulfilled`, async () => (await order())?.state === 'fulfilled', PATIENCE_MS);
  }
  return nonces;
}

const ACCIDENTS: readonly (() => unknown)[] = [
  () => turbos[0]?.reboot(),
  () => turbos[1]?.reboot(),
  () => wled.reboot(),
  () => accessPoint.reboot(),
  () => accessPoint.cut(),
];

async function killAgainAndAgain(): Promise<number> {
  const giveUpAt = performance.now() + LIMIT_MS;
  let kills = 0;
  for (; kills < KILLS && performance.now() < giveUpAt; kills += 1) {
    await pause(fraction() ** 2 * LONGEST_RUN_MS);
    await shop.restart(async () => {
      if (fraction() < 1 / ACCIDENT_EVERY) await ACCIDENTS[Math.floor(fraction() * ACCIDENTS.length)]?.();
    });
  }
  return kills;
}

test(
  'orders on simulated devices, a Python turbo, MicroPython boards, a tag and a strip survive kills of the station, and each press is reported once',
  { timeout: LIMIT_MS + 300_000 },
  async () => {
    const all = posts();
    const devices = all.map(({ device }) => device);
    await until('all devices', async () => {
      const known = (await tried<string[]>('GET', '/api/device/')) ?? [];
      return devices.every((device) => known.includes(device));
    });
    let areEnoughOrders = false;
    let isOver = false;
    // Ends with the shift, or when a confirmed press is missing.
    const work = Promise.all(all.map((post) => post.work(() => isOver)));
    const lines = Array.from({ length: LINES }, (_, at) => pick(devices, `SO${at + 1}`, () => areEnoughOrders));
    const shift = async (): Promise<[number, string[]]> => {
      const kills = await killAgainAndAgain();
      areEnoughOrders = true;
      return [kills, (await Promise.all(lines)).flat()];
    };
    const [kills, nonces] = await Promise.race([shift(), work.then(() => [0, []] as [number, string[]])]);
    isOver = true;
    await work;
    expect(kills).toBeGreaterThanOrEqual(LEAST_KILLS);

    const wanted = nonces.toSorted();
    const came = await shop.acknowledged();
    expect(came.map(({ nonce }) => nonce).toSorted()).toEqual(wanted);
    const counted = new Map(came.map(({ nonce, qty }) => [nonce, qty]));
    for (const { taken } of all)
      for (const [nonce, count] of taken) expect([nonce, counted.get(nonce)]).toEqual([nonce, count]);
    await until('all callbacks', () =>
      ['device_ack', 'item_added'].every((event) => told(event).length >= wanted.length),
    );
    for (const event of ['device_ack', 'item_added']) expect(told(event).toSorted()).toEqual(wanted);
    const confirmed = all.reduce((sum, { taken }) => sum + taken.size, 0);
    process.stdout.write(
      `mixed shop, MIXED_SEED=${SEED}: ${kills} kills, ${nonces.length / all.length} orders, ${came.length} lines, ` +
        `${confirmed} of them confirmed where it is known, ${receiver.requests.length} callbacks\n`,
    );
  },
);

/** Returns the nonces in the received callbacks, once per delivery even if it was repeated. */
function told(event: string): string[] {
  const deliveries = new Map(receiver.requests.map((request) => [deliveryId(request), request.body]));
  return [...deliveries.values()]
    .map((body) => JSON.parse(body) as { order_event?: string; nonce: string })
    .filter(({ order_event }) => order_event === event)
    .map(({ nonce }) => nonce);
}
