import { afterEach, describe, expect, test } from 'vitest';
import { createSimulator } from '../../../electron/server/simulator/simulator.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { Exchange, type Ticket } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import type { Body, Reply, RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededFraction, seededIds } from '../../helpers/seeded.ts';
import { command, DEVICE, silentLog, startRig, type Rig } from '../../integration/turboLink/turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

test('returns a device with its latest values', async () => {
  rig = await startRig();
  expect(rig.sim.findDevice(DEVICE)).toEqual({
    deviceId: DEVICE,
    buttons: 1,
    firmware: 70,
    reachable: true,
    batteryMv: 3_000,
    refreshFullMs: 2_000,
    refreshPartialMs: 300,
    pressAfterMs: undefined,
  });
  expect(rig.sim.setDevice(DEVICE, { batteryMv: 2_400, refreshFullMs: 0, pressAfterMs: 100, reachable: false })).toBe(
    true,
  );
  expect(rig.sim.findDevice(DEVICE)).toMatchObject({
    batteryMv: 2_400,
    refreshFullMs: 0,
    refreshPartialMs: 300,
    pressAfterMs: 100,
    reachable: false,
  });
});

test('adding a device twice keeps the first one', async () => {
  rig = await startRig();
  rig.sim.setDevice(DEVICE, { batteryMv: 2_400 });
  rig.sim.addDevice({ deviceId: DEVICE, buttons: 3, firmware: 10 });
  expect(rig.sim.findDevice(DEVICE)).toMatchObject({ batteryMv: 2_400, buttons: 1 });
});

test('does not find or change an unknown device or turbo', async () => {
  rig = await startRig();
  expect(rig.sim.findDevice('000000:000000')).toBeUndefined();
  expect(rig.sim.look('000000:000000')).toBeUndefined();
  expect(rig.sim.setDevice('000000:000000', {})).toBe(false);
  expect(rig.sim.press('000000:000000', 'front', 'short')).toBe(false);
  expect(rig.sim.restartDevice('000000:000000')).toBe(false);
  expect(rig.sim.setTurbo('SIM-2', { loss: 1 })).toBe(false);
  expect(rig.sim.restartTurbo('SIM-2')).toBe(false);
});

test('latency delays each frame, in both directions', async () => {
  rig = await startRig();
  rig.sim.setDevice(DEVICE, { refreshFullMs: 0, refreshPartialMs: 0 });
  rig.sim.setTurbo('SIM-1', { latencyMs: 40 });
  rig.turbos.want(DEVICE, command(1, 'pick'));
  await rig.clock.advance(39);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0 });
  await rig.clock.advance(1);
  expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1 });
  await rig.clock.advance(39);
  expect(rig.of('sent')).toEqual([]);
  await rig.clock.advance(1);
  expect(rig.of('sent')).toHaveLength(1);
  expect(rig.of('shown')).toMatchObject([{ token: 1, ageMs: 0 }]);
});

test('a thousand devices all connect and all show a command', async () => {
  rig = await startRig({ devices: false });
  const ids = Array.from({ length: 1_000 }, (_, at) => `51D000:${String(at + 1).padStart(6, '0')}`);
  for (const deviceId of ids) rig.sim.addDevice({ deviceId, buttons: 1, firmware: 70 });
  for (const deviceId of ids) rig.turbos.want(deviceId, command(1, deviceId));
  await rig.clock.advance(3_000);
  expect(ids.filter((deviceId) => rig.sim.look(deviceId)?.lit !== true)).toEqual([]);
  expect(rig.turbos.list()).toMatchObject([{ deviceCount: 1_000 }]);
});

/** Starts a minimal station that only exchanges frames. */
async function startBareStation() {
  const clock = createFakeClock(0);
  const wires = createLoopbacks({ clock, fraction: seededFraction(1) });
  clock.whenIdle(() => wires.pending() === 0, 'the wires');
  const requests: { request: RequestMessage; ticket: Ticket }[] = [];
  const replies: Reply[] = [];
  /** The station's answers to hellos, reports and heartbeats. `silent` means no answer. */
  const answers = {
    hello: 'accepted' as Body<'welcome'>['status'] | 'silent',
    /** Answer to a device status. Undefined means the same as `others`. */
    deviceStatus: undefined as 'ok' | 'silent' | undefined,
    others: 'ok' as 'ok' | 'busy' | 'refused' | 'silent',
  };
  let exchange: Exchange | undefined;
  const sim = createSimulator({
    clock,
    ids: seededIds(1),
    log: silentLog(),
    connect(faults) {
      const { station, turbo } = wires.connect(faults);
      const link = new Exchange({
        clock,
        side: 'station',
        firstSeq: 0,
        write: (bytes) => station.write(bytes),
        requested(request, ticket) {
          requests.push({ request, ticket });
          if (request.name === 'hello') {
            if (answers.hello === 'silent') return;
            link.reply(link.resetFor(ticket), {
              name: 'welcome',
              body: { ...EXAMPLES.welcome, status: answers.hello },
            });
          } else {
            const answer = (request.name === 'deviceStatus' ? answers.deviceStatus : undefined) ?? answers.others;
            if (answer !== 'silent') link.ack(ticket, answer);
          }
        },
        tap: undefined,
      });
      exchange = link;
      station.open({ bytes: (chunk) => link.receive(chunk), closed: () => link.stop() });
      return turbo;
    },
  });
  sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
  return {
    clock,
    sim,
    answers,
    replies,
    send: (request: RequestMessage) =>
      exchange?.request({ request: () => request, replied: (reply) => void replies.push(reply) }),
    /** Answers the pending hello. */
    welcomeLate() {
      const hello = requests.find(({ request }) => request.name === 'hello');
      exchange?.reply(hello?.ticket ?? -1, { name: 'welcome', body: EXAMPLES.welcome });
    },
    count: (name: RequestMessage['name']) => requests.filter(({ request }) => request.name === name).length,
  };
}

const show = (change: Partial<Body<'show'>>): RequestMessage => ({
  name: 'show',
  body: { ...EXAMPLES.show, device: DEVICE, ...change },
});

describe('the simulated turbo', () => {
  test('says hello again when the station stops answering', async () => {
    const { clock, sim, answers, count } = await startBareStation();
    await clock.advance(10_000);
    expect(count('hello')).toBe(1);
    answers.others = 'silent';
    answers.hello = 'silent';
    await clock.advance(14_000);
    expect(count('hello')).toBe(1);
    await clock.advance(6_000);
    expect(count('hello')).toBe(2);
    sim.stop();
  });

  test('retries after a second if the station is busy, and keeps the report until it is accepted', async () => {
    const { clock, sim, answers, count } = await startBareStation();
    await clock.advance(0);
    answers.others = 'busy';
    sim.press(DEVICE, 'front', 'long');
    await clock.advance(900);
    expect([count('button'), sim.look(DEVICE)?.heldReports]).toEqual([1, 1]);
    answers.others = 'ok';
    await clock.advance(200);
    expect([count('button'), sim.look(DEVICE)?.heldReports]).toEqual([2, 0]);
    sim.stop();
  });

  test('confirms a sync once the last status is answered, not once it is sent', async () => {
    const { clock, sim, answers, replies, send } = await startBareStation();
    await clock.advance(0);
    answers.deviceStatus = 'silent';
    sim.press(DEVICE, 'front', 'long');
    send({ name: 'sync', body: {} });
    await clock.advance(1_000);
    expect(replies).toEqual([]);
    answers.deviceStatus = 'ok';
    sim.restartTurbo('SIM-1');
    await clock.advance(0);
    send({ name: 'sync', body: {} });
    await clock.advance(0);
    expect(replies).toEqual([{ name: 'synced', body: { devices: 1 } }]);
    sim.stop();
  });

  test('does not confirm a sync while a report is unanswered, even if its device is out of reach', async () => {
    const { clock, sim, answers, replies, send } = await startBareStation();
    await clock.advance(0);
    answers.others = 'silent';
    answers.deviceStatus = 'ok';
    sim.press(DEVICE, 'front', 'long');
    await clock.advance(0);
    sim.setDevice(DEVICE, { reachable: false });
    send({ name: 'sync', body: {} });
    await clock.advance(1_000);
    expect(replies).toEqual([]);
    sim.stop();
  });

  test('repeats a status that the end of the session cut off', async () => {
    const { clock, sim, answers, count } = await startBareStation();
    await clock.advance(0);
    answers.others = 'silent';
    sim.setDevice(DEVICE, { batteryMv: 2_900 });
    await clock.advance(0);
    expect(count('deviceStatus')).toBe(2);
    answers.others = 'ok';
    sim.restartTurbo('SIM-1');
    await clock.advance(0);
    expect(count('deviceStatus')).toBe(3);
    sim.stop();
  });

  test.each(['button', 'deviceStatus', 'heartbeat'] as const)(
    'says hello when a %s is refused, and sends the refused message again',
    async (name) => {
      const { clock, sim, answers, count } = await startBareStation();
      await clock.advance(4_000);
      answers.others = 'refused';
      answers.hello = 'silent';
      if (name === 'button') sim.press(DEVICE, 'front', 'long');
      if (name === 'deviceStatus') sim.setDevice(DEVICE, { batteryMv: 2_900 });
      await clock.advance(name === 'heartbeat' ? 1_000 : 0);
      expect(count('hello')).toBe(2);
      answers.others = 'ok';
      answers.hello = 'accepted';
      sim.restartTurbo('SIM-1');
      await clock.advance(10_000);
      expect(count('hello')).toBe(3);
      expect(sim.look(DEVICE)).toMatchObject({ heldReports: 0 });
      expect(count('button')).toBe(name === 'button' ? 2 : 0);
      expect(count('deviceStatus')).toBe(name === 'deviceStatus' ? 3 : 1);
      sim.stop();
    },
  );

  test('says hello again after half a minute if it is not accepted', async () => {
    const { clock, sim, answers, count } = await startBareStation();
    answers.hello = 'wrongVersion';
    await clock.advance(29_999);
    expect(count('hello')).toBe(1);
    expect(count('deviceStatus')).toBe(0);
    answers.hello = 'accepted';
    await clock.advance(1);
    expect(count('hello')).toBe(2);
    expect(count('deviceStatus')).toBe(1);
    sim.stop();
  });

  test('answers nothing before the welcome, and serves repeated requests afterwards', async () => {
    const { clock, sim, answers, replies, send, welcomeLate } = await startBareStation();
    answers.hello = 'silent';
    await clock.advance(0);
    send(show({}));
    await clock.advance(2_000);
    expect(replies).toEqual([]);
    welcomeLate();
    await clock.advance(5_000);
    expect(replies).toEqual([{ name: 'ack', body: { status: 'ok' } }]);
    sim.stop();
  });

  test.each([
    ['unknownDevice', { device: '000000:000001' }],
    ['contentMissing', { screen: { form: 'same' } }],
    ['malformed', { screen: { form: 'bitmap', packing: 'raw', pixels: new Uint8Array(4_735) } }],
    ['malformed', { screen: { form: 'bitmap', packing: 'packBits', pixels: new Uint8Array(10) } }],
    ['ok', { screen: { form: 'bitmap', packing: 'raw', pixels: new Uint8Array(4_736) } }],
  ] as const)('answers a show with %s', async (status, change) => {
    const { clock, sim, replies, send } = await startBareStation();
    await clock.advance(0);
    send(show(change));
    await clock.advance(0);
    expect(replies).toEqual([{ name: 'ack', body: { status } }]);
    sim.stop();
  });

  test('reports both of two quick changes of a condition', async () => {
    const { clock, sim, count } = await startBareStation();
    await clock.advance(0);
    const before = count('deviceStatus');
    sim.setDevice(DEVICE, { batteryMv: 2_900 });
    sim.setDevice(DEVICE, { batteryMv: 2_800 });
    await clock.advance(0);
    expect(count('deviceStatus')).toBe(before + 2);
    sim.stop();
  });
});
