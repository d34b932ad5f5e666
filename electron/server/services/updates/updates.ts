import type { UpdateMode, UpdateState, UpdateStatus } from '#shared/api/updates.ts';
import { VERSION } from '#shared/api/version.ts';
import { createAlarm } from '../../alarm.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Ids, Log, Updater } from '../../ports.ts';
import { type Audit, type Bus, type By, isoOrNull, STATION } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

const HOUR_MS = 3_600_000;
/** A start does other work first. */
const AFTER_START_MS = 600_000;
const EVERY_MS = 24 * HOUR_MS;
/** Programs that were started together do not ask together. */
const JITTER_MS = HOUR_MS;
const AGAIN_AFTER_MS = HOUR_MS;
/** Without a command, a press or any other change: nobody works. */
const QUIET_MS = 30 * 60_000;
const LOOK_EVERY_MS = 300_000;
/** Releases sign the list again at least this often. */
const STALE_DAYS = 180;
const STALE_MS = STALE_DAYS * 24 * HOUR_MS;

const ELSEWHERE: Pick<Updater, 'cannotCheck' | 'cannotInstall' | 'policy' | 'failed'> = {
  cannotCheck: 'This station is updated where it was installed: only the desktop program updates itself.',
  cannotInstall: undefined,
  policy: undefined,
  failed: () => undefined,
};

/** Looks for newer versions every day and on request, downloads them, and installs them while nothing is lit or owed. */
export function createUpdates(parts: {
  updater: Updater | undefined;
  repositories: Pick<Repositories, 'updateLists'>;
  reads: Pick<Repositories, 'commands' | 'outbox' | 'updateLists'>;
  settings: Pick<SettingsService, 'current'>;
  audit: Audit;
  writer: Pick<Writer, 'write'>;
  bus: Bus;
  clock: Clock;
  ids: Pick<Ids, 'fraction'>;
  log: Log;
}) {
  const { updater, repositories, reads, settings, audit, writer, bus, clock, ids, log } = parts;
  const { cannotCheck, cannotInstall, policy, failed } = updater ?? ELSEWHERE;
  const daily = createAlarm(clock, () => void lookByItself());
  const quiet = createAlarm(clock, () => void installByItself());
  let state: UpdateState = 'none';
  let found: string | undefined;
  let percent: number | undefined;
  let checkedAt: number | undefined;
  let problem: string | undefined;
  let nextCheckMs = 0;
  let changedMs = clock.monotonic();
  let checking: Promise<void> | undefined;
  let downloading: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;

  const mode = (): UpdateMode => policy ?? settings.current().updates;

  function status(): UpdateStatus {
    const back = failed();
    return {
      version: VERSION,
      can: cannotCheck !== undefined ? 'nothing' : cannotInstall !== undefined ? 'check' : 'install',
      reason: cannotCheck ?? cannotInstall ?? '',
      mode: mode(),
      policy: policy ?? null,
      state,
      found: found ?? null,
      percent: state === 'downloading' ? (percent ?? 0) : null,
      checked_at: isoOrNull(checkedAt ?? null),
      problem: problem ?? null,
      notice: staleWords(),
      failed: back === undefined ? null : { ...back, at: new Date(back.at).toISOString() },
    };
  }

  /** Null: a fresh list was found, or looking for updates is off. */
  function staleWords(): string | null {
    const date = reads.updateLists.findDate();
    if (date === undefined || cannotCheck !== undefined || mode() === 'off') return null;
    if (clock.now() - date < STALE_MS) return null;
    const since = new Date(date).toISOString().slice(0, 10);
    return `The station has not found an update list signed in the last ${STALE_DAYS} days; the newest is from ${since}. Somebody may be holding updates back. Check the internet connection and the clock of this machine, then ask the person who provided Pickstation.`;
  }

  /** Only a newer date counts: a feed that goes back to an old list becomes stale. */
  async function keepDate(signedAt: number): Promise<void> {
    const known = reads.updateLists.findDate() ?? 0;
    if (signedAt > known) await writer.write(() => repositories.updateLists.saveDate(signedAt));
  }

  async function beginDate(): Promise<void> {
    if (reads.updateLists.findDate() !== undefined) return;
    await writer.write(() => repositories.updateLists.saveDate(clock.now()));
  }

  /** Runs `act` in the state `meanwhile`. An error becomes `problem`, and the state `otherwise`. */
  async function attempt(meanwhile: UpdateState, otherwise: UpdateState, act: () => Promise<void>): Promise<void> {
    state = meanwhile;
    try {
      await act();
      problem = undefined;
    } catch (error) {
      state = otherwise;
      if (!(error instanceof StationError)) throw error;
      problem = error.message;
      log.warn({ problem }, 'The update failed');
      throw error;
    }
  }

  /** Joins a check in progress; during a download and after it, there is nothing to ask. */
  function look(): Promise<void> {
    if (updater === undefined || state === 'downloading' || state === 'ready' || state === 'installing')
      return Promise.resolve();
    checking ??= attempt('checking', 'none', async () => {
      found = undefined;
      await beginDate();
      const { version, signedAt } = await updater.check();
      await keepDate(signedAt);
      found = version;
      checkedAt = clock.now();
      state = found === undefined ? 'none' : 'available';
    }).finally(() => (checking = undefined));
    return checking;
  }

  function download(): Promise<void> {
    if (updater === undefined || state === 'ready' || state === 'installing') return Promise.resolve();
    downloading ??= attempt('downloading', 'available', async () => {
      percent = 0;
      await updater.download((done) => (percent = Math.floor(done)));
      state = 'ready';
    }).finally(() => (downloading = undefined));
    return downloading;
  }

  async function lookByItself(): Promise<void> {
    if (mode() === 'off' || cannotCheck !== undefined) return;
    const left = nextCheckMs - clock.monotonic();
    if (left > 0) return daily.in(left);
    try {
      await look();
      await downloadByItself();
      nextCheckMs = clock.monotonic() + EVERY_MS + Math.floor(ids.fraction() * JITTER_MS);
    } catch (error) {
      keepProblem(error);
      nextCheckMs = clock.monotonic() + AGAIN_AFTER_MS;
    }
    daily.in(nextCheckMs - clock.monotonic());
  }

  async function downloadByItself(): Promise<void> {
    if (mode() !== 'auto' || !isWanted()) return;
    await download();
    quiet.within(LOOK_EVERY_MS);
  }

  /** What never became ready here is not tried again without a person. */
  function isWanted(): boolean {
    return state === 'available' && cannotInstall === undefined && found !== failed()?.version;
  }

  /** What is lit and owed, as a sentence; undefined: nothing. */
  function unfinished(): string | undefined {
    const lit = reads.commands.countDevices();
    const owed = reads.outbox.counts().pending;
    const said = [
      lit === 0 ? '' : `${lit} ${lit === 1 ? 'device has' : 'devices have'} a command`,
      owed === 0 ? '' : `${owed} ${owed === 1 ? 'callback is' : 'callbacks are'} owed`,
    ].filter((part) => part !== '');
    return said.length === 0 ? undefined : said.join(' and ');
  }

  async function installByItself(): Promise<void> {
    if (mode() !== 'auto' || state !== 'ready') return;
    const isQuiet = clock.monotonic() - changedMs >= QUIET_MS && unfinished() === undefined;
    if (!isQuiet) return quiet.in(LOOK_EVERY_MS);
    await installNow(STATION, false).catch((error: unknown) => {
      keepProblem(error);
      quiet.in(LOOK_EVERY_MS);
    });
  }

  async function installNow(by: By, insist: boolean): Promise<void> {
    // Two people may have waited for the same download.
    if (state !== 'ready') return;
    await attempt('installing', 'ready', async () => {
      refuseUnfinished(insist);
      log.info({ version: found }, 'An update is being installed');
      const subject = found ?? '';
      await writer.write((tx) => audit.record(tx, { action: 'update.installed', by, subject, detail: {} }));
      await updater?.install();
    });
  }

  /** `attempt` has kept it for the status. Anything else is a bug. */
  function keepProblem(error: unknown): void {
    if (!(error instanceof StationError)) log.error({ err: error }, 'The update failed unexpectedly');
  }

  return {
    status,
    /** Answers a failure as `problem`. Rejects with `conflict` if this program cannot look. */
    async check(): Promise<UpdateStatus> {
      if (cannotCheck !== undefined) throw new StationError('conflict', cannotCheck);
      await look().catch(keepProblem);
      void downloadByItself().catch(keepProblem);
      return status();
    },
    /**
     * Downloads if necessary, then installs; answers at once, and later failures are the `problem` of the status. Throws a
     * `conflict` if there is nothing to install, or something is lit or owed and nobody insists.
     */
    install({ insist }: { insist: boolean }, by: By): UpdateStatus {
      const why = cannotCheck ?? cannotInstall;
      if (why !== undefined) throw new StationError('conflict', why);
      if (found === undefined) throw new StationError('conflict', 'No newer version was found. Check for one first.');
      if (state === 'installing') return status();
      refuseUnfinished(insist);
      void (async () => {
        await download();
        // Minutes may have passed.
        await installNow(by, insist);
      })().catch(keepProblem);
      return status();
    },
    start(): void {
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.length > 0) changedMs = clock.monotonic();
          if (!facts.some(({ type }) => type === 'settings.changed')) return;
          if (mode() !== 'off') daily.within(Math.max(nextCheckMs - clock.monotonic(), 0));
          void downloadByItself().catch(keepProblem);
          if (mode() === 'auto') quiet.within(LOOK_EVERY_MS);
        },
      });
      nextCheckMs = clock.monotonic() + AFTER_START_MS;
      daily.in(AFTER_START_MS);
    },
    stop(): void {
      unsubscribe?.();
      daily.stop();
      quiet.stop();
    },
  };

  function refuseUnfinished(insist: boolean): void {
    const left = insist ? undefined : unfinished();
    if (left === undefined) return;
    const message = `${left}. The update restarts the station within a minute, and everything stays lit and owed. Install it later, or insist on installing it now.`;
    throw new StationError('conflict', message, [{ path: '/insist', message }]);
  }
}

export type Updates = ReturnType<typeof createUpdates>;
