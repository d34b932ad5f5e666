import { expect, test } from 'vitest';
import type { Transaction } from '../../../electron/server/db/writer.ts';
import type { DeviceStatus } from '../../../electron/server/ports.ts';
import { createReports } from '../../../electron/server/services/reports.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const STATUS: DeviceStatus = {
  firmware: 70,
  buttons: 1,
  screen: true,
  led: true,
  latency: 'live',
  batteryMv: 3_000,
  rssiDbm: -60,
  uptimeS: 5,
  shownToken: 0,
  shownChecksum: undefined,
  remainingMs: undefined,
  reachable: true,
};

type UseCase = (tx: Transaction) => void;

const unused = {} as never;
const nothing = (): void => undefined;

/** Creates reports with this writer and these commands. `displayed` records what is displayed. */
function reportsWith({ write, commands }: { write: (useCase: UseCase) => Promise<void>; commands: object }) {
  const displayed: unknown[] = [];
  const clock = createFakeClock(10_000);
  const reports = createReports(
    {
      repositories: { reportWindows: { find: nothing, save: nothing }, devices: { find: nothing } } as never,
      writer: { write, writeSoon: write } as never,
      clock,
      log: unused,
    },
    {
      commands: commands as never,
      callbacks: unused,
      telemetry: { record: nothing } as never,
      alerts: { checkStatus: nothing } as never,
      devices: { recordStatus: () => true } as never,
      display: { showing: nothing, shown: (...report: unknown[]) => displayed.push(report) } as never,
      called: nothing,
      reach: unused,
      turboUp: nothing,
      batches: unused,
    },
  );
  return { reports, clock, displayed };
}

/** Creates reports with a disk that stores everything immediately. `marked` records the commands that are marked as sent. */
function start() {
  const marked: number[] = [];
  const write = (useCase: UseCase): Promise<void> => {
    const before: (() => (() => void) | undefined)[] = [];
    useCase({ beforeCommit: (_key: string, prepare: (typeof before)[number]) => before.push(prepare) } as never);
    for (const committed of before.map((prepare) => prepare())) committed?.();
    return Promise.resolve();
  };
  const commands = { markSent: (_unit: Transaction, _deviceId: string, token: number) => marked.push(token) };
  return { ...reportsWith({ write, commands }), marked };
}

test('marks each sent command once', () => {
  const { reports, marked } = start();
  reports.sent('51D000:000001', 1);
  reports.sent('51D000:000002', 2);
  expect(marked).toEqual([1, 2]);
});

test('displays what a device reports as shown, even if nothing was sent to it', () => {
  const { reports, displayed } = start();
  reports.statusReceived('T-1', '51D000:000001', STATUS, undefined);
  expect(displayed).toEqual([]);
  reports.statusReceived('T-1', '51D000:000001', { ...STATUS, shownToken: 7, shownChecksum: 99 }, undefined);
  expect(displayed).toEqual([['51D000:000001', 7, 99]]);
});

test('records when a press, a screen or an end happened by its arrival, even if the write waits', async () => {
  const recorded: unknown[] = [];
  const record =
    (what: string) =>
    (_context: unknown, { at }: { at: number }) => {
      recorded.push(`${what} ${at}`);
      return true;
    };
  const writes: UseCase[] = [];
  const write = (useCase: UseCase): Promise<void> => {
    writes.push(useCase);
    return Promise.resolve();
  };
  const commands = {
    markShown: record('shown'),
    endStockShown: () => false,
    refuseEarly: record('pressed'),
    timeOut: record('ended'),
  };
  const { reports, clock } = reportsWith({ write, commands });
  const report = { deviceId: '51D000:000001', epoch: 1, token: 7, ageMs: 100, quantity: 1 };
  void reports.shown({ ...report, checksum: 99 });
  void reports.button({ ...report, counter: 1, button: 'front', hold: 'short', sinceMs: null }, undefined);
  void reports.ended({ ...report, counter: 2 });
  await clock.advance(40);
  for (const run of writes) run({ now: clock.now(), afterCommit: nothing } as never);
  expect(recorded).toEqual(['shown 9900', 'pressed 9900', 'ended 9900']);
});
