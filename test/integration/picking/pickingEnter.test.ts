import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession } from '../../helpers/session.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const PASSWORD = 'a few easy words';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation();
});

afterEach(() => station.stop());

test('the setting of what Enter confirms on Pick reaches pickers, and other values are refused', async () => {
  await station.post('/api/users/', { username: 'Anna', password: PASSWORD, role: 'picker' });
  const { write } = await openSession(station, { username: 'Anna', password: PASSWORD });
  const rule = async () => (await station.request('GET', '/api/station/', undefined, write)).body;
  expect(await rule()).toMatchObject({ enter_confirms: 'unless_scanning' });
  for (const enter_confirms of ['never', 'always'] as const) {
    await station.patch('/api/settings/', { enter_confirms });
    expect(await rule()).toMatchObject({ enter_confirms });
  }
  expect((await station.request('PATCH', '/api/settings/', { enter_confirms: 'sometimes' })).status).toBe(400);
  expect(await rule()).toMatchObject({ enter_confirms: 'always' });
});
