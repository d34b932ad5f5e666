import type { Updater } from '../../electron/server/ports.ts';
import { START_MS } from './screens/template.ts';

export type FakeUpdater = Updater & {
  /** The received calls, in order. */
  asked: string[];
  /** The release that `check` finds, or undefined if no release is newer. */
  found: string | undefined;
  /** The name of the signed list of releases. */
  list: string;
  /** When the list was signed, in epoch milliseconds. */
  signedAt: number;
  /** Errors for the next call of each name. */
  faults: Partial<Record<'check' | 'download' | 'install', Error>>;
  back: ReturnType<Updater['failed']>;
  /** A promise that each download waits for. */
  slowly: Promise<void>;
};

/** Creates an updater that only records its calls. */
export function fakeUpdater(given: Partial<FakeUpdater> = {}): FakeUpdater {
  const act = (name: 'check' | 'download' | 'install'): void => {
    updater.asked.push(name);
    const fault = updater.faults[name];
    delete updater.faults[name];
    if (fault !== undefined) throw fault;
  };
  const updater: FakeUpdater = {
    cannotCheck: undefined,
    cannotInstall: undefined,
    policy: undefined,
    asked: [],
    found: '9.0.0',
    list: 'latest-linux',
    signedAt: START_MS,
    faults: {},
    back: undefined,
    slowly: Promise.resolve(),
    failed: () => updater.back,
    async check() {
      act('check');
      return Promise.resolve({ version: updater.found, list: updater.list, signedAt: updater.signedAt });
    },
    async download(told) {
      told(40.6);
      await updater.slowly;
      act('download');
    },
    async install() {
      act('install');
      return Promise.resolve();
    },
    ...given,
  };
  return updater;
}
