/** What the MQTT bridge costs and how fast it is, with a real mosquitto. */
import { connectAsync, type MqttClient } from 'mqtt';
import { startMosquitto } from '../test/brokers/mosquitto.ts';
import { owe } from './deliveries.ts';
import type { Goal } from './goals.ts';
import { BODY, deviceId, loadLoop, makeEager } from './loads.ts';
import { startStation, type ServerProcess, type Workplace } from './processes.ts';
import { openConnection, openReceiver } from './wire.ts';

const CALLERS = 32;
const ROUND_MS = 2_000;
const WARM_UP_MS = 5_000;
/** Commands one after the other, over each way. */
const TURNS = 200;
const OWED = 20_000;
const SETTINGS = { mqtt_prefix: 'bench', mqtt_station: 'one' };

export async function measureMqtt(place: Workplace, rounds: number): Promise<Goal[]> {
  await using broker = await startMosquitto(['allow_anonymous true', 'max_queued_messages 0']);
  const url = `mqtt://127.0.0.1:${broker.port}`;
  const client = await connectAsync(url, { protocolVersion: 5 });
  noDelay(client);
  try {
    return [
      ...(await measureCost(place, url, rounds)),
      ...(await measureCommands(place, url, client, rounds)),
      ...(await measureRate(place, url, client, rounds)),
    ];
  } finally {
    await client.endAsync();
  }
}

/** The loop of 32 callers, at a station with a broker and at one without, in turns. */
async function measureCost(place: Workplace, url: string, rounds: number): Promise<Goal[]> {
  // Other programs of the machine do not change the processor time of a loop as they change its duration.
  const cost: Goal = {
    name: `processor time of a loop at ${CALLERS} with a broker / without`,
    unit: 'x',
    values: [],
    atMost: 1.1,
  };
  const speed: Goal = { name: `loops a second at ${CALLERS} with a broker / without`, unit: 'x', values: [] };
  const stations = [await startStation(place.folder(), CALLERS), await startStation(place.folder(), CALLERS)] as const;
  const [plain, bridged] = stations;
  await connectTo(bridged, url);
  const loop = async (station: ServerProcess, durationMs: number): Promise<{ perSecond: number; cpuMs: number }> => {
    const before = station.cpuMs();
    const load = await loadLoop(station, { connections: CALLERS, durationMs, readers: 0, devices: CALLERS });
    return { ...load, cpuMs: (station.cpuMs() - before) / load.turns };
  };
  for (const station of stations) {
    await makeEager(station, CALLERS);
    await loop(station, WARM_UP_MS);
  }
  for (let round = 0; round < rounds; round += 1) {
    const without = await loop(plain, ROUND_MS);
    const withBroker = await loop(bridged, ROUND_MS);
    cost.values.push(withBroker.cpuMs / without.cpuMs);
    speed.values.push(withBroker.perSecond / without.perSecond);
  }
  for (const station of stations) await station.stop();
  return [cost, speed];
}

/** From the command to the callback over HTTP, of devices that are pressed at once: all but the way of the command is the same. */
async function measureCommands(place: Workplace, url: string, client: MqttClient, rounds: number): Promise<Goal[]> {
  const above: Goal = { name: 'command over MQTT, later than over HTTP, p50', unit: 'ms', values: [], atMost: 5 };
  const station = await startStation(place.folder(), 1);
  let called: () => void = () => undefined;
  const receiver = await openReceiver(() => called());
  const connection = await openConnection(station.url);
  await connection.request('PATCH', '/api/settings/', JSON.stringify({ callback_url: receiver.url }));
  await makeEager(station, 1);
  await connectTo(station, url);
  const over = async (send: (body: string) => void): Promise<number> => {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const arrived = new Promise<void>((resolve) => (called = resolve));
      const startedAt = performance.now();
      send(JSON.stringify({ ...BODY, nonce: `n${startedAt}` }));
      await arrived;
      times.push(performance.now() - startedAt);
      // No more than the station takes.
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    return times.toSorted((one, other) => one - other)[Math.floor(TURNS / 2)] ?? Number.NaN;
  };
  const byHttp = (body: string): void => void connection.request('POST', `/api/device/${deviceId(1)}/`, body);
  const byMqtt = (body: string): void => void client.publish(`bench/one/devices/${deviceId(1)}/set`, body, { qos: 1 });
  await over(byHttp);
  for (let round = 0; round < rounds; round += 1) above.values.push((await over(byMqtt)) - (await over(byHttp)));
  for (const { close } of [connection, receiver]) close();
  await station.stop();
  return [above];
}

/** How fast waiting callbacks leave for the broker. */
async function measureRate(place: Workplace, url: string, client: MqttClient, rounds: number): Promise<Goal[]> {
  const rate: Goal = { name: 'callbacks a second to a local broker', unit: '/s', values: [], atLeast: 2_000 };
  let taken = 0;
  let firstAt = 0;
  let allTaken: () => void = () => undefined;
  client.on('message', () => {
    if (taken === 0) firstAt = performance.now();
    taken += 1;
    if (taken === OWED) allTaken();
  });
  await client.subscribeAsync('bench/one/callbacks/#', { qos: 1 });
  for (let round = 0; round < rounds; round += 1) {
    const folder = place.folder();
    await (await startStation(folder, 1)).stop();
    owe(folder, { many: OWED, url: '', dueMs: -1, receiver: 1 });
    taken = 0;
    const station = await startStation(folder, 1);
    await connectTo(station, url);
    await new Promise<void>((resolve) => (allTaken = resolve));
    rate.values.push(OWED / ((performance.now() - firstAt) / 1_000));
    await station.stop();
  }
  return [rate];
}

async function connectTo(station: ServerProcess, url: string): Promise<void> {
  const connection = await openConnection(station.url);
  await connection.request('PATCH', '/api/settings/', JSON.stringify({ ...SETTINGS, mqtt_url: url }));
  const state = async (): Promise<string> =>
    (JSON.parse(await connection.request('GET', '/api/mqtt/', '')) as { state: string }).state;
  while ((await state()) !== 'connected') await new Promise((resolve) => void setTimeout(resolve, 50));
  connection.close();
}

/** Otherwise the bench measures the pauses of its own socket. */
function noDelay({ stream }: MqttClient): void {
  if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true);
}
