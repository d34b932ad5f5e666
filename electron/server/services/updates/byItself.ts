import { STATION } from '../base/index.ts';
import { modeOf } from './status.ts';
import { download, installNow, keepProblem, look, unfinishedWords } from './steps.ts';
import type { UpdateContext } from './types.ts';

const HOUR_MS = 3_600_000;
const EVERY_MS = 24 * HOUR_MS;
/** Maximum random delay of the daily check, to spread the requests of stations that started at the same time. */
const JITTER_MS = HOUR_MS;
const AGAIN_AFTER_MS = HOUR_MS;
/** The station counts as unused after this much time without commands, presses or other changes. */
const QUIET_MS = 30 * 60_000;
/** Interval in milliseconds between checks of whether anybody is working. */
export const LOOK_EVERY_MS = 300_000;

/** Checks for a newer version once a day, and retries a failed check after an hour. */
export async function lookByItself(context: UpdateContext): Promise<void> {
  const { can, clock, ids, daily } = context;
  if (modeOf(context) === 'off' || can.cannotCheck !== undefined) return;
  const left = context.nextCheckMs - clock.monotonic();
  if (left > 0) return daily.in(left);
  try {
    await look(context);
    await downloadByItself(context);
    context.nextCheckMs = clock.monotonic() + EVERY_MS + Math.floor(ids.fraction() * JITTER_MS);
  } catch (error) {
    keepProblem(context, error);
    context.nextCheckMs = clock.monotonic() + AGAIN_AFTER_MS;
  }
  daily.in(context.nextCheckMs - clock.monotonic());
}

/** Downloads the newer version if the station is set to update automatically. */
export async function downloadByItself(context: UpdateContext): Promise<void> {
  if (modeOf(context) !== 'auto' || !isWanted(context)) return;
  await download(context);
  context.quiet.within(LOOK_EVERY_MS);
}

/**
 * Whether to install the version that was found automatically. Returns false for a version that failed to start on this machine, because
 * only a person can install that version again.
 */
function isWanted({ state, can, found }: UpdateContext): boolean {
  return state === 'available' && can.cannotInstall === undefined && found !== can.failed()?.version;
}

/** Installs a downloaded version when nobody is working. */
export async function installByItself(context: UpdateContext): Promise<void> {
  const { clock, quiet } = context;
  if (modeOf(context) !== 'auto' || context.state !== 'ready') return;
  const isQuiet = clock.monotonic() - context.changedMs >= QUIET_MS && unfinishedWords(context) === undefined;
  if (!isQuiet) return quiet.in(LOOK_EVERY_MS);
  await installNow(context, STATION, false).catch((error: unknown) => {
    keepProblem(context, error);
    quiet.in(LOOK_EVERY_MS);
  });
}
