import type { Fact } from '#shared/api/station.ts';
import type { Repositories } from '../../../electron/server/db/repositories.ts';
import type { Transaction } from '../../../electron/server/db/writer.ts';
import { createBus } from '../../../electron/server/services/base/bus.ts';
import { createClockWatch } from '../../../electron/server/services/base/clockWatch.ts';
import { createDeadlines, type Deadlines } from '../../../electron/server/services/deadlines.ts';
import type { Log } from '../../../electron/server/ports.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

export const NOW = Date.UTC(2026, 10, 20, 8);
export const HOUR = 3_600_000;
/** Uptime of the machine in milliseconds. */
const UP_MS = 5_000;

type Asking = { how: 'drain' | 'told'; limitMs: number; answer: () => void };

export type DeadlinesRig = Awaited<ReturnType<typeof startDeadlinesRig>>;

/** Creates deadlines without starting them. The test controls the commands, turbos and settings. */
export async function startDeadlinesRig() {
  const clock = createFakeClock(NOW - UP_MS);
  await clock.advance(UP_MS);
  const rig = {
    clock,
    /** The due time of each command, by command id. */
    due: new Map<number, number>(),
    /** Remaining times that devices report themselves, by command id. */
    remaining: new Map<number, number>(),
    /** Commands that no device shows yet. */
    unshown: new Set<number>(),
    unreachableCallback: 'nack' as 'nack' | 'none',
    ended: [] as number[],
    /** Commands that ended without a callback. */
    untold: [] as number[],
    /** Requests to turbos that have not been answered. */
    asked: [] as Asking[],
    timers: [] as number[],
    /** Milliseconds by which deadlines were moved. */
    shifted: [] as number[],
    said: [] as string[],
    woke: 0,
    /** Makes every write fail, as on a full disk. */
    failing: false,
    /** Whether turbos answer requests immediately. */
    isReady: false,
    /** Called when overdue commands have been found, before they end. */
    found: (): void => undefined,
    deadlines: undefined as never as Deadlines,
    /** Runs a use case in its own commit, after passing the time to the deadlines. */
    inUnit<T>(useCase: (tx: Transaction) => T): T {
      const after: (() => void)[] = [];
      const tx = {
        now: clock.now(),
        emit: (fact: Fact) => fact.type === 'deadlines.shifted' && rig.shifted.push(fact.ms),
        beforeCommit: (_name: string, prepare: () => (() => void) | undefined) => after.push(() => prepare()?.()),
        afterCommit: (run: () => void) => after.push(run),
      } as unknown as Transaction;
      clockWatch.check()?.(tx);
      const result = useCase(tx);
      for (const run of after) run();
      return result;
    },
    /** Adds a command that is due in `ms` milliseconds. */
    add: (id: number, ms: number) =>
      rig.inUnit((tx) => {
        rig.due.set(id, clock.now() + ms);
        rig.deadlines.due(tx);
      }),
    async answerAll(): Promise<void> {
      for (const { answer } of rig.asked.splice(0)) answer();
      await clock.advance(0);
    },
    start: () => rig.deadlines.start(NOW, ending),
    /** Starts the deadlines on a station that has been running for a while, whose turbos answer immediately. */
    async started(): Promise<void> {
      rig.isReady = true;
      rig.start();
      await clock.advance(10_000);
      rig.isReady = false;
      rig.timers = [];
    },
  };
  const ask = (how: Asking['how']) => (limitMs: number) => {
    if (rig.isReady) return Promise.resolve();
    return new Promise<void>((answer) => void rig.asked.push({ how, limitMs, answer }));
  };
  const commands = {
    earliestDue: () => (rig.due.size === 0 ? null : Math.min(...rig.due.values())),
    listDue: (now: number) => [...rig.due].filter(([, at]) => at <= now).map(([id]) => id),
    findDue: (id: number, now: number) =>
      (rig.due.get(id) ?? Infinity) <= now
        ? { deviceId: 'D', state: { kind: rig.unshown.has(id) ? 'sent' : 'shown' } }
        : undefined,
    setDue: (id: number, at: number) => rig.due.set(id, at),
    shiftDeadlines(ms: number) {
      for (const [id, at] of rig.due) rig.due.set(id, at + ms);
    },
  };
  const ending = {
    timeOut(_tx: Transaction, { token, hasCallback }: { token: number; hasCallback: boolean }) {
      rig.due.delete(token);
      rig.ended.push(token);
      if (!hasCallback) rig.untold.push(token);
    },
  };
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_, message) => void rig.said.push(message),
    error: (_, message) => void rig.said.push(message),
  };
  const bus = createBus();
  bus.subscribe({ clockChange: () => void (rig.woke += 1) });
  const repositories = { commands } as unknown as Repositories;
  const clockWatch = createClockWatch({ repositories, bus, clock, log });
  rig.deadlines = createDeadlines(
    {
      repositories,
      writer: {
        write: (useCase) => (rig.failing ? Promise.reject(new Error('full')) : Promise.resolve(rig.inUnit(useCase))),
        writeEach(items, useCase) {
          rig.found();
          return Promise.resolve(items.map((item) => rig.inUnit((tx) => useCase(tx, item))));
        },
      },
      settings: { current: () => ({ unreachable_callback: rig.unreachableCallback }) } as never,
      clockWatch,
      bus,
      clock: {
        ...clock,
        setTimer(delayMs, run) {
          rig.timers.push(delayMs);
          return clock.setTimer(delayMs, run);
        },
      },
      log,
    },
    {
      telemetry: { remainingMs: (_: string, id: number) => rig.remaining.get(id) },
      turbos: { drain: ask('drain'), awaitReports: ask('told') },
    },
  );
  return rig;
}
