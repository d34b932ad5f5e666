import { afterEach, describe, expect, test } from 'vitest';
import { drawScreen } from '#shared/screen/raster.ts';
import { unpackBits } from '../../electron/server/turbo/protocol/packBits.ts';
import {
  attachPeer,
  BITMAP_DEVICE,
  command,
  DEVICE,
  seededFraction,
  startRig,
  statics,
  THREE_BUTTONS,
  type Rig,
} from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const tokensSent = () => rig.showsSent().map(({ token, screen }) => `${token} ${screen.form}`);

async function startWithStatics(): Promise<void> {
  rig = await startRig();
  rig.fleet.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
}

describe('a wish', () => {
  test('goes out at once, is told as sent and as shown', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { quantity: 3, sound: '15,c5,4' }));
    await rig.clock.advance(300);
    expect(rig.showsSent()).toEqual([
      {
        device: DEVICE,
        token: 1,
        checksum: command(1, 'pick').checksum,
        seconds: 60,
        quantity: 3,
        led: 'blink',
        color: 0xff0000,
        brightness: 80,
        fixedBrightness: false,
        sound: '15,c5,4',
        screen: {
          form: 'fields',
          label: 'A-01',
          lines: ['pick'],
          quantity: undefined,
          arrow: undefined,
          barcode: '',
          qrcode: '',
          icon: '',
        },
      },
    ]);
    expect(rig.of('sent')).toMatchObject([{ deviceId: DEVICE, token: 1 }]);
    expect(rig.of('shown')).toMatchObject([{ deviceId: DEVICE, token: 1, checksum: command(1, 'pick').checksum }]);
  });

  test('for a device that nobody hears waits until it is heard', async () => {
    rig = await startRig({ devices: false });
    rig.fleet.want(DEVICE, command(1, 'first'));
    rig.fleet.want(DEVICE, command(2, 'second'));
    await rig.clock.advance(10_000);
    expect(rig.showsSent()).toEqual([]);
    rig.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['2 fields']);
  });

  test('for a device out of reach waits until it is back', async () => {
    await startWithStatics();
    rig.sim.setDevice(DEVICE, { reachable: false });
    await rig.clock.advance(0);
    expect(rig.of('heard')).toMatchObject([{ deviceId: DEVICE, status: { reachable: false } }]);
    expect(rig.fleet.turboOf(DEVICE)).toBeUndefined();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(60_000);
    expect(rig.showsSent()).toEqual([]);
    rig.sim.setDevice(DEVICE, { reachable: true });
    await rig.clock.advance(300);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, lit: true });
  });

  test('that crosses the news that the device is out of reach is kept', async () => {
    await startWithStatics();
    rig.sim.setDevice(DEVICE, { reachable: false });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(5_000);
    expect(tokensSent()).toEqual(['1 fields']);
    expect(rig.of('sent')).toEqual([]);
    rig.sim.setDevice(DEVICE, { reachable: true });
    await rig.clock.advance(0);
    expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
  });

  test('that replaces one in flight goes out right behind its answer; those between never do', async () => {
    await startWithStatics();
    rig.sim.setTurbo('SIM-1', { latencyMs: 50 });
    for (let token = 1; token <= 5; token++) rig.fleet.want(DEVICE, command(token, `pick ${token}`));
    await rig.clock.advance(60);
    expect(tokensSent()).toEqual(['1 fields']);
    await rig.clock.advance(40);
    expect(tokensSent()).toEqual(['1 fields', '5 fields']);
    await rig.clock.advance(5_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 5 });
  });

  test('that returns to what is shown while another is in flight ends as wanted', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(10_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, lit: false, checksum: statics('shelf').checksum });
  });

  test('is dropped by forget', async () => {
    rig = await startRig({ devices: false });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    rig.fleet.forget(DEVICE);
    rig.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
    await rig.clock.advance(1_000);
    expect(rig.showsSent()).toEqual([]);
  });
});

describe('nothing is sent twice', () => {
  test('when the same is wanted again, as the same or as an equal object', async () => {
    await startWithStatics();
    for (let at = 0; at < 5; at++) {
      rig.fleet.want(DEVICE, command(1, 'pick'));
      await rig.clock.advance(500);
    }
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('when the same is wanted with what is left of its seconds', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 60 }));
    await rig.clock.advance(20_300);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 41 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 300 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    // Near its end "for ever" is not what is left.
    await rig.clock.advance(297_000);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(1_000);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([60, 300, 0]);
  });

  test('when the worker counts', async () => {
    rig = await startRig();
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 3 }));
    await rig.clock.advance(2_000);
    rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(1_000);
    rig.fleet.want(THREE_BUTTONS, command(1, 'pick', { quantity: 3 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 4 });
  });

  test('when the device went back to its background by itself and that is what is wanted', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 5 }));
    await rig.clock.advance(300);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(300);
    rig.fleet.want(DEVICE, command(2, 'pick', { seconds: 5 }));
    await rig.clock.advance(5_300);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }]);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(10_000);
    expect(tokensSent()).toEqual(['1 fields', '2 fields']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  });

  test('when the link comes back and the device shows it still', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(5_000);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(5_000);
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('while the e-paper is still drawing it, although the link comes back meanwhile', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10);
    rig.sim.restartTurbo('SIM-1');
    await rig.clock.advance(0);
    expect(rig.of('heard').at(-3)).toMatchObject({ deviceId: DEVICE, status: { shownToken: 0 } });
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('after a restart of the station, whether it wants before or after the status', async () => {
    rig = await startRig({ devices: false });
    for (const early of [true, false]) {
      const device = early ? DEVICE : THREE_BUTTONS;
      if (early) rig.fleet.want(device, command(7, 'pick'));
      const peer = attachPeer(rig);
      peer.hello({ serialNumber: `T-${device}` });
      peer.status({ device, shownToken: 7, shownChecksum: command(7, 'pick').checksum, rssiDbm: -20, epoch: 5 });
      await rig.clock.advance(0);
      if (!early) rig.fleet.want(device, command(7, 'pick'));
      await rig.clock.advance(1_000);
      expect(peer.shows()).toEqual([]);
    }
  });
});

describe('an unchanged screen is not sent again', () => {
  test('when only the LED changes', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    const { refreshes } = rig.sim.look(DEVICE) ?? {};
    rig.fleet.want(DEVICE, command(1, 'pick', { led: { mode: 'steady', hex: '00ff00', fixedBrightness: true } }));
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    expect(rig.showsSent()[1]).toMatchObject({ led: 'steady', color: 0x00ff00, fixedBrightness: true });
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, lit: true, refreshes });
  });

  test('when another command says the same', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '2 same']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2 });
  });

  test('when a command is withdrawn: the device keeps its background', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(300);
    expect(tokensSent()).toEqual(['1 fields', '0 same']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, lit: false });
  });

  test('unless the device has lost it and says so', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    // The wish crosses the status of the restarted device.
    rig.sim.restartDevice(DEVICE);
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(3_000);
    expect(tokensSent().slice(0, 3)).toEqual(['1 fields', '2 same', '2 fields']);
    expect(rig.messages).toContainEqual({
      direction: 'in',
      message: { name: 'ack', body: { status: 'contentMissing' } },
    });
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2, lit: true });
  });

  test('and what is missing once is sent whole until it was taken', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.answerShows('contentMissing');
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, command(3, 'pick'));
    await rig.clock.advance(0);
    expect(peer.shows().map(({ screen }) => screen.form)).toEqual(['fields', 'same', 'fields', 'same']);
  });

  test('and a turbo that misses even the whole content is not asked for ever', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'contentMissing';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(60_000);
    expect(peer.shows()).toHaveLength(1);
  });
});

describe('what the station has to know of a device to be right', () => {
  async function startPeer() {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    const sent = () => peer.shows().map(({ token, screen }) => `${token} ${screen.form}`);
    return { peer, sent };
  }

  test('the answer to a show may come later than the press on it: the background is back', async () => {
    const { peer, sent } = await startPeer();
    peer.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    peer.answerShows('ok');
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(5_000);
    expect(sent()).toEqual(['0 fields', '1 fields']);
  });

  test('a device that started anew has no background, even where it shows the command again', async () => {
    const { peer, sent } = await startPeer();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ epoch: 99, shownToken: 1, shownChecksum: command(1, 'pick').checksum });
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '0 fields']);
  });

  test('a device that started anew while a show was on its way is sent it again', async () => {
    const { peer, sent } = await startPeer();
    peer.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ epoch: 99 });
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.answerShows('ok');
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '1 fields']);
  });

  test('a background that somebody else has set is not ours', async () => {
    const { peer, sent } = await startPeer();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.status({ shownToken: 0, shownChecksum: 4_711 });
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(sent()).toEqual(['0 fields', '1 fields', '1 fields', '0 fields']);
  });

  test('a background that was there before the station started is known by its checksum', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 0, shownChecksum: statics('shelf').checksum });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(5_000);
    expect(peer.shows().map(({ token }) => token)).toEqual([1]);
  });

  test('a background that the device reports by itself is what is wanted', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum });
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.press({ token: 1 });
    peer.send({ name: 'shown', body: { device: DEVICE, token: 0, checksum: statics('shelf').checksum, ageMs: 0 } });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(0);
    expect(peer.shows()).toEqual([]);
  });

  test('a sound that fits no frame is left out, the rest is shown', async () => {
    const { peer } = await startPeer();
    rig.fleet.want(DEVICE, command(1, 'pick', { sound: `140,${'c5,1,'.repeat(1_000)}` }));
    await rig.clock.advance(0);
    expect(peer.shows().at(-1)).toMatchObject({ token: 1, sound: '' });
  });
});

describe('the seconds of a command', () => {
  test('go on when it is sent again because something else of it changed', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30 }));
    await rig.clock.advance(20_300);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30, brightness: 5 }));
    await rig.clock.advance(5_000);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30, brightness: 6 }));
    await rig.clock.advance(4_999);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 10, 5]);
    expect(rig.of('ended')).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.of('ended')).toMatchObject([{ token: 1 }]);
  });

  test('count from when it was shown, also where that is told late', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30 }));
    await rig.clock.advance(100);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(5_200);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(0);
    expect(rig.of('shown')).toMatchObject([{ token: 1, ageMs: 5_000 }]);
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30, brightness: 5 }));
    await rig.clock.advance(0);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 25]);
  });

  test('go on when its device was restarted', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick', { seconds: 30 }));
    await rig.clock.advance(20_300);
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(0);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([30, 10]);
  });

  test('go on when the station was restarted, as the device says', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum, remainingMs: 12_000 });
    await rig.clock.advance(2_000);
    rig.fleet.want(DEVICE, command(1, 'other words', { seconds: 60 }));
    await rig.clock.advance(0);
    expect(peer.shows()).toMatchObject([{ token: 1, seconds: 10 }]);
  });

  test('that are over are one, and of another command they are its own', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum, remainingMs: 3_000 });
    await rig.clock.advance(10_000);
    rig.fleet.want(DEVICE, command(1, 'other words', { seconds: 60 }));
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, command(2, 'next', { seconds: 60 }));
    await rig.clock.advance(0);
    expect(peer.shows()).toMatchObject([
      { token: 1, seconds: 1 },
      { token: 2, seconds: 60 },
    ]);
  });
});

describe('a device that was restarted', () => {
  test('is shown again what it should show, and later its background, whole', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(2_000);
    expect(tokensSent()).toEqual(['1 fields', '1 fields']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, lit: true });
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('shelf'));
    await rig.clock.advance(3_000);
    expect(tokensSent().at(-1)).toBe('0 fields');
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  });

  test('is shown what the engine says when it hears of it, and nothing before', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.events.heard = (_turbo, deviceId) => rig.fleet.want(deviceId, command(2, 'next'));
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '2 fields']);
  });
});

describe('a press and a change of the same command that cross', () => {
  test('leave the device dark: it never lights a command again that it has ended', async () => {
    await startWithStatics();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { latencyMs: 20 });
    rig.fleet.want(DEVICE, command(1, 'pick', { brightness: 10 }));
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(10_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, lit: false });
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(1_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2, lit: true });
  });
});

describe('bitmaps', () => {
  test('are sent to a device that draws nothing else, packed, as the station draws them', async () => {
    rig = await startRig();
    rig.fleet.want(BITMAP_DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    const screen = rig.showsSent()[0]?.screen;
    if (screen?.form !== 'bitmap') throw new Error('no bitmap was sent');
    expect(screen.packing).toBe('packBits');
    const pixels = screen.packing === 'raw' ? screen.pixels : unpackBits(screen.pixels, 4_736);
    const drawn = drawScreen(command(1, 'pick').screen, { firmware: 40, batteryMv: 3_000 });
    expect(pixels).toEqual(drawn.bytes);
    expect(rig.sim.look(BITMAP_DEVICE)).toMatchObject({ token: 1, lit: true });
  });

  test('of the same content are not sent again', async () => {
    rig = await startRig();
    rig.fleet.want(BITMAP_DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.fleet.want(BITMAP_DEVICE, command(2, 'pick'));
    await rig.clock.advance(2_000);
    expect(rig.showsSent().map(({ screen }) => screen.form)).toEqual(['bitmap', 'same']);
  });

  test('a device that can draw neither is given up, once, with a line in the log', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ capabilities: 0 });
    await rig.clock.advance(0);
    for (let at = 0; at < 3; at++) {
      rig.fleet.want(DEVICE, command(1, 'pick'));
      await rig.clock.advance(1_000);
    }
    expect(peer.shows()).toEqual([]);
    expect(rig.log.lines.filter((line) => line === 'A show was refused')).toHaveLength(1);
  });
});

describe('a turbo that answers', () => {
  test('busy is asked again after a second', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'busy';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_500);
    expect(peer.shows()).toHaveLength(3);
    peer.showAnswer = 'ok';
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(4);
    expect(rig.of('sent')).toHaveLength(1);
  });

  test('refused is not asked again for the same', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'refused';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(1);
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.shows()).toHaveLength(2);
  });

  test('refused because it has no session is asked again in the next', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'refused';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.hello({ bootId: 2 });
    peer.status();
    await rig.clock.advance(0);
    expect(peer.shows()).toHaveLength(2);
    expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
  });

  test('not at all is asked with the same number, and the newest wish follows its answer', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(5_000);
    rig.fleet.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(5_000);
    expect(peer.shows().map(({ token }) => token)).toEqual([1]); // repetitions are dropped by the peer
    expect(rig.showsSent().map(({ token }) => token)).toEqual([1, 1, 1]);
    const asked = peer.requests.find(({ request }) => request.name === 'show');
    peer.exchange.ack(asked?.ticket ?? -1, 'ok');
    await rig.clock.advance(0);
    expect(peer.shows().map(({ token }) => token)).toEqual([1, 2]);
  });

  test('is sent no more shows at a time than it bears', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello({ window: 3 });
    peer.showAnswer = 'silent';
    const ids = Array.from({ length: 10 }, (_, at) => `AAAAAA:00000${at}`);
    for (const device of ids) peer.status({ device });
    for (const device of ids) rig.fleet.want(device, command(1, 'pick'));
    await rig.clock.advance(100);
    expect(peer.shows()).toHaveLength(3);
    // Those that wait go out as what is wanted by then.
    for (const device of ids) rig.fleet.want(device, command(2, 'pick'));
    peer.showAnswer = 'ok';
    for (const { request, ticket } of peer.requests) if (request.name === 'show') peer.exchange.ack(ticket, 'ok');
    await rig.clock.advance(100);
    expect(peer.shows().filter(({ token }) => token === 1)).toHaveLength(3);
    expect(peer.shows().filter(({ token }) => token === 2)).toHaveLength(10);
  });
});

describe('a device that two turbos hear', () => {
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

  test('is served by the one that hears it better', async () => {
    const { near, far } = await startTwo();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect([near.shows().length, far.shows().length]).toEqual([1, 0]);
    expect(rig.fleet.turboOf(DEVICE)).toMatchObject({ serialNumber: 'NEAR' });
    far.status({ rssiDbm: -45 });
    await rig.clock.advance(0);
    expect(rig.fleet.turboOf(DEVICE)).toMatchObject({ serialNumber: 'NEAR' }); // not for 5 dB
    far.status({ rssiDbm: -35 });
    await rig.clock.advance(0);
    expect(rig.fleet.turboOf(DEVICE)).toMatchObject({ serialNumber: 'FAR' });
  });

  test('is served by the other when the first is gone, and what was in flight goes out there', async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    near.stop();
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
    expect(rig.fleet.turboOf(DEVICE)).toMatchObject({ serialNumber: 'FAR' });
    far.stop();
    await rig.clock.advance(0);
    expect(rig.fleet.turboOf(DEVICE)).toBeUndefined();
  });

  test('is shown what is wanted although that was shown before, when something else was in flight', async () => {
    const { near, far } = await startTwo();
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    near.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(2, 'other'));
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, command(1, 'pick'));
    near.stop();
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
  });

  test('is not believed to show what it reported before it was told something else', async () => {
    rig = await startRig({ devices: false });
    const near = attachPeer(rig);
    near.hello({ serialNumber: 'NEAR' });
    near.status({ rssiDbm: -50, shownToken: 0, shownChecksum: statics('old').checksum });
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('new'));
    const far = attachPeer(rig);
    far.hello({ serialNumber: 'FAR' });
    far.status({ rssiDbm: -70, shownToken: 0, shownChecksum: statics('new').checksum });
    await rig.clock.advance(0);
    near.showAnswer = 'silent';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    far.showAnswer = 'silent';
    near.stop();
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, statics('old'));
    far.showAnswer = 'ok';
    far.answerShows('busy');
    await rig.clock.advance(0);
    expect(far.shows().map(({ token, checksum }) => [token, checksum])).toEqual([
      [1, command(1, 'pick').checksum],
      [0, statics('old').checksum],
    ]);
  });

  test('is served by the other when the first does not reach it any more', async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'unreachable';
    rig.fleet.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    expect(near.shows()).toHaveLength(1);
    expect(far.shows()).toMatchObject([{ token: 1 }]);
  });

  test('that waits for the window of one is served by the other when that becomes the better one', async () => {
    const { near, far } = await startTwo();
    near.showAnswer = 'silent';
    const others = Array.from({ length: 40 }, (_, at) => `AAAAAA:0000${String(at).padStart(2, '0')}`);
    for (const device of others) near.status({ device });
    for (const device of others) rig.fleet.want(device, command(1, 'pick'));
    await rig.clock.advance(0);
    rig.fleet.want(DEVICE, command(9, 'pick'));
    far.status({ rssiDbm: -20 });
    await rig.clock.advance(0);
    for (const { request, ticket } of near.requests) if (request.name === 'show') near.exchange.ack(ticket, 'ok');
    await rig.clock.advance(0);
    expect(far.shows()).toMatchObject([{ device: DEVICE, token: 9 }]);
    expect(near.shows().some(({ device }) => device === DEVICE)).toBe(false);
  });
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('with 30 % of the frames lost (seed %i)', (seed) => {
  test('every device ends up showing its last wish, and every press arrives', async () => {
    rig = await startRig({ seed });
    rig.sim.setTurbo('SIM-1', { loss: 0.3, latencyMs: 15 });
    const fraction = seededFraction(seed * 77);
    const devices = [DEVICE, THREE_BUTTONS, BITMAP_DEVICE];
    let token = 0;
    let presses = 0;
    for (let step = 0; step < 60; step++) {
      const device = devices[Math.floor(fraction() * 3)] ?? DEVICE;
      if (fraction() < 0.7) rig.fleet.want(device, command(++token, `pick ${step % 7}`, { seconds: 0 }));
      else if (rig.sim.press(device, 'front', 'long')) presses++;
      await rig.clock.advance(fraction() * 3_000);
    }
    const last = new Map<string, number>();
    for (const device of devices) {
      rig.fleet.want(device, command(++token, `last ${device}`, { seconds: 0 }));
      last.set(device, token);
    }
    await rig.clock.advance(300_000);
    for (const device of devices) {
      expect(rig.sim.look(device)).toMatchObject({ token: last.get(device), lit: true, heldReports: 0 });
    }
    const told = rig.of('button').map(({ deviceId, counter }) => `${deviceId} ${counter}`);
    expect(new Set(told).size).toBe(presses);
    expect(rig.fleet.idle()).toBe(true);
  });
});
