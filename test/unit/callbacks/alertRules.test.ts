import { describe, expect, test } from 'vitest';
import {
  isBelow,
  turboAlert,
  type TurboHealth,
  type TurboKind,
} from '../../../electron/server/domain/alerts/alertRules.ts';
import { createSilences } from '../../../electron/server/domain/alerts/silences.ts';

describe('an alert on a value', () => {
  const rule = { threshold: 15, margin: 5 };
  test.each([
    [false, 16, false],
    [false, 15, true],
    [false, 0, true],
    [true, 15, true],
    [true, 19, true],
    [true, 20, false],
    [true, 100, false],
  ])('open before: %s, value: %i, open after: %s', (isOpen, value, expected) => {
    expect(isBelow(isOpen, value, rule)).toBe(expected);
  });

  test('opens and closes at negative values', () => {
    expect(isBelow(false, -90, { threshold: -90, margin: 5 })).toBe(true);
    expect(isBelow(true, -86, { threshold: -90, margin: 5 })).toBe(true);
    expect(isBelow(true, -85, { threshold: -90, margin: 5 })).toBe(false);
  });

  test('is never open when switched off', () => {
    expect([isBelow(false, 0, { threshold: 0, margin: 5 }), isBelow(true, 0, { threshold: 0, margin: 5 })]).toEqual([
      false,
      false,
    ]);
  });
});

describe('a turbo alert', () => {
  const well: TurboHealth = { isOnline: true, problem: null, isDue: true };
  const away: TurboHealth = { isOnline: false, problem: null, isDue: true };
  const trouble: TurboHealth = { isOnline: false, problem: 'It speaks another version.', isDue: true };
  const rows: readonly [health: TurboHealth, open: TurboKind | undefined, expected: TurboKind | undefined][] = [
    [well, undefined, undefined],
    [well, 'turbo_offline', undefined],
    [well, 'turbo_trouble', undefined],
    [{ ...away, isDue: false }, undefined, undefined],
    [{ ...trouble, isDue: false }, undefined, undefined],
    [away, undefined, 'turbo_offline'],
    [{ ...away, isDue: false }, 'turbo_offline', 'turbo_offline'],
    [trouble, undefined, 'turbo_trouble'],
    [trouble, 'turbo_offline', 'turbo_trouble'],
    // Between two connection attempts a turbo reports no problem.
    [away, 'turbo_trouble', 'turbo_trouble'],
    [{ ...trouble, isOnline: true }, undefined, 'turbo_trouble'],
  ];
  test.each(rows)('%o with %s open gives %s', (health, open, expected) => {
    expect(turboAlert(health, open)).toBe(expected);
  });
});

describe('silences', () => {
  test('come due in the order in which they began, unless they have ended', () => {
    const silences = createSilences();
    silences.begin('a', 0);
    silences.begin('b', 10);
    silences.begin('c', 20);
    silences.begin('a', 30);
    silences.end('b');
    expect(silences.earliest()).toBe(0);
    expect(silences.take(19)).toEqual(['a']);
    expect(silences.earliest()).toBe(20);
    expect(silences.take(20)).toEqual(['c']);
    expect(silences.earliest()).toBeUndefined();
  });

  test('all begin again when restarted', () => {
    const silences = createSilences();
    silences.begin('a', 0);
    silences.restart(100);
    expect([silences.take(99), silences.take(100)]).toEqual([[], ['a']]);
  });
});
