import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const NAMES = ['A-01', 'A-1', 'A-2', 'A-9', 'A-10', 'Fach A', 'Fach Ä', 'Fach B', 'Z'];

let station: TestStation;
beforeEach(async () => void (station = await startTestStation()));
afterEach(() => station.stop());

test.each([1, 2, 3, 100])('pages of %i list each place once, in natural order', async (limit) => {
  for (const name of ['A-10', 'Z', 'A-2', 'Fach B', 'A-1', 'Fach Ä', 'A-9', 'Fach A', 'A-01'])
    await station.post('/api/places/', { name });
  const listed: string[] = [];
  for (let at = 0; at < NAMES.length; at += limit) {
    const after = at === 0 ? '' : `&after=${encodeURIComponent(listed.at(-1) ?? '')}`;
    const page = await station.get<{ name: string }[]>(`/api/places/?limit=${limit}${after}`);
    listed.push(...page.map(({ name }) => name));
  }
  expect(listed).toEqual(NAMES);
});
