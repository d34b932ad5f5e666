import { afterEach, beforeEach, test } from 'vitest';
import { expectRestorable } from '../../helpers/files/keepBackup.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation & AsyncDisposable;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(() => station.stop());

test('a backup can be made and restored after any number of presses of a device', async () => {
  for (let presses = 1; presses <= 65; presses += 1) {
    await station.press(DEVICE);
    await station.clock.advance(500);
    if ([48, 49, 56, 64, 65].includes(presses)) await expectRestorable(station);
  }
});
