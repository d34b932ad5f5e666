import { expect, onTestFinished, test } from 'vitest';
import type { HistorySummary } from '../../../shared/api/historySummary.ts';
import type { Station } from '../../../shared/api/station.ts';
import type { WallBoard } from '../../../shared/api/wallBoard.ts';
import { startTestStation } from '../../helpers/startTestStation.ts';

test('tells readers the time zone of the shop, and counts history by its days across a clock change', async () => {
  const station = await startTestStation({ refreshMs: 0 });
  onTestFinished(() => station.stop());
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect((await station.get<Station>('/api/station/')).time_zone).toBe(own);
  await station.patch('/api/settings/', { time_zone: 'Europe/Berlin' });
  expect((await station.get<Station>('/api/station/')).time_zone).toBe('Europe/Berlin');
  expect((await station.get<WallBoard>('/api/wall-board/')).time_zone).toBe('Europe/Berlin');
  // October 25 has 25 hours in Berlin.
  const { buckets } = await station.get<HistorySummary>(
    '/api/history/summary/?from=2026-10-19T22:00:00Z&to=2026-10-31T23:00:00Z',
  );
  expect(buckets.map(({ at }) => at).filter((at) => at.endsWith('T22:00:00.000Z'))).toHaveLength(6);
  expect(buckets.filter(({ at }) => at.startsWith('2026-10-25')).map(({ at }) => at)).toEqual([
    '2026-10-25T05:00:00.000Z',
    '2026-10-25T11:00:00.000Z',
    '2026-10-25T17:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});
