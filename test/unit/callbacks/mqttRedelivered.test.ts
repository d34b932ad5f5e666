import { expect, test } from 'vitest';
import { createCommands } from '../../../electron/server/mqtt/commands.ts';
import { topicsOf } from '../../../electron/server/mqtt/topics.ts';
import type { BrokerMessage } from '../../../electron/server/ports/broker.ts';
import type { KeyedAnswer, KeyedRequests } from '../../../electron/server/services/base/index.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const ONE = '51D000:000001';
const topics = topicsOf({ prefix: 'shop', station: 'counter' });

/** Creates commands over stored answers in memory, on a device whose lights always end at once. */
function start() {
  const stored = new Map<string, KeyedAnswer>();
  const keyedRequests: KeyedRequests = {
    async answer({ key }, { isCurrent }, work) {
      const first = stored.get(key);
      if (first !== undefined && (await isCurrent?.(first)) !== false) return { answer: first, isReplayed: true };
      const answer = await work();
      stored.set(key, answer);
      return { answer, isReplayed: false };
    },
  };
  let lit = 0;
  const commands = createCommands({
    keyedRequests,
    clock: createFakeClock(0),
    topics,
    findOpen: () => undefined,
    invoker: {
      read: (text) => JSON.parse(text) as unknown,
      invoke: async () => {
        await Promise.resolve();
        lit += 1;
        return { status: 200, body: { deviceid: ONE, command_id: String(lit), state: 'queued', delivery: 'queued' } };
      },
    },
  });
  return { commands, lit: () => lit };
}

const message = (more: Partial<BrokerMessage>): BrokerMessage => ({
  topic: `${topics.device(ONE)}/set`,
  payload: Buffer.from('{"line1":"Screws","nonce":"a"}'),
  qos: 1,
  isRetained: false,
  packetId: 7,
  isRedelivered: false,
  isWatched: false,
  expires: true,
  id: undefined,
  propertyNames: [],
  responseTopic: undefined,
  correlation: undefined,
  ...more,
});
/** The session is resumed, long ago. */
const RESUMED = -60_000;

test('a message that is delivered again because it was not acknowledged does nothing twice, even if its light has ended', async () => {
  const { commands, lit } = start();
  await commands.take(message({}), RESUMED);
  const { answer } = await commands.take(message({ isRedelivered: true }), RESUMED);
  expect(lit()).toBe(1);
  expect(JSON.parse(answer?.text ?? '')).toMatchObject({ command_id: '1', state: 'ended', replayed: true });
});

test.each([
  ['was acknowledged', (one: ReturnType<typeof start>['commands']) => one.acknowledged(message({})), {}, RESUMED],
  ['has another packet identifier', () => undefined, { packetId: 8 }, RESUMED],
  ['belongs to another session', () => undefined, {}, undefined],
] as const)(
  'a message with the same nonce whose predecessor %s is a new command',
  async (_what, happens, more, resumed) => {
    const { commands, lit } = start();
    await commands.take(message({}), RESUMED);
    happens(commands);
    await commands.take(message({ isRedelivered: true, ...more }), resumed);
    expect(lit()).toBe(2);
  },
);
