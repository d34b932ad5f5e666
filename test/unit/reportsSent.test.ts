import { expect, test } from 'vitest';
import type { Unit } from '../../electron/server/db/writer.ts';
import { createReports } from '../../electron/server/services/reports.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';

test('what is on disk as sent is not written again with what is sent later', () => {
  const marked: number[] = [];
  const writeSoon = (useCase: (unit: Unit) => void): Promise<void> => {
    const before: (() => (() => void) | undefined)[] = [];
    useCase({ beforeCommit: (_key: string, prepare: (typeof before)[number]) => before.push(prepare) } as never);
    // The commit holds.
    for (const committed of before.map((prepare) => prepare())) committed?.();
    return Promise.resolve();
  };
  const unused = {} as never;
  const reports = createReports({
    rows: unused,
    writer: { writeSoon } as never,
    commands: { markSent: (_unit: Unit, _deviceId: string, token: number) => marked.push(token) } as never,
    callbacks: unused,
    conditions: unused,
    alerts: unused,
    devices: unused,
    display: unused,
    clock: createFakeClock(0),
    log: unused,
    reach: unused,
    linkUp: () => undefined,
  });
  reports.sent('51D000:000001', 1);
  reports.sent('51D000:000002', 2);
  expect(marked).toEqual([1, 2]);
});
