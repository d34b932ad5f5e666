import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOrder, anItem, correct, itemsOf, launch, ONE, orderPath, press, THREE_BUTTONS } from '../helpers/orders.ts';
import { listSnippets } from '../helpers/snippets.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const PAGE = 'docs/how-to-book.md';
const ORDER = 'SO-1';
const PROGRAMS = [
  { language: 'py', command: 'python3', file: 'book.py' },
  { language: 'mjs', command: 'node', file: 'book.mjs' },
  { language: 'powershell', command: 'pwsh', file: 'book.ps1' },
] as const;

let folder: string;
let station: TestStation;
const stops: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-book-'));
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  for (const stop of stops.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a program in the test's folder, as a reader would. */
async function run(command: string, file: string): Promise<{ url: string; kill(): Promise<void> }> {
  const child: ChildProcess = spawn(command, [file, String(await freePort())], { cwd: folder });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  stops.push(kill);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer): void => {
      output += String(text);
      const said = /^Waiting for callbacks at (\S+)$/m.exec(output)?.[1];
      if (said !== undefined) resolve(said);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then(() => reject(new Error(output)));
  });
  return { url, kill };
}

/**
 * Starts a proxy to the program that replaces the first answer to each callback with status 500, so that the program gets every callback
 * twice. Without a program, every request fails.
 */
async function startUnreliableWay() {
  let target: string | undefined;
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const id = String(request.headers['webhook-id']);
      if (target === undefined) return response.writeHead(502).end();
      const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        /^(?:webhook|pickstation|content-type)/.test(name) ? [[name, String(value)] as [string, string]] : [],
      );
      const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(chunks) });
      times.set(id, (times.get(id) ?? 0) + 1);
      return response.writeHead(times.get(id) === 1 ? 500 : answer.status).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    lead: (to: string | undefined): void => void (target = to),
    times,
  };
}

async function idOf(index: number): Promise<number> {
  return (await itemsOf(station, ORDER))[index]?.id ?? 0;
}

/** Returns the order's picked quantities by line. */
async function fingers(): Promise<Record<string, number>> {
  const items = await itemsOf(station, ORDER);
  const picked = items.map(
    ({ name, callback_nonce: nonce, quantity_fulfilled: quantity }) =>
      [`${ORDER} | ${name} | ${nonce}`, quantity] as const,
  );
  return Object.fromEntries(picked.filter(([, quantity]) => quantity !== 0));
}

for (const { language, command, file } of PROGRAMS) {
  test(`the table of ${file} contains the picked quantities`, { timeout: 300_000 }, async (context) => {
    const snippet = listSnippets(PAGE).find((each) => each.language === language);
    expect(snippet?.mark).toEqual({ kind: 'needs', value: 'bookings' });
    if (spawnSync(command, ['--version']).error !== undefined) context.skip(`There is no ${command} on this machine.`);
    writeFileSync(join(folder, file), snippet?.code ?? '');
    const way = await startUnreliableWay();
    await station.patch('/api/settings/', { callback_url: way.url });
    let program = await run(command, file);
    way.lead(program.url);
    // Two nonces differ only in case, and two lines have the same nonce.
    await addOrder(station, ORDER, [
      anItem({ callback_nonce: 'a', ordered_quantity: 5, deviceid: THREE_BUTTONS }),
      anItem({ callback_nonce: 'A' }),
      anItem({ name: 'Cap', callback_nonce: 'a', ordered_quantity: 4, deviceid: undefined }),
    ]);
    await launch(station, ORDER);
    await press(station, THREE_BUTTONS, 'minus');
    await press(station, THREE_BUTTONS);
    await station.clock.advance(3_000);

    way.lead(undefined);
    await program.kill();
    await press(station, ONE);
    await station.post(orderPath(ORDER, `items/${await idOf(1)}/reopen/`), {});
    await station.clock.advance(20_000);
    program = await run(command, file);
    way.lead(program.url);
    await correct(station, ORDER, await idOf(0), { quantity_fulfilled: 3 });
    await correct(station, ORDER, await idOf(2), { quantity_fulfilled: 2 });
    await station.clock.advance(5_000);

    await program.kill();
    writeFileSync(join(folder, 'booked.jsonl'), '{"id":"cut o', { flag: 'a' });
    program = await run(command, file);
    way.lead(program.url);
    await press(station, ONE);
    await station.clock.advance(3_600_000);
    for (const { id } of await station.get<{ id: string }[]>('/api/callbacks/'))
      await station.post(`/api/callbacks/${id}/replay/`);
    await station.clock.advance(60_000);

    expect(await station.get('/api/callbacks/?state=pending')).toEqual([]);
    expect(Math.min(...way.times.values())).toBeGreaterThan(1);
    const lines = { 'SO-1 | Cable tie | a': 3, 'SO-1 | Cable tie | A': 2, 'SO-1 | Cap | a': 2 };
    expect(await (await fetch(program.url)).json()).toEqual(lines);
    expect(await fingers()).toEqual(lines);

    const unknown = { method: 'POST', headers: { 'webhook-id': 'old' }, body: '{"nonce":"a","quantity":9}' };
    expect((await fetch(program.url, unknown)).status).toBe(422);
    expect(await (await fetch(program.url)).json()).toEqual(lines);
  });
}
