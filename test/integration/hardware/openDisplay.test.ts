import { onTestFinished, expect, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { DISPLAY_KEY, startDisplayRig, type DisplayRig } from '../../helpers/devices/displayRig.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';

const PICK = { command: 'pick', line1: 'M8 nut', quantity: 3, color: 'g', seconds: 0, nonce: 'p1' };

const turboOf = async ({ station, display }: DisplayRig) =>
  (await station.get<Turbo[]>('/api/turbo/')).find(({ port }) => port === display.url);
const states = ({ commands }: Device) => commands.map(({ state }) => state);

async function withReceiver({ station }: DisplayRig): Promise<Receiver> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await station.patch('/api/settings/', { callback_url: receiver.url });
  return receiver;
}

test("a display appears as a turbo with one device that has the display's capabilities", async () => {
  const rig = await startDisplayRig();
  const { station, display, deviceId } = rig;
  expect(await turboOf(rig)).toMatchObject({
    serial_number: 'OD-A0B1C2D3E4F5',
    status: 'online',
    transport: 'opendisplay',
    port: display.url,
    device_count: 1,
    firmware: 226,
    problem: null,
  });
  await station.clock.advance(3_000);
  const device = await station.device(deviceId);
  expect(device).toMatchObject({
    capabilities: { screen: true, led: true, buttons: 3, latency: 'live' },
    screen_size: { width: 296, height: 128 },
  });
  expect(display.drawn).toHaveLength(1);
});

test('turns the light on before sending the picture, and reports the command as shown only after the refresh', async () => {
  const rig = await startDisplayRig();
  const { station, display, deviceId } = rig;
  await station.clock.advance(5_000);
  const before = display.picture;
  await station.post(`/api/device/${deviceId}/`, PICK);
  expect(display.isLit()).toBe(true);
  expect(states(await station.device(deviceId))).toEqual(['sent']);
  await station.clock.advance(400);
  expect(states(await station.device(deviceId))).toEqual(['sent']);
  await station.clock.advance(200);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(display.picture).not.toEqual(before);
  const receiver = await withReceiver(rig);
  display.press(0);
  await station.clock.advance(200);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', deviceid: deviceId, nonce: 'p1', qty: 3 }]);
  expect(display.isLit()).toBe(false);
  await station.clock.advance(5_000);
  expect(display.picture).toEqual(before);
  expect(receiver.payloads()).toHaveLength(1);
});

/** Starts a rig with a display that shows a command. */
async function shopWithPick(options: Parameters<typeof startDisplayRig>[0] = {}) {
  const rig = await startDisplayRig(options);
  const receiver = await withReceiver(rig);
  await rig.station.clock.advance(5_000);
  await rig.station.post(`/api/device/${rig.deviceId}/`, PICK);
  await rig.station.clock.advance(5_000);
  expect(states(await rig.station.device(rig.deviceId))).toEqual(['shown']);
  return { ...rig, rig, receiver };
}

const late = ({ station }: DisplayRig) => station.rows("SELECT id FROM history WHERE kind = 'late'");
const calls = ({ station }: DisplayRig) => station.rows("SELECT id FROM history WHERE kind = 'call'");
const linkOf = ({ links }: DisplayRig) => links.states()[0];

test('an encrypted display works like others if its key is set', async () => {
  const { station, display, receiver } = await shopWithPick({ key: DISPLAY_KEY });
  display.press(0);
  await station.clock.advance(200);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ nonce: 'p1', qty: 3 }]);
});

test('handles split frames and late answers', async () => {
  for (const habit of [{ pieces: 1 }, { pieces: 3 }, { answerAfterMs: 70 }]) {
    const { station, display, receiver } = await shopWithPick({ prepare: (one) => Object.assign(one, habit) });
    display.press(0);
    await station.clock.advance(400);
    await receiver.received(1);
    expect(receiver.payloads()).toHaveLength(1);
  }
});

test('plus and minus change the quantity by one each, using fast refreshes', async () => {
  const { rig, station, display, deviceId, receiver } = await shopWithPick();
  const { length } = display.drawn;
  for (const button of [2, 2, 1]) {
    display.press(button);
    await station.clock.advance(1_000);
  }
  const drawn = display.drawn.slice(length);
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.every(({ isFast }) => isFast)).toBe(true);
  expect((await station.device(deviceId)).commands).toMatchObject([{ state: 'shown', quantity: 4 }]);
  display.press(0);
  await station.clock.advance(200);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ nonce: 'p1', qty: 4 }]);
  expect(late(rig)).toEqual([]);
});

test('a quantity over 99 is shown as the first line, without a box', async () => {
  const { station, display, deviceId } = await startDisplayRig();
  await station.post(`/api/device/${deviceId}/`, { command: 'pick', line1: '150', line2: 'M8 nut', seconds: 5 });
  await station.clock.advance(3_000);
  const { picture } = display;
  await station.clock.advance(6_000);
  expect(display.picture).not.toEqual(picture);
  await station.post('/api/orders/', {
    order_number: 'SO-1',
    items: [{ name: 'M8 nut', ordered_quantity: 150, deviceid: deviceId }],
  });
  await station.post('/api/orders/SO-1/launch/');
  await station.clock.advance(3_000);
  expect(display.picture).toEqual(picture);
});

test('of the presses during a refresh, counts only those of the button pressed last', async () => {
  const { station, display, deviceId } = await shopWithPick();
  display.refreshMs.fast = 2_000;
  display.press(2);
  await station.clock.advance(300);
  expect(display.isInert()).toBe(true);
  for (const button of [1, 2, 2]) {
    display.press(button);
    await station.clock.advance(300);
  }
  await station.clock.advance(10_000);
  expect((await station.device(deviceId)).commands).toMatchObject([{ state: 'shown', quantity: 6 }]);
});

test('a press during a refresh counts afterwards, for the content that was on the screen before', async () => {
  const { rig, station, display, deviceId, receiver } = await shopWithPick();
  display.refreshMs.fast = 3_000;
  display.press(2);
  await station.clock.advance(500);
  // The display draws the count and does not read data in the meantime.
  expect(display.isInert()).toBe(true);
  display.press(0);
  await station.clock.advance(1_000);
  expect(receiver.payloads()).toEqual([]);
  await station.clock.advance(3_000);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ nonce: 'p1', qty: 4 }]);

  await station.clock.advance(5_000);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2' });
  await station.clock.advance(500);
  expect(display.isInert()).toBe(true);
  // The new screen is not visible yet.
  display.press(0);
  await station.clock.advance(10_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(receiver.payloads()).toHaveLength(1);
  expect([late(rig), calls(rig)]).toEqual([[], []]);
});

test('counts 20 consecutive picks, beyond the range of the press counter', async () => {
  for (const isLadder of [false, true]) {
    const { rig, station, display, deviceId, receiver } = await shopWithPick({ isLadder });
    for (let pick = 1; pick <= 20; pick += 1) {
      // Some displays restart their count after more than 5 s without a press.
      await station.clock.advance(pick % 3 === 0 ? 7_000 : 2_500);
      display.press(0, { isHeld: true });
      await station.clock.advance(300);
      display.release(0);
      await station.clock.advance(100);
      await receiver.received(pick);
      await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: `p${pick + 1}` });
    }
    expect(receiver.payloads()).toHaveLength(20);
    expect([late(rig), calls(rig)]).toEqual([[], []]);
  }
});

test('a press made while disconnected counts if the display keeps its press counter', async () => {
  const { station, display, deviceId, receiver } = await shopWithPick();
  display.press(0);
  await station.clock.advance(5_000);
  await receiver.received(1);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2' });
  await station.clock.advance(5_000);
  display.cut();
  display.press(0);
  await station.clock.advance(5_000);
  await receiver.received(2);
  expect(receiver.payloads()[1]).toMatchObject({ nonce: 'p2' });
  expect(receiver.payloads()).toHaveLength(2);
});

test('a restarted display shows its command again, and presses during the restart are lost', async () => {
  const { station, display, deviceId, receiver } = await shopWithPick();
  display.press(0);
  await station.clock.advance(5_000);
  await receiver.received(1);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2' });
  await station.clock.advance(5_000);
  const { picture } = display;
  display.reboot();
  display.press(0);
  await station.clock.advance(10_000);
  expect(receiver.payloads()).toHaveLength(1);
  expect(display.picture).toEqual(picture);
  expect(display.isLit()).toBe(true);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  display.press(0);
  await station.clock.advance(200);
  await receiver.received(2);
});

test('reports that another program uses the display, and ignores presses made in the meantime', async () => {
  const { rig, station, display, deviceId, receiver } = await shopWithPick();
  display.press(0);
  await station.clock.advance(5_000);
  await receiver.received(1);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2' });
  await station.clock.advance(5_000);
  display.hold();
  await station.clock.advance(60_000);
  expect(display.refused).toBeGreaterThan(2);
  expect(linkOf(rig)).toMatchObject({
    step: 'waiting',
    problem:
      'Another program holds this display, which serves one at a time; or its last connection has not ended yet, which takes 30 s.',
  });
  expect((await station.device(deviceId)).online).toBe(false);
  // This press belongs to the other program.
  display.press(0);
  display.letGo();
  await station.clock.advance(60_000);
  expect(linkOf(rig)).toMatchObject({ step: 'online', problem: undefined });
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(receiver.payloads()).toHaveLength(1);
});

test('reports that another program uses an encrypted display', async () => {
  const { station, display, ...rig } = await startDisplayRig({ key: DISPLAY_KEY });
  await station.clock.advance(5_000);
  display.hold();
  await station.clock.advance(10_000);
  expect(linkOf({ station, display, ...rig })?.problem).toMatch(/^Another program holds this display/);
});

test('keeps the connection to an idle display open', async () => {
  const { station, display, deviceId } = await startDisplayRig();
  // The display closes a connection without commands after 30 s.
  await station.clock.advance(120_000);
  expect(display.refused).toBe(0);
  expect(display.drawn).toHaveLength(1);
  expect((await station.device(deviceId)).online).toBe(true);
});

test('reports a refresh that timed out, and repeats it until the screen shows the command', async () => {
  const { rig, station, display, deviceId } = await shopWithPick();
  display.press(0);
  await station.clock.advance(5_000);
  display.timeouts = 2;
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2', line1: 'Washer' });
  await station.clock.advance(1_000);
  const problem = 'The screen did not finish its refresh in time. It is drawn again after 2 s.';
  expect(await turboOf(rig)).toMatchObject({ status: 'online', problem });
  expect(states(await station.device(deviceId))).toEqual(['sent']);
  const errors = await station.get<{ serial_number: string; errors: { problem: string }[] }[]>('/api/turbo/traffic/');
  expect(errors.find((one) => one.serial_number === 'OD-A0B1C2D3E4F5')?.errors).toMatchObject([{ problem }]);
  await station.clock.advance(20_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect((await turboOf(rig))?.problem).toBeNull();
});

test('draws a newer command instead of a failed refresh', async () => {
  const { station, display, deviceId } = await shopWithPick();
  const { length } = display.drawn;
  display.timeouts = 1;
  display.press(0);
  await station.clock.advance(300);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce: 'p2', line1: 'Washer' });
  await station.clock.advance(10_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(display.drawn.length - length).toBeLessThanOrEqual(2);
});

test('renews the light before the LED program ends', async () => {
  const { station, display } = await shopWithPick();
  for (let s = 0; s < 120; s += 5) {
    await station.clock.advance(5_000);
    expect(display.isLit()).toBe(true);
  }
  expect(display.programs.length).toBeLessThan(6);
});

test('while idle, a long press makes a call, and a short press does nothing', async () => {
  const rig = await startDisplayRig();
  const { station, display } = rig;
  await station.clock.advance(5_000);
  display.press(0);
  await station.clock.advance(2_000);
  expect(calls(rig)).toEqual([]);
  display.press(0, { isHeld: true });
  await station.clock.advance(2_000);
  display.release(0);
  await station.clock.advance(2_000);
  expect(calls(rig)).toHaveLength(1);
});

test('a press that began while idle does not acknowledge a command that arrives before its release', async () => {
  const rig = await startDisplayRig();
  const { station, display, deviceId } = rig;
  await station.clock.advance(5_000);
  display.press(0, { isHeld: true });
  await station.clock.advance(100);
  await station.post(`/api/device/${deviceId}/`, PICK);
  await station.clock.advance(600);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  display.release(0);
  await station.clock.advance(2_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect([late(rig), calls(rig)]).toEqual([[], []]);
});

test('reconnects after a disconnection during a refresh, and draws the picture', async () => {
  const { station, display, deviceId } = await startDisplayRig();
  await station.clock.advance(5_000);
  display.refreshMs.fast = 3_000;
  await station.post(`/api/device/${deviceId}/`, PICK);
  expect(display.isInert()).toBe(true);
  display.cut();
  await station.clock.advance(1_000);
  expect(states(await station.device(deviceId))).not.toEqual(['shown']);
  await station.clock.advance(10_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(display.isLit()).toBe(true);
  display.press(0);
  await station.clock.advance(200);
  expect(states(await station.device(deviceId))).toEqual([]);
});

test('a press counts even if the connection ends while the press is being reported', async () => {
  const { station, display, deviceId, receiver } = await shopWithPick();
  for (const nonce of ['p2', 'p3']) {
    display.hangsUp = true;
    display.press(0);
    await station.clock.advance(10_000);
    await station.post(`/api/device/${deviceId}/`, { ...PICK, nonce });
    await station.clock.advance(5_000);
  }
  await receiver.received(2);
  expect(receiver.payloads().map((payload) => payload['nonce'])).toEqual(['p1', 'p2']);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
});

test('a command that times out turns its light off and restores the screen', async () => {
  const { station, display, deviceId } = await startDisplayRig();
  await station.clock.advance(5_000);
  const before = display.picture;
  await station.post(`/api/device/${deviceId}/`, { ...PICK, seconds: 20 });
  await station.clock.advance(15_000);
  expect(display.isLit()).toBe(true);
  await station.clock.advance(10_000);
  expect(display.isLit()).toBe(false);
  expect(display.picture).toEqual(before);
  expect(states(await station.device(deviceId))).toEqual([]);
});

test('the second button of a display with two buttons also acknowledges', async () => {
  const { station, display, deviceId, receiver } = await shopWithPick({ buttons: 2 });
  expect((await station.device(deviceId)).capabilities.buttons).toBe(1);
  display.press(1);
  await station.clock.advance(200);
  await receiver.received(1);
});

test('plays the sound of a command once, when its light turns on', async () => {
  const { station, display, deviceId } = await startDisplayRig();
  await station.clock.advance(5_000);
  await station.post(`/api/device/${deviceId}/`, { ...PICK, sound: '140,a4,2,p,1,a5,2'.replace('a4', 'a5') });
  await station.clock.advance(60_000);
  display.cut();
  await station.clock.advance(10_000);
  // A of octave 5, twice, with a rest in between: 24 steps per octave, 5 ms per unit.
  expect(display.sounds).toEqual([Buffer.from([0, 1, 1, 3, 144, 56, 0, 28, 144, 56])]);
});

test('explains why the device at an address cannot be used', async () => {
  const sentences = async (options: Parameters<typeof startDisplayRig>[0], waitMs = 30_000) => {
    const rig = await startDisplayRig(options);
    await rig.station.clock.advance(waitMs);
    expect(linkOf(rig)?.step).not.toBe('online');
    return linkOf(rig)?.problem;
  };
  const stranger = /^What answers at 127\.0\.0\.1:\d+ is no OpenDisplay display\. Check the address\.$/;
  const garbage = (bytes: Buffer) => ({
    prepare: (display: { garbage?: Buffer | undefined }) => void (display.garbage = bytes),
  });
  expect(await sentences(garbage(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')))).toMatch(stranger);
  expect(await sentences(garbage(Buffer.from([0, 0, 0])))).toMatch(stranger);
  // Announce a frame that is one byte longer than the maximum.
  expect(await sentences(garbage(Buffer.from([0xff, 0x0f])))).toMatch(stranger);
  expect(await sentences({ isEmpty: true })).toBe(
    'The display is not set up: it tells no panel. Set it up with the tools of OpenDisplay.',
  );
  expect(await sentences({ key: DISPLAY_KEY, wish: { key: 'FF112233445566778899AABBCCDDEEFF' } })).toMatch(
    /^The display does not accept this key\. Enter the key that is set in the display\./,
  );
  // At the wrong port, each side waits for the other.
  const inert = (display: { isSilent: boolean }): void => void (display.isSilent = true);
  for (const [options, word] of [
    [{}, 'without'],
    [{ wish: { key: DISPLAY_KEY } }, 'with'],
    [{ key: DISPLAY_KEY, wish: { key: undefined } }, 'without'],
  ] as const) {
    expect(await sentences({ ...options, prepare: inert })).toMatch(
      new RegExp(`^The display did not answer within 10 s\\. Check whether port \\d+ is the one ${word} a key\\.$`),
    );
  }
});

test('draws an uncompressed picture in native pixels on a portrait color panel', async () => {
  const { station, display, deviceId } = await startDisplayRig({
    width: 128,
    height: 296,
    scheme: 1,
    canInflate: false,
  });
  await station.clock.advance(5_000);
  expect((await station.device(deviceId)).screen_size).toEqual({ width: 296, height: 128 });
  await station.post(`/api/device/${deviceId}/`, PICK);
  await station.clock.advance(5_000);
  expect(states(await station.device(deviceId))).toEqual(['shown']);
  expect(display.picture).toHaveLength(2 * 16 * 296);
  expect(display.drawn.every(({ isFast }) => !isFast)).toBe(true);
});
