import { randomBytes } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { Turbo as TurboEntry, TurboFrame } from '#shared/api/turbo.ts';
import { answerOf, proofOf } from '../../../electron/server/services/turbos/turboProof.ts';
import { createTurboSignIn } from '../../../electron/server/services/turbos/turboSignIn.ts';
import { seededIds } from '../../helpers/seeded.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { challengePeer, type ChallengedTurbo } from '../access/challengePeer.ts';

const WRONG =
  'The name or the key is wrong. A sign-in by challenge needs the name and the key of an API user of the scope turbo.';
const UNASKED = 'The turbo answered a challenge that it did not get.';

let station: TestStation;
let turbo: ChallengedTurbo;

beforeEach(async () => {
  station = await startTestStation({ turboPort: 0 });
  onTestFinished(() => station.stop());
  turbo = { serialNumber: 'T-1', username: 'board-1', key: (await newUser('board-1', 'turbo')).api_key };
});

const newUser = (name: string, scope: string) => station.post<ApiUserSecrets>('/api/api-users/', { name, scope });
const entry = async (serial = 'T-1') =>
  (await station.get<TurboEntry[]>('/api/turbo/')).find(({ serial_number }) => serial_number === serial);
const hashOf = (name: string) =>
  String(station.rows(`SELECT key_hash FROM api_users WHERE name = '${name}'`)[0]?.['key_hash']);

/** Returns the forms in which a key could be sent. */
const looksOf = (key: string) => [
  key,
  Buffer.from(key).toString('base64').slice(0, 40),
  Buffer.from(key.slice(4), 'base64url'),
];

test.each(['websocket', 'tcp'] as const)('over %s, the right key signs in without being sent', async (way) => {
  const peer = challengePeer(station, way);
  expect(await peer.signIn(turbo)).toBe('accepted');
  expect(await entry()).toMatchObject({ status: 'online', problem: null });
  const bytes = Buffer.concat(peer.passed);
  expect(bytes.includes('board-1')).toBe(true);
  for (const look of looksOf(turbo.key)) expect(bytes.includes(look)).toBe(false);
  const frames = await station.get<TurboFrame[]>('/api/turbo/T-1/frames/');
  expect(frames.map(({ message }) => message).slice(0, 4)).toEqual(['hello', 'welcome', 'hello', 'welcome']);
  expect(frames[2]?.fields).toMatchObject({ answer: '(hidden)' });
});

test('a wrong key is refused with an explanation, and the right key is accepted afterwards', async () => {
  const peer = challengePeer(station);
  expect(await peer.signIn({ ...turbo, key: `${turbo.key.slice(0, -1)}_` })).toBe('notSignedIn');
  expect(await entry()).toMatchObject({ status: 'connecting', problem: WRONG });
  expect(await peer.signIn(turbo)).toBe('accepted');
});

test('guesses are throttled like other wrong keys', async () => {
  const peer = challengePeer(station);
  const { key } = turbo;
  for (let guess = 10; guess < 40; guess += 1) {
    expect(await peer.signIn({ ...turbo, key: key.slice(0, -2) + guess })).toBe('notSignedIn');
  }
  expect(await peer.signIn(turbo)).toBe('notSignedIn');
  expect((await entry())?.problem).toMatch(/^Too many different wrong keys came from this address\./);
  await station.clock.advance(31_000);
  expect(await challengePeer(station).signIn(turbo)).toBe('accepted');
});

test('an answer is accepted only once, and only on its connection', async () => {
  const peer = challengePeer(station);
  const given = await peer.challenged(turbo);
  const answer = answerOf(turbo.key, given.transcript);
  expect((await peer.answer(given, answer)).status).toBe('accepted');
  expect((await peer.answer(given, answer)).status).toBe('notSignedIn');
  expect(await entry()).toMatchObject({ problem: UNASKED });

  const thief = challengePeer(station);
  expect((await thief.answer(given, answer)).status).toBe('notSignedIn');
  const own = await thief.challenged(turbo, given.transcript.turboNonce);
  expect((await thief.answer(own, answer)).status).toBe('notSignedIn');
});

test("an answer composed from the station's own messages is refused", async () => {
  const peer = challengePeer(station);
  const first = await peer.challenged(turbo);
  expect(first.challenge).toHaveLength(48);
  expect((await peer.answer(first, first.challenge.slice(16))).status).toBe('notSignedIn');
  // The station never sends the mask that hides the key.
  const hidden = answerOf(turbo.key, first.transcript);
  const read = Buffer.from(hidden.map((byte, at) => byte ^ (first.challenge[16 + (at % 32)] ?? 0)));
  expect(read.includes('psk_')).toBe(false);
  const second = await peer.challenged(turbo);
  expect((await peer.answer(second, second.challenge)).status).toBe('notSignedIn');
});

test('a challenge expires after five seconds', async () => {
  const peer = challengePeer(station);
  const late = await peer.challenged(turbo);
  await station.clock.advance(5_000);
  expect((await peer.answer(late, answerOf(turbo.key, late.transcript))).status).toBe('notSignedIn');
  expect(await entry()).toMatchObject({ problem: 'The turbo answered its challenge too late.' });
  const soon = await peer.challenged(turbo);
  await station.clock.advance(4_900);
  expect((await peer.answer(soon, answerOf(turbo.key, soon.transcript))).status).toBe('accepted');
});

test('an answer for a different turbo or a different name is refused', async () => {
  await newUser('board-2', 'turbo');
  for (const change of [{ serialNumber: 'T-2' }, { username: 'board-2' }, { username: '' }]) {
    const peer = challengePeer(station);
    const { transcript, ...rest } = await peer.challenged(turbo);
    const answer = answerOf(turbo.key, transcript);
    const other = { ...rest, transcript: { ...transcript, ...change } };
    expect((await peer.answer(other, answer)).status, JSON.stringify(change)).toBe('notSignedIn');
  }
  expect(await entry('T-2')).not.toMatchObject({ status: 'online' });
});

test('the station proves that it knows the hash of the key, without revealing which names have a key', async () => {
  const peer = challengePeer(station);
  const { challenge, transcript } = await peer.challenged(turbo);
  expect(Buffer.from(challenge.slice(16))).toEqual(proofOf(hashOf('board-1'), transcript));
  const unknown = await peer.challenged({ ...turbo, username: 'nobody' });
  expect(unknown.challenge).toHaveLength(48);
  expect((await peer.answer(unknown, answerOf(turbo.key, unknown.transcript))).status).toBe('notSignedIn');
});

test('the stored hash is not enough to sign in', async () => {
  const hash = hashOf('board-1');
  const raw = Buffer.from(hash, 'base64');
  const peer = challengePeer(station);
  for (const key of [hash, raw.toString('latin1'), raw.toString('hex')]) {
    expect(await peer.signIn({ ...turbo, key })).toBe('notSignedIn');
  }
  const given = await peer.challenged(turbo);
  expect((await peer.answer(given, proofOf(hash, given.transcript))).status).toBe('notSignedIn');
});

test('only keys with the scope turbo sign in by challenge, because other secrets may be guessable', async () => {
  const peer = challengePeer(station);
  for (const scope of ['admin', 'control']) {
    const { api_key } = await newUser(`by ${scope}`, scope);
    expect(await peer.signIn({ ...turbo, username: `by ${scope}`, key: api_key })).toBe('notSignedIn');
  }
});

test('a rotated key works until its grace period ends, and the link of a removed key ends at the next heartbeat', async () => {
  const [{ id }] = (await station.get<ApiUserSecrets[]>('/api/api-users/')).filter(
    ({ name }) => name === 'board-1',
  ) as [ApiUserSecrets];
  const rotated = await station.post<ApiUserSecrets>(`/api/api-users/${id}/rotate/`, { grace_seconds: 60 });
  expect((await challengePeer(station).challenged(turbo)).challenge).toHaveLength(80);
  expect(await challengePeer(station).signIn(turbo)).toBe('accepted');
  const peer = challengePeer(station);
  expect(await peer.signIn({ ...turbo, serialNumber: 'T-2', key: rotated.api_key })).toBe('accepted');
  await station.clock.advance(61_000);
  expect(await challengePeer(station).signIn(turbo)).toBe('notSignedIn');
  const after = challengePeer(station);
  expect(await after.signIn({ ...turbo, key: rotated.api_key })).toBe('accepted');
  await station.request('DELETE', `/api/api-users/${id}/`);
  await after.ask({ name: 'heartbeat', body: { uptimeS: 1 } }).catch(() => undefined);
  expect(after.isClosed()).toBe(true);
});

test('signing in with clear text still works, but needs encryption from other machines, unlike a challenge', async () => {
  const peer = challengePeer(station, 'tcp');
  const { serialNumber, username, key } = turbo;
  expect(await peer.hello({ serialNumber, username, secret: key })).toMatchObject({ status: 'accepted' });
  expect(Buffer.concat(peer.passed).includes(key)).toBe(true);

  const asker = { name: 'board-1', scope: 'turbo', credential: { kind: 'none' } } as const;
  const signIn = createTurboSignIn({
    access: {
      byKey: (found) => (found === key ? asker : undefined),
      byKeyOrPassword: () => Promise.resolve(asker),
      isTurboLive: () => true,
      listTurboHashes: () => [hashOf('board-1')],
      findBoundTurbo: () => undefined,
    },
    clock: station.clock,
    ids: seededIds(1),
    takesPlainPasswords: () => false,
  });
  const { admit, challenge } = signIn.admission({ address: '10.0.0.7', isSafeForPasswords: false });
  expect(await admit({ username, secret: key })).toContain(
    'does not accept a password over the network without encryption',
  );
  const turboNonce = randomBytes(16);
  const stationNonce = challenge?.offer({ serialNumber, username, nonce: turboNonce }).slice(0, 16) ?? new Uint8Array();
  const answer = answerOf(key, { serialNumber, username, turboNonce, stationNonce });
  expect(challenge?.admit({ serialNumber, username, answer })).toBeUndefined();
});
