import { describe, expect, test } from 'vitest';
import { firstCare, wantsCare } from '#shared/lib/devices/deviceCare.ts';

const WELL = { online: true, battery: 80, rssi: -60 };
const LIMITS = { alert_battery_percent: 15, alert_weak_dbm: -85 };

describe('the most urgent problem of a device', () => {
  test.each([
    ['is none if the device is well', {}, undefined],
    ['is silence, even with other problems', { online: false, battery: 3, rssi: -99 }, 'silent'],
    ['is the battery at the battery limit', { battery: 15, rssi: -99 }, 'lowBattery'],
    ['is none just above the battery limit', { battery: 16 }, undefined],
    ['is the signal at the signal limit', { rssi: -85 }, 'weakSignal'],
    ['is none just above the signal limit', { rssi: -84 }, undefined],
    ['is none if nothing is known about it', { battery: null, rssi: null }, undefined],
  ] as const)('%s', (_words, given, care) => {
    expect(firstCare({ ...WELL, ...given }, LIMITS)).toBe(care);
  });
});

test('an offline device can count as having a low battery, but not a weak signal', () => {
  const silent = { online: false, battery: 3, rssi: -99 };
  expect([wantsCare(silent, 'lowBattery', LIMITS), wantsCare(silent, 'weakSignal', LIMITS)]).toEqual([true, false]);
});

test('applies the configured limits', () => {
  const limits = { alert_battery_percent: 90, alert_weak_dbm: -50 };
  expect([wantsCare(WELL, 'lowBattery', limits), wantsCare(WELL, 'weakSignal', limits)]).toEqual([true, true]);
});

test('with alerts switched off, no device needs care, not even with an empty battery', () => {
  const off = { alert_battery_percent: 0, alert_weak_dbm: 0 };
  expect(firstCare({ online: true, battery: 0, rssi: -120 }, off)).toBeUndefined();
});
