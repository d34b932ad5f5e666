import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import { sheetOf } from '../helpers/files/workbook.ts';
import { childrenOf, commandLineOf } from '../helpers/processes.ts';
import { spawnStation, type SpawnedStation } from '../helpers/spawnStation.ts';
import { API_KEY, folderOnDisk } from './stationProcess.ts';
import { until } from './until.ts';

let folder: string;
let inbox: string;
let station: SpawnedStation | undefined;

beforeEach(() => {
  folder = folderOnDisk('reading-killed');
  inbox = join(folder, 'inbox');
  mkdirSync(inbox);
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<string> {
  station = spawnStation(['--port', '0', '--data', join(folder, 'data')], { PICKSTATION_API_KEY: API_KEY });
  const url = await station.ready();
  if (url === undefined) throw new Error(`The station did not start: ${station.stderr()}`);
  return url;
}

async function kill(): Promise<void> {
  station?.process.kill('SIGKILL');
  await station?.exit();
}

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { 'api-key': API_KEY, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const isReading = (): boolean =>
  childrenOf(station?.process.pid ?? 0).some((pid) => commandLineOf(pid).includes('copyProcess'));

/** A workbook that takes seconds to read. */
function slowWorkbook(): Uint8Array {
  return sheetOf(`<sheetData>${'<row/>'.repeat(1_000_000)}</sheetData><!--${' '.repeat(900_000)}-->`);
}

test.runIf(process.platform === 'linux')(
  'a file that the station read when it ended is read once more after the others, and then goes to failed with an alert',
  async () => {
    let url = await start();
    await ask(url, 'PATCH', '/api/settings/', { inbox_folder: inbox });
    writeFileSync(join(inbox, 'a-slow.xlsx'), slowWorkbook());
    await until('the file to be read', isReading);
    await kill();

    writeFileSync(join(inbox, 'later.csv'), 'order_number;SKU;ordered_quantity\nL-1;MUG;1\n');
    url = await start();
    await until('the file to be read again', isReading);
    expect(readdirSync(join(inbox, 'done')), 'the other file is imported first').toContain('later.csv');
    await kill();

    url = await start();
    await until('the file to be refused', () => existsSync(join(inbox, 'failed', 'a-slow.xlsx')));
    const reason = 'The station ended twice while it read this file, so it does not read it again.';
    expect(readFileSync(join(inbox, 'failed', 'a-slow.xlsx.result.csv'), 'utf8')).toContain(reason);
    await until('the alert', async () =>
      (await ask<Alert[]>(url, 'GET', '/api/alerts/')).some(({ problem }) => problem?.includes(reason) === true),
    );
    expect(isReading()).toBe(false);
  },
);
