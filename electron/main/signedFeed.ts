import type { Readable } from 'node:stream';
import type { ClientRequest } from 'electron';
import type { AppUpdater, CancellationToken, Provider, UpdateInfo } from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { readRelease } from '../server/update/signedRelease.ts';

/** Without a list, or without another byte of a file. */
const ANSWERED_WITHIN_MS = 60_000;
const MAX_LIST_BYTES = 64 * 1024;

/** The code of the library's error where a file is not the one that was signed. */
export const OTHER_FILE = 'ERR_CHECKSUM_MISMATCH';
const SILENT = 'the server does not answer';

/** `url`: of the folder with the lists. `key`: public, as PEM. */
export type Feed = { url: string; key: string };

/**
 * Looks for releases and downloads them with electron-updater. Only what is signed counts, and of a file no more is read than was
 * signed: a server that somebody has taken over can fill neither the memory nor the disk.
 */
export function createSignedFeed(
  updater: AppUpdater,
  library: { Provider: typeof Provider; CancellationToken: typeof CancellationToken },
  feed: Feed,
) {
  const base = new URL(feed.url.endsWith('/') ? feed.url : `${feed.url}/`);
  const requests = new Set<ClientRequest>();
  let maxBytes = 0;
  let onBytes = (): void => undefined;

  class SignedFeed extends library.Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
      const { executor } = this;
      const create = executor.createRequest.bind(executor);
      executor.createRequest = (options, callback: (response: Readable) => void) => {
        const request = create(options, (response: Readable) => {
          limit(request, response);
          callback(response);
        });
        requests.add(request);
        request.once('close', () => requests.delete(request));
        return request;
      };
    }

    override async getLatestVersion(): Promise<UpdateInfo> {
      const list = this.getDefaultChannelName();
      const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
      const answer = await updater.netSession
        .fetch(new URL(`${list}.json`, base).href, { cache: 'no-store', signal })
        .catch((error: unknown) => {
          throw signal.aborted ? new Error(SILENT) : error;
        });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
      const { files, ...release } = readRelease(await shortText(answer), list, feed.key);
      maxBytes = Math.max(...files.map(({ size }) => size));
      // The library asks for more than it uses.
      return { ...release, files, path: '', sha512: '', releaseDate: '' };
    }

    override resolveFiles({ files }: UpdateInfo): { url: URL; info: UpdateInfo['files'][number] }[] {
      return files.map((info) => ({ url: new URL(info.url, base), info }));
    }
  }

  function limit(request: ClientRequest, response: Readable): void {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      onBytes();
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      // The library waits for an error of the answer. This one is as if the file were another: it is.
      response.destroy(Object.assign(new Error('the file is too large'), { code: OTHER_FILE }));
      request.abort();
    });
  }

  updater.setFeedURL({ provider: 'custom', updateProvider: SignedFeed });
  return {
    /** The version that is newer than this one, if there is one. */
    async check(): Promise<string | undefined> {
      const result = await updater.checkForUpdates();
      return result?.isUpdateAvailable === true ? result.updateInfo.version : undefined;
    },

    /** Downloads the version of the last check. */
    async download(told: (percent: number) => void): Promise<void> {
      const token = new library.CancellationToken();
      const silent = setTimeout(() => {
        token.cancel();
        for (const request of requests) request.abort();
      }, ANSWERED_WITHIN_MS);
      const tell = ({ percent }: { percent: number }): void => told(percent);
      onBytes = () => void silent.refresh();
      updater.on('download-progress', tell);
      try {
        await updater.downloadUpdate(token);
      } catch (error) {
        throw token.cancelled ? new Error(SILENT) : error;
      } finally {
        clearTimeout(silent);
        updater.off('download-progress', tell);
      }
    },
  };
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
