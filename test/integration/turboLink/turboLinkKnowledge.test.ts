import { afterEach, describe, expect, test } from 'vitest';
import { attachPeer, command, DEVICE, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const tokensSent = () => rig.showsSent().map(({ token, screen }) => `${token} ${screen.form}`);

async function startWithStatics(): Promise<void> {
  rig = await startRig();
  rig.turbos.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
}

describe('knowledge about a device', () => {
  async function startPeer() {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    const sent = () => peer.shows().map(({ token, screen }) => `${token} ${screen.form}`);
    return { peer, sent };
  }

  test('the station knows that a press has restored the background, even if the show is answered only after the press', async () => {
    const { peer, sent } = await startPeer();
    peer.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    peer.answerShows('ok');
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(5_000);
    expect(sent()).toEqual(['0 fields', '1 fields']);
  });

  test('a background that was reported before the press that ended its command is not sent again', async () => {
    const { peer, sent } = await startPeer();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.shown(command(1, 'pick'));
    await rig.clock.advance(0);
    peer.shown(statics('shelf'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(5_000);
    expect(sent()).toEqual(['0 fields', '1 fields']);
  });

  test('if the only turbo of a device reports an earlier epoch, the epoch is accepted, even over a new connection', async () => {
    const { peer } = await startPeer();
    peer.status({ epoch: 99 });
    peer.status();
    await rig.clock.advance(0);
    expect(rig.turbos.reaches(DEVICE)).toBe(true);
    peer.status({ epoch: 99 });
    peer.stop();
    const back = attachPeer(rig);
    back.hello();
    back.status();
    await rig.clock.advance(0);
    expect(rig.turbos.reaches(DEVICE)).toBe(true);
  });

  test('a restarted device is assumed to have no background, even if it shows the command again', async () => {
    const { peer, sent } = await startPeer();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ epoch: 99, shownToken: 1, shownChecksum: command(1, 'pick').checksum });
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '0 fields']);
  });

  test('a show is resent if the device restarted while the show was in flight', async () => {
    const { peer, sent } = await startPeer();
    peer.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ epoch: 99 });
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.answerShows('ok');
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '1 fields']);
  });

  test("a background set by another station does not count as this station's", async () => {
    const { peer, sent } = await startPeer();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ shownToken: 0, shownChecksum: 4_711 });
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '1 fields', '0 fields']);
  });

  test('a background that was sent before the station started is recognized by its checksum', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 0, shownChecksum: statics('shelf').checksum });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(5_000);
    expect(peer.shows().map(({ token }) => token)).toEqual([1]);
  });

  test('a background that the device reports is not sent again', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    peer.send({ name: 'shown', body: { device: DEVICE, token: 0, checksum: statics('shelf').checksum, ageMs: 0 } });
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(peer.shows()).toEqual([]);
  });

  test('a sound that does not fit into a frame is dropped, and the rest is shown', async () => {
    const { peer } = await startPeer();
    rig.turbos.want(DEVICE, command(1, 'pick', { sound: `140,${'c5,1,'.repeat(1_000)}` }));
    await rig.clock.advance(0);
    expect(peer.shows().at(-1)).toMatchObject({ token: 1, sound: '' });
  });
});

describe('the seconds of a command', () => {
  test('continue when the command is sent again because another part of it changed', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 30 }));
    await rig.clock.advance(20_300);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 30, brightness: 5 }));
    await rig.clock.advance(5_000);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 30, brightness: 6 }));
    await rig.clock.advance(4_999);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 10, 5]);
    expect(rig.of('ended')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 1 }]);
  });

  test('count from when the command was shown, even if that is reported late', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'one'));
    await rig.clock.advance(300);
    rig.forgetPast();
    // A device that already shows work lights up only once the picture is drawn.
    rig.turbos.want(DEVICE, command(2, 'two', { seconds: 30 }));
    await rig.clock.advance(100);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(5_200);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('shown')).toMatchObject([{ token: 2, ageMs: 5_000 }]);
    rig.turbos.want(DEVICE, command(2, 'two', { seconds: 30, brightness: 5 }));
    await rig.clock.advance(0);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 25]);
  });

  test('continue after the device restarts', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 30 }));
    await rig.clock.advance(20_300);
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(0);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 10]);
  });

  test('continue after the station restarts, as reported by the device', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum, remainingMs: 12_000 });
    await rig.clock.advance(2_000);
    rig.turbos.want(DEVICE, command(1, 'other words', { seconds: 60 }));
    await rig.clock.advance(0);
    expect(peer.shows()).toMatchObject([{ token: 1, seconds: 10 }]);
  });

  test('are sent as one second when they have run out, and in full for a new command', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum, remainingMs: 3_000 });
    await rig.clock.advance(10_000);
    rig.turbos.want(DEVICE, command(1, 'other words', { seconds: 60 }));
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, command(2, 'next', { seconds: 60 }));
    await rig.clock.advance(0);
    expect(peer.shows()).toMatchObject([
      { token: 1, seconds: 1 },
      { token: 2, seconds: 60 },
    ]);
  });
});

describe('a restarted device', () => {
  test('is shown its command again, and later its background in full', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(2_000);
    expect(tokensSent()).toEqual(['1 fields', '1 fields']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, led: 'blink' });
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(3_000);
    expect(tokensSent().at(-1)).toBe('0 fields');
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  });

  test('is shown only what the engine wants after the restart was reported', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.events.statusReceived = (_turbo, deviceId) => rig.turbos.want(deviceId, command(2, 'next'));
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '2 fields']);
  });
});

describe('a press during a change of the same command', () => {
  test('leaves the device dark, because it never lights a command again that has ended', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { latencyMs: 20 });
    rig.turbos.want(DEVICE, command(1, 'pick', { brightness: 10 }));
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(10_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, led: 'off' });
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(1_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2, led: 'blink' });
  });
});
