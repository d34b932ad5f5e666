import { afterEach, describe, expect, test } from 'vitest';
import { drawScreen } from '#shared/screen/raster.ts';
import { CAN_DRAW_FIELDS, HAS_NO_SCREEN } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { unpackBits } from '../../../electron/server/turbo/frames/protocol/packBits.ts';
import {
  attachPeer,
  BITMAP_DEVICE,
  command,
  DEVICE,
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
  rig.turbos.want(DEVICE, statics('shelf'));
  await rig.clock.advance(2_000);
  rig.forgetPast();
}

describe('a wanted show', () => {
  test('is sent immediately, and reported as sent and as shown', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick', { quantity: 3, sound: '15,c5,4' }));
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

  test('for a device that no turbo has reported waits until a turbo reports the device', async () => {
    rig = await startRig({ devices: false });
    rig.turbos.want(DEVICE, command(1, 'first'));
    rig.turbos.want(DEVICE, command(2, 'second'));
    await rig.clock.advance(10_000);
    expect(rig.showsSent()).toEqual([]);
    rig.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['2 fields']);
  });

  test('for an unreachable device waits until the device is reachable', async () => {
    await startWithStatics();
    rig.sim.setDevice(DEVICE, { reachable: false });
    await rig.clock.advance(0);
    expect(rig.of('heard')).toMatchObject([{ deviceId: DEVICE, status: { reachable: false } }]);
    expect(rig.turbos.turboOf(DEVICE)).toBeUndefined();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(60_000);
    expect(rig.showsSent()).toEqual([]);
    rig.sim.setDevice(DEVICE, { reachable: true });
    await rig.clock.advance(300);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, lit: true });
  });

  test('is kept if it crosses the report that the device is unreachable', async () => {
    await startWithStatics();
    rig.sim.setDevice(DEVICE, { reachable: false });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(5_000);
    expect(tokensSent()).toEqual(['1 fields']);
    expect(rig.of('sent')).toEqual([]);
    rig.sim.setDevice(DEVICE, { reachable: true });
    await rig.clock.advance(0);
    expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
  });

  test('that replaces a show in flight is sent right after the answer, skipping intermediate ones', async () => {
    await startWithStatics();
    rig.sim.setTurbo('SIM-1', { latencyMs: 50 });
    for (let token = 1; token <= 5; token++) rig.turbos.want(DEVICE, command(token, `pick ${token}`));
    await rig.clock.advance(60);
    expect(tokensSent()).toEqual(['1 fields']);
    await rig.clock.advance(40);
    expect(tokensSent()).toEqual(['1 fields', '5 fields']);
    await rig.clock.advance(5_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 5 });
  });

  test('that returns to the shown screen while another show is in flight takes effect', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(10_000);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, lit: false, checksum: statics('shelf').checksum });
  });

  test('is dropped when its device is forgotten', async () => {
    rig = await startRig({ devices: false });
    rig.turbos.want(DEVICE, command(1, 'pick'));
    rig.turbos.forget(DEVICE);
    rig.sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
    await rig.clock.advance(1_000);
    expect(rig.showsSent()).toEqual([]);
  });
});

describe('nothing is sent twice', () => {
  test('when the same show is wanted again', async () => {
    await startWithStatics();
    for (let at = 0; at < 5; at++) {
      rig.turbos.want(DEVICE, command(1, 'pick'));
      await rig.clock.advance(500);
    }
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('when the same command is wanted with its remaining seconds', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 60 }));
    await rig.clock.advance(20_300);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 41 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 300 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    // Near the end of the command, `seconds: 0` (no time limit) differs from the time left.
    await rig.clock.advance(297_000);
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 0 }));
    await rig.clock.advance(1_000);
    expect(rig.showsSent().map(({ seconds }) => seconds)).toEqual([60, 300, 0]);
  });

  test('when a worker has changed the count on the device', async () => {
    rig = await startRig();
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 3 }));
    await rig.clock.advance(2_000);
    rig.sim.press(THREE_BUTTONS, 'plus', 'short');
    await rig.clock.advance(1_000);
    rig.turbos.want(THREE_BUTTONS, command(1, 'pick', { quantity: 3 }));
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
    expect(rig.sim.look(THREE_BUTTONS)).toMatchObject({ count: 4 });
  });

  test('when the device has already returned to the wanted background', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick', { seconds: 5 }));
    await rig.clock.advance(300);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(300);
    rig.turbos.want(DEVICE, command(2, 'pick', { seconds: 5 }));
    await rig.clock.advance(5_300);
    expect(rig.of('ended')).toMatchObject([{ token: 2 }]);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(10_000);
    expect(tokensSent()).toEqual(['1 fields', '2 fields']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, checksum: statics('shelf').checksum });
  });

  test('when the link returns and the device still shows the command', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(5_000);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(5_000);
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('when the link returns while the e-paper is still drawing the command', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10);
    rig.sim.restartTurbo('SIM-1');
    await rig.clock.advance(0);
    expect(rig.of('heard').at(-3)).toMatchObject({ deviceId: DEVICE, status: { shownToken: 1 } });
    await rig.clock.advance(1_000);
    expect(tokensSent()).toEqual(['1 fields']);
  });

  test('after a restart of the station, whether the show is wanted before or after the status', async () => {
    rig = await startRig({ devices: false });
    for (const early of [true, false]) {
      const device = early ? DEVICE : THREE_BUTTONS;
      if (early) rig.turbos.want(device, command(7, 'pick'));
      const peer = attachPeer(rig);
      peer.hello({ serialNumber: `T-${device}` });
      peer.status({ device, shownToken: 7, shownChecksum: command(7, 'pick').checksum, rssiDbm: -20, epoch: 5 });
      await rig.clock.advance(0);
      if (!early) rig.turbos.want(device, command(7, 'pick'));
      await rig.clock.advance(1_000);
      expect(peer.shows()).toEqual([]);
    }
  });
});

describe('an unchanged screen is not sent again', () => {
  test('when only the LED changes', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    const { refreshes } = rig.sim.look(DEVICE) ?? {};
    rig.turbos.want(DEVICE, command(1, 'pick', { led: { mode: 'steady', hex: '00ff00', fixedBrightness: true } }));
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '1 same']);
    expect(rig.showsSent()[1]).toMatchObject({ led: 'steady', color: 0x00ff00, fixedBrightness: true });
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 1, lit: true, refreshes });
  });

  test('when a different command has the same content', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(0);
    expect(tokensSent()).toEqual(['1 fields', '2 same']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2 });
  });

  test('when a command is withdrawn, because the device keeps its background', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    rig.turbos.want(DEVICE, statics('shelf'));
    await rig.clock.advance(300);
    expect(tokensSent()).toEqual(['1 fields', '0 same']);
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 0, lit: false });
  });

  test('unless the device reports that it has lost the content', async () => {
    await startWithStatics();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(300);
    // The show crosses the status of the restarted device.
    rig.sim.restartDevice(DEVICE);
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(3_000);
    expect(tokensSent().slice(0, 3)).toEqual(['1 fields', '2 same', '2 fields']);
    expect(rig.messages).toContainEqual({
      direction: 'in',
      message: { name: 'ack', body: { status: 'contentMissing' } },
    });
    expect(rig.sim.look(DEVICE)).toMatchObject({ token: 2, lit: true });
  });

  test('except once, in full, after the device reports the content as missing', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'silent';
    rig.turbos.want(DEVICE, command(2, 'pick'));
    await rig.clock.advance(0);
    peer.showAnswer = 'ok';
    peer.answerShows('contentMissing');
    await rig.clock.advance(0);
    rig.turbos.want(DEVICE, command(3, 'pick'));
    await rig.clock.advance(0);
    expect(peer.shows().map(({ screen }) => screen.form)).toEqual(['fields', 'same', 'fields', 'same']);
  });

  test('to a turbo that reports even the full content as missing', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = 'contentMissing';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(60_000);
    expect(peer.shows()).toHaveLength(1);
  });

  test('to a turbo that reports content as missing for a device without a screen, until the next status', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ capabilities: HAS_NO_SCREEN });
    peer.showAnswer = 'contentMissing';
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.shows().map(({ screen }) => screen.form)).toEqual(['same', 'same']);
    peer.showAnswer = 'ok';
    peer.status({ capabilities: CAN_DRAW_FIELDS });
    await rig.clock.advance(0);
    expect(peer.shows().map(({ screen }) => screen.form)).toEqual(['same', 'same', 'fields']);
  });
});

describe('bitmaps', () => {
  test('are sent compressed, as drawn by the station, to a device that can draw only bitmaps', async () => {
    rig = await startRig();
    rig.turbos.want(BITMAP_DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    const screen = rig.showsSent()[0]?.screen;
    if (screen?.form !== 'bitmap') throw new Error('no bitmap was sent');
    expect(screen.packing).toBe('packBits');
    const pixels = screen.packing === 'raw' ? screen.pixels : unpackBits(screen.pixels, 4_736);
    const drawn = drawScreen(command(1, 'pick').screen, { firmware: 40, batteryMv: 3_000 });
    expect(pixels).toEqual(drawn.bytes);
    expect(rig.sim.look(BITMAP_DEVICE)).toMatchObject({ token: 1, lit: true });
  });

  test('with the same content are not sent again', async () => {
    rig = await startRig();
    rig.turbos.want(BITMAP_DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    rig.turbos.want(BITMAP_DEVICE, command(2, 'pick'));
    await rig.clock.advance(2_000);
    expect(rig.showsSent().map(({ screen }) => screen.form)).toEqual(['bitmap', 'same']);
  });

  test('with a quantity are sent for each command', async () => {
    rig = await startRig();
    rig.turbos.want(BITMAP_DEVICE, command(1, 'pick', { quantity: 2 }));
    await rig.clock.advance(2_000);
    rig.turbos.want(BITMAP_DEVICE, command(2, 'pick', { quantity: 3 }));
    await rig.clock.advance(2_000);
    // The count set with plus and minus is also part of the picture.
    rig.turbos.want(BITMAP_DEVICE, command(3, 'pick', { quantity: 3 }));
    await rig.clock.advance(2_000);
    expect(rig.showsSent().map(({ screen }) => screen.form)).toEqual(['bitmap', 'bitmap', 'bitmap']);
  });

  test('are not sent to a device that draws neither fields nor bitmaps, which is logged once', async () => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ capabilities: 0 });
    await rig.clock.advance(0);
    for (let at = 0; at < 3; at++) {
      rig.turbos.want(DEVICE, command(1, 'pick'));
      await rig.clock.advance(1_000);
    }
    expect(peer.shows()).toEqual([]);
    expect(rig.log.lines.filter((line) => line === 'A device refused what it should show')).toHaveLength(1);
  });
});

test.each(['unknownDevice', 'unreachable', 'alreadyEnded', 'refused', 'malformed', 'unsupported'] as const)(
  'a show that was answered %s is not sent again until the device reports a new status',
  async (answer) => {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status();
    peer.showAnswer = answer;
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(14_000);
    expect(peer.closed).toBeUndefined();
    expect(peer.shows()).toHaveLength(1);
    peer.showAnswer = 'ok';
    peer.status();
    await rig.clock.advance(0);
    expect(peer.shows().map(({ token }) => token)).toEqual([1, 1]);
  },
);
