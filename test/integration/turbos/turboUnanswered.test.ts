import { afterEach, beforeEach, expect, test } from 'vitest';
import {
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

test('sends the wanted earlier screen through the next turbo if a newer show was unanswered when the first turbo was lost', async () => {
  const first = command(1, 'pick');
  await want(first);
  near.shown(first);
  await rig.clock.advance(0);
  near.showAnswer = 'silent';
  await want(command(2, 'next'), first);
  expect([tokens(near), tokens(far)]).toEqual([[1, 2], []]);
  near.stop();
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  expect(tokens(far)).toEqual([1]);
});

/** Shows a command over static content that the device has stored. The turbo does not answer the new static content that follows. */
async function keepUnanswered(): Promise<void> {
  const work = shows(command(1, 'pick'));
  await want(statics('old'), command(1, 'pick'));
  near.shown(command(1, 'pick'));
  near.status({ rssiDbm: -50, ...work, backgroundChecksum: statics('old').checksum });
  rig.turbos.keep(DEVICE, statics('old'));
  await rig.clock.advance(0);
  near.keepAnswer = 'silent';
  rig.turbos.keep(DEVICE, statics('new'));
  await rig.clock.advance(0);
  expect(near.keeps().map(({ checksum }) => checksum)).toEqual([statics('new').checksum]);
}

test('sends the wanted earlier background through the next turbo if a newer one was unanswered when the first turbo was lost', async () => {
  await keepUnanswered();
  rig.turbos.keep(DEVICE, statics('old'));
  near.stop();
  await rig.clock.advance(0);
  expect(serving()).toBe('FAR');
  expect(far.keeps().map(({ checksum }) => checksum)).toEqual([statics('old').checksum]);
});

test('resends a background if its device restarted before the turbo accepted it', async () => {
  await keepUnanswered();
  near.status({ rssiDbm: -50, epoch: 9, ...shows(command(1, 'pick')) });
  near.keepAnswer = 'ok';
  near.answerKeeps('ok');
  await rig.clock.advance(0);
  expect(near.keeps().map(({ checksum }) => checksum)).toEqual([statics('new').checksum, statics('new').checksum]);
});

test('does not assume that a device has statics that its turbo accepted before the device restarted', async () => {
  near.showAnswer = 'silent';
  await want(statics('old'));
  near.status({ rssiDbm: -50, epoch: 9 });
  near.showAnswer = 'ok';
  await want(command(1, 'pick'));
  near.answerShows('ok');
  await rig.clock.advance(0);
  near.shown(command(1, 'pick'));
  rig.turbos.keep(DEVICE, statics('old'));
  await rig.clock.advance(0);
  expect(near.keeps().map(({ checksum }) => checksum)).toEqual([statics('old').checksum]);
});

test('ignores a late answer about a forgotten device', async () => {
  near.showAnswer = 'silent';
  await want(command(1, 'pick'));
  rig.turbos.forget(DEVICE);
  near.answerShows('ok');
  await rig.clock.advance(0);
  expect(rig.of('sent')).toEqual([]);
});
