import { expect, test } from 'vitest';
import { BASE, ONE, TWO, useMqtt } from './mqttRig.ts';

const shop = useMqtt();

test('a command with a nonce takes effect once within a day, even after a restart, and a repetition gets the first answer', async () => {
  const first = await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  await shop.station.press(ONE);
  await shop.station.restart();
  await shop.settle();
  expect(await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' })).toEqual(first);
  expect((await shop.station.device(ONE)).commands).toEqual([]);
  // The same nonce for a different device is a different command.
  expect(await shop.command(`devices/${TWO}/set`, { line1: 'Screws', nonce: 'a' })).toMatchObject({ deviceid: TWO });
  await shop.station.clock.advance(24 * 3_600_000);
  const later = await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  expect(later['command_id']).not.toBe(first['command_id']);
});

test('a command interrupted by a kill is answered without running again', async () => {
  const first = await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  await shop.station.press(ONE);
  await shop.station.halt();
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(`${shop.station.dataFolder}/pickstation.sqlite`);
  // Restore the state after the command was committed, but before its answer was stored.
  db.exec(`INSERT INTO keyed_steps SELECT id, 0, 0, json_object('result', json(answer)) FROM keyed_requests;
    UPDATE keyed_requests SET status = NULL, answer = NULL;`);
  db.close();
  await shop.station.restart();
  await shop.settle();
  expect(await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' })).toEqual(first);
  expect((await shop.station.device(ONE)).commands).toEqual([]);
});

test("refuses a different command with an earlier command's nonce, except a kill", async () => {
  await shop.command(`devices/${ONE}/set`, { line1: 'Screws', nonce: 'a' });
  expect(await shop.command(`devices/${ONE}/set`, { line1: 'Nails', nonce: 'a' })).toMatchObject({
    status: 409,
    code: 'key_reused',
    nonce: 'a',
    detail: expect.stringMatching(/^The nonce a was used for another command/) as string,
  });
  expect(await shop.command(`devices/${ONE}/set`, { command: 'kill', nonce: 'a' })).toMatchObject({ killed: 1 });
});

test.each([
  ['a text', '"again"'],
  ['a number', '7'],
])('quick repetitions with %s as the nonce get the first answer', async (_what, nonce) => {
  const text = `{"line1":"Screws","nonce":${nonce}}`;
  const results = (): string[] => shop.broker.at(`${BASE}/devices/${ONE}/result`);
  await Promise.all([1, 2, 3].map(() => shop.broker.publish(`${BASE}/devices/${ONE}/set`, text)));
  await expect.poll(() => results().length, { interval: 2 }).toBe(3);
  expect(new Set(results()).size).toBe(1);
  expect(JSON.parse(results()[0] ?? '')).toMatchObject({
    status: 200,
    state: 'queued',
    nonce: JSON.parse(`"${nonce.replaceAll('"', '')}"`) as string,
  });
  expect((await shop.station.device(ONE)).commands).toHaveLength(1);
});

test('runs every message that has no nonce', async () => {
  const first = await shop.command(`devices/${ONE}/set`, { line1: 'Screws' });
  const second = await shop.command(`devices/${ONE}/set`, { line1: 'Nails' });
  expect(second['command_id']).not.toBe(first['command_id']);
  expect((await shop.station.device(ONE)).commands).toHaveLength(2);
});

test('a nonce in the launch of a sequence does not cause a warning', async () => {
  const steps = [{ order: 1, device: ONE, command: 'flash', line1: 'x' }];
  await shop.station.post('/api/sequence/', { sequenceid: 'round', steps });
  const launched = await shop.command('sequences/round/launch', { nonce: 'a' });
  expect(launched).toMatchObject({ status: 200, state: 'in-progress', nonce: 'a' });
  expect(launched['warnings'] ?? []).toEqual([]);
});
