import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StartSideProcess } from '../../electron/server/ports.ts';
import { nodeSideProcesses } from '../../electron/server/sideProcesses.ts';
import { shopFolder } from '../helpers/files/shopFolder.ts';
import { sheetOf, textWorkbook } from '../helpers/files/workbook.ts';
import { COMPILED } from '../helpers/spawnStation.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import { until } from './until.ts';

let station: TestStation;
let start: StartSideProcess;
let sides: { hasEnded: boolean }[];

beforeEach(async () => {
  sides = [];
  start = nodeSideProcesses(COMPILED);
  station = await startTestStation({
    startSideProcess(file, heard, limits) {
      const side = { hasEnded: false };
      sides.push(side);
      return start(
        file,
        {
          message: heard.message,
          ended(how) {
            side.hasEnded = true;
            heard.ended(how);
          },
        },
        limits,
      );
    },
  });
});
afterEach(() => station.stop());

const HEAD = ['order_number', 'SKU', 'ordered_quantity'];
const ORDERS = textWorkbook({ Orders: [HEAD, ['W-1', 'Mug', '2'], ['W-2', 'Plate', '1']] });
const importFile = (bytes: Uint8Array) =>
  station.request('POST', '/api/imports/?kind=orders', bytes, {
    'api-key': API_KEY,
    'content-type': 'application/octet-stream',
  });
/** A workbook within all limits that needs more memory than a small limit allows. */
const large = (): Uint8Array => {
  const row = (at: number): string =>
    `<row>${Array.from({ length: 20 }, (_, column) => `<c><v>${at * 20 + column}</v></c>`).join('')}</row>`;
  return sheetOf(`<sheetData>${Array.from({ length: 20_000 }, (_, at) => row(at)).join('')}</sheetData>`);
};
/** Starts processes with little memory. */
const little =
  (working: StartSideProcess): StartSideProcess =>
  (file, heard) =>
    working(file, heard, { memoryMiB: 20 });

test('a workbook is read in a separate process with a limit of memory, which then ends', async () => {
  const limits: unknown[] = [];
  const working = start;
  start = (file, heard, limit) => {
    limits.push(limit);
    return working(file, heard, limit);
  };
  expect(await importFile(ORDERS)).toMatchObject({ status: 200, body: { counts: { orders: 2 } } });
  expect(limits).toEqual([{ memoryMiB: 384 }]);
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
});

test('a short text is read in the station, and a long text or document in a separate process', async () => {
  const csv = (rows: number): Buffer =>
    Buffer.from(
      ['order_number,SKU,ordered_quantity', ...Array.from({ length: rows }, (_, at) => `C-${rows}-${at},Mug,2`)].join(
        '\n',
      ),
    );
  expect(await importFile(csv(3))).toMatchObject({ status: 200, body: { counts: { orders: 3 } } });
  expect(sides).toHaveLength(0);
  const padded = Buffer.concat([csv(2), Buffer.alloc(1_100_000, '\n')]);
  expect(await importFile(padded)).toMatchObject({ status: 200, body: { counts: { orders: 2 } } });
  expect(sides).toHaveLength(1);
});

test('a file that needs more memory than its process may take is refused, and the next file is imported', async () => {
  const working = start;
  start = little(working);
  expect(await importFile(large())).toMatchObject({
    status: 400,
    body: {
      detail: expect.stringMatching(
        /^The file was not read, because reading it needs more memory than a file may take \(the process ended .*\)\. Remove sheets/,
      ) as string,
    },
  });
  start = working;
  expect(await importFile(ORDERS)).toMatchObject({ status: 200 });
});

test('a process that does not end is killed after two minutes, and the file is refused', async () => {
  const hung = Promise.withResolvers<void>();
  const working = start;
  start = (file, heard) => working(file, { ended: heard.ended, message: () => hung.resolve() });
  const answer = importFile(ORDERS);
  await hung.promise;
  await station.clock.advance(120_000);
  expect(await answer).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^Reading the file took too long and was canceled/) as string },
  });
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
});

test('a stopping station does not wait for a file', async () => {
  const hung = Promise.withResolvers<void>();
  const working = start;
  start = (file, heard) => working(file, { ended: heard.ended, message: () => hung.resolve() });
  const answer = importFile(ORDERS).catch(() => undefined);
  await hung.promise;
  await station.stop();
  await answer;
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
});

test('a file of the inbox that needs more memory than its process may take fails, and the next file is imported', async () => {
  using folder = shopFolder();
  const working = start;
  let begun = 0;
  start = (file, heard, limits) => {
    begun += 1;
    return (begun === 1 ? little(working) : working)(file, heard, limits);
  };
  await station.patch('/api/settings/', { inbox_folder: folder.path });
  writeFileSync(join(folder.path, 'a.xlsx'), large());
  writeFileSync(join(folder.path, 'b.xlsx'), ORDERS);
  await until('both files are read', async () => {
    await station.clock.advance(15_000);
    return folder.names('failed').length + folder.names('done').length === 4;
  });
  expect(folder.names('failed')).toEqual(['a.xlsx', 'a.xlsx.result.csv']);
  expect(readFileSync(join(folder.path, 'failed', 'a.xlsx.result.csv'), 'utf8')).toContain(
    'needs more memory than a file may take',
  );
  expect(folder.names('done')).toEqual(['b.xlsx', 'b.xlsx.result.csv']);
  expect(await station.get('/api/orders/W-1/')).toMatchObject({ order_number: 'W-1' });
});

test('a file of the inbox whose process does not end in two minutes fails, and the next file is imported', async () => {
  using folder = shopFolder();
  const hung = Promise.withResolvers<void>();
  const working = start;
  let begun = 0;
  start = (file, heard, limits) => {
    begun += 1;
    if (begun > 1) return working(file, heard, limits);
    return working(file, { ended: heard.ended, message: () => hung.resolve() }, limits);
  };
  await station.patch('/api/settings/', { inbox_folder: folder.path });
  writeFileSync(join(folder.path, 'a.xlsx'), ORDERS);
  writeFileSync(join(folder.path, 'b.xlsx'), textWorkbook({ Orders: [HEAD, ['W-9', 'Mug', '2']] }));
  const timers = vi.spyOn(station.clock, 'setTimer');
  const advancing = station.clock.advance(15_000);
  await hung.promise;
  // The clock does not advance while the station is busy.
  timers.mock.calls.find(([ms]) => ms === 120_000)?.[1]();
  await advancing;
  await until('both files are read', async () => {
    await station.clock.advance(15_000);
    return folder.names('failed').length + folder.names('done').length === 4;
  });
  expect(folder.names('failed')).toEqual(['a.xlsx', 'a.xlsx.result.csv']);
  expect(readFileSync(join(folder.path, 'failed', 'a.xlsx.result.csv'), 'utf8')).toContain(
    'Reading the file took too long and was canceled',
  );
  expect(folder.names('done')).toEqual(['b.xlsx', 'b.xlsx.result.csv']);
  expect(sides[0]).toEqual({ hasEnded: true });
  expect(await station.get('/api/orders/W-9/')).toMatchObject({ order_number: 'W-9' });
});

test('a stopping station does not wait for a file of the inbox, and reads it after the next start', async () => {
  using folder = shopFolder();
  const hung = Promise.withResolvers<void>();
  const working = start;
  start = (file, heard) => working(file, { ended: heard.ended, message: () => hung.resolve() });
  await station.patch('/api/settings/', { inbox_folder: folder.path });
  writeFileSync(join(folder.path, 'orders.xlsx'), ORDERS);
  void station.clock.advance(15_000);
  await hung.promise;
  await station.stop();
  await until('the process has ended', () => sides.every(({ hasEnded }) => hasEnded));
  expect(folder.names('failed')).toEqual([]);
});
