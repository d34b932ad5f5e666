import type { UpdateMode, UpdateStatus } from '#shared/api/updates.ts';
import { VERSION } from '#shared/api/version.ts';
import { isoOrNull } from '../base/index.ts';
import type { UpdateContext } from './types.ts';

/** A release list counts as outdated if it is older than this many days. The publisher signs a list more often. */
const STALE_DAYS = 180;
const STALE_MS = STALE_DAYS * 24 * 3_600_000;

/** Returns the update mode that the system's administrator has set or, if there is none, the mode in the settings. */
export function modeOf({ can, settings }: Pick<UpdateContext, 'can' | 'settings'>): UpdateMode {
  return can.policy ?? settings.current().updates;
}

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

/** Returns the warning about an outdated release list, or null if the list is recent or checking is off. */
function staleWords({ reads, can, clock, ...context }: UpdateContext): string | null {
  const newest = reads.updateLists.findNewest();
  const since = newest?.signedAt ?? reads.updateLists.findBegin();
  if (since === undefined || can.cannotCheck !== undefined || modeOf({ ...context, can }) === 'off') return null;
  if (clock.now() - since < STALE_MS) return null;
  const seen =
    newest === undefined ? `it has looked since ${dayOf(since)}, and found none` : `the newest is from ${dayOf(since)}`;
  return `The station has not found an update list signed in the last ${STALE_DAYS} days; ${seen}. Somebody may be holding updates back. Check the internet connection and the clock of this machine, then ask the person who provided Pickstation.`;
}

/** Returns a day in UTC, such as 2026-11-20. `at` is in epoch milliseconds. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
