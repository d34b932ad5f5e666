import { expect, test } from 'vitest';
import type { FleetStation } from '#shared/api/fleet.ts';
import { countFilters, fleetHits, fleetRows, isLeft } from '../../../renderer/src/features/fleet/fleetRows.ts';
import { AT } from '../../helpers/snapshots.ts';

function stationOf(id: string, given: Partial<FleetStation> = {}): FleetStation {
  return {
    station: id,
    own: false,
    name: `${id}-pc`,
    version: '1.0.0',
    url: `http://${id}.test/`,
    protocol: 1,
    availability: 'online',
    since: AT,
    last_heard: AT,
    problem: null,
    devices: { count: 2, lit: 0, offline: 0, batteries_low: 0 },
    orders: { open: 0, in_progress: 0, attention: 0 },
    picks_last_hour: 0,
    failing_receivers: [],
    open_alerts: 0,
    ...given,
  };
}

const NO_DEVICES = { count: 0, lit: 0, offline: 0, batteries_low: 0 };
const ALL = fleetRows([
  stationOf('shop 10'),
  stationOf('shop 9'),
  stationOf('low', { devices: { ...NO_DEVICES, batteries_low: 1 } }),
  stationOf('dark', { devices: { ...NO_DEVICES, offline: 1, batteries_low: 1 } }),
  stationOf('stuck', { orders: { open: 0, in_progress: 1, attention: 1 } }),
  stationOf('mute', { failing_receivers: ['erp.test'], orders: { open: 0, in_progress: 1, attention: 1 } }),
  stationOf('asleep', { availability: 'offline', failing_receivers: ['erp.test'], problem: 'Told of 1 of 2.' }),
  stationOf('foreign', { version: '', protocol: 2, availability: 'offline', problem: 'Another version.' }),
  stationOf('partly', { problem: 'Told of 1 of 2.' }),
  stationOf('silent', { availability: 'unknown' }),
]);

test('sorts stations by urgency, then by name', () => {
  expect(ALL.map(({ key, need }) => `${key}: ${need}`)).toEqual([
    'foreign: problem',
    'partly: problem',
    'asleep: away',
    'silent: away',
    'mute: callbacks',
    'stuck: attention',
    'dark: offline',
    'low: batteries',
    'shop 9: well',
    'shop 10: well',
  ]);
});

test('filters stations, and counts them per filter', () => {
  const left = (filter: Parameters<typeof isLeft>[1]) => ALL.filter((row) => isLeft(row, filter)).map(({ key }) => key);
  expect(left('away')).toEqual(['foreign', 'asleep', 'silent']);
  expect(left('care')).not.toContain('shop 9');
  expect(countFilters(ALL)).toEqual({ all: 10, care: 8, away: 3 });
});

test('lists stations with a matching ID or name before matches inside stations', () => {
  const inside = { station: 'low', name: 'low-pc', url: '', online: true, order_number: 'SHOP 1', text: 'SHOP 1' };
  const hits = fleetHits(ALL, [{ ...inside, matched: 'order_number' }], 'shop');
  expect(hits.map(({ matched, text }) => `${matched} ${text}`)).toEqual([
    'station shop 9',
    'station shop 10',
    'order_number SHOP 1',
  ]);
  expect(fleetHits(ALL, [], 'STUCK-P').map(({ station }) => station)).toEqual(['stuck']);
});
