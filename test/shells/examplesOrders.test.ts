import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import { API_KEY, spawnStation, type StationProcess } from './stationProcess.ts';
import { until } from './until.ts';
import {
  EXAMPLES,
  LIMIT,
  NODE,
  ONE,
  PYTHON,
  THREE,
  TWO,
  ask,
  device,
  useExamples,
  type Ended,
  type Example,
} from './exampleRig.ts';

const examples = useExamples();

describe('order.mjs', () => {
  const ROWS = ['A-1-1=2=Cable tie 200', 'A-1-2=3=Cable tie 300'];

  /** Presses repeatedly until the example has ended, because a press before the device is lit is ignored. */
  async function pick(example: Example): Promise<Ended> {
    let ended: Ended | undefined;
    void example.ended.then((result) => (ended = result));
    await until('the order to be picked', async () => {
      for (const deviceid of [ONE, TWO]) {
        const [command] = (await device(examples.url, deviceid)).commands;
        if (command?.state === 'shown') await ask(examples.url, 'POST', `/api/simulator/devices/${deviceid}/press/`);
      }
      return ended !== undefined;
    });
    return example.ended;
  }

  test('lights an order, and ends when the whole order is picked', LIMIT, async () => {
    const { code, stdout, stderr } = await pick(examples.run(NODE, 'order', ['SO/1 a', ...ROWS]));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^2 of 2 items are lit\.\n/);
    expect(stdout).toMatch(/\nCable tie 200: 2 of 2\nCable tie 300: 3 of 3\n$/);
    expect(code).toBe(0);
    await ask(examples.url, 'PATCH', '/api/settings/', { callback_url: '' });
    const again = await examples.run(NODE, 'order', ['SO/1 a', ...ROWS]).ended;
    expect(again.stderr).toContain('The station answered 409: Order SO/1 a is already fulfilled.');
  });

  test('continues an interrupted order, and names an item without a device', LIMIT, async () => {
    const items = [
      { name: 'Nut', ordered_quantity: 1, warehouse_location: 'Y-9' },
      { name: 'Bolt', ordered_quantity: 1, deviceid: ONE },
    ];
    await ask(examples.url, 'POST', '/api/orders/', { order_number: 'SO-2', ordernonce: 'x', items });
    const { code, stdout, stderr } = await pick(examples.run(NODE, 'order', ['SO-2', 'Y-9=1=Nut', 'A-1-1=1=Bolt']));
    expect(stderr).toBe('No device was found for Nut.\n');
    expect(stdout).toMatch(/^1 of 2 items are lit\.\n(?:.*\n)*Nut: 0 of 1\nBolt: 1 of 1\n$/);
    expect(code).toBe(2);
  });

  test("prints the station's reason when it refuses", LIMIT, async () => {
    const nowhere = await examples.run(NODE, 'order', ['SO-3', 'Y-9=1=Nut']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 409: No line of order SO-3 has a light');
    await ask(examples.url, 'PATCH', '/api/settings/', { callback_url: '' });
    const broken = await examples.run(NODE, 'order', ['SO-4', 'A-1-1=2.5=Nut']).ended;
    expect(broken.stderr).toContain('The station answered 400: /items/0/ordered_quantity');
  });
});

describe('orders.mjs', () => {
  test(
    'previews a file, creates its orders, reports the skipped rows, and undoes the import',
    LIMIT,
    async (context) => {
      examples.requirePrograms(context, NODE);
      const file = join(EXAMPLES, 'orders.csv');
      const dry = await examples.run(NODE, 'orders', ['--dry-run', file]).ended;
      expect(dry).toEqual({ code: 0, stdout: '2 orders would be created.\n', stderr: '' });
      expect((await examples.run(NODE, 'orders', [file]).ended).stdout).toBe('2 orders created.\n');
      const again = await examples.run(NODE, 'orders', [file]).ended;
      expect(again).toMatchObject({ code: 1, stdout: '0 orders created.\n' });
      expect(again.stderr).toContain('Line 2 left out: Order SO-3001 already exists');
      await ask(examples.url, 'POST', '/api/orders/SO-3002/abort/');
      const undone = await examples.run(NODE, 'orders', ['--undo']).ended;
      expect(undone.stdout).toBe('SO-3002 is kept: It was aborted since.\n1 orders removed.\n');
    },
  );
});

describe.each([PYTHON])('round.$ending', (language) => {
  async function pressed(deviceid: string): Promise<void> {
    await until(
      `${deviceid} to be lit`,
      async () => (await device(examples.url, deviceid)).commands[0]?.state === 'shown',
    );
    await ask(examples.url, 'POST', `/api/simulator/devices/${deviceid}/press/`);
  }

  test('leads from place to place, group by group', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    for (const _ of ['the first day', 'the next']) {
      const example = examples.run(language, 'round', ['round / 1', 'A-1-1', 'a-1-2,A-2-1'], { SECONDS_LIT: '0' });
      await pressed(ONE);
      await pressed(TWO);
      await pressed(THREE);
      const { code, stdout, stderr } = await example.ended;
      expect({ code, stderr, last: stdout.split('\n').at(-2) }).toEqual({
        code: 0,
        stderr: '',
        last: 'The round is complete.',
      });
      expect(stdout).toMatch(/^A-1-1: active\nA-1-1: acknowledged\na-1-2: /);
    }
  });

  test('reports where it stopped and how to continue', LIMIT, async (context) => {
    examples.requirePrograms(context, language);
    const halted = await examples.run(language, 'round', ['round 2', 'A-1-1'], { SECONDS_LIT: '1' }).ended;
    expect(halted).toMatchObject({ code: 2, stderr: 'The round has stalled. To continue: python3 round.py round 2\n' });
    expect(halted.stdout).toBe('A-1-1: active\nA-1-1: timed_out\n');
    const nowhere = await examples.run(language, 'round', ['round 3', 'no "where"']).ended;
    expect(nowhere).toMatchObject({ code: 1, stdout: '' });
    expect(nowhere.stderr).toContain('The station answered 409: Nothing was lit. /steps/0/location: ');
    const unknown = await examples.run(language, 'round', ['nobody']).ended;
    expect(unknown.stderr).toBe(
      'The station answered 404: There is no sequence "nobody". GET /api/sequence/ lists them.\n',
    );
  });
});

test.each([PYTHON, NODE])(
  'events.$ending prints every change of every order, even if the station and the program are killed',
  LIMIT,
  async (language) => {
    const port = await freePort();
    const dataFolder = join(examples.folder, `events-${language.ending}`);
    const start = async (): Promise<StationProcess> => {
      const started = spawnStation({ dataFolder, simulate: 1, port });
      onTestFinished(() => started.kill());
      await started.ready;
      return started;
    };
    const base = `http://127.0.0.1:${port}/`;
    const file = join(examples.folder, `orders-${language.ending}.json`);
    const follow = () => examples.run(language, 'events', [file], { STATION_URL: base });
    // What was printed but not yet saved is printed again after a kill.
    const saved = (orders: Record<string, string>) =>
      until('the program to save what it printed', () => isDeepStrictEqual(stateOf(file).orders, orders));
    let killed = await start();
    const add = async (number: string): Promise<number> => {
      const items = [{ name: 'Bolt', ordered_quantity: 9, deviceid: ONE }];
      const order = await ask<Order>(base, 'POST', '/api/orders/', { order_number: number, items });
      return order.shipments[0]?.items[0]?.id ?? 0;
    };
    const pick = (number: string, id: number, quantity: number) =>
      ask(base, 'PATCH', `/api/orders/${number}/items/${id}/`, { quantity_fulfilled: quantity });

    const first = await add('SO-1');
    let example = follow();
    await until('the first order', () => example.stdout() === 'SO-1: open, 0 of 9\n');
    await pick('SO-1', first, 1);
    await until('the first piece', () => example.stdout().endsWith('SO-1: open, 1 of 9\n'));
    // The program reads every change, even if the station is killed right afterward.
    const second = await add('SO-2');
    for (const quantity of [2, 3, 4]) await pick('SO-1', first, quantity);
    await killed.kill();
    killed = await start();
    await pick('SO-2', second, 5);
    await until('the changes over the restart', () => example.stdout().endsWith('SO-2: open, 5 of 9\n'));
    expect(example.stdout().split('\n')).toEqual([
      'SO-1: open, 0 of 9',
      'SO-1: open, 1 of 9',
      'SO-2: open, 0 of 9',
      'SO-1: open, 2 of 9',
      'SO-1: open, 3 of 9',
      'SO-1: open, 4 of 9',
      'SO-2: open, 5 of 9',
      '',
    ]);
    await saved({ 'SO-1': 'open, 4 of 9', 'SO-2': 'open, 5 of 9' });
    await example.kill();
    await pick('SO-1', first, 6);
    await pick('SO-1', first, 7);
    await killed.kill();
    await start();
    await fetch(new URL('/api/orders/SO-2/', base), { method: 'DELETE', headers: { 'api-key': API_KEY } });
    example = follow();
    await until('the changes without the program', () => example.stdout().endsWith('SO-2: deleted\n'));
    expect(example.stdout().split('\n')).toEqual(['SO-1: open, 6 of 9', 'SO-1: open, 7 of 9', 'SO-2: deleted', '']);
    await saved({ 'SO-1': 'open, 7 of 9' });
    await example.kill();
    // The station reports that it no longer has these events.
    writeFileSync(file, JSON.stringify({ ...stateOf(file), last: '999999999' }));
    await pick('SO-1', first, 8);
    example = follow();
    await until('the state after a reset', () => example.stdout() === 'SO-1: open, 8 of 9\n');
  },
);

function stateOf(file: string): { orders?: Record<string, string> } {
  return JSON.parse(readFileSync(file, 'utf8')) as { orders?: Record<string, string> };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('runs exactly the examples that RUN_BY lists for this file', () =>
  examples.expectAllTried('examplesOrders.test.ts'));
