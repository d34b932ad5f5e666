import { afterEach, describe, expect, test } from 'vitest';
import { attachPeer, command, DEVICE, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

describe('a show to a turbo', () => {
  test('is sent again a second after a busy answer', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'busy';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_500);
    expect(peer.shows()).toHaveLength(3);
    peer.showAnswer = 'ok';
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(4);
    expect(rig.of('sent')).toHaveLength(1);
  });

  test('is not sent again after a refused answer', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'refused';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(1);
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(2);
  });

  test('is sent again in the next session if the turbo refused it because it had no session', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'refused';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.hello({ bootId: 2 });
    peer.status();
    await rig.clock.advance(0);
    expect(peer.shows()).toHaveLength(2);
    expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
  });

  test('is repeated with the same number while unanswered, and the newest wanted show follows the answer', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(5_000);
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(5_000);
    expect(peer.shows().map(({ token }) => token)).toEqual([1]); // the peer drops repetitions
    expect(rig.showsSent().map(({ token }) => token)).toEqual([1, 1, 1]);
    const asked = peer.requests.find(({ request }) => request.name === 'show');
    peer.exchange.ack(asked?.ticket ?? -1, 'ok');
    await rig.clock.advance(0);
    expect(peer.shows().map(({ token }) => token)).toEqual([1, 2]);
  });

  test("waits while the turbo's window is full", async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello({ window: 3 });
    peer.showAnswer = 'silent';
    const ids = Array.from({ length: 10 }, (_, at) => `AAAAAA:00000${at}`);
    for (const device of ids) peer.status({ device });
    for (const device of ids) rig.turbos.want(device, command(1, 'pick'));
    await rig.clock.advance(100);
    expect(peer.shows()).toHaveLength(3);
    // When the window opens, the waiting shows have the newest wanted content.
    for (const device of ids) rig.turbos.want(device, command(2, 'pick'));
    peer.showAnswer = 'ok';
    for (const { request, ticket } of peer.requests) if (request.name === 'show') peer.exchange.ack(ticket, 'ok');
    await rig.clock.advance(100);
    expect(peer.shows().filter(({ token }) => token === 1)).toHaveLength(3);
    expect(peer.shows().filter(({ token }) => token === 2)).toHaveLength(10);
  });
});

test('when a turbo finds a new device, reports only that turbo as changed', async () => {
  rig = await startRig({ devices: false });
  const [first, second] = ['A', 'B'].map((serialNumber) => {
    const peer = attachPeer(rig);
    peer.hello({ serialNumber });
    return peer;
  });
  await rig.clock.advance(1_000);
  first?.status();
  await rig.clock.advance(1_000);
  rig.forgetPast();
  second?.status({ device: 'AAAAAA:000001' });
  await rig.clock.advance(1_000);
  expect(rig.of('turboChanged').map(({ state }) => state.serialNumber)).toEqual(['B']);
});

describe('a device in range of two turbos', () => {
  async function startTwo() {
    rig = await startRig({ devices: false });
    const near = attachPeer(rig);
    near.hello({ serialNumber: 'NEAR' });
    near.status({ rssiDbm: -50 });
    const far = attachPeer(rig);
    far.hello({ serialNumber: 'FAR' });
    far.status({ rssiDbm: -70 });
    await rig.clock.advance(0);
    return { near, far };
  }

  test('is served by the turbo with the better signal, and moves only if the other signal becomes much better', async () => {
    const { near, far } = await startTwo();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect([near.shows().length, far.shows().length]).toEqual([1, 0]);
    near.shown(command(1, 'pick'));
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'NEAR' });
    far.status({ rssiDbm: -45 });
    await rig.clock.advance(0);
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'NEAR' }); // a difference of 5 dB is not enough
    far.status({ rssiDbm: -35 });
    await rig.clock.advance(0);
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'FAR' });
  });

  test('moves to the other turbo when the first disconnects, and the show in flight is resent there', async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    near.stop();
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'FAR' });
    far.stop();
    await rig.clock.advance(0);
    expect(rig.turbos.turboOf(DEVICE)).toBeUndefined();
  });

  test('moves to the best of the remaining turbos, even if it is only slightly better', async () => {
    const { near } = await startTwo();
    const third = attachPeer(rig);
    third.hello({ serialNumber: 'THIRD' });
    third.status({ rssiDbm: -69 });
    await rig.clock.advance(0);
    near.stop();
    await rig.clock.advance(0);
    expect(rig.turbos.turboOf(DEVICE)).toMatchObject({ serialNumber: 'THIRD' });
  });

  test('is sent the wanted content again if another show was in flight to the lost turbo', async () => {
    const { near, far } = await startTwo();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    near.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(2, 'other'));
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, command(1, 'pick'));
    near.stop();
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
  });

  test('is not assumed to show earlier content after other content was sent', async () => {
    rig = await startRig({ devices: false });
    const near = attachPeer(rig);
    near.hello({ serialNumber: 'NEAR' });
    near.status({ rssiDbm: -50, shownToken: 0, shownChecksum: statics('old').checksum });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('new'));
    const far = attachPeer(rig);
    far.hello({ serialNumber: 'FAR' });
    far.status({ rssiDbm: -70, shownToken: 0, shownChecksum: statics('new').checksum });
    await rig.clock.advance(0);
    near.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    far.showAnswer = 'silent';
    near.stop();
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('old'));
    far.showAnswer = 'ok';
    far.answerShows('busy');
    await rig.clock.advance(0);
    expect(far.shows().map(({ token, checksum }) => [token, checksum])).toEqual([
      [1, command(1, 'pick').checksum],
      [0, statics('old').checksum],
    ]);
  });

  test('moves to the other turbo when the first cannot reach it', async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'unreachable';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect(near.shows()).toHaveLength(1);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
  });

  test("moves to a turbo whose signal becomes better while the show waits for the first turbo's window", async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'silent';
    const others = Array.from({ length: 40 }, (_, at) => `AAAAAA:0000${String(at).padStart(2, '0')}`);
    for (const device of others) near.status({ device });
    for (const device of others) rig.turbos.want(device, command(1, 'pick'));
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, command(9, 'pick'));
    far.status({ rssiDbm: -20 });
    await rig.clock.advance(0);
    for (const { request, ticket } of near.requests) if (request.name === 'show') near.exchange.ack(ticket, 'ok');
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ device: DEVICE, token: 9 }]);
    expect(near.shows().some(({ device }) => device === DEVICE)).toBe(false);
  });
});
