import { loadImage } from '@napi-rs/canvas';
import { expect, onTestFinished, test } from 'vitest';
import type { Device } from '#shared/api/device.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { startOpenEPaper, type OpenEPaperRig } from '../../helpers/devices/openEPaperRig.ts';
import { API_KEY, type TestStation } from '../../helpers/startTestStation.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';

/** Three tags: 384 x 168 pixels with an LED, 296 x 128 pixels with an LED, and an older one without an LED. */
const NEWTON = { mac: '0000A0B1C2000001', type: '33' };
const HANSHOW = { mac: '0000A0B1C2000002', type: '6E' };
const OLD = { mac: '0000A0B1C2000003', type: '01' };
const NEWTON_ID = 'A0B1C2:000001';
const OLD_ID = 'A0B1C2:000003';

const PICK = { command: 'pick', line1: 'M8 nut', quantity: 3, color: 'g', seconds: 0, nonce: 'p1' };
const CHECK_IN_MS = 41_000;

const open = ({ commands }: Device) => commands.map(({ state }) => state);
const acknowledged = ({ station }: OpenEPaperRig) =>
  station.rows<{ nonce: string }>("SELECT nonce FROM history WHERE kind = 'acknowledged'").map(({ nonce }) => nonce);

async function turboOf(station: TestStation): Promise<Turbo | undefined> {
  return (await station.get<Turbo[]>('/api/turbo/')).find(({ port }) => port.startsWith('http'));
}

async function withReceiver({ station }: OpenEPaperRig): Promise<Receiver> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  await station.patch('/api/settings/', { callback_url: receiver.url });
  return receiver;
}

/** Sends the command, if there is one, and waits until the tag shows the picture of its command. */
async function shown(rig: OpenEPaperRig, deviceId: string, command?: object): Promise<void> {
  if (command !== undefined) await rig.station.post(`/api/device/${deviceId}/`, command);
  for (let waits = 0; open(await rig.station.device(deviceId))[0] !== 'shown'; waits++) {
    if (waits > 30) throw new Error('It is not shown.');
    await rig.station.clock.advance(5_000);
  }
}

test("an access point appears as a turbo and its tags as devices, and the station disables the access point's sleep mode and nightly restart", async () => {
  const { station, accessPoint, connection } = await startOpenEPaper([NEWTON, OLD]);
  expect(await turboOf(station)).toMatchObject({
    name: 'Shop',
    status: 'online',
    port: accessPoint.url,
    device_count: 2,
    firmware: 31,
    problem: null,
    transport: 'openepaperlink',
  });
  expect(await station.get('/api/device/')).toEqual([NEWTON_ID, OLD_ID]);
  expect(accessPoint.config).toMatchObject({
    maxsleep: '0',
    stopsleep: '1',
    nightlyreboot: '0',
    preview: '0',
    lock: '1',
  });
  expect(connection().problems).toEqual([]);
  // The access point reveals its Wi-Fi password to anyone, so the station does not request it.
  expect(accessPoint.requests.filter((line) => line.includes('wifi'))).toEqual([]);
});

test('lights a command at the next check-in, reports it as shown once its picture is on the tag, and sends one callback for a press', async () => {
  const rig = await startOpenEPaper([NEWTON, HANSHOW]);
  const { station, accessPoint } = rig;
  const receiver = await withReceiver(rig);
  await station.clock.advance(3 * CHECK_IN_MS);
  const tag = accessPoint.tag(NEWTON.mac);
  const background = tag.picture;
  expect(background).toBeDefined();

  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  expect(open(await station.device(NEWTON_ID))).toEqual(['queued']);
  await station.clock.advance(CHECK_IN_MS);
  expect(tag.litUntilMs).toBeGreaterThan(station.clock.monotonic());
  await shown(rig, NEWTON_ID);
  expect(tag.picture).not.toEqual(background);

  tag.press();
  await receiver.received(1);
  await station.clock.advance(100);
  // If the station changes the tag's record, the access point reports the press again. It must count only once.
  await station.clock.advance(2 * CHECK_IN_MS);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: NEWTON_ID, location: '', nonce: 'p1', qty: 3 }]);
  expect(tag.picture).toEqual(background);
  await station.clock.advance(2 * CHECK_IN_MS);
  expect(tag.litUntilMs).toBeLessThan(station.clock.monotonic());
  expect(accessPoint.tag(HANSHOW.mac).programs).toEqual([]);
});

test('renews the light at each check-in', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  await rig.station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await shown(rig, NEWTON_ID);
  const tag = rig.accessPoint.tag(NEWTON.mac);
  const before = tag.programs.length;
  await rig.station.clock.advance(10 * CHECK_IN_MS);
  expect(tag.programs.length - before).toBeGreaterThanOrEqual(8);
});

test('sends no LED program to a tag without an LED', async () => {
  const rig = await startOpenEPaper([OLD]);
  await rig.station.post(`/api/device/${OLD_ID}/`, PICK);
  await shown(rig, OLD_ID);
  expect(rig.accessPoint.requests.filter((line) => line.includes('led_flash'))).toEqual([]);
});

test('counts a press once, even if the access point restarts', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await shown(rig, NEWTON_ID);
  accessPoint.tag(NEWTON.mac).press();
  await station.clock.advance(100);
  accessPoint.reboot();
  // After the restart, the access point still has the reason for the last check-in, so it may report the press again.
  await station.clock.advance(20_000);
  expect(await turboOf(station)).toMatchObject({ status: 'online' });
  await station.clock.advance(5 * CHECK_IN_MS);
  expect(acknowledged(rig)).toEqual(['p1']);
  expect(open(await station.device(NEWTON_ID))).toEqual([]);
});

test("resends the pictures lost in an access point's restart once it accepts pictures again", async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.clock.advance(3 * CHECK_IN_MS);
  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await station.clock.advance(3_000);
  expect(accessPoint.tag(NEWTON.mac).queue.length).toBeGreaterThan(0);
  const uploads = accessPoint.uploads();
  accessPoint.reboot();
  await shown(rig, NEWTON_ID);
  expect(accessPoint.uploads()).toBe(uploads + 1);
  // Earlier uploads were refused because the access point was not ready.
  expect(accessPoint.requests.filter((line) => line.includes('imgupload')).length).toBeGreaterThan(uploads + 1);
  expect(await turboOf(station)).toMatchObject({ status: 'online' });
});

test('a press made during a disconnection counts once, after reconnecting', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await shown(rig, NEWTON_ID);
  await station.clock.advance(CHECK_IN_MS);
  const tag = accessPoint.tag(NEWTON.mac);
  accessPoint.cut(true);
  await station.clock.advance(1_000);
  // A queued LED program would clear the reason for the check-in.
  tag.queue = [];
  tag.press();
  await station.clock.advance(500);
  expect(acknowledged(rig)).toEqual([]);
  accessPoint.cut();
  await station.clock.advance(15_000);
  expect(acknowledged(rig)).toEqual(['p1']);
  accessPoint.cut();
  await station.clock.advance(15_000);
  expect(acknowledged(rig)).toEqual(['p1']);
});

test('a press made while the station is stopped counts once, for the content on the tag', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await shown(rig, NEWTON_ID);
  const tag = accessPoint.tag(NEWTON.mac);
  await station.halt();
  tag.queue = [];
  tag.press();
  await station.restart();
  await station.clock.advance(10_000);
  expect(acknowledged(rig)).toEqual(['p1']);
  await station.restart();
  await station.clock.advance(10_000);
  expect(acknowledged(rig)).toEqual(['p1']);
  expect(station.rows("SELECT 1 FROM history WHERE kind IN ('late', 'call')")).toEqual([]);
});

test('after a restart, does not send pictures that a tag already has, and renews its light', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  await shown(rig, NEWTON_ID);
  const uploads = accessPoint.uploads();
  const tag = accessPoint.tag(NEWTON.mac);
  await station.restart();
  const before = tag.programs.length;
  await station.clock.advance(3 * CHECK_IN_MS);
  expect(accessPoint.uploads()).toBe(uploads);
  expect(tag.programs.length).toBeGreaterThan(before);
  tag.press();
  await station.clock.advance(3 * CHECK_IN_MS);
  expect(acknowledged(rig)).toEqual(['p1']);
  expect(accessPoint.uploads()).toBe(uploads + 1);
});

test('ignores an old press at a tag that is new to the station', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.halt();
  rig.memory.clear();
  accessPoint.tag(NEWTON.mac).press();
  await station.clock.advance(0);
  await station.restart();
  await station.clock.advance(CHECK_IN_MS);
  expect(station.rows("SELECT 1 FROM history WHERE kind IN ('late', 'call', 'acknowledged')")).toEqual([]);
});

test('a press of the second button on an idle tag makes a call', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const receiver = await withReceiver(rig);
  await rig.station.clock.advance(2 * CHECK_IN_MS);
  rig.accessPoint.tag(NEWTON.mac).press(2);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'call', deviceid: NEWTON_ID }]);
});

test('replaces a picture that the tag has not fetched', async () => {
  const rig = await startOpenEPaper([NEWTON]);
  const { station, accessPoint } = rig;
  await station.clock.advance(3 * CHECK_IN_MS);
  const tag = accessPoint.tag(NEWTON.mac);
  tag.isNear = false;
  for (const statica of ['one', 'two', 'three']) {
    await station.post(`/api/device/${NEWTON_ID}/`, { statica });
    await station.clock.advance(5_000);
  }
  expect(tag.queue).toHaveLength(1);
  const [newest] = tag.queue;
  tag.isNear = true;
  await station.clock.advance(2 * CHECK_IN_MS);
  expect(newest?.kind === 'picture' && tag.picture?.equals(newest.jpeg)).toBe(true);
});

test('sends the picture again to a restarted tag', async () => {
  const rig = await startOpenEPaper([OLD]);
  const { station, accessPoint } = rig;
  await station.post(`/api/device/${OLD_ID}/`, { statica: 'M8 nut' });
  await station.clock.advance(3 * CHECK_IN_MS);
  const tag = accessPoint.tag(OLD.mac);
  const picture = tag.picture;
  tag.boot();
  expect(tag.picture).toBeUndefined();
  await station.clock.advance(2 * CHECK_IN_MS);
  expect(tag.picture).toEqual(picture);
  const uploads = accessPoint.uploads();
  await station.clock.advance(5 * CHECK_IN_MS);
  expect(accessPoint.uploads()).toBe(uploads);
});

test('reports a tag of an unknown type, and ignores a tag that belongs to another access point', async () => {
  const { station, connection } = await startOpenEPaper([
    OLD,
    { mac: '0000A0B1C2000009', type: 'FE' },
    { ...HANSHOW, isExternal: true },
  ]);
  expect(await station.get('/api/device/')).toEqual([OLD_ID]);
  expect(connection().problems).toEqual([
    'The tag 0000A0B1C2000009 is of type FE, of which the access point knows no screen.',
  ]);
});

test('waits while an access point hangs, and continues once it answers', async () => {
  const rig = await startOpenEPaper([OLD]);
  const { station, accessPoint } = rig;
  await station.clock.advance(2 * CHECK_IN_MS);
  accessPoint.hang(true);
  await station.post(`/api/device/${OLD_ID}/`, PICK);
  // Poll, because the sockets are real, and an unanswered request does not keep the rig busy.
  const hung = async (count: number) => {
    while (accessPoint.hung() < count) {
      await station.clock.advance(500);
      await new Promise(setImmediate);
    }
  };
  await hung(1);
  await hung(2);
  expect(open(await station.device(OLD_ID))).not.toContain('shown');
  accessPoint.hang(false);
  await shown(rig, OLD_ID);
});

test('sets the clock of an access point if it is wrong', async () => {
  const { station, accessPoint } = await startOpenEPaper([OLD]);
  accessPoint.setClockOff(-86_400);
  await station.clock.advance(20_000);
  expect(accessPoint.requests.some((line) => line === 'POST /set_time')).toBe(true);
});

test('prevents an access point from restarting at night', async () => {
  const { station, accessPoint } = await startOpenEPaper([OLD]);
  accessPoint.strikeAtNight();
  await station.clock.advance(1_000);
  expect(await turboOf(station)).toMatchObject({ status: 'online' });
});

test('reads 250 tags in pages, and 300 tags without an endless loop', async () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      mac: `0000A0B1C3${index.toString(16).toUpperCase().padStart(6, '0')}`,
      type: '01',
    }));
  const many = await startOpenEPaper(tags(250));
  expect(await many.station.get<string[]>('/api/device/')).toHaveLength(250);
  const more = await startOpenEPaper(tags(300));
  expect((await more.station.get<string[]>('/api/device/')).length).toBeGreaterThanOrEqual(255);
  expect(more.connection().problems).toEqual([expect.stringContaining('only its first tags')]);
  await more.station.clock.advance(CHECK_IN_MS);
  expect(await more.station.get<string[]>('/api/device/')).toHaveLength(300);
});

test("reports a tag's capabilities, and when a slow command is expected to be shown", async () => {
  const { station } = await startOpenEPaper([NEWTON, OLD]);
  expect((await station.device(NEWTON_ID)).capabilities).toEqual({
    screen: true,
    led: true,
    buttons: 1,
    latency: 'slow',
  });
  expect((await station.device(OLD_ID)).capabilities).toMatchObject({ led: false, latency: 'slow' });
  const result = await station.post(`/api/device/${NEWTON_ID}/`, PICK);
  expect(result['expected_at']).toEqual(expect.any(String));
});

test("reports a tag's screen size, and draws its picture in that size", async () => {
  const square = { mac: '0000A0B1C2000004', type: '00' };
  const { station } = await startOpenEPaper([NEWTON, OLD, square]);
  const sizes = [];
  for (const id of [NEWTON_ID, OLD_ID, 'A0B1C2:000004']) {
    const { width, height } = (await station.device(id)).screen_size;
    const answer = await fetch(new URL(`/api/device/${id}/screen/`, station.url), { headers: { 'api-key': API_KEY } });
    const picture = await loadImage(Buffer.from(await answer.arrayBuffer()));
    sizes.push([width, height, picture.width, picture.height]);
  }
  expect(sizes).toEqual([
    [384, 168, 384, 168],
    [296, 128, 296, 128],
    [152, 152, 152, 152],
  ]);
});

test('requests the list of tags again if it cannot be read, even over a new connection', async () => {
  const rig = await startOpenEPaper([OLD]);
  const { station, accessPoint } = rig;
  await station.halt();
  accessPoint.fail('/get_db', 4);
  await station.restart();
  await station.clock.advance(30_000);
  expect(rig.connection().synced).toBe(true);
  expect(await turboOf(station)).toMatchObject({ status: 'online', device_count: 1 });
  await shown(rig, OLD_ID, PICK);
});

test('adds a tag that appears later, even if its type must be requested more than once', async () => {
  const late = { ...HANSHOW, isLate: true };
  const { station, accessPoint } = await startOpenEPaper([OLD, late, { ...NEWTON, isLate: true }]);
  expect(await station.get('/api/device/')).toEqual([OLD_ID]);
  accessPoint.fail('/tagtypes/6E.json', 3);
  accessPoint.tag(HANSHOW.mac).join();
  await station.clock.advance(2 * CHECK_IN_MS);
  expect(await station.get('/api/device/')).toEqual(['A0B1C2:000002', OLD_ID]);
  accessPoint.tag(NEWTON.mac).join();
  await station.clock.advance(1_000);
  expect(await station.get<string[]>('/api/device/')).toContain(NEWTON_ID);
});

test('resends a picture that the access point refused temporarily', async () => {
  const rig = await startOpenEPaper([OLD]);
  await rig.station.clock.advance(2 * CHECK_IN_MS);
  rig.accessPoint.fail('/imgupload', 7);
  await shown(rig, OLD_ID, PICK);
});

test('sends the background immediately after a press, without waiting for a check-in', async () => {
  const rig = await startOpenEPaper([OLD]);
  await rig.station.clock.advance(2 * CHECK_IN_MS);
  await shown(rig, OLD_ID, PICK);
  const tag = rig.accessPoint.tag(OLD.mac);
  tag.isNear = false;
  await rig.station.clock.advance(CHECK_IN_MS);
  tag.isNear = true;
  tag.press();
  tag.isNear = false;
  await rig.station.clock.advance(2_000);
  expect(tag.queue.map(({ kind }) => kind)).toEqual(['picture']);
});

test('if the next command has the same screen, shows it immediately without sending the pixels again', async () => {
  const rig = await startOpenEPaper([OLD]);
  const { station, accessPoint } = rig;
  await shown(rig, OLD_ID, PICK);
  await station.post(`/api/device/${OLD_ID}/`, { ...PICK, nonce: 'p2' });
  const uploads = accessPoint.uploads();
  accessPoint.tag(OLD.mac).press();
  await station.clock.advance(1_000);
  const { commands } = await station.device(OLD_ID);
  expect(commands.map(({ nonce, state }) => [nonce, state])).toEqual([['p2', 'shown']]);
  expect(accessPoint.uploads()).toBe(uploads);
});

test('reconnects to an access point whose WebSocket sends nothing', async () => {
  const { station, accessPoint } = await startOpenEPaper([OLD]);
  await station.clock.advance(10_000);
  const before = accessPoint.requests.length;
  accessPoint.mute(true);
  await station.clock.advance(35_000);
  expect(accessPoint.requests.slice(before)).toContain('GET /sysinfo');
});
