import type { UpdateMode, UpdateStatus } from '#shared/api/updates.ts';
import { VERSION } from '#shared/api/version.ts';
import { isoOrNull } from '../base/index.ts';
import type { UpdateContext } from './types.ts';

/** Releases sign the list again at least this often. */
const STALE_DAYS = 180;
const STALE_MS = STALE_DAYS * 24 * 3_600_000;

/** What the station does by itself: as the system's administrator says, else as the settings say. */
export function modeOf({ can, settings }: UpdateContext): UpdateMode {
  return can.policy ?? settings.current().updates;
}

/** As the API answers it. */
export function statusOf(context: UpdateContext): UpdateStatus {
  const { can, state, found, percent, checkedAt, problem } = context;
  const back = can.failed();
  return {
    version: VERSION,
    can: can.cannotCheck !== undefined ? 'nothing' : can.cannotInstall !== undefined ? 'check' : 'install',
    reason: can.cannotCheck ?? can.cannotInstall ?? '',
    mode: modeOf(context),
    policy: can.policy ?? null,
    state,
    found: found ?? null,
    percent: state === 'downloading' ? (percent ?? 0) : null,
    checked_at: isoOrNull(checkedAt ?? null),
    problem: problem ?? null,
    notice: staleWords(context),
    failed: back === undefined ? null : { ...back, at: new Date(back.at).toISOString() },
  };
}

/** Null: a fresh list was found, or looking for updates is off. */
function staleWords(context: UpdateContext): string | null {
  const date = context.reads.updateLists.findDate();
  if (date === undefined || context.can.cannotCheck !== undefined || modeOf(context) === 'off') return null;
  if (context.clock.now() - date < STALE_MS) return null;
  const since = new Date(date).toISOString().slice(0, 10);
  return `The station has not found an update list signed in the last ${STALE_DAYS} days; the newest is from ${since}. Somebody may be holding updates back. Check the internet connection and the clock of this machine, then ask the person who provided Pickstation.`;
}
