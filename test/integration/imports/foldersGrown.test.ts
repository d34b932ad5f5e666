import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { CSV, TAKEN_MS, useInbox } from './inboxRig.ts';

const HEAD = 'order,sku,qty\n';
const FIRST = `${HEAD}S-1,a,1\n`;

const inbox = useInbox();

const pathOf = (...names: string[]) => join(inbox.folder.path, ...names);
const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code, syscall: 'open' }));

test('a file that is empty at first is imported once its program has written it, also in a subfolder', async () => {
  await inbox.start();
  mkdirSync(pathOf('articles'));
  const orders = openSync(pathOf('slow.csv'), 'a');
  const articles = openSync(pathOf('articles', 'slow.csv'), 'a');
  await inbox.station.clock.advance(TAKEN_MS);
  expect(inbox.folder.names('failed')).toEqual(['slow.csv', 'slow.csv.result.csv']);
  expect(await inbox.alerts('file_refused')).toEqual([expect.stringContaining('The file is empty.')]);
  writeSync(orders, HEAD);
  await inbox.station.clock.advance(1_000);
  writeSync(orders, 'S-1,a,1\n');
  writeSync(articles, 'sku,name\na,Tie\n');
  for (const each of [orders, articles]) closeSync(each);
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['S-1']);
  expect(await inbox.station.get('/api/articles/a/')).toMatchObject({ name: 'Tie' });
  expect(inbox.folder.names('done')).toEqual(['slow.csv', 'slow.csv.result.csv']);
  expect(await inbox.alerts('file_refused')).toEqual([]);
});

const rewrite = (path: string) => writeFileSync(path, `${HEAD}S-1,b,1\nS-2,b,1\n`);
/** What happens to a file after its move, and why it is then refused. */
const LOST = [
  ['is rewritten', rewrite, 'The file was rewritten after it was read'],
  ['exceeds 16 MiB', (path: string) => truncateSync(path, 17 * 1024 * 1024), 'The file is larger than 16 MiB.'],
  [
    'has another hard link',
    (path: string) => {
      appendFileSync(path, 'S-2,b,1\n');
      linkSync(path, pathOf('..snapshot'));
    },
    'This file has more than one hard link.',
  ],
] as const;

test.each(LOST)('a file in done that grows and %s moves to failed with an alert', async (_, change, reason) => {
  await inbox.start();
  await inbox.drop('slow.csv', FIRST);
  change(pathOf('done', 'slow.csv'));
  await inbox.drop('next.csv', `${HEAD}N-1,a,1\n`);
  expect(await inbox.numbers()).toEqual(['N-1', 'S-1']);
  expect(inbox.folder.names('failed')).toEqual(['slow.csv', 'slow.csv.result.csv']);
  expect(inbox.folder.result('failed', 'slow.csv.result.csv')).toEqual([
    ['', '', 'refused', expect.stringContaining(reason)],
  ]);
  const alert = [expect.stringMatching(`^slow\\.csv: .*${reason}`)];
  expect(await inbox.alerts('file_refused')).toEqual(alert);
  expect(await inbox.alerts('folder_failing')).toEqual([]);
  // It stays until somebody removes the file.
  await inbox.station.clock.advance(20 * 60_000);
  expect(await inbox.alerts('file_refused')).toEqual(alert);
});

test.each(LOST)('a file in failed that grows and %s stays there, and the alert names it', async (_, change, reason) => {
  await inbox.start();
  await inbox.drop('cut.csv', `${HEAD}S-1,a,\n`);
  await inbox.drop('other.csv', '');
  change(pathOf('failed', 'cut.csv'));
  await inbox.drop('next.csv', `${HEAD}N-1,a,1\n`);
  expect(await inbox.numbers()).toEqual(['N-1']);
  expect(inbox.folder.names('failed')).toEqual(['cut.csv', 'cut.csv.result.csv', 'other.csv', 'other.csv.result.csv']);
  expect(await inbox.alerts('file_refused')).toEqual([expect.stringMatching(`^cut\\.csv: .*${reason}`)]);
});

test('a file that grows while it is compared is imported whole', async () => {
  let rest = 'S-3,c,3\n';
  const folders = changedFolders((folder) => ({
    read(name, limit) {
      if (folder.path.endsWith('done')) {
        appendFileSync(pathOf('done', name), rest);
        rest = '';
      }
      return folder.read(name, limit);
    },
  }));
  await inbox.start({ folders });
  await inbox.drop('slow.csv', FIRST);
  appendFileSync(pathOf('done', 'slow.csv'), 'S-2,b,2\n');
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['S-1', 'S-2', 'S-3']);
});

test('a file that still grows ten minutes after its move is imported once it stops', async () => {
  await inbox.start();
  const writer = openSync(pathOf('slow.csv'), 'a');
  writeSync(writer, FIRST);
  await inbox.station.clock.advance(TAKEN_MS);
  for (let second = 0; second < 20; second += 1) {
    writeSync(writer, `T-${second},a,1\n`);
    await inbox.station.clock.advance(1_000);
    if (second === 10) inbox.station.clock.jump(10 * 60_000);
  }
  closeSync(writer);
  expect(await inbox.numbers()).toEqual(['S-1']);
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toHaveLength(1 + 20);
});

test('a file that grew while the station was off for longer is imported at its start', async () => {
  await inbox.start();
  mkdirSync(pathOf('articles'));
  await inbox.drop('slow.csv', FIRST);
  await inbox.drop('articles/list.csv', 'sku,name\na,Tie\n');
  appendFileSync(pathOf('done', 'slow.csv'), 'S-2,b,2\n');
  appendFileSync(pathOf('articles', 'done', 'list.csv'), 'b,Bag\n');
  // The station takes another file first.
  writeFileSync(pathOf('next.csv'), CSV);
  inbox.station.clock.jump(3 * 60 * 60_000);
  await inbox.station.restart();
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['S-1', 'S-2', 'SO-1', 'SO-2']);
  expect(await inbox.station.get('/api/articles/b/')).toMatchObject({ name: 'Bag' });
});

test('a grown file that the station cannot read does not stop the inbox', async () => {
  const codes: Record<string, string> = {};
  const folders = changedFolders((folder) => ({
    read: (name, limit) =>
      folder.path.endsWith('done') && codes[name] !== undefined ? fail(codes[name]) : folder.read(name, limit),
  }));
  await inbox.start({ folders });
  for (const name of ['a', 'b']) await inbox.drop(`${name}.csv`, `${HEAD}${name},a,1\n`);
  Object.assign(codes, { 'a.csv': 'EACCES', 'b.csv': 'EBUSY' });
  for (const name of ['a', 'b']) appendFileSync(pathOf('done', `${name}.csv`), `${name}2,a,1\n`);
  await inbox.drop('next.csv', `${HEAD}N-1,a,1\n`);
  expect(await inbox.numbers()).toEqual(['N-1', 'a', 'b']);
  expect(await inbox.alerts('file_refused')).toEqual([
    expect.stringMatching(/^a\.csv: .*The station is not allowed to read this file\./),
  ]);
  // A file that another program has locked is read once it is free.
  expect(await inbox.alerts('folder_failing')).toHaveLength(1);
  await inbox.station.clock.advance(11 * 60_000);
  expect(await inbox.alerts('folder_failing')).toHaveLength(1);
  delete codes['b.csv'];
  await inbox.station.clock.advance(2 * TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['N-1', 'a', 'b', 'b2']);
  expect(await inbox.alerts('folder_failing')).toEqual([]);
});
