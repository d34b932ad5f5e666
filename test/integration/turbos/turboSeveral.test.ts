import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  attachPeer,
  command,
  DEVICE,
  shows,
  startTwo,
  statics,
  tokens,
  wantAll,
  type Peer,
  type Rig,
  type Wish,
} from '../turboLink/turboLinkRig.ts';

let rig: Rig;
let near: Peer;
let far: Peer;

beforeEach(async () => void ({ rig, near, far } = await startTwo()));

afterEach(() => rig.stop());

const serving = () => rig.turbos.turboOf(DEVICE)?.serialNumber;
const want = (...wishes: Wish[]) => wantAll(rig, wishes);

test('does not resend what a device already shows when the turbo that delivered it disconnects or loses the device', async () => {
  await want(command(1, 'pick'));
  near.shown(command(1, 'pick'));
  await rig.clock.advance(0);
  near.status({ reachable: false, ...shows(command(1, 'pick')) });
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  far.stop();
  near.status({ rssiDbm: -50, ...shows(command(1, 'pick')) });
  await rig.clock.advance(60_000);
  expect([...tokens(near), ...tokens(far)]).toEqual([1]);
});

test('if the first turbo accepts a show but does not deliver it, sends it through the other turbo with the same token', async () => {
  await want(command(1, 'pick'));
  expect(tokens(near)).toEqual([1]);
  near.status({ reachable: false, pendingToken: 1, pendingChecksum: command(1, 'pick').checksum });
  await rig.clock.advance(0);
  expect(tokens(far)).toEqual([1]);
  expect(serving()).toBe('FAR');
});

test('switches to the other turbo if one does not answer a show, and ignores the late answer', async () => {
  near.showAnswer = 'silent';
  await want(command(1, 'pick'));
  await rig.clock.advance(4_400);
  near.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  expect(tokens(far)).toEqual([]);
  await rig.clock.advance(200);
  expect(tokens(far)).toEqual([1]);
  expect(serving()).toBe('FAR');
  far.shown(command(1, 'pick'));
  await want(command(2, 'next'));
  near.answerShows('alreadyEnded');
  await rig.clock.advance(5_000);
  expect(tokens(far)).toEqual([1, 2]);
  expect(rig.of('sent').map(({ token }) => token)).toEqual([1, 2]);
  // NEAR reports the device's status, so it can serve the device again.
  near.status({ rssiDbm: -20, ...shows(command(2, 'next')) });
  far.shown(command(2, 'next'));
  near.status({ rssiDbm: -20, ...shows(command(2, 'next')) });
  await rig.clock.advance(0);
  expect(serving()).toBe('NEAR');
});

test('does not mistake a late answer of the previous turbo for an answer of the new one', async () => {
  near.showAnswer = 'silent';
  far.showAnswer = 'silent';
  await want(command(1, 'pick'));
  near.status({ reachable: false });
  await rig.clock.advance(0);
  expect(tokens(far)).toEqual([1]);
  near.answerShows('ok');
  await rig.clock.advance(0);
  expect(rig.of('sent')).toEqual([]);
  far.answerShows('ok');
  await rig.clock.advance(0);
  expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
});

test('repeats a show through an unresponsive turbo if the device is not in range of any other turbo', async () => {
  far.stop();
  near.showAnswer = 'silent';
  await want(command(1, 'pick'));
  await rig.clock.advance(14_000);
  near.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  await rig.clock.advance(10_000);
  near.answerShows('ok');
  await rig.clock.advance(0);
  expect(rig.of('sent')).toMatchObject([{ token: 1 }]);
});

test('switches to a better turbo once the device has drawn its show, or after ten seconds', async () => {
  await want(command(1, 'pick'));
  far.status({ rssiDbm: -20 });
  await rig.clock.advance(0);
  expect(serving()).toBe('NEAR');
  near.shown(command(1, 'pick'));
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  await want(command(2, 'never shown'));
  near.status({ rssiDbm: 0, ...shows(command(1, 'pick')) });
  await rig.clock.advance(10_100);
  near.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  far.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  near.status({ rssiDbm: 0, ...shows(command(1, 'pick')) });
  await rig.clock.advance(0);
  expect(serving()).toBe('NEAR');
  expect([tokens(near), tokens(far)]).toEqual([[1, 2], [2]]);
});

test('resends the wanted show if the previous turbo delivers an old command late', async () => {
  await want(command(1, 'old'));
  near.status({ reachable: false, pendingToken: 1, pendingChecksum: command(1, 'old').checksum });
  await want(command(2, 'new'));
  far.shown(command(2, 'new'));
  await rig.clock.advance(5_000);
  near.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  far.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  const before = tokens(far).length;
  far.shown(command(1, 'old'), 1_000);
  await rig.clock.advance(0);
  expect(tokens(far).slice(before)).toEqual([2]);
});

test('ignores a late report that an older command was shown earlier', async () => {
  await want(command(1, 'old'));
  far.shown(command(1, 'old'));
  await rig.clock.advance(1_000);
  await want(command(2, 'new'));
  near.shown(command(2, 'new'));
  await rig.clock.advance(500);
  near.shown(command(1, 'old'), 1_500);
  await rig.clock.advance(0);
  expect([...tokens(near), ...tokens(far)]).toEqual([1, 2]);
});

test('trusts only the serving turbo about the screen, because others may report an old one', async () => {
  await want(command(1, 'pick'));
  near.shown(command(1, 'pick'));
  await rig.clock.advance(0);
  rig.forgetPast();
  far.status({ rssiDbm: -70, ...shows(statics('of yesterday')) });
  far.status({ reachable: false, ...shows(statics('of yesterday')), batteryMv: 2_000, epoch: 77 });
  await rig.clock.advance(0);
  expect(rig.of('heard')).toEqual([]);
  expect(rig.of('moved')).toEqual([]);
  expect(serving()).toBe('NEAR');
  expect([...tokens(near), ...tokens(far)]).toEqual([1]);
});

test("the first turbo that reports a device's restart serves the device, and older reports of the other turbo change nothing", async () => {
  await want(command(1, 'pick'));
  near.shown(command(1, 'pick'));
  await rig.clock.advance(0);
  far.status({ rssiDbm: -70, epoch: 4_711 });
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  expect(tokens(far)).toEqual([1]);
  far.shown(command(1, 'pick'));
  await rig.clock.advance(0);
  // NEAR had the better signal, but reported it before the device restarted.
  expect(serving()).toBe('FAR');
  near.status({ rssiDbm: -65, ...shows(command(1, 'pick')) });
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  expect([...tokens(near), ...tokens(far)]).toEqual([1, 1]);
});

test('ignores the previous epoch while another turbo reports a newer one, but accepts it when none does', async () => {
  far.status({ rssiDbm: -70, epoch: 4_711 });
  near.status({ rssiDbm: -50 });
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  far.stop();
  await rig.clock.advance(0);
  near.status({ rssiDbm: -50 });
  await rig.clock.advance(0);
  expect(serving()).toBe('NEAR');
  // FAR reconnects with the newer epoch, so NEAR has not received anything from the device since it restarted.
  const back = attachPeer(rig);
  back.hello({ serialNumber: 'FAR', bootId: 2 });
  back.status({ rssiDbm: -70, epoch: 4_711 });
  near.status({ rssiDbm: -50 });
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
});

test('resends the wanted background if the previous turbo delivers an old one late', async () => {
  await want(statics('shelf'));
  near.status({ reachable: false, pendingToken: 0, pendingChecksum: statics('shelf').checksum });
  await want(command(1, 'pick'));
  far.shown(command(1, 'pick'));
  await rig.clock.advance(5_000);
  near.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  far.send({ name: 'heartbeat', body: { uptimeS: 9 } });
  const before = tokens(far).length;
  far.shown(statics('shelf'));
  await rig.clock.advance(0);
  expect(tokens(far).slice(before)).toEqual([1]);
});

test('sends a background through the next turbo too, unless the device reports that it has the background', async () => {
  await want(statics('old'), command(1, 'pick'));
  near.shown(command(1, 'pick'));
  rig.turbos.keep(DEVICE, statics('new'));
  await rig.clock.advance(0);
  expect([near.keeps().length, far.keeps().length]).toEqual([1, 0]);
  near.status({ reachable: false, ...shows(command(1, 'pick')) });
  await rig.clock.advance(0);
  expect([serving(), far.keeps().length]).toEqual(['FAR', 1]);
  far.status({ rssiDbm: -70, ...shows(command(1, 'pick')), backgroundChecksum: statics('new').checksum });
  near.status({ rssiDbm: -50, ...shows(command(1, 'pick')) });
  await rig.clock.advance(0);
  far.status({ reachable: false, ...shows(command(1, 'pick')) });
  await rig.clock.advance(5_000);
  expect([serving(), near.keeps().length, far.keeps().length]).toEqual(['NEAR', 1, 1]);
});

test('reports when another turbo serves a device, with its signal', async () => {
  rig.forgetPast();
  near.status({ reachable: false });
  await rig.clock.advance(0);
  expect(rig.of('moved')).toMatchObject([{ deviceId: DEVICE, rssiDbm: -70 }]);
  far.showAnswer = 'unreachable';
  await want(command(1, 'pick'));
  expect(rig.of('moved').at(-1)).toMatchObject({ deviceId: DEVICE, rssiDbm: undefined });
  expect(serving()).toBeUndefined();
});

test('moves all devices of a lost turbo to another turbo in range, and sends nothing twice', async () => {
  const devices = Array.from({ length: 200 }, (_, at) => `AAAAAA:000${String(at).padStart(3, '0')}`);
  for (const [at, device] of devices.entries()) {
    near.status({ device, rssiDbm: -40 });
    if (at < 150) far.status({ device, rssiDbm: -80 });
  }
  await rig.clock.advance(0);
  for (const device of devices) rig.turbos.want(device, command(1, 'pick'));
  await rig.clock.advance(0);
  const { checksum } = command(1, 'pick');
  for (const device of devices) near.send({ name: 'shown', body: { device, token: 1, checksum, ageMs: 0 } });
  await rig.clock.advance(0);
  near.stop();
  await rig.clock.advance(0);
  expect(devices.filter((device) => rig.turbos.turboOf(device)?.serialNumber === 'FAR')).toHaveLength(150);
  expect(devices.filter((device) => rig.turbos.turboOf(device) === undefined)).toHaveLength(50);
  expect(far.shows()).toEqual([]);
  rig.turbos.want(devices[0] ?? '', command(2, 'next'));
  await rig.clock.advance(0);
  expect(tokens(far)).toEqual([2]);
});
