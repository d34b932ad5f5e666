import { afterEach, describe, expect, test } from 'vitest';
import { HAS_NO_SCREEN } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { attachPeer, BITMAP_DEVICE, command, DEVICE, startRig, statics, type Rig } from './turboLinkRig.ts';

let rig: Rig;
afterEach(() => rig.stop());

const OLD = statics('old');
const NEW = statics('new');
const showsSent = () => rig.showsSent().map(({ token, screen }) => `${token} ${screen.form}`);
const keepsSent = () => rig.keepsSent().map(({ checksum, screen }) => `${checksum} ${screen.form}`);
const sight = () => rig.sim.look(DEVICE);

/** Starts with a device that shows a command and keeps the old static content as its background. */
async function startLit(seconds = 60): Promise<void> {
  rig = await startRig();
  rig.turbos.want(DEVICE, OLD);
  await rig.clock.advance(2_000);
  rig.turbos.keep(DEVICE, OLD);
  rig.turbos.want(DEVICE, command(1, 'pick', { seconds }));
  await rig.clock.advance(300);
  rig.forgetPast();
}

describe('statics that change while a command is lit', () => {
  test.each([
    ['a press', () => void rig.sim.press(DEVICE, 'front', 'short')],
    ['the end of its time', () => undefined],
  ])('are shown by the device itself after %s, with one refresh and without a second show', async (_, end) => {
    await startLit(5);
    rig.turbos.keep(DEVICE, NEW);
    await rig.clock.advance(1_000);
    expect(keepsSent()).toEqual([`${NEW.checksum} fields`]);
    expect(sight()).toMatchObject({ token: 1, led: 'blink' });
    const refreshes = sight()?.refreshes ?? 0;
    end();
    await rig.clock.advance(5_000);
    rig.turbos.want(DEVICE, NEW);
    await rig.clock.advance(5_000);
    expect(sight()).toMatchObject({ token: 0, checksum: NEW.checksum, refreshes: refreshes + 1 });
    expect(showsSent()).toEqual([]);
  });

  test('are sent only once, even after a reconnect', async () => {
    await startLit();
    rig.turbos.keep(DEVICE, NEW);
    await rig.clock.advance(100);
    rig.turbos.keep(DEVICE, statics('new'));
    rig.sim.setTurbo('SIM-1', { connected: false });
    await rig.clock.advance(2_000);
    rig.sim.setTurbo('SIM-1', { connected: true });
    await rig.clock.advance(5_000);
    expect(keepsSent()).toHaveLength(1);
    expect(showsSent()).toEqual([]);
  });

  test('are sent again, after the command, if the device restarts', async () => {
    await startLit();
    rig.sim.restartDevice(DEVICE);
    await rig.clock.advance(3_000);
    expect(showsSent()).toEqual(['1 fields']);
    expect(keepsSent()).toEqual([`${OLD.checksum} fields`]);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(3_000);
    expect(sight()).toMatchObject({ token: 0, checksum: OLD.checksum });
  });

  test('are shown immediately if the command has ended in the meantime', async () => {
    await startLit();
    rig.sim.setTurbo('SIM-1', { latencyMs: 100 });
    rig.turbos.keep(DEVICE, NEW);
    rig.sim.press(DEVICE, 'front', 'short');
    await rig.clock.advance(150);
    rig.turbos.want(DEVICE, NEW);
    await rig.clock.advance(5_000);
    expect(sight()).toMatchObject({ token: 0, checksum: NEW.checksum });
    expect(showsSent()).toEqual([]);
  });

  test('are sent as a bitmap to a device that can draw only bitmaps', async () => {
    rig = await startRig();
    rig.turbos.keep(BITMAP_DEVICE, NEW);
    rig.turbos.want(BITMAP_DEVICE, command(1, 'pick'));
    await rig.clock.advance(2_000);
    expect(keepsSent()).toEqual([`${NEW.checksum} bitmap`]);
    rig.sim.press(BITMAP_DEVICE, 'front', 'short');
    await rig.clock.advance(1_000);
    expect(rig.sim.look(BITMAP_DEVICE)).toMatchObject({ token: 0, checksum: NEW.checksum });
  });

  test('do not delay the next command', async () => {
    await startLit();
    rig.sim.setTurbo('SIM-1', { latencyMs: 50 });
    rig.turbos.keep(DEVICE, NEW);
    rig.turbos.want(DEVICE, command(2, 'next'));
    await rig.clock.advance(5_000);
    expect(sight()).toMatchObject({ token: 2 });
    expect(keepsSent()).toHaveLength(1);
  });
});

describe('a background that is sent in advance', () => {
  async function startPeer(change: object = {}) {
    rig = await startRig({ devices: false });
    const peer = attachPeer(rig);
    peer.hello();
    peer.status({ shownToken: 1, shownChecksum: command(1, 'pick').checksum, ...change });
    await rig.clock.advance(0);
    return peer;
  }

  test('is not sent again after a restart of the station if the device reports that it has the background', async () => {
    const peer = await startPeer({ backgroundChecksum: NEW.checksum });
    rig.turbos.keep(DEVICE, NEW);
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(1_000);
    expect(peer.keeps()).toEqual([]);
    peer.status({
      shownToken: 1,
      shownChecksum: command(1, 'pick').checksum,
      backgroundChecksum: OLD.checksum,
    });
    await rig.clock.advance(1_000);
    expect(peer.keeps()).toHaveLength(1);
  });

  test.each(['unsupported', 'refused', 'malformed', 'contentMissing'] as const)(
    'that is answered %s is not sent again until the command has ended',
    async (answer) => {
      const peer = await startPeer();
      peer.keepAnswer = answer;
      rig.turbos.keep(DEVICE, NEW);
      rig.turbos.want(DEVICE, command(1, 'pick'));
      await rig.clock.advance(10_000);
      expect(peer.keeps()).toHaveLength(1);
      peer.press({ token: 1 });
      await rig.clock.advance(0);
      rig.turbos.want(DEVICE, NEW);
      await rig.clock.advance(0);
      expect(peer.shows().map(({ token }) => token)).toEqual([0]);
    },
  );

  test('is sent again a second after a busy answer', async () => {
    const peer = await startPeer();
    peer.keepAnswer = 'busy';
    rig.turbos.keep(DEVICE, NEW);
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(900);
    expect(peer.keeps()).toHaveLength(1);
    peer.keepAnswer = 'ok';
    await rig.clock.advance(200);
    expect(peer.keeps()).toHaveLength(2);
    await rig.clock.advance(5_000);
    expect(peer.keeps()).toHaveLength(2);
  });

  test('is sent in full if the device has lost the content to which it refers', async () => {
    const peer = await startPeer();
    const same = { ...NEW, checksum: command(1, 'pick').checksum };
    peer.keepAnswer = 'contentMissing';
    rig.turbos.keep(DEVICE, same);
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(1_000);
    expect(peer.keeps().map(({ screen }) => screen.form)).toEqual(['same', 'fields']);
  });

  test('is sent at most twice to a device without a screen whose turbo reports its content as missing', async () => {
    const peer = await startPeer({ capabilities: HAS_NO_SCREEN });
    peer.keepAnswer = 'contentMissing';
    rig.turbos.keep(DEVICE, NEW);
    rig.turbos.want(DEVICE, command(1, 'pick'));
    await rig.clock.advance(10_000);
    expect(peer.keeps().map(({ screen }) => screen.form)).toEqual(['same', 'same']);
  });
});
