import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFolders } from '../../../electron/server/files/folderFiles.ts';
import type { Folders, OpenFolder } from '../../../electron/server/ports.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';

let folders: Folders;
let shop: ReturnType<typeof shopFolder>;
let folder: OpenFolder;

beforeEach(() => void (shop = shopFolder()));
afterEach(() => shop[Symbol.dispose]());

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

test('the watcher reports a new file, and reports when its folder disappears and returns', async () => {
  const inbox = join(shop.path, 'inbox');
  mkdirSync(inbox);
  let heard = Promise.withResolvers<void>();
  const stop = systemFolders().watch(inbox, () => heard.resolve());
  /** Repeats the change until the watcher has started and reports the change. */
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

test('the watcher reports when it is ready, so that files added before are not missed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = systemFolders().watch(shop.path, resolve);
  await promise;
  stop();
});

describe.each(['descriptor', 'path'] as const)('with folders accessed by %s', (reach) => {
  beforeEach(async () => {
    folders = systemFolders(reach);
    folder = await folders.open(shop.path);
  });
  afterEach(() => folder.close());

  test('a file name cannot lead to another folder', async () => {
    for (const name of ['../a.csv', '..', '.', '', 'a/b.csv', '/etc/hostname']) {
      await expect(folder.read(name, 100), name).rejects.toThrow('is not the name of a file');
      await expect(folder.write(name, ''), name).rejects.toThrow('is not the name of a file');
      await expect(folder.move('a', { folder, name }), name).rejects.toThrow('is not the name');
    }
  });

  test('does not read links, and does not block on a pipe', async () => {
    symlinkSync('/etc/hostname', join(shop.path, 'link.csv'));
    expect(await folder.read('link.csv', 100).catch(codeOf)).toBe('ELOOP');
    execFileSync('mkfifo', [join(shop.path, 'pipe.csv')]);
    expect((await folder.read('pipe.csv', 100))?.bytes).toHaveLength(0);
    const listed = await folder.list(() => true);
    expect(new Map(listed.map(({ name, isFile }) => [name, isFile]))).toEqual(
      new Map([
        ['link.csv', false],
        ['pipe.csv', false],
      ]),
    );
  });

  test('does not read a file above the size limit, and returns the SHA-256 of other files', async () => {
    writeFileSync(join(shop.path, 'a.csv'), 'abc');
    expect(await folder.read('a.csv', 2)).toBeUndefined();
    expect(await folder.read('a.csv', 3)).toMatchObject({
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  test('a write replaces the previous file and leaves no other files', async () => {
    await folder.write('a.json', 'first');
    await folder.write('a.json', 'second');
    expect(readFileSync(join(shop.path, 'a.json'), 'utf8')).toBe('second');
    mkdirSync(join(shop.path, 'b.json'));
    await expect(folder.write('b.json', 'x')).rejects.toThrow();
    expect(shop.names()).toEqual(['a.json', 'b.json']);
  });

  test('a file appears complete: its final name never refers to a partly written file', async () => {
    const text = 'second '.repeat(1_000_000);
    await folder.write('a.json', 'first');
    const written = { isDone: false };
    const writing = folder.write('a.json', text).finally(() => (written.isDone = true));
    const sizes = new Set<number>();
    while (!written.isDone) {
      sizes.add(statSync(join(shop.path, 'a.json')).size);
      await new Promise(setImmediate);
    }
    await writing;
    sizes.add(statSync(join(shop.path, 'a.json')).size);
    expect([...sizes]).toEqual(['first'.length, text.length]);
  });

  test('a write also replaces a partial file that was left after a kill', async () => {
    // A long write reveals the name of the partial file.
    const writing = folder.write('a.json', 'x'.repeat(5_000_000));
    while (shop.names().length === 0) await new Promise(setImmediate);
    const [partial = ''] = shop.names();
    await writing;
    expect(partial).not.toBe('a.json');
    writeFileSync(join(shop.path, partial), 'a longer text than the next one');
    await folder.write('a.json', 'short');
    expect(readFileSync(join(shop.path, 'a.json'), 'utf8')).toBe('short');
    expect(shop.names()).toEqual(['a.json']);
  });

  test('creates a subfolder only in an existing folder', async () => {
    for (let times = 0; times < 2; times += 1) {
      const done = await folder.makeFolder('done');
      expect(done.path).toBe(join(shop.path, 'done'));
      await done.close();
    }
    writeFileSync(join(shop.path, 'failed'), '');
    expect(await folder.makeFolder('failed').catch(codeOf)).toBe('ENOTDIR');
    expect(await folders.open(join(shop.path, 'away')).catch(codeOf)).toBe('ENOENT');
    expect(await folders.open(join(shop.path, 'failed')).catch(codeOf)).toBe('ENOTDIR');
  });
  test('an open folder is not affected by replacing the folder at its path', async () => {
    const [inbox, away, target] = ['inbox', 'away', 'target'].map((name) => join(shop.path, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [inbox, target]) mkdirSync(path);
    const held = await folders.open(inbox);
    const done = await held.makeFolder('done');
    writeFileSync(join(inbox, 'a.csv'), 'mine');
    writeFileSync(join(target, 'a.csv'), 'theirs');
    mkdirSync(join(target, 'done'));
    renameSync(inbox, away);
    symlinkSync(target, inbox);
    const read = await held.read('a.csv', 100).then((one) => String(one?.bytes), codeOf);
    const moved = await held.move('a.csv', { folder: done, name: 'a.csv' }).then(() => 'moved', codeOf);
    const wrote = await held.write('b.json', 'x').then(() => 'wrote', codeOf);
    expect([read, moved, wrote]).toEqual(
      reach === 'descriptor' ? [Buffer.from('mine').toString(), 'moved', 'wrote'] : ['ELOOP', 'ELOOP', 'ELOOP'],
    );
    expect(readdirSync(target)).toEqual(['a.csv', 'done']);
    expect(readdirSync(join(target, 'done'))).toEqual([]);
    for (const one of [done, held]) await one.close();
  });

  test('does not open a link in place of a subfolder', async () => {
    mkdirSync(join(shop.path, 'elsewhere'));
    symlinkSync(join(shop.path, 'elsewhere'), join(shop.path, 'done'));
    symlinkSync(join(shop.path, 'nowhere'), join(shop.path, 'failed'));
    expect(await folder.makeFolder('done').catch(codeOf)).toBe('ELOOP');
    expect(await folder.makeFolder('failed').catch(codeOf)).toBe('ELOOP');
    expect(existsSync(join(shop.path, 'nowhere'))).toBe(false);
  });

  test('does not write through a link, or into a file with a second hard link', async () => {
    writeFileSync(join(shop.path, 'target'), 'theirs');
    const temporary = `.${createHash('sha256').update('a.json').digest('hex').slice(0, 16)}.tmp`;
    linkSync(join(shop.path, 'target'), join(shop.path, temporary));
    symlinkSync(join(shop.path, 'target'), join(shop.path, 'a.json'));
    await folder.write('a.json', 'mine');
    expect(readFileSync(join(shop.path, 'target'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(shop.path, 'a.json'), 'utf8')).toBe('mine');
    linkSync(join(shop.path, 'target'), join(shop.path, 'b.csv'));
    expect(await folder.read('b.csv', 100).catch(codeOf)).toBe('EMLINK');
  });

  test("an error contains the file's path as the user knows it", async () => {
    const error: NodeJS.ErrnoException = (await folder
      .read('none.csv', 1)
      .catch((one: unknown) => one as Error)) as Error;
    expect([error.code, error.path]).toEqual(['ENOENT', join(shop.path, 'none.csv')]);
  });
});
