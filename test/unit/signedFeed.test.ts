import { generateKeyPairSync, hash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createSignedFeed, OTHER_FILE } from '../../electron/main/signedFeed.ts';
import { signRelease } from '../../electron/server/update/signedRelease.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const GENUINE = 'the program';
const FILE = { url: 'program', sha512: hash('sha512', GENUINE, 'base64'), size: GENUINE.length };
const SIGNED_AT = '2026-11-20T08:00:00.000Z';
const LIST = signRelease({ list: 'latest-linux', version: '2.0.0', signed_at: SIGNED_AT, files: [FILE] }, privateKey);

type Answer = PassThrough & { statusCode: number };
type Asked = EventEmitter & { isAborted: boolean; answer(): Answer };

/** The parts of the updater library that the feed uses; the test answers its requests. */
function start() {
  const asked: Asked[] = [];
  const received: Answer[] = [];
  const executor = {
    createRequest(_options: unknown, callback: (answer: Answer) => void): Asked {
      const request: Asked = Object.assign(new EventEmitter(), {
        isAborted: false,
        end: () => undefined,
        abort: () => void (request.isAborted = true),
        answer() {
          const answer = Object.assign(new PassThrough(), { statusCode: 200 });
          callback(answer);
          return answer;
        },
      });
      asked.push(request);
      return request;
    },
  };
  class Provider {
    executor: typeof executor;
    constructor(runtime: { executor: typeof executor }) {
      this.executor = runtime.executor;
    }
    getDefaultChannelName = (): string => 'latest-linux';
  }
  class CancellationToken extends EventEmitter {
    cancel = (): void => void this.emit('cancel');
  }
  let provider: { getLatestVersion(): Promise<unknown> } | undefined;
  const updater = Object.assign(new EventEmitter(), {
    netSession: { fetch: () => Promise.resolve(new Response(LIST)) },
    setFeedURL({ updateProvider: Made }: { updateProvider: new (...args: unknown[]) => never }) {
      provider = new Made({}, updater, { executor });
    },
    async checkForUpdates() {
      return { isUpdateAvailable: true, updateInfo: await provider?.getLatestVersion() };
    },
    /** Sends one request, then another one on each `again`. */
    downloadUpdate: async (token: CancellationToken) =>
      new Promise<string[]>((resolve, reject) => {
        const ask = (): void => void executor.createRequest({}, (answer) => received.push(answer));
        ask();
        updater.on('again', ask);
        updater.once('done', (file: string) => resolve([file]));
        token.once('cancel', () => reject(new Error('cancelled')));
      }).finally(() => updater.removeAllListeners('again')),
  });
  const key = String(publicKey.export({ type: 'spki', format: 'pem' }));
  const feed = createSignedFeed(updater as never, { Provider, CancellationToken } as never, {
    url: 'http://feed/',
    key,
  });
  return { feed, updater, asked, received };
}

test('aborts the request of a finished attempt, and ignores its late answer', async () => {
  const { feed, updater, asked, received } = start();
  expect(await feed.check()).toEqual({ version: '2.0.0', signedAt: Date.parse(SIGNED_AT) });
  const first = feed.download(() => undefined);
  updater.emit('done', '/file');
  expect(await first).toBe('/file');
  expect(asked.map(({ isAborted }) => isAborted)).toEqual([true]);
  const second = feed.download(() => undefined);
  asked[0]?.answer();
  expect(received).toEqual([]);
  const answer = asked[1]?.answer();
  expect(received).toEqual([answer]);
  updater.emit('done', '/file');
  await second;
});

test('more bytes than signed or more than ten redirects end an attempt', async () => {
  const { feed, updater, asked } = start();
  await feed.check();
  const long = feed.download(() => undefined);
  asked[0]?.answer().write(`${GENUINE} and more`);
  await expect(long).rejects.toMatchObject({ code: OTHER_FILE });
  const redirected = feed.download(() => undefined);
  for (let count = 0; count < 20; count += 1) updater.emit('again');
  await expect(redirected).rejects.toThrow('the server redirects too often');
  expect(asked).toHaveLength(11);
  expect(asked.every(({ isAborted }) => isAborted)).toBe(true);
});

test('accepts only the signed file, and deletes any other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-feed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'program');
  const { feed } = start();
  await feed.check();
  writeFileSync(file, GENUINE);
  feed.verify(file);
  for (const other of ['the programs', 'the progran', '']) {
    writeFileSync(file, other);
    expect(() => feed.verify(file)).toThrow('it is not the file that was signed');
    expect(existsSync(file)).toBe(false);
  }
});
