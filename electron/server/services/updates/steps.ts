import type { UpdateState } from '#shared/api/updates.ts';
import { StationError } from '../../errors.ts';
import type { FoundUpdate } from '../../ports.ts';
import type { By } from '../base/index.ts';
import { dayOf } from './status.ts';
import type { UpdateContext } from './types.ts';

/** How far the publisher's clock may be ahead of this machine's clock. */
const MAX_AHEAD_MS = 24 * 3_600_000;

/**
 * Runs `act` in the state `meanwhile`. If `act` fails, sets the state `otherwise`, stores the problem for the status and rethrows the
 * error.
 */
async function attempt(
  context: UpdateContext,
  [meanwhile, otherwise]: [UpdateState, UpdateState],
  act: () => Promise<void>,
): Promise<void> {
  context.state = meanwhile;
  try {
    await act();
    context.problem = undefined;
  } catch (error) {
    context.state = otherwise;
    if (!(error instanceof StationError)) throw error;
    context.problem = error.message;
    context.log.warn({ problem: error.message }, 'The update failed');
    throw error;
  }
}

/**
 * Checks for a newer version, or joins a running check. Does nothing while a version is being downloaded, is ready or is being installed.
 */
export function look(context: UpdateContext): Promise<void> {
  const { updater, state, clock } = context;
  if (updater === undefined || state === 'downloading' || state === 'ready' || state === 'installing') {
    return Promise.resolve();
  }
  context.checking ??= attempt(context, ['checking', 'none'], async () => {
    context.found = undefined;
    await keepBegin(context);
    const found = await updater.check();
    refuseReplayed(context, found);
    await keepNewest(context, found);
    context.found = found.version;
    context.checkedAt = clock.now();
    context.state = found.version === undefined ? 'none' : 'available';
  }).finally(() => (context.checking = undefined));
  return context.checking;
}

/** Downloads the version that was found, or joins a running download. */
export function download(context: UpdateContext): Promise<void> {
  const { updater, state } = context;
  if (updater === undefined || state === 'ready' || state === 'installing') return Promise.resolve();
  context.downloading ??= attempt(context, ['downloading', 'available'], async () => {
    context.percent = 0;
    await updater.download((done) => (context.percent = Math.floor(done)));
    context.state = 'ready';
  }).finally(() => (context.downloading = undefined));
  return context.downloading;
}

/**
 * Installs the downloaded version, which ends the program. Throws `conflict` if something is lit or undelivered, unless `insist` is set.
 */
export async function installNow(context: UpdateContext, by: By, insist: boolean): Promise<void> {
  const { updater, audit, writer, log } = context;
  // Somebody else may have waited for the same download and installed it already.
  if (context.state !== 'ready') return;
  await attempt(context, ['installing', 'ready'], async () => {
    refuseUnfinished(context, insist);
    const { found } = context;
    log.info({ version: found }, 'An update is being installed');
    const subject = found ?? '';
    await writer.write((tx) => audit.record(tx, { action: 'update.installed', by, subject, detail: {} }));
    await updater?.install();
  });
}

/** Throws `conflict` if something is lit or undelivered, unless `insist` is set. */
export function refuseUnfinished(context: UpdateContext, insist: boolean): void {
  const left = insist ? undefined : unfinishedWords(context);
  if (left === undefined) return;
  const message = `${left}. The update restarts the station within a minute, and everything stays lit. Callbacks are sent afterwards. Install it later, or insist on installing it now.`;
  throw new StationError('conflict', message, [{ path: '/insist', message }]);
}

/** Describes what is lit or undelivered, as a sentence without a period. Returns undefined if nothing is. */
export function unfinishedWords({ reads }: UpdateContext): string | undefined {
  const lit = reads.commands.countDevices();
  const owed = reads.outbox.counts().pending;
  const said = [
    lit === 0 ? '' : `${lit} ${lit === 1 ? 'device has' : 'devices have'} a command`,
    owed === 0 ? '' : `${owed} ${owed === 1 ? 'callback is' : 'callbacks are'} still to be sent`,
  ].filter((part) => part !== '');
  return said.length === 0 ? undefined : said.join(' and ');
}

/** Ignores an error that `attempt` has already stored for the status. Logs any other error, which is a bug. */
export function keepProblem({ log }: UpdateContext, error: unknown): void {
  if (!(error instanceof StationError)) log.error({ err: error }, 'The update failed unexpectedly');
}

/** Stores when the station first checked for versions. Replaces a stored time in the future, which comes from a wrong clock. */
async function keepBegin({ reads, writer, repositories, clock }: UpdateContext): Promise<void> {
  const begun = reads.updateLists.findBegin();
  if (begun === undefined || begun > clock.now())
    await writer.write(() => repositories.updateLists.saveBegin(clock.now()));
}

async function keepNewest({ reads, writer, repositories }: UpdateContext, found: FoundUpdate): Promise<void> {
  const { list, signedAt } = found;
  const known = reads.updateLists.findNewest();
  if (known?.list === list && known.signedAt === signedAt) return;
  await writer.write(() => repositories.updateLists.saveNewest({ list, signedAt }));
}

/**
 * Throws `conflict` for a list that is older than a list of the same name that was found before. Also throws for a list that was signed in
 * the future: its date would hide that newer lists are missing, and would make all later lists look old.
 */
function refuseReplayed({ reads, clock }: UpdateContext, { list, signedAt }: FoundUpdate): void {
  if (signedAt > clock.now() + MAX_AHEAD_MS) {
    throw new StationError(
      'conflict',
      `The update list was signed on ${dayOf(signedAt)}, but the clock of this machine says ${dayOf(clock.now())}. Nothing was downloaded. Set the clock, then check again.`,
    );
  }
  const known = reads.updateLists.findNewest();
  if (known?.list !== list || signedAt >= known.signedAt) return;
  throw new StationError(
    'conflict',
    `The update server sent a list that was signed on ${dayOf(signedAt)}, although it sent one of ${dayOf(known.signedAt)} before. Somebody may be holding updates back, so nothing was downloaded. Check again later; if it stays like this, ask the person who provided Pickstation.`,
  );
}
