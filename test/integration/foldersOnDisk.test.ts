import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFolders } from '../../electron/server/folderFiles.ts';
import { shopFolder } from '../helpers/shopFolder.ts';

const folders = systemFolders();
let shop: ReturnType<typeof shopFolder>;

beforeEach(() => void (shop = shopFolder()));
afterEach(() => shop[Symbol.dispose]());

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

test('the watcher reports a new file, and a folder that disappears and returns', async () => {
  const inbox = join(shop.path, 'inbox');
  mkdirSync(inbox);
  let heard = Promise.withResolvers<void>();
  const stop = folders.watch(inbox, () => heard.resolve());
  /** Changes the folder until the watcher has begun and reports it. */
  const reportsAfter = async (change: (count: number) => void): Promise<void> => {
    heard = Promise.withResolvers();
    let count = 0;
    const again = setInterval(() => change((count += 1)), 200);
    await heard.promise.finally(() => clearInterval(again));
  };
  await reportsAfter((count) => writeFileSync(join(inbox, `a${count}.csv`), ''));
  heard = Promise.withResolvers();
  renameSync(inbox, `${inbox}-away`);
  await heard.promise;
  heard = Promise.withResolvers();
  renameSync(`${inbox}-away`, inbox);
  await heard.promise;
  await reportsAfter((count) => writeFileSync(join(inbox, `b${count}.csv`), ''));
  stop();
});

test('a file name cannot lead to another folder', async () => {
  for (const name of ['../a.csv', '..', '.', '', 'a/b.csv', 'a\\b.csv', '/etc/hostname']) {
    await expect(folders.read(shop.path, name, 100), name).rejects.toThrow('is not the name of a file');
    await expect(folders.write(shop.path, name, ''), name).rejects.toThrow('is not the name of a file');
    await expect(folders.move(shop.path, 'a', { folder: shop.path, name }), name).rejects.toThrow('is not the name');
  }
});

test('does not read links, and does not hang on a pipe', async () => {
  symlinkSync('/etc/hostname', join(shop.path, 'link.csv'));
  expect(await folders.read(shop.path, 'link.csv', 100).catch(codeOf)).toBe('ELOOP');
  execFileSync('mkfifo', [join(shop.path, 'pipe.csv')]);
  expect((await folders.read(shop.path, 'pipe.csv', 100))?.bytes).toHaveLength(0);
  const listed = await folders.list(shop.path, () => true);
  expect(new Map(listed.map(({ name, isFile }) => [name, isFile]))).toEqual(
    new Map([
      ['link.csv', false],
      ['pipe.csv', false],
    ]),
  );
});

test('does not read a file over the limit, and returns the SHA-256 of others', async () => {
  writeFileSync(join(shop.path, 'a.csv'), 'abc');
  expect(await folders.read(shop.path, 'a.csv', 2)).toBeUndefined();
  expect(await folders.read(shop.path, 'a.csv', 3)).toMatchObject({
    hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  });
});

test('a write replaces the previous file, and leaves no other files', async () => {
  await folders.write(shop.path, 'a.json', 'first');
  await folders.write(shop.path, 'a.json', 'second');
  expect(readFileSync(join(shop.path, 'a.json'), 'utf8')).toBe('second');
  mkdirSync(join(shop.path, 'b.json'));
  await expect(folders.write(shop.path, 'b.json', 'x')).rejects.toThrow();
  expect(shop.names()).toEqual(['a.json', 'b.json']);
});

test('a file appears whole: nobody can read a part of it under its name', async () => {
  const text = 'second '.repeat(1_000_000);
  await folders.write(shop.path, 'a.json', 'first');
  const written = { isDone: false };
  const writing = folders.write(shop.path, 'a.json', text).finally(() => (written.isDone = true));
  const sizes = new Set<number>();
  while (!written.isDone) {
    sizes.add(statSync(join(shop.path, 'a.json')).size);
    await new Promise(setImmediate);
  }
  await writing;
  sizes.add(statSync(join(shop.path, 'a.json')).size);
  expect([...sizes]).toEqual(['first'.length, text.length]);
});

test('a write also replaces the partial file that a kill left', async () => {
  // Learns the name of the partial file from a long write.
  const writing = folders.write(shop.path, 'a.json', 'x'.repeat(5_000_000));
  while (shop.names().length === 0) await new Promise(setImmediate);
  const [partial = ''] = shop.names();
  await writing;
  expect(partial).not.toBe('a.json');
  writeFileSync(join(shop.path, partial), 'a longer text than the next one');
  await folders.write(shop.path, 'a.json', 'short');
  expect(readFileSync(join(shop.path, 'a.json'), 'utf8')).toBe('short');
  expect(shop.names()).toEqual(['a.json']);
});

test('creates a subfolder only in an existing folder', async () => {
  expect(await folders.makeFolder(shop.path, 'done')).toBe(join(shop.path, 'done'));
  expect(await folders.makeFolder(shop.path, 'done')).toBe(join(shop.path, 'done'));
  writeFileSync(join(shop.path, 'failed'), '');
  expect(await folders.makeFolder(shop.path, 'failed').catch(codeOf)).toBe('ENOTDIR');
  expect(await folders.makeFolder(join(shop.path, 'away'), 'done').catch(codeOf)).toBe('ENOENT');
  expect(await folders.check(join(shop.path, 'away')).catch(codeOf)).toBe('ENOENT');
});
