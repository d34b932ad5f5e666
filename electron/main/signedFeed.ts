import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { type Readable, Writable } from 'node:stream';
import type { ClientRequest } from 'electron';
import type { AppUpdater, CancellationToken, Provider, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { StationPorts } from '../server/station.ts';
import { readRelease } from '../server/update/signedRelease.ts';
import type { Release } from '../server/update/signRelease.ts';

/** Time limit for downloading the whole list of releases, and for each pause within a file. */
const ANSWERED_WITHIN_MS = 60_000;
const LOADED_WITHIN_MS = 6 * 3_600_000;
const MAX_LIST_BYTES = 64 * 1024;
/** Maximum number of requests per download, including redirects. The library itself has no limit. */
const MAX_REQUESTS = 10;
const READ_BYTES = 2 ** 20;

/** The library's error code for a file whose hash differs from the signed one. */
export const OTHER_FILE = 'ERR_CHECKSUM_MISMATCH';
const SILENT = 'the server does not answer';
const PLAIN = 'the server leads to an address without HTTPS';

/** Source of updates. `url` is the folder with the lists of releases, and `key` is the public key in PEM format. */
export type Feed = { url: string; key: string };

type FoundUpdate = Awaited<ReturnType<NonNullable<StationPorts['updater']>['check']>>;

type Answer = Readable & { statusCode: number };
/** A download in progress. Its requests and files are listed here, because the library does not close them. */
type Attempt = { requests: ClientRequest[]; sinks: Writable[]; onData: () => void; fail: (error: Error) => void };

/** State of the connection to one feed. */
type FeedState = {
  base: URL;
  /** The download in progress. */
  attempt: Attempt | undefined;
  /** Stops loading the list of releases. */
  stopList: ((error: Error) => void) | undefined;
  /** Files in the last list. */
  signed: Release['files'];
  /** The last list that was found, or undefined after the next check has begun. */
  seen: Omit<FoundUpdate, 'version'> | undefined;
};

type Library = { Provider: typeof Provider; CancellationToken: typeof CancellationToken };

/**
 * Finds releases and downloads them with electron-updater. Accepts only signed lists and files, and reads no more of a file than its signed
 * size, so that a compromised server cannot fill memory or disk, or disturb later attempts.
 */
export function createSignedFeed(updater: AppUpdater, library: Library, feed: Feed) {
  const base = new URL(feed.url.endsWith('/') ? feed.url : `${feed.url}/`);
  const state: FeedState = { base, attempt: undefined, stopList: undefined, signed: [], seen: undefined };
  // Require HTTPS: otherwise, the server could redirect requests to any address in the local network, where few devices have a certificate.
  if (base.protocol === 'https:')
    updater.netSession.webRequest.onBeforeRequest(({ url }, answer) => {
      const isPlain = !url.startsWith('https:');
      if (isPlain) (state.attempt?.fail ?? state.stopList)?.(new Error(PLAIN));
      answer({ cancel: isPlain });
    });

  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(updater, library.Provider, feed.key, state) });
  return {
    /** Returns the newer version, if any, and facts about its list. */
    check: () => check(updater, state),
    /** Downloads the version that the last check found. Returns the path of its file. */
    download: (onProgress: (percent: number) => void) => download(updater, library, state, onProgress),
    /** Throws and removes the file unless its hash is signed. Synchronous, because the station has already ended. */
    verify(file: string): void {
      const { size, sha512 } = contentsOf(file);
      if (state.signed.some((one) => one.size === size && one.sha512 === sha512)) return;
      rmSync(file, { force: true });
      throw otherFile();
    },
  };
}

/** Returns the provider that electron-updater uses to load lists and files. */
function providerOf(updater: AppUpdater, Base: typeof Provider, key: string, state: FeedState) {
  return class SignedFeed extends Base<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
      const { executor } = this;
      const create = executor.createRequest.bind(executor);
      executor.createRequest = (options, callback: (answer: Answer) => void) => {
        const mine = state.attempt;
        if (mine === undefined || mine.requests.length === MAX_REQUESTS) {
          mine?.fail(new Error('the server redirects too often'));
          return noRequest();
        }
        // Check this here, because the library would throw the error outside any promise, which would end the program.
        if (!/^https?:$/.test(options.protocol ?? 'https:')) {
          mine.fail(new Error(PLAIN));
          return noRequest();
        }
        const request = create(options, (answer: Answer) => {
          if (state.attempt === mine) receive(mine, { request, answer, callback, signed: state.signed });
          else request.abort();
        });
        mine.requests.push(request);
        return request;
      };
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      const list = this.getDefaultChannelName();
      const stop = new AbortController();
      const silent = setTimeout(() => stop.abort(new Error(SILENT)), ANSWERED_WITHIN_MS);
      state.stopList = (error) => stop.abort(error);
      const text = await listAt(updater, new URL(`${list}.json`, state.base), stop.signal)
        .catch((error: unknown) => {
          throw stop.signal.aborted ? stop.signal.reason : error;
        })
        .finally(() => {
          clearTimeout(silent);
          state.stopList = undefined;
          // Stop reading, because nothing may follow the list.
          stop.abort();
        });
      const { files, signed_at, ...release } = readRelease(text, list, key);
      state.signed = files;
      state.seen = { list, signedAt: Date.parse(signed_at) };
      // Fill in fields that the library requires but does not use.
      return { ...release, files, path: '', sha512: '', releaseDate: '' };
    }

    override resolveFiles({ files }: UpdateInfo): { url: URL; info: UpdateInfo['files'][number] }[] {
      return files.map((info) => ({ url: new URL(info.url, state.base), info }));
    }
  };
}

async function listAt({ netSession }: AppUpdater, url: URL, signal: AbortSignal): Promise<string> {
  const answer = await netSession.fetch(url.href, { cache: 'no-store', signal });
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return shortText(answer);
}

type Received = {
  request: ClientRequest;
  answer: Answer;
  callback: (answer: Answer) => void;
  signed: Release['files'];
};

/** Passes a response on to the download. Aborts the download if the response is longer than the largest signed file. */
function receive(mine: Attempt, { request, answer, callback, signed }: Received): void {
  // Ignore errors until the library attaches its own handler, which it does only when it starts to read.
  answer.on('error', () => undefined);
  if (answer.statusCode >= 400) {
    callback(answer);
    return request.abort();
  }
  const maxBytes = Math.max(...signed.map(({ size }) => size));
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    mine.onData();
    bytes += chunk.length;
    if (bytes > maxBytes) mine.fail(otherFile());
  });
  const pipe = answer.pipe.bind(answer);
  answer.pipe = (sink, options) => {
    if (sink instanceof Writable) mine.sinks.push(sink);
    return pipe(sink, options);
  };
  callback(answer);
}

async function check(updater: AppUpdater, state: FeedState): Promise<FoundUpdate> {
  state.seen = undefined;
  const result = await updater.checkForUpdates();
  const list = lastSeen(state);
  if (list === undefined) throw new Error('no list was read');
  return { ...list, version: result?.isUpdateAvailable === true ? result.updateInfo.version : undefined };
}

function lastSeen({ seen }: FeedState): FeedState['seen'] {
  return seen;
}

async function download(
  updater: AppUpdater,
  library: Library,
  state: FeedState,
  onProgress: (percent: number) => void,
): Promise<string> {
  const token = new library.CancellationToken();
  let failure: Error | undefined;
  const mine: Attempt = {
    requests: [],
    sinks: [],
    onData: () => void silent.refresh(),
    fail(error) {
      failure ??= error;
      token.cancel();
    },
  };
  const silent = setTimeout(() => mine.fail(new Error(SILENT)), ANSWERED_WITHIN_MS);
  const slow = setTimeout(() => mine.fail(new Error('it takes too long')), LOADED_WITHIN_MS);
  const report = ({ percent }: { percent: number }): void => onProgress(percent);
  updater.on('download-progress', report);
  state.attempt = mine;
  try {
    const [file = ''] = await updater.downloadUpdate(token);
    return file;
  } catch (error) {
    const reason = failure ?? error;
    // Destroy the sinks, which closes their file.
    for (const sink of mine.sinks) sink.destroy(reason instanceof Error ? reason : new Error(String(reason)));
    throw reason;
  } finally {
    state.attempt = undefined;
    for (const timer of [silent, slow]) clearTimeout(timer);
    for (const request of mine.requests) request.abort();
    updater.off('download-progress', report);
  }
}

function otherFile(): Error {
  return Object.assign(new Error('it is not the file that was signed'), { code: OTHER_FILE });
}

/** Returns a placeholder for a refused request, because the library requires a request. */
function noRequest(): ClientRequest {
  return Object.assign(new EventEmitter(), {
    end: () => undefined,
    abort: () => undefined,
  }) as unknown as ClientRequest;
}

function contentsOf(file: string): { size: number; sha512: string } {
  const digest = createHash('sha512');
  const part = Buffer.allocUnsafe(READ_BYTES);
  const handle = openSync(file, 'r');
  let size = 0;
  try {
    for (let read = -1; read !== 0; size += read) {
      read = readSync(handle, part);
      digest.update(part.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
  return { size, sha512: digest.digest('base64') };
}

async function shortText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new Error('the list is longer than any list');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
