import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from './until.ts';
import { LIMIT, NODE, PYTHON, TWO, ask, useExamples, type Example } from './exampleRig.ts';

const examples = useExamples();

test('receiver.mjs prints callbacks that the station has signed, and refuses others', LIMIT, async () => {
  const secret = `whsec_${Buffer.from('a key that nobody guesses').toString('base64')}`;
  const receiver = examples.run(NODE, 'receiver', ['0'], { SIGNING_SECRET: secret });
  await until('the receiver to listen', () => receiver.stdout().endsWith('/\n'));
  const [address = ''] = /http:\S+/.exec(receiver.stdout()) ?? [];
  const payload = '{"acknack":"ack","nonce":"forged"}';
  const stranger = await fetch(address, { method: 'POST', body: payload });
  const forger = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    },
    body: payload,
  });
  expect([stranger.status, forger.status]).toEqual([401, 401]);
  await ask(examples.url, 'PATCH', '/api/settings/', { callback_url: address, callback_signing_secret: secret });
  await ask(examples.url, 'POST', `/api/device/${TWO}/`, { unsolicitedNonce: 'help' });
  await ask(examples.url, 'POST', `/api/simulator/devices/${TWO}/press/`, { hold: 'long' });
  await until('the call to be printed', () => receiver.stdout().includes('"nonce":"help"'));
  expect(receiver.stdout()).toContain('POST / {"acknack":"call"');
  expect(receiver.stdout()).not.toContain('forged');
  await ask(examples.url, 'PATCH', '/api/settings/', { callback_signing_secret: null });
});

describe.each([PYTHON])('stocktable.$ending', (language) => {
  test('keeps the stock correct while callbacks fail, are repeated and arrive out of order', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const sku = 'stock / 1';
    await ask(examples.url, 'POST', '/api/articles/', {
      sku,
      places: [{ location: 'A-1-1', on_hand: 50 }, { location: 'B' }],
    });
    const env = { CALLBACK_PORT: '0' };
    const first = examples.run(language, 'stocktable', [join(examples.folder, 'stocktable.db')], env);
    await until('the program to wait', () => Promise.resolve(first.stdout().includes('Waiting')));
    const address = (example: Example): string => /http:\S+/.exec(example.stdout())?.[0] ?? '';
    const told: string[] = [];
    let refuses = true;
    const between = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (refuses) return response.writeHead(503).end();
        told.push(Buffer.concat(chunks).toString());
        return response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void between.close());
    const callback_url = `http://127.0.0.1:${(between.address() as AddressInfo).port}/`;
    await ask(examples.url, 'PATCH', '/api/settings/', { callback_url, callback_families: { movement: true } });
    const changes = [{ delta: -3 }, { count: 40 }, { delta: 2 }, { delta: -1 }, { count: 7 }];
    const post = (...movements: object[]) => ask(examples.url, 'POST', '/api/stock/', { movements });
    for (const change of changes) await post({ sku, location: 'A-1-1', ...change });
    await post({ sku, from: 'A-1-1', to: 'B', quantity: 2 });
    refuses = false;
    await until('every callback to arrive', async () => {
      await ask(examples.url, 'POST', '/api/callbacks/send/');
      return new Set(told).size === changes.length + 2;
    });
    const deliver = async (to: string, bodies: readonly string[]): Promise<void> => {
      for (const body of bodies) expect((await fetch(to, { method: 'POST', body })).status).toBe(200);
    };
    const right = [
      { sku, location: 'A-1-1', on_hand: 5 },
      { sku, location: 'B', on_hand: null },
    ];
    const table = async (example: Example): Promise<unknown> => {
      const rows = (await (await fetch(address(example))).json()) as { sku: string }[];
      return rows.filter((row) => row.sku === sku);
    };
    // Deliver the callbacks in reverse order, and each several times.
    await deliver(address(first), [...told.toReversed(), ...told, ...told.toReversed()]);
    expect(await table(first)).toEqual(right);
    await first.kill();
    // A change that the program missed while it was not running.
    await post({ sku, location: 'B', count: 9 });
    await ask(examples.url, 'PATCH', '/api/settings/', { callback_families: { movement: false } });
    const second = examples.run(language, 'stocktable', [join(examples.folder, 'stocktable.db')], env);
    await until('the program to wait again', () => Promise.resolve(second.stdout().includes('Waiting')));
    await deliver(address(second), told);
    expect(await table(second)).toEqual([right[0], { sku, location: 'B', on_hand: 9 }]);
  });
});

test('runs exactly the examples that RUN_BY lists for this file', () =>
  examples.expectAllTried('examplesCallbacks.test.ts'));
