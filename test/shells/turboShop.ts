import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { expect } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import { selfSigned } from '../helpers/servers/selfSigned.ts';
import { STATION_PROGRAM } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk, watch, type StationProcess } from './stationProcess.ts';

const PAGE = 1_000;

/** A station in a separate process, for turbos in other processes. It can be killed and restarted. */
export type TurboShop = {
  /** Folder for a test's files. It is removed with the shop. */
  folder: string;
  /** Address as `127.0.0.1:PORT`, which stays the same after each restart. */
  http: string;
  tcp: string;
  /** The certificate file to trust, or undefined if connections are not encrypted. */
  ca: string | undefined;
  /** Sends a request and returns the answer. Rejects if the request fails. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Lists all acknowledged presses. */
  acknowledged(): Promise<HistoryEntry[]>;
  /** Kills the station, runs `meanwhile`, and starts the station again. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export async function openShop(name: string, { isEncrypted = false, simulate = 0 } = {}): Promise<TurboShop> {
  const folder = folderOnDisk(name);
  const [port, turboPort] = [await freePort(), await freePort()];
  const ca = isEncrypted ? join(folder, 'cert.pem') : undefined;
  const args = ['--port', String(port), '--turbo-port', String(turboPort), '--data', join(folder, 'station')];
  if (simulate > 0) args.push('--simulate', String(simulate));
  if (ca !== undefined) {
    const { cert, key } = selfSigned('localhost');
    writeFileSync(ca, cert);
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
    args.push('--tls-cert', ca, '--tls-key', join(folder, 'key.pem'));
  }
  const agent = new Agent(ca === undefined ? {} : { connect: { ca: readFileSync(ca) } });
  let station: StationProcess;
  let url = '';

  async function start(): Promise<void> {
    station = watch([process.execPath, STATION_PROGRAM, ...args]);
    url = await station.ready;
  }
  await start();
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: agent,
    });
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  return {
    folder,
    http: `127.0.0.1:${port}`,
    tcp: `127.0.0.1:${turboPort}`,
    ca,
    ask,
    async acknowledged() {
      const all: HistoryEntry[] = [];
      for (let after = ''; ;) {
        const page = await ask<HistoryEntry[]>('GET', `/api/history/?kind=acknowledged&limit=${PAGE}${after}`);
        all.push(...page);
        if (page.length < PAGE) return all;
        after = `&after=${page.at(-1)?.id}`;
      }
    },
    async restart(meanwhile = () => Promise.resolve()) {
      await station.kill();
      await meanwhile();
      await start();
    },
    async close() {
      await station.stop();
      await agent.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Finds a port that a restarted station can use again. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
