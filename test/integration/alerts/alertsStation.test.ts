import { afterEach, beforeEach, expect, test } from 'vitest';
import { historyEntry } from '../../../electron/server/services/history/entry.ts';
import { startAlertsRig, type AlertsRig } from './alertsRig.ts';

let rig: AlertsRig;

beforeEach(() => {
  rig = startAlertsRig(1);
});

afterEach(() => rig.stop());

const listOpen = () => rig.alerts.list({ state: 'open', limit: 100, after: undefined });

test('an alert about the station contains its subject and a description of the problem', async () => {
  await rig.raise('data_lost', 'lost-1', 'Three changes are missing.');
  expect(listOpen()).toMatchObject([
    {
      kind: 'data_lost',
      about: 'lost-1',
      deviceid: null,
      turbo: null,
      value: null,
      threshold: null,
      problem: 'Three changes are missing.',
    },
  ]);
});

test('raising an alert again about the same subject keeps one alert; a different subject gets a separate alert', async () => {
  await rig.raise('data_lost', 'lost-1', 'Three changes are missing.');
  await rig.raise('data_lost', 'lost-1', 'Four changes are missing.');
  await rig.raise('data_lost', 'lost-2', 'One change is missing.');
  expect(rig.open()).toEqual(['data_lost lost-1', 'data_lost lost-2']);
});

test('a station alert stays open over time and after a restart or an acknowledgement, until somebody dismisses it', async () => {
  await rig.raise('data_lost', 'lost-1', 'Three changes are missing.');
  const [{ id } = { id: '' }] = listOpen();
  await rig.alerts.acknowledge(id, 'ann');
  await rig.pass(7 * 86_400_000);
  rig.restart();
  await rig.pass(60_000);
  expect(listOpen()).toMatchObject([{ id, acknowledged_by: 'ann', ended: null }]);
  expect(await rig.alerts.end(id)).toMatchObject({ id, about: 'lost-1' });
  expect(listOpen()).toEqual([]);
  expect(rig.ended()).toMatchObject([{ id, about: 'lost-1' }]);
  await expect(rig.alerts.end(id)).rejects.toMatchObject({ code: 'conflict' });
});

test('an alert raised again after it was dismissed is a new alert', async () => {
  await rig.raise('data_lost', 'lost-1', 'Three changes are missing.');
  await rig.alerts.end(listOpen()[0]?.id ?? '');
  await rig.raise('data_lost', 'lost-1', 'Three changes are missing.');
  expect(listOpen()).toHaveLength(1);
});

test('a history row written before station alerts existed is returned with all alert fields', () => {
  const alert = { id: '1', kind: 'battery_low', turbo: null, value: 12, threshold: 15 } as const;
  const row = { id: 1, at: 0, kind: 'alert_raised', deviceId: '51D000:000001', commandId: null } as const;
  const entry = historyEntry({ ...row, nonce: '', location: '', qty: 0, detail: { alert } });
  expect(entry.alert).toEqual({ ...alert, about: null });
});
