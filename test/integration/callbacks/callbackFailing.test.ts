import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { ConditionCallback, ReceiverTrouble } from '#shared/api/callback.ts';
import type { Ephemera, Station } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let receiver: Receiver;
let station: TestStation;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.patch('/api/settings/', {
    callback_url: `${receiver.url}hook/`,
    callback_families: { condition: true },
  });
  await station.clock.advance(5 * SECOND);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Causes a callback and waits until its first attempt has ended. */
async function press(): Promise<void> {
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(SECOND);
}

async function fail(): Promise<void> {
  receiver.reply(503);
  for (let count = 0; count < 3; count += 1) await press();
}

const trouble = async (): Promise<ReceiverTrouble | null> => (await station.get<Station>('/api/station/')).receiver;
const alerts = (state: 'open' | 'ended' = 'open') => station.get<Alert[]>(`/api/alerts/?state=${state}`);

test('after three consecutive failures, the snapshot shows the trouble and the number of waiting callbacks; one alert is raised', async () => {
  receiver.reply(503);
  const since = station.clock.now();
  await press();
  await press();
  expect([await trouble(), await alerts()]).toEqual([null, []]);
  await press();
  // The callback about the alert waits, too.
  expect(await trouble()).toMatchObject({ status: 503, waiting: 4 });
  expect(Date.parse((await trouble())?.failing_since ?? '')).toBeLessThan(since + SECOND);
  await press();
  expect(await alerts()).toMatchObject([
    {
      kind: 'receiver_failing',
      about: new URL(receiver.url).host,
      problem: 'The receiver answered 503. Callbacks wait, and are sent once they are accepted again.',
      ended: null,
    },
  ]);
});

test('a single failure appears in the snapshot after five minutes without a success', async () => {
  receiver.reply({ status: 503, headers: { 'retry-after': '3600' } });
  await press();
  await station.clock.advance(4 * MINUTE);
  expect(await trouble()).toBeNull();
  await station.clock.advance(2 * MINUTE);
  expect(await trouble()).toMatchObject({ waiting: 2 });
  expect(await alerts()).toMatchObject([{ kind: 'receiver_failing' }]);
});

test('the first success ends the alert, and the receiver gets both alert callbacks', async () => {
  await fail();
  receiver.reply(200);
  const refused = receiver.requests.length;
  await press();
  await station.clock.advance(SECOND);
  expect([await trouble(), await alerts()]).toEqual([null, []]);
  expect(await alerts('ended')).toMatchObject([{ kind: 'receiver_failing' }]);
  const told = (receiver.payloads() as ConditionCallback[])
    .slice(refused)
    .filter(({ kind }) => kind === 'receiver_failing');
  expect(told.map(({ condition_event: event }) => event)).toEqual(['alert_raised', 'alert_ended']);
});

test('the event stream reports when receiver trouble starts and ends', async () => {
  const stream = await openStream(station.url);
  const said = (): (boolean | undefined)[] =>
    stream
      .messages()
      .filter(({ event }) => event === 'ephemera')
      .flatMap(({ data }) => {
        const { receiver } = data as Ephemera;
        return receiver === undefined ? [] : [receiver !== null];
      });
  await stream.until(() => said().length > 0);
  expect(said()).toEqual([false]);
  await fail();
  await stream.until(() => said().at(-1) === true);
  receiver.reply(200);
  await press();
  await stream.until(() => said().at(-1) === false);
  stream.close();
});

test('receiver trouble survives a restart, and a success after it ends the trouble', async () => {
  await fail();
  const before = await trouble();
  await station.restart();
  expect(await trouble()).toMatchObject({ failing_since: before?.failing_since, status: 503 });
  expect(await alerts()).toHaveLength(1);
  receiver.reply(200);
  await press();
  await station.clock.advance(SECOND);
  expect([await trouble(), await alerts()]).toEqual([null, []]);
});

test('removing the callback URL ends the receiver trouble', async () => {
  await fail();
  await station.patch('/api/settings/', { callback_url: '' });
  await station.clock.advance(SECOND);
  expect([await trouble(), await alerts()]).toEqual([null, []]);
  await station.clock.advance(60 * MINUTE);
  expect(await trouble()).toBeNull();
});

test('"Send all now" sends all waiting callbacks, even if their next attempt is hours away', async () => {
  await fail();
  await station.clock.advance(180 * MINUTE);
  receiver.reply(200);
  const before = receiver.requests.length;
  const waiting = (await trouble())?.waiting ?? 0;
  expect(waiting).toBe(4);
  expect(await station.post('/api/callbacks/send/')).toEqual({ waiting });
  await station.clock.advance(SECOND);
  // One callback more than were waiting: the additional one reports the end of the alert.
  expect(receiver.requests.length - before).toBe(waiting + 1);
  expect([await trouble(), await alerts()]).toEqual([null, []]);
});

test('"Send all now" stops after three attempts if the receiver still fails', async () => {
  await fail();
  for (let count = 0; count < 10; count += 1) await press();
  await station.clock.advance(180 * MINUTE);
  const before = receiver.requests.length;
  await station.post('/api/callbacks/send/');
  await station.clock.advance(SECOND);
  expect(receiver.requests.length - before).toBe(3);
});

test('the alert about a failing receiver cannot be dismissed, because it ends automatically', async () => {
  await fail();
  const [{ id } = { id: '' }] = await alerts();
  const answer = await station.request('POST', `/api/alerts/${id}/end/`);
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain('ends by itself');
});
