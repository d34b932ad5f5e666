/** How long the largest requests keep a press, or any small request, waiting. */
import { untilQuiet } from './bulks.ts';
import { median, type Goal } from './goals.ts';
import { MAX_ITEMS } from '#shared/lib/orderLimits.ts';
import { BODY, deviceId } from './loads.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';
import { type Delays, delaysOfRequests, openPresser, PRESSED, sendLarge } from './steadyStream.ts';

const DEVICES = 10_000;
/** Longest delay of a press, in milliseconds, above an undisturbed one: by one use-case of an order, and by a bulk. */
const ORDER_MS = 60;
const BULK_MS = 20;
/** Longest hold of the event loop by one answer, in milliseconds. */
const HOLD_MS = 10;
const IDLE_MS = 1_500;
/** Launches per round. The first few of the run warm up the code and do not count. */
const LAUNCHES = 5;
const WARM_UPS = 3;
const [ONE_PICKER, OTHER_PICKER] = ['Anna', 'Ben'] as const;
const LISTS = ['/api/station/', '/api/device/', '/api/map/', '/api/location-aliases/'];

const deviceOf = (index: number): string => deviceId(PRESSED + 1 + (index % (DEVICES - PRESSED)));

/** `placed`: how many of its lines have a device, the last ones. */
function orderBody(number: string, placed = MAX_ITEMS): Buffer {
  const items = Array.from({ length: MAX_ITEMS }, (_, index) => ({
    name: 'Cable tie 200',
    SKU: `CT-${index}`,
    ordered_quantity: 2,
    ...(index >= MAX_ITEMS - placed && { deviceid: deviceOf(index) }),
  }));
  return jsonOf({ order_number: number, items });
}

function bulkBody(element: object): Buffer {
  const elements = Array.from({ length: DEVICES - PRESSED }, (_, index) => ({ ...element, deviceid: deviceOf(index) }));
  return jsonOf(elements);
}

const jsonOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

type Load = { name: string; path: string; method: string; body?: Buffer; atMost?: number };

function loadsOf(round: number): Load[] {
  const number = `growth-${round}`;
  const path = `/api/orders/${number}/`;
  const lost = `lost-${round}`;
  return [
    { name: 'POST of an order', method: 'POST', path: '/api/orders/', body: orderBody(number) },
    { name: 'its launch', method: 'POST', path: `${path}launch/` },
    { name: 'GET of it', method: 'GET', path },
    { name: 'its launch for a picker', method: 'POST', path: `${path}launch/`, body: jsonOf({ picker: ONE_PICKER }) },
    { name: 'GET of its lit work', method: 'GET', path: `/api/work/?order=${number}` },
    { name: 'a join', method: 'POST', path: `${path}join/`, body: jsonOf({ picker: OTHER_PICKER }) },
    { name: 'a pause', method: 'POST', path: `${path}pause/`, body: jsonOf({ picker: ONE_PICKER }) },
    { name: 'a handover', method: 'POST', path: `${path}handover/`, body: jsonOf({ picker: OTHER_PICKER }) },
    { name: 'a departure', method: 'POST', path: `${path}leave/`, body: jsonOf({ picker: OTHER_PICKER }) },
    { name: 'its abort', method: 'POST', path: `${path}abort/` },
    { name: 'its removal', method: 'DELETE', path },
    { name: 'POST of an order with one place', method: 'POST', path: '/api/orders/', body: orderBody(lost, 1) },
    { name: 'the launch of that order', method: 'POST', path: `/api/orders/${lost}/launch/` },
    { name: 'the removal of that order', method: 'DELETE', path: `/api/orders/${lost}/` },
    {
      name: 'POST /api/devices/',
      method: 'POST',
      path: '/api/devices/',
      body: bulkBody({ ...BODY, seconds: 0 }),
      atMost: BULK_MS,
    },
    {
      name: 'POST /api/devices/ of kills',
      method: 'POST',
      path: '/api/devices/',
      body: bulkBody({ command: 'kill' }),
      atMost: BULK_MS,
    },
  ];
}

export async function measureHolds(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), DEVICES);
  await untilQuiet(station);
  for (const username of [ONE_PICKER, OTHER_PICKER]) {
    const body = jsonOf({ username, password: 'long enough', role: 'picker' });
    await sendLarge(station, { method: 'POST', path: '/api/users/', body });
  }
  const presser = await openPresser(station);
  const idle: Goal = { name: 'press → callback, undisturbed, median', unit: 'ms', values: [] };
  const idleWorst: Goal = { name: 'the same, worst', unit: 'ms', values: [] };
  const presses = new Map<string, Goal>();
  const took = new Map<string, Goal>();
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await presser.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    idle.values.push(quiet.median);
    idleWorst.values.push(quiet.worst);
    for (const { name, atMost = ORDER_MS, ...load } of loadsOf(round)) {
      let ms = 0;
      const { p99, worst } = await presser.during(async () => {
        const startedAt = performance.now();
        await sendLarge(station, load);
        ms = performance.now() - startedAt;
      });
      valuesOf(presses, `press during ${name}: worst delay`, atMost).push(worst - quiet.median);
      valuesOf(presses, `press during ${name}: p99 beyond the undisturbed p99`).push(p99 - quiet.p99);
      valuesOf(took, `answer to ${name}`).push(ms);
      await untilQuiet(station);
    }
  }
  presser.close();
  const lists = await measureLists(station, rounds);
  await station.stop();
  return [idle, idleWorst, ...presses.values(), ...took.values(), ...lists];
}

/** Launches large orders, one after the other. Measures the delay of a press elsewhere, and the cost of a launch. */
export async function measureLaunch(place: Workplace, rounds: number): Promise<Goal[]> {
  const station = await startStation(place.folder(), DEVICES);
  await untilQuiet(station);
  const presser = await openPresser(station);
  const idle: Goal = { name: 'press → callback, undisturbed, median', unit: 'ms', values: [] };
  const later: Goal = { name: `press during a launch of ${MAX_ITEMS} lines: worst delay`, unit: 'ms', values: [] };
  const cost: Goal = { name: 'processor time of that launch', unit: 'ms', values: [] };
  for (let round = 0; round < LAUNCHES * rounds; round += 1) {
    const path = `/api/orders/launch-${round}/`;
    await sendLarge(station, { method: 'POST', path: '/api/orders/', body: orderBody(`launch-${round}`) });
    await untilQuiet(station);
    const quiet = await presser.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    const { worst } = await presser.during(() => sendLarge(station, { method: 'POST', path: `${path}launch/` }));
    await sendLarge(station, { method: 'DELETE', path });
    await untilQuiet(station);
    // V8 compiles hot code during the first launches.
    if (round < WARM_UPS) continue;
    idle.values.push(quiet.median);
    later.values.push(worst - quiet.median);
  }
  for (let round = 0; round < LAUNCHES * rounds; round += 1) {
    const path = `/api/orders/cost-${round}/`;
    await sendLarge(station, { method: 'POST', path: '/api/orders/', body: orderBody(`cost-${round}`) });
    await untilQuiet(station);
    const before = station.cpuMs();
    await sendLarge(station, { method: 'POST', path: `${path}launch/` });
    cost.values.push(station.cpuMs() - before);
    await sendLarge(station, { method: 'DELETE', path });
    await untilQuiet(station);
  }
  presser.close();
  await station.stop();
  return [idle, { ...later, atMost: ORDER_MS }, cost];
}

/** Snapshots and lists of the station, with every device lit. */
async function measureLists(station: ServerProcess, rounds: number): Promise<Goal[]> {
  await sendLarge(station, { method: 'POST', path: '/api/devices/', body: bulkBody({ ...BODY, seconds: 0 }) });
  await untilQuiet(station);
  const holds = new Map<string, Goal>();
  const among: Delays[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await delaysOfRequests(station, () => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    among.push(quiet);
    for (const accept of [undefined, 'application/xml']) {
      for (const path of LISTS) {
        const { worst } = await delaysOfRequests(station, async () => {
          await sendLarge(station, { method: 'GET', path, ...(accept === undefined ? {} : { accept }) });
        });
        const name = `request during GET ${path}${accept === undefined ? '' : ' in XML'}: worst delay`;
        valuesOf(holds, name, HOLD_MS).push(worst - quiet.median);
      }
    }
  }
  const undisturbed: Goal = {
    name: 'request, undisturbed: worst delay over the median',
    unit: 'ms',
    values: among.map(({ worst }) => worst - median(among.map((each) => each.median))),
  };
  return [undisturbed, ...holds.values()];
}

function valuesOf(goals: Map<string, Goal>, name: string, atMost?: number): number[] {
  const known = goals.get(name);
  if (known !== undefined) return known.values;
  const goal: Goal = { name, unit: 'ms', values: [], ...(atMost === undefined ? {} : { atMost }) };
  goals.set(name, goal);
  return goal.values;
}
