import { afterEach, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { createFrameWriter, encodeFrame } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { heapInUse } from '../../helpers/heap.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';
import { tapWire } from '../../helpers/devices/tapWire.ts';
import { attachPeer, startRig, type Rig } from '../turboLink/turboLinkRig.ts';

describe('a turbo that restarts repeatedly', () => {
  let rig: Rig;
  afterEach(() => rig.stop());

  test('is synced once after each restart, even if it never answers', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.exchange.window = 255;
    for (let boot = 0; boot < 30; boot += 1) {
      peer.requests.length = 0;
      peer.exchange.reset();
      peer.syncAnswer = boot < 29 ? 'silent' : 'synced';
      // Sometimes another caller drains at the same time, as after each start of a link.
      const drained = boot % 10 === 5 ? rig.turbos.drain(1) : undefined;
      peer.hello({ bootId: boot });
      await rig.clock.advance(5);
      await drained;
      expect(peer.requests.map(({ request }) => request.name)).toEqual(['sync']);
    }
  });

  test('and has a new serial number each time leaves only the last one online', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    for (let boot = 0; boot < 5; boot += 1) peer.hello({ serialNumber: `T-${boot}` });
    await rig.clock.advance(0);
    const last = new Map(rig.of('turboChanged').map(({ state }) => [state.serialNumber, state.status]));
    expect(Object.fromEntries(last)).toEqual({
      'SIM-1': 'online',
      'T-0': 'offline',
      'T-1': 'offline',
      'T-2': 'offline',
      'T-3': 'offline',
      'T-4': 'online',
    });
  });
});

test('a turbo that keeps reporting new devices does not fill memory', async () => {
  const wire = tapWire();
  await using station = await startTestStation({ simulate: 1, watchTransport: wire.watch });
  await station.patch('/api/settings/', { accept_devices: 'ask' });
  const scratch = createFrameWriter();
  let seq = 0;
  const send = (...message: Parameters<typeof encodeFrame>[1][]) => {
    for (const each of message) wire.toStation(encodeFrame(scratch, each, (seq += 1) % 0x10000, false));
  };
  const inventMany = async (first: number): Promise<number> => {
    send({ name: 'hello', body: { ...EXAMPLES.hello, bootId: first } });
    for (let number = first; number < first + 7_000; number += 1) {
      const device = `ABCDEF:${number.toString(16).toUpperCase().padStart(6, '0')}`;
      send({ name: 'deviceStatus', body: { ...EXAMPLES.deviceStatus, device } });
    }
    await station.clock.advance(1_000);
    return heapInUse();
  };
  await inventMany(0);
  const before = await inventMany(7_000);
  await inventMany(14_000);
  const after = await inventMany(21_000);
  expect(await station.get('/api/devices/waiting/')).toHaveLength(5_000);
  expect(after - before).toBeLessThan(2_000_000);
});
