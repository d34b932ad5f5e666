import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFolders } from '../../helpers/files/changedFolders.ts';
import { CSV, TAKEN_MS, useInbox } from './inboxRig.ts';

const inbox = useInbox();

test('imports the other files even if a file cannot be moved and a folder has the name of a result file', async () => {
  await inbox.start({
    folders: changedFolders(({ move }) => ({
      move: (...args) =>
        args[0] === 'a.csv' ? Promise.reject(new TypeError('a defect with this file')) : move(...args),
    })),
  });
  mkdirSync(join(inbox.folder.path, 'failed', 'b.txt.result.csv'), { recursive: true });
  writeFileSync(join(inbox.folder.path, 'a.csv'), '');
  writeFileSync(join(inbox.folder.path, 'b.txt'), 'no table\n');
  await inbox.drop('c.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(inbox.folder.names()).toEqual(['a.csv', 'done', 'failed']);
  expect(await inbox.status()).toMatchObject({
    state: 'failing',
    problem: 'a.csv could not be imported. The station will retry: a defect with this file',
  });
});

test('a file whose name is not UTF-8 stays in place, is reported by name, and does not stop the others', async ({
  skip,
}) => {
  await inbox.start();
  const latin1 = Buffer.concat([Buffer.from(`${inbox.folder.path}/M`), Buffer.from([0xfc]), Buffer.from('ller.csv')]);
  try {
    writeFileSync(latin1, CSV);
  } catch {
    // This file system accepts only Unicode names.
    skip();
  }
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  const problem =
    'M\ufffdller.csv could not be imported. The station will retry: Its name is not UTF-8. Rename the file.';
  expect(await inbox.status()).toMatchObject({ state: 'failing', problem });
  expect(await inbox.alerts('folder_failing')).toEqual([problem]);
  renameSync(latin1, join(inbox.folder.path, 'other.csv'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.alerts('folder_failing')).toEqual([]);
});

test('a missing folder raises an alert; when the folder returns, its files are imported and the alert ends', async () => {
  await inbox.start();
  renameSync(inbox.folder.path, `${inbox.folder.path}-away`);
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.status()).toMatchObject({
    state: 'failing',
    problem: `${inbox.folder.path} does not exist. Create it, or connect its drive or share.`,
  });
  expect(await inbox.alerts('folder_failing')).toHaveLength(1);
  renameSync(`${inbox.folder.path}-away`, inbox.folder.path);
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await inbox.status()).toMatchObject({ state: 'watching', problem: null });
  expect(await inbox.alerts('folder_failing')).toEqual([]);
});

test('does not import files from a folder in which it cannot move them', async () => {
  await inbox.start();
  rmSync(join(inbox.folder.path, 'done'), { recursive: true });
  writeFileSync(join(inbox.folder.path, 'done'), 'a file of this name');
  await inbox.drop('orders.csv', CSV);
  expect(await inbox.numbers()).toEqual([]);
  expect(await inbox.status()).toMatchObject({
    problem: `${join(inbox.folder.path, 'done')} is a file, not a folder. Rename or remove it.`,
  });
  rmSync(join(inbox.folder.path, 'done'));
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
});

test('retries a file that is in use by another program, without delaying the next files', async () => {
  let isHeld = true;
  const folders = changedFolders(({ move }) => ({
    move: (...args) =>
      isHeld && args[0] === 'held.csv'
        ? Promise.reject(Object.assign(new Error('x'), { code: 'EBUSY', syscall: 'rename', path: '/in/held.csv' }))
        : move(...args),
  }));
  await inbox.start({ folders });
  await inbox.drop('held.csv', CSV);
  await inbox.drop('next.csv', 'order,sku,qty\nSO-9,a,1\n');
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2', 'SO-9']);
  expect(await inbox.status()).toMatchObject({
    problem: 'Another program uses /in/held.csv. Close it in that program.',
  });
  isHeld = false;
  await inbox.station.clock.advance(TAKEN_MS);
  expect(inbox.folder.names()).toEqual(['done', 'failed']);
  expect(inbox.folder.names('failed')).toEqual([]);
  expect(await inbox.status()).toMatchObject({ state: 'watching' });
});

test('a read-only folder raises an alert', async ({ skip }) => {
  skip(process.getuid?.() === 0, 'root may write everywhere');
  await inbox.start();
  chmodSync(inbox.folder.path, 0o500);
  await inbox.drop('x.csv', CSV).catch(() => undefined);
  expect(await inbox.alerts('folder_failing')).toHaveLength(1);
  chmodSync(inbox.folder.path, 0o700);
});

test('the alert about a refused file is raised even if the folder fails at the next file', async () => {
  let isAway = true;
  await inbox.start({
    folders: changedFolders(({ read }) => ({
      read: (name, limit) =>
        isAway && name === 'b.csv'
          ? Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }))
          : read(name, limit),
    })),
  });
  // No file is in failed.
  await inbox.station.clock.advance(TAKEN_MS);
  writeFileSync(join(inbox.folder.path, 'a.csv'), '');
  await inbox.drop('b.csv', CSV);
  const alert = [expect.stringMatching(/^a\.csv: The file is empty\./)];
  expect(await inbox.alerts('folder_failing')).toHaveLength(1);
  expect(await inbox.alerts('file_refused')).toEqual(alert);
  isAway = false;
  await inbox.station.clock.advance(TAKEN_MS);
  expect(await inbox.numbers()).toEqual(['SO-1', 'SO-2']);
  expect(await inbox.alerts('file_refused')).toEqual(alert);
});
