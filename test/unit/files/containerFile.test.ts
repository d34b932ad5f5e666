import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const lines = readFileSync(join(ROOT, 'resources', 'service', 'Containerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
const of = (word: string): string[] =>
  last.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

test('the container runs as a normal user on the Node version that the program needs, with its data in a volume', () => {
  expect(of('USER')).toEqual(['1000:1000']);
  expect(of('VOLUME')).toEqual(['/data']);
  expect(of('ENV').join(' ')).toContain('PICKSTATION_DATA_DIR=/data ');
  expect(lines[0]).toMatch(/^ARG BASE=docker\.io\/library\/node:24-/);
  expect(readFileSync(join(ROOT, 'electron', 'headless', 'start.mjs'), 'utf8')).toContain('NEEDED_MAJOR = 24');
});

test('the container copies only existing parts of the program, and no page sources', () => {
  const copied = of('COPY').flatMap((line) => line.replace('--from=build ', '').split(' ').slice(0, -1));
  const ours = copied.map((path) => path.replace('/opt/pickstation/', ''));
  expect(ours).not.toContain('renderer');
  for (const path of ['electron/headless', 'electron/server', 'shared', 'package.json']) expect(ours).toContain(path);
  for (const path of ours.filter((each) => !/^(?:node_modules|dist)/.test(each)))
    expect(existsSync(join(ROOT, path)), path).toBe(true);
  const [entry = ''] = of('ENTRYPOINT');
  expect(existsSync(join(ROOT, (JSON.parse(entry) as string[]).at(-1) ?? ''))).toBe(true);
});

test('the health check asks the station at the address that the station wrote, and returns its answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-health-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let status = 200;
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'address.json'), JSON.stringify({ url: `http://0.0.0.0:${port}/` }));
  const [, command = '[]'] = /CMD (.*)$/.exec(of('HEALTHCHECK')[0] ?? '') ?? [];
  const [, ...args] = (JSON.parse(command) as string[]).map((word) => word.replace('/data', folder));
  const health = async (): Promise<unknown> => (await once(spawn(process.execPath, args), 'exit'))[0];
  expect(await health()).toBe(0);
  status = 503;
  expect(await health()).toBe(1);
  expect(asked).toEqual(['/healthz', '/healthz']);
});
