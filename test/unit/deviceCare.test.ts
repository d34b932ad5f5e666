import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { CARE_LIMITS, firstCare, wantsCare } from '#shared/lib/deviceCare.ts';

const WELL = { online: true, battery: 80, rssi: -60 };

describe('the most urgent care of a device', () => {
  test.each([
    ['well', {}, undefined],
    ['silent, whatever else', { online: false, battery: 3, rssi: -99 }, 'silent'],
    ['at the limit of the battery', { battery: 15, rssi: -99 }, 'lowBattery'],
    ['just above it', { battery: 16 }, undefined],
    ['at the limit of the signal', { rssi: -85 }, 'weakSignal'],
    ['just above it', { rssi: -84 }, undefined],
    ['of which nothing is known', { battery: null, rssi: null }, undefined],
  ] as const)('%s', (_words, given, care) => {
    expect(firstCare({ ...WELL, ...given })).toBe(care);
  });
});

test('a silent device may have a low battery, but no weak signal', () => {
  const silent = { online: false, battery: 3, rssi: -99 };
  expect([wantsCare(silent, 'lowBattery'), wantsCare(silent, 'weakSignal')]).toEqual([true, false]);
});

test('other limits count where they are given', () => {
  const limits = { lowBatteryPercent: 90, weakSignalDbm: -50 };
  expect([wantsCare(WELL, 'lowBattery', limits), wantsCare(WELL, 'weakSignal', limits)]).toEqual([true, true]);
});

test('the window begins to care where alerts do unless they are set otherwise', () => {
  const { alert_battery_percent, alert_weak_dbm } = DEFAULT_SETTINGS;
  expect(CARE_LIMITS).toEqual({ lowBatteryPercent: alert_battery_percent, weakSignalDbm: alert_weak_dbm });
});
