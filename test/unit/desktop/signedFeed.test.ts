import { generateKeyPairSync, sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type AppUpdater, CancellationToken, type UpdateInfo } from 'electron-updater';
import { Provider } from 'electron-updater/out/providers/Provider.js';
import { expect, test } from 'vitest';
import { createSignedFeed } from '../../../electron/main/signedFeed.ts';
import { signRelease } from '../../../electron/server/update/signRelease.ts';

const FEED = 'https://releases.example/pickstation/';
const LIST = `${FEED}latest-linux.json`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = String(publicKey.export({ type: 'spki', format: 'pem' }));
const RELEASE = {
  list: 'latest-linux',
  version: '9.0.0',
  signed_at: '2026-11-20T08:00:00.000Z',
  files: [{ url: 'pickstation-9.0.0.AppImage', sha512: 'abc', size: 7 }],
};
const SIGNED = signRelease(RELEASE, privateKey);

type Answers = Readonly<Record<string, () => Response>>;
type Before = (details: { url: string }, answer: (to: { cancel: boolean }) => void) => void;

/** Creates a feed whose requests get these answers, as in electron-updater's session. `asked` lists the requests that were not blocked. */
function feedOver(answers: Answers, url = FEED) {
  const asked: string[] = [];
  let before: Before | undefined;
  let provider: Provider<UpdateInfo> | undefined;

  async function request(address: string, signal: AbortSignal): Promise<Response> {
    const given = before;
    if (given !== undefined) {
      const { cancel } = await new Promise<{ cancel: boolean }>((resolve) => given({ url: address }, resolve));
      if (cancel) throw new Error('net::ERR_BLOCKED_BY_CLIENT');
    }
    signal.throwIfAborted();
    asked.push(address);
    const answer = answers[address]?.() ?? new Response('', { status: 404 });
    const next = answer.headers.get('location');
    return next === null ? answer : request(new URL(next, address).href, signal);
  }

  const updater = Object.assign(new EventEmitter(), {
    netSession: {
      fetch: (address: string, { signal }: { signal: AbortSignal }) => request(address, signal),
      webRequest: { onBeforeRequest: (listener: Before) => void (before = listener) },
    },
    setFeedURL({ updateProvider: Made }: { updateProvider: new (...parts: unknown[]) => Provider<UpdateInfo> }) {
      const executor = { createRequest: () => new EventEmitter() };
      provider = new Made({}, updater, { executor, platform: 'linux' });
    },
    async checkForUpdates() {
      return { isUpdateAvailable: true, updateInfo: await provider?.getLatestVersion() };
    },
    async downloadUpdate(token: CancellationToken) {
      await request(`${FEED}pickstation-9.0.0.AppImage`, new AbortController().signal).catch((error: unknown) => {
        throw token.cancelled ? new Error('cancelled') : error;
      });
      return ['/tmp/file'];
    },
  });
  const library = { Provider, CancellationToken };
  return { asked, feed: createSignedFeed(updater as unknown as AppUpdater, library, { url, key }) };
}

const moved = (to: string) => () => new Response(null, { status: 302, headers: { location: to } });

test('returns the version, the name and the date of a signed list, even after a redirect within HTTPS', async () => {
  const found = { version: '9.0.0', list: 'latest-linux', signedAt: Date.parse(RELEASE.signed_at) };
  const elsewhere = 'https://files.example/latest-linux.json';
  const good: Answers[] = [
    { [LIST]: () => new Response(SIGNED) },
    { [LIST]: moved(elsewhere), [elsewhere]: () => new Response(SIGNED) },
  ];
  for (const answers of good) expect(await feedOver(answers).feed.check()).toEqual(found);
});

test.for(['http://192.168.1.1/reboot', 'http://127.0.0.1:4680/?command=flash', 'http://releases.example/a.json'])(
  'a feed over HTTPS cannot redirect the program to %s, neither for the list nor for the file',
  async (to) => {
    const list = feedOver({ [LIST]: moved(to), [to]: () => new Response(SIGNED) });
    await expect(list.feed.check()).rejects.toThrow('the server leads to an address without HTTPS');
    expect(list.asked).toEqual([LIST]);
    const file = feedOver({
      [LIST]: () => new Response(SIGNED),
      [`${FEED}pickstation-9.0.0.AppImage`]: moved(to),
    });
    await file.feed.check();
    await expect(file.feed.download(() => undefined)).rejects.toThrow('the server leads to an address without HTTPS');
    expect(file.asked).not.toContain(to);
  },
);

test('reads the feed over HTTP if it was built with an HTTP address, as in tests', async () => {
  const { feed } = feedOver(
    { 'http://127.0.0.1:9/latest-linux.json': () => new Response(SIGNED) },
    'http://127.0.0.1:9',
  );
  expect(await feed.check()).toMatchObject({ version: '9.0.0' });
});

test('refuses a list that is truncated, endless, for a different product, or not a list', async () => {
  const other = JSON.stringify({ program: 'another', ...RELEASE });
  const signature = sign(null, Buffer.from(other), privateKey).toString('base64');
  const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(16_384)) });
  const bad: [body: ConstructorParameters<typeof Response>[0], problem: string][] = [
    [SIGNED.slice(0, -20), 'the answer is not a list of releases'],
    [SIGNED.slice(0, 40), 'the answer is not a list of releases'],
    ['', 'the answer is not a list of releases'],
    ['[]', 'the answer is not a list of releases'],
    [endless, 'the list is longer than any list'],
    [JSON.stringify({ ...RELEASE, signature }), 'is not signed by the makers'],
    [signRelease({ ...RELEASE, list: 'latest' }, privateKey), 'is not signed by the makers'],
  ];
  for (const [body, problem] of bad) {
    const { feed } = feedOver({ [LIST]: () => new Response(body) });
    await expect(feed.check()).rejects.toThrow(problem);
    await expect(feed.check(), 'nothing of an earlier check is returned').rejects.toThrow();
  }
});
