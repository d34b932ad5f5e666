import { createAlarm } from '../scheduling/alarm.ts';
import type { TablesOf } from '../core.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { GRACE_MS } from '../domain/commands/commandQueue.ts';
import type { Clock, Log, SleepMoment, Timer, Turbos } from '../ports.ts';
import type { Bus, ClockWatch } from './base/index.ts';
import type { Commands } from './commands/index.ts';
import type { Telemetry } from './devices/index.ts';
import type { SettingsService } from './settings/index.ts';

/** How long to wait for presses that turbos still hold before commands are ended as timed out. Contract, section 4. */
const DRAIN_LIMIT_MS = 10_000;
/** Maximum number of waits in a row, so that an unstable link cannot postpone the end of overdue commands forever. */
const MAX_DRAINS = 3;
const RETRY_MS = 1_000;

type DeadlinesCore = {
  repositories: TablesOf<'deadlines'>;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  settings: Pick<SettingsService, 'current'>;
  clockWatch: ClockWatch;
  bus: Bus;
  clock: Clock;
  log: Log;
};

type DeadlinesNeeds = {
  telemetry: Pick<Telemetry, 'remainingMs'>;
  turbos: Pick<Turbos, 'drain' | 'awaitReports'>;
};

/** Waits for reports that turbos still hold. */
type Wait = (context: DeadlinesContext) => Promise<void>;

/** State shared by the functions that handle deadlines. */
type DeadlinesContext = DeadlinesCore &
  DeadlinesNeeds & {
    commands: Pick<Commands, 'timeOut'> | undefined;
    alarm: ReturnType<typeof createAlarm>;
    starting: Timer | undefined;
    subscriptions: (() => void)[];
    /** Ends the wait for a sleeping machine. Undefined while the machine is awake. */
    wake: (() => void) | undefined;
    running: boolean;
    holding: boolean;
    /** Whether overdue commands are being ended. */
    isLooking: boolean;
    /** Waits that were requested during an earlier wait, because a turbo connected or the machine woke up. */
    waits: Set<Wait>;
  };

/** Ends overdue commands, and adjusts deadlines when the clock is set. */
export function createDeadlines(core: DeadlinesCore, needs: DeadlinesNeeds) {
  const { repositories, writer, settings, clockWatch, bus, clock, log } = core;
  const { telemetry, turbos } = needs;
  const context: DeadlinesContext = {
    repositories,
    writer,
    settings,
    clockWatch,
    bus,
    clock,
    log,
    telemetry,
    turbos,
    commands: undefined,
    alarm: createAlarm(clock, () => void look(context)),
    starting: undefined,
    subscriptions: [],
    wake: undefined,
    running: false,
    holding: false,
    isLooking: false,
    waits: new Set<Wait>(),
  };
  return {
    start: (lastCommitAt: number, ending: Pick<Commands, 'timeOut'>) => start(context, lastCommitAt, ending),
    due: (tx: Transaction) => due(context, tx),
    /** Delays the end of commands until the reports that a turbo held while it was offline are handled. Call when a turbo came online. */
    turboUp(): void {
      if (context.running) void hold(context, listen);
    },
    stop: () => stop(context),
  };
}

export type Deadlines = ReturnType<typeof createDeadlines>;

/**
 * Starts ending overdue commands. `lastCommitAt` is the time of the previous run's last commit, read before this run writes anything.
 * `ending` ends a command.
 */
function start(context: DeadlinesContext, lastCommitAt: number, ending: Pick<Commands, 'timeOut'>): void {
  const { subscriptions, clock, bus } = context;
  context.running = true;
  context.commands = ending;
  shiftBackAtStart(context, lastCommitAt);
  subscriptions.push(
    clock.onSleep((moment) => handleSleep(context, moment)),
    bus.subscribe({ clockChange: (change) => void (change === 'set' && recover(context)) }),
  );
  void hold(context, turbosHaveCome);
}

/** Schedules a check at the earliest deadline after the commit. Call when this transaction set or moved a deadline. */
function due(context: DeadlinesContext, tx: Transaction): void {
  tx.beforeCommit('deadlines', () => {
    const earliest = context.repositories.commands.earliestDue();
    return earliest === null ? undefined : () => wakeAt(context, earliest);
  });
}

function stop(context: DeadlinesContext): void {
  const { subscriptions, alarm } = context;
  context.running = false;
  for (const end of subscriptions.splice(0)) end();
  context.wake?.();
  alarm.stop();
  context.starting?.cancel();
}

function wakeAt(context: DeadlinesContext, at: number): void {
  const { alarm, clock } = context;
  if (context.running && !context.holding && !context.isLooking) alarm.within(at - clock.now());
}

/** Ends overdue commands. Resolves once this is on disk. */
async function look(context: DeadlinesContext): Promise<void> {
  const { alarm, repositories, log, clock } = context;
  alarm.cancel();
  if (!context.running || context.isLooking) return;
  context.isLooking = true;
  try {
    await endOverdue(context);
    context.isLooking = false;
    const earliest = repositories.commands.earliestDue();
    if (earliest !== null) wakeAt(context, earliest);
  } catch (error) {
    context.isLooking = false;
    // If the station was stopped, the next start ends these commands.
    if (!context.running) return;
    log.error({ err: error }, 'could not end overdue commands; will retry');
    wakeAt(context, clock.now() + RETRY_MS);
  }
}

/** Ends all overdue commands. Uses one savepoint per command, so that a command that cannot be ended does not keep other commands lit. */
async function endOverdue(context: DeadlinesContext): Promise<void> {
  const { writer, repositories } = context;
  // Each commit first checks the clock, and moves deadlines if the clock was set back.
  const overdue = await writer.write(({ now }) => repositories.commands.listDue(now));
  await writer.writeEach(
    overdue,
    (tx, id) => expire(context, tx, id),
    (error) => {
      throw error;
    },
  );
}

function expire(context: DeadlinesContext, tx: Transaction, id: number): void {
  const { clockWatch, repositories, telemetry, settings } = context;
  // After a clock jump, end nothing until the turbos have been asked for held reports.
  if (context.holding || clockWatch.isJumping()) return;
  // The command may have been pressed since the query.
  const command = repositories.commands.findDue(id, tx.now);
  if (command === undefined) return;
  const { deviceId, state } = command;
  const remainingMs = telemetry.remainingMs(deviceId, id);
  if (remainingMs !== undefined && remainingMs > -GRACE_MS) {
    // According to the device's timer, the command is still shown, or ended so recently that the report may still be in transit.
    repositories.commands.setDue(id, tx.now + Math.ceil(remainingMs) + GRACE_MS);
    return;
  }
  const unreachable = state.kind !== 'shown';
  const hasCallback = !unreachable || settings.current().unreachable_callback === 'nack';
  context.commands?.timeOut(tx, { deviceId, token: id, at: tx.now, by: 'station', hasCallback });
}

/** Asks every turbo for its reports, because connected turbos may hold reports that they could not send. */
function ask({ turbos }: DeadlinesContext): Promise<void> {
  return turbos.drain(DRAIN_LIMIT_MS);
}

/** Waits for reports without requesting them, because a connecting turbo sends all its reports on its own. */
function listen({ turbos }: DeadlinesContext): Promise<void> {
  return turbos.awaitReports(DRAIN_LIMIT_MS);
}

function recover(context: DeadlinesContext): void {
  if (context.running) void hold(context, ask);
}

/** Prevents commands from being ended until this wait, and waits requested in the meantime, are done. Then ends overdue commands. */
async function hold(context: DeadlinesContext, wait: Wait): Promise<void> {
  const { waits, alarm, log } = context;
  if (context.holding) {
    waits.add(wait === listen ? listen : ask);
    return;
  }
  context.holding = true;
  alarm.cancel();
  waits.add(wait);
  for (let drains = 0; waits.size > 0 && drains < MAX_DRAINS; drains += 1) {
    const now = [...waits];
    waits.clear();
    try {
      await Promise.all(now.map((each) => each(context)));
    } catch (error) {
      log.error({ err: error }, 'asking the turbos failed');
    }
  }
  context.holding = false;
  await look(context);
  if (waits.size > 0) recover(context);
}

/** Waits after startup while turbos connect one by one and send the reports that they hold. */
async function turbosHaveCome(context: DeadlinesContext): Promise<void> {
  const { clock } = context;
  const { promise, resolve } = Promise.withResolvers<void>();
  context.starting = clock.setTimer(DRAIN_LIMIT_MS, resolve);
  await listen(context);
  await promise;
}

/** Waits until the machine wakes up, or until a time limit in case no event reports this, and then asks the turbos for their reports. */
async function asleep(context: DeadlinesContext): Promise<void> {
  const { clock } = context;
  const { promise, resolve } = Promise.withResolvers<void>();
  context.wake = resolve;
  const limit = clock.setTimer(DRAIN_LIMIT_MS, resolve);
  await promise;
  context.wake = undefined;
  limit.cancel();
  await ask(context);
}

function handleSleep(context: DeadlinesContext, moment: SleepMoment): void {
  const { log, bus } = context;
  log.info({ moment }, 'the machine sleeps or woke');
  if (moment === 'suspend') {
    if (context.wake === undefined) void hold(context, asleep);
    return;
  }
  if (context.wake === undefined) recover(context);
  else context.wake();
  bus.publishClockChange('woke');
}

function shiftBackAtStart({ clockWatch, writer, log }: DeadlinesContext, lastCommitAt: number): void {
  const shift = clockWatch.start(lastCommitAt);
  if (shift === undefined) return;
  writer
    .write(shift)
    .catch((error: unknown) => log.error({ err: error }, 'could not move open deadlines after the clock was set back'));
}
