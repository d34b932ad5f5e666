import { expect, test } from 'vitest';
import type { TagRecord } from '../../../electron/server/turbo/openEPaper/accessPointAnswers.ts';
import { TagReports } from '../../../electron/server/turbo/openEPaper/tagReports.ts';
import { createTag } from '../../../electron/server/turbo/openEPaper/tagState.ts';
import type { ConnectionHost, TurboConnection } from '../../../electron/server/turbo/types.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const START_S = 1_795_000_000;
const RECORD: TagRecord = {
  mac: '0000A0B1C2D3E4F5',
  hash: '',
  lastseen: START_S,
  pending: 0,
  rssi: -50,
  batteryMv: 2_900,
  hwType: 1,
  wakeupReason: 4,
  isExternal: false,
  updateCount: 0,
};
const TYPE = { name: 'Tag', width: 296, height: 128, hasButton: true, hasLed: false };

/** Opens a connection to a station that stores reports only while `isWritable` is true. */
function start() {
  const clock = createFakeClock(START_S * 1_000);
  const station = { isWritable: false, tried: 0 };
  const connection = { state: 'online' as TurboConnection['state'] };
  const host = {
    report(): Promise<void> {
      station.tried += 1;
      return station.isWritable ? Promise.resolve() : Promise.reject(new Error('disk full'));
    },
  };
  const quiet = (): void => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  // Presses use only `connection.state` and `host.report`.
  const reports = new TagReports(connection as TurboConnection, host as unknown as ConnectionHost, { clock, log });
  const tag = createTag({ record: RECORD, type: TYPE, session: 1 }, undefined, { isLive: true, nowMs: 0 });
  const stored: number[] = [];
  const press = (lastseen: number): void => reports.press(tag, 7, lastseen, () => stored.push(lastseen));
  return { clock, station, connection, reports, stored, press };
}

test('a press counts as stored only once the station has stored it', async () => {
  const { clock, station, stored, press } = start();
  press(START_S);
  await clock.advance(1_500);
  expect({ tried: station.tried, stored }).toEqual({ tried: 2, stored: [] });
  station.isWritable = true;
  await clock.advance(1_000);
  expect({ tried: station.tried, stored }).toEqual({ tried: 3, stored: [START_S] });
});

test('presses that a closed connection could not report do not count as stored', async () => {
  const { clock, connection, reports, stored, press } = start();
  press(START_S);
  press(START_S + 40);
  await clock.advance(500);
  connection.state = 'closed';
  await clock.advance(2_000);
  expect(reports.idle()).toBe(true);
  expect(stored).toEqual([]);
});
