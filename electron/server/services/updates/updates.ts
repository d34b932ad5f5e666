import type { UpdateStatus } from '#shared/api/updates.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import { StationError } from '../../errors.ts';
import type { Commit } from '../../db/writer.ts';
import type { By } from '../base/index.ts';
import { downloadByItself, installByItself, LOOK_EVERY_MS, lookByItself } from './byItself.ts';
import { modeOf, statusOf } from './status.ts';
import { download, installNow, keepProblem, look, refuseUnfinished } from './steps.ts';
import type { UpdateContext, UpdateParts } from './types.ts';

/** Delay of the first check after startup, because more important work comes first. */
const AFTER_START_MS = 600_000;

const ELSEWHERE: UpdateContext['can'] = {
  cannotCheck: 'This station is updated where it was installed: only the desktop program updates itself.',
  cannotInstall: undefined,
  policy: undefined,
  failed: () => undefined,
};

/**
 * Checks for newer versions every day and on request, downloads them, and installs them automatically when nothing is lit or undelivered.
 */
export function createUpdates(parts: UpdateParts) {
  const { updater, clock, bus } = parts;
  const context: UpdateContext = {
    ...parts,
    can: updater ?? ELSEWHERE,
    state: 'none',
    found: undefined,
    percent: undefined,
    checkedAt: undefined,
    problem: undefined,
    nextCheckMs: 0,
    changedMs: clock.monotonic(),
    checking: undefined,
    downloading: undefined,
    daily: createAlarm(clock, () => void lookByItself(context)),
    quiet: createAlarm(clock, () => void installByItself(context)),
  };
  const { can, daily, quiet } = context;
  const keep = (error: unknown): void => keepProblem(context, error);
  let unsubscribe: (() => void) | undefined;

  return {
    status: (): UpdateStatus => statusOf(context),
    /** Checks now. The status reports a failed check in `problem`. Rejects with `conflict` if this program cannot check. */
    async check(): Promise<UpdateStatus> {
      if (can.cannotCheck !== undefined) throw new StationError('conflict', can.cannotCheck);
      await look(context).catch(keep);
      void downloadByItself(context).catch(keep);
      return statusOf(context);
    },
    /**
     * Installs the version that was found, after downloading it if necessary. Returns immediately. The status reports later failures in
     * `problem`. Throws `conflict` if there is nothing to install, or if something is lit or undelivered and `insist` is not set.
     */
    install({ insist }: { insist: boolean }, by: By): UpdateStatus {
      const why = can.cannotCheck ?? can.cannotInstall;
      if (why !== undefined) throw new StationError('conflict', why);
      if (context.found === undefined) {
        throw new StationError('conflict', 'No newer version was found. Check for one first.');
      }
      if (context.state === 'installing') return statusOf(context);
      refuseUnfinished(context, insist);
      void (async () => {
        await download(context);
        // Check again what is lit, because the download may have taken minutes.
        await installNow(context, by, insist);
      })().catch(keep);
      return statusOf(context);
    },
    start(): void {
      unsubscribe = bus.subscribe({ commit: (commit) => onCommit(context, commit) });
      context.nextCheckMs = clock.monotonic() + AFTER_START_MS;
      daily.in(AFTER_START_MS);
    },
    stop(): void {
      unsubscribe?.();
      daily.stop();
      quiet.stop();
    },
  };
}

export type Updates = ReturnType<typeof createUpdates>;

/** Records the time of the change, and applies changed settings. */
function onCommit(context: UpdateContext, { facts }: Commit): void {
  const { clock, daily, quiet } = context;
  if (facts.length > 0) context.changedMs = clock.monotonic();
  if (!facts.some(({ type }) => type === 'settings.changed')) return;
  const mode = modeOf(context);
  if (mode !== 'off') daily.within(Math.max(context.nextCheckMs - clock.monotonic(), 0));
  void downloadByItself(context).catch((error: unknown) => keepProblem(context, error));
  if (mode === 'auto') quiet.within(LOOK_EVERY_MS);
}
