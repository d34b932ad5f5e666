import { createSocket, type Socket } from 'node:dgram';
import { expect, onTestFinished, test } from 'vitest';
import { findAccessPoints } from '../../electron/server/turbo/links/findAccessPoints.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { START_MS } from '../helpers/startTestStation.ts';

const GROUP = '239.10.0.1';
const LOOPBACK = '127.0.0.1';

async function openSocket(port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => void socket.bind(port, resolve));
  return socket;
}

function reply(alias: string): Buffer {
  const bytes = Buffer.alloc(41);
  bytes[0] = 0x81;
  bytes.write(alias, 5);
  bytes[38] = 12;
  bytes.writeUInt16LE(31, 39);
  return bytes;
}

test('access points that answer to one question are found, by the address from which they answer', async () => {
  const accessPoint = await openSocket(0);
  const { port } = accessPoint.address();
  accessPoint.addMembership(GROUP, LOOPBACK);
  accessPoint.setMulticastInterface(LOOPBACK);
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  accessPoint.on('message', (bytes) => {
    if (bytes[0] !== 0x80) return;
    asked += 1;
    const answers = [Buffer.from([0x81]), Buffer.from([0xe6, 1, 2]), reply('Shop\u0007')];
    for (const answer of answers) accessPoint.send(answer, port, GROUP, () => setImmediate(answered.resolve));
  });
  const clock = createFakeClock(START_MS);
  const finding = findAccessPoints(clock, { port, via: LOOPBACK });
  await answered.promise;
  for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
  await clock.advance(2_000);
  expect(await finding).toEqual([{ url: 'http://127.0.0.1/', alias: 'Shop', tagCount: 12, version: 31 }]);
  expect(asked).toBe(1);
  expect(clock.timerCount()).toBe(0);
});
