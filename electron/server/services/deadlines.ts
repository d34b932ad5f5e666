import { createAlarm } from '../alarm.ts';
import type { Repositories } from '../db/repositories.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { GRACE_MS } from '../domain/commandQueue.ts';
import type { Clock, Log, SleepMoment, Timer, Turbos } from '../ports.ts';
import type { Bus, ClockWatch } from './base/index.ts';
import type { Commands } from './commands/index.ts';
import type { Telemetry } from './devices/index.ts';
import type { SettingsService } from './settings/index.ts';

/** How long held presses are waited for before anything is ended as unanswered. Contract, section 4. */
const DRAIN_LIMIT_MS = 10_000;
/** Limits how often a link that comes and goes can postpone overdue commands. */
const MAX_DRAINS = 3;
const RETRY_MS = 1_000;

/** Ends overdue commands, and keeps deadlines right when the clock is set. */
export function createDeadlines(
  core: {
    repositories: Pick<Repositories, 'commands'>;
    writer: Pick<Writer, 'write' | 'writeEach'>;
    settings: Pick<SettingsService, 'current'>;
    clockWatch: ClockWatch;
    bus: Bus;
    clock: Clock;
    log: Log;
  },
  needs: {
    telemetry: Pick<Telemetry, 'remainingMs'>;
    turbos: Pick<Turbos, 'drain' | 'told'>;
  },
) {
  const { repositories, writer, settings, clockWatch, bus, clock, log } = core;
  const { telemetry, turbos } = needs;
  let commands: Pick<Commands, 'timeOut'> | undefined;
  const alarm = createAlarm(clock, () => void look());
  let starting: Timer | undefined;
  const subscriptions: (() => void)[] = [];
  /** Set while the machine sleeps. */
  let wake: (() => void) | undefined;
  let running = false;
  let holding = false;
  /** Overdue commands are being ended. */
  let isLooking = false;
  /** Waits requested during a wait: a link came up, or the machine woke. */
  const waits = new Set<() => Promise<void>>();

  function wakeAt(at: number): void {
    if (running && !holding && !isLooking) alarm.within(at - clock.now());
  }

  /** Ends overdue commands. Resolves when that is on disk. */
  async function look(): Promise<void> {
    alarm.cancel();
    if (!running || isLooking) return;
    isLooking = true;
    try {
      await endOverdue();
      isLooking = false;
      const earliest = repositories.commands.earliestDue();
      if (earliest !== null) wakeAt(earliest);
    } catch (error) {
      isLooking = false;
      // The next start finds what a stop interrupts.
      if (!running) return;
      log.error({ err: error }, 'overdue commands could not be ended and are tried again');
      wakeAt(clock.now() + RETRY_MS);
    }
  }

  /** One savepoint per command: a command that cannot be ended must not keep the others lit. */
  async function endOverdue(): Promise<void> {
    // A commit checks the clock first, and moves deadlines if it was set back.
    const overdue = await writer.write(({ now }) => repositories.commands.listDue(now));
    await writer.writeEach(overdue, expire, (error) => {
      throw error;
    });
  }

  function expire(tx: Transaction, id: number): void {
    // After a jump nothing ends before the devices were asked.
    if (holding || clockWatch.isJumping()) return;
    // It may have been pressed since it was found.
    const command = repositories.commands.findDue(id, tx.now);
    if (command === undefined) return;
    const { deviceId, state } = command;
    const remainingMs = telemetry.remainingMs(deviceId, id);
    if (remainingMs !== undefined && remainingMs > -GRACE_MS) {
      // By its own count the device shows it still, or ended it so shortly ago that its report may be on the way.
      repositories.commands.setDue(id, tx.now + Math.ceil(remainingMs) + GRACE_MS);
      return;
    }
    const unreachable = state.kind !== 'shown';
    const tell = !unreachable || settings.current().unreachable_callback === 'nack';
    commands?.timeOut(tx, { deviceId, token: id, at: tx.now, by: 'station', tell });
  }

  /** Asks every turbo: connected ones may hold reports that they could not send. */
  const ask = (): Promise<void> => turbos.drain(DRAIN_LIMIT_MS);
  /** A turbo that connects reports everything without being asked. */
  const listen = (): Promise<void> => turbos.told(DRAIN_LIMIT_MS);

  function recover(): void {
    if (running) void hold(ask);
  }

  /** Ends nothing until this wait and those requested meanwhile are over. Then looks. */
  async function hold(wait: () => Promise<void>): Promise<void> {
    if (holding) {
      waits.add(wait === listen ? listen : ask);
      return;
    }
    holding = true;
    alarm.cancel();
    waits.add(wait);
    for (let drains = 0; waits.size > 0 && drains < MAX_DRAINS; drains += 1) {
      const now = [...waits];
      waits.clear();
      try {
        await Promise.all(now.map((each) => each()));
      } catch (error) {
        log.error({ err: error }, 'asking the turbos failed');
      }
    }
    holding = false;
    await look();
    if (waits.size > 0) recover();
  }

  /** After a start turbos connect one by one with the reports that they hold; any of them may still be missing. */
  async function turbosHaveCome(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    starting = clock.setTimer(DRAIN_LIMIT_MS, resolve);
    await listen();
    await promise;
  }

  /** Ends nothing until the machine wakes, or until a limit if no event reports it. */
  async function asleep(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const limit = clock.setTimer(DRAIN_LIMIT_MS, resolve);
    await promise;
    wake = undefined;
    limit.cancel();
    await ask();
  }

  function hearSleep(moment: SleepMoment): void {
    log.info({ moment }, 'the machine sleeps or woke');
    if (moment === 'suspend') {
      if (wake === undefined) void hold(asleep);
      return;
    }
    if (wake === undefined) recover();
    else wake();
    bus.publishClockChange('woke');
  }

  function shiftBackAtStart(lastCommitAt: number): void {
    const shift = clockWatch.start(lastCommitAt);
    if (shift === undefined) return;
    writer
      .write(shift)
      .catch((error: unknown) => log.error({ err: error }, 'open deadlines could not be set back with the clock'));
  }

  return {
    /**
     * `lastCommitAt`: when the last run committed for the last time, read before this one wrote anything. `commands` ends what
     * is overdue.
     */
    start(lastCommitAt: number, ending: Pick<Commands, 'timeOut'>): void {
      running = true;
      commands = ending;
      shiftBackAtStart(lastCommitAt);
      subscriptions.push(
        clock.onSleep(hearSleep),
        bus.subscribe({ clockChange: (change) => void (change === 'set' && recover()) }),
      );
      void hold(turbosHaveCome);
    },
    /** A deadline was set or moved in this use-case. */
    due: (tx: Transaction): void =>
      tx.beforeCommit('deadlines', () => {
        const earliest = repositories.commands.earliestDue();
        return earliest === null ? undefined : () => wakeAt(earliest);
      }),
    /** A turbo came online: what its devices hold comes before anything is ended. */
    turboUp(): void {
      if (running) void hold(listen);
    },
    stop(): void {
      running = false;
      for (const end of subscriptions.splice(0)) end();
      wake?.();
      alarm.stop();
      starting?.cancel();
    },
  };
}

export type Deadlines = ReturnType<typeof createDeadlines>;
