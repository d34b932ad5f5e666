import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PreviewAnswer } from '#shared/api/preview.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const NEW = '51D000:000001';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterAll(() => station.stop());

function preview(request: object): Promise<PreviewAnswer> {
  return station.post<PreviewAnswer>('/api/preview/', request);
}

test("warns about a light that stays off because of the device's brightness, but about no other light", async () => {
  await station.post(`/api/device/${NEW}/`, { brightness: 0 });
  const warned = async (color: string, command = 'pick') => {
    const { warnings } = await preview({ deviceid: NEW, command, line1: 'x', color });
    expect((await station.post('/api/devices/', { deviceid: NEW, command, line1: 'x', color }))['warnings']).toEqual(
      warnings,
    );
    return warnings;
  };
  for (const color of ['red', 'rg', '']) {
    expect(await warned(color)).toEqual([expect.stringMatching(`LED stays off: the brightness of ${NEW} is 0`)]);
  }
  expect(await warned('#200')).toEqual([]);
  expect(await warned('#000')).toHaveLength(1);
  await station.post(`/api/device/${NEW}/`, { brightness: 1 });
  expect(await warned('red', 'flash')).toEqual([]);
  await station.post(`/api/device/${NEW}/`, { brightness: 100, command: '' });
  await station.post(`/api/device/${NEW}/`, { command: 'kill' });
});

test('a label in a preview causes the same warnings as locationoverride', async () => {
  for (const label of ['棚1', 'W'.repeat(80), '\u200b']) {
    const { warnings } = await preview({ locationoverride: label });
    expect((await preview({ line1: 'x', label })).warnings).toEqual(
      warnings.map((warning) => warning.replace('locationoverride', 'label')),
    );
    expect(warnings).toHaveLength(1);
  }
});
