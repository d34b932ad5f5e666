import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Turbo } from '#shared/api/turbo.ts';
import { dialTcp, startLiveBoard, type LiveBoard } from '../helpers/boards/liveBoard.ts';
import { deviceIdOf, FlashChip, type BoardOptions } from '../helpers/boards/microPythonBoard.ts';
import { openShop, type TurboShop } from './turboShop.ts';
import { until } from './until.ts';

let shop: TurboShop;
let key: string;

beforeAll(async () => {
  shop = await openShop('board-sign-in');
  key = (await shop.ask<{ api_key: string }>('POST', '/api/api-users/', { name: 'boards', scope: 'turbo' })).api_key;
});

afterAll(() => shop.close());

/** Starts a board with this key and records every byte on its wire. */
async function start(uniqueId: string, transport: 'wifi' | 'tcp', secret: string) {
  const passed: Uint8Array[] = [];
  const said: string[] = [];
  const [host = '', port = ''] = (transport === 'tcp' ? shop.tcp : shop.http).split(':');
  const dial = dialTcp(host, Number(port));
  const config: BoardOptions['config'] = { transport, user: 'boards', key: secret, host: shop.http, path: '/turbo/' };
  const live: LiveBoard = await startLiveBoard({
    uniqueId,
    config,
    flash: new FlashChip(),
    refreshMs: 20,
    log: (text) => void said.push(text),
    async dial(): Promise<Duplex> {
      const socket = await dial();
      const write = socket.write.bind(socket) as (chunk: Uint8Array) => boolean;
      socket.write = (chunk: Uint8Array) => {
        passed.push(Uint8Array.from(chunk));
        return write(chunk);
      };
      socket.on('data', (chunk: Uint8Array) => passed.push(chunk));
      return socket;
    },
  });
  onTestFinished(() => live.stop());
  return { live, said, bytes: () => Buffer.concat(passed.map((chunk) => unmasked(chunk))) };
}

/** Returns the payload of a WebSocket frame, which boards mask. */
function unmasked(chunk: Uint8Array): Buffer {
  const bytes = Buffer.from(chunk);
  const [first = 0, second = 0] = bytes;
  if (first !== 0x82 || (second & 0x80) === 0) return bytes;
  const head = (second & 0x7f) === 126 ? 4 : 2;
  const mask = bytes.subarray(head, head + 4);
  return Buffer.concat([bytes, bytes.subarray(head + 4).map((byte, at) => byte ^ (mask[at & 3] ?? 0))]);
}

const turboOf = async (uniqueId: string) =>
  (await shop.ask<Turbo[]>('GET', '/api/turbo/')).find(
    ({ serial_number }) => serial_number === `board-${deviceIdOf(uniqueId)}`,
  );

test.each(['wifi', 'tcp'] as const)('a board connects by %s, and its key never crosses the wire', async (way) => {
  const board = await start(`chip-${way}`, way, key);
  await until('the board', async () => (await turboOf(`chip-${way}`))?.status === 'online');
  const device = deviceIdOf(`chip-${way}`);
  await until('its device', async () => (await shop.ask<string[]>('GET', '/api/device/')).includes(device));
  expect(board.said).toContain('Welcome');
  const bytes = board.bytes();
  expect(bytes.includes(`board-${device}`)).toBe(true);
  const looks = [key, Buffer.from(`boards:${key}`).toString('base64'), Buffer.from(key.slice(4), 'base64url')];
  for (const look of looks) expect(bytes.includes(look)).toBe(false);
});

test('a board with a wrong key is refused, and both the board and its turbo report this', async () => {
  const board = await start('chip-wrong', 'wifi', `${key.slice(0, -2)}xx`);
  await until('the refusal', () => board.said.includes('This station does not know the key'));
  await until('the refusal of the station', async () => typeof (await turboOf('chip-wrong'))?.problem === 'string');
  expect(await turboOf('chip-wrong')).toMatchObject({
    status: 'connecting',
    problem: expect.stringContaining('The name or the key is wrong.') as string,
  });
  expect(board.said).not.toContain('Welcome');
});
