import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { sendWritten } from '../../../electron/server/http/bodies/formats.ts';

const CHUNK_BYTES = 32 * 1_024;
const CHUNKS = 1_000;
/** What the system may take before the caller reads. */
const MAX_TAKEN_BYTES = 12_000_000;

test('sends a long answer as fast as the caller reads it', async () => {
  const chunks = Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES, 'x'));
  let waiting: Response | undefined;
  let isBegun = false;
  let isSent = false;
  const app = express().get('/', (_req, res) => {
    waiting = res;
    res.once('finish', () => (isSent = true));
    // Returns at once, although nobody has read anything.
    sendWritten(res, { type: 'text/plain', chunks, beginning: '' });
    isBegun = true;
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  await new Promise(setImmediate);
  expect([isBegun, isSent]).toEqual([true, false]);
  expect(waiting?.writableLength).toBeLessThan(CHUNK_BYTES * 4);
  expect(waiting?.socket?.bytesWritten).toBeLessThan(MAX_TAKEN_BYTES);
  let bytes = 0;
  for await (const part of answer) bytes += (part as Buffer).length;
  expect(bytes).toBe(CHUNKS * CHUNK_BYTES);
  await expect.poll(() => isSent).toBe(true);
});
