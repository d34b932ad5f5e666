import { expect, test } from 'vitest';
import {
  LOG_LIMITS,
  logDay,
  logName,
  type LogPart,
  parseLogName,
  surplusParts,
} from '../../../electron/server/domain/station/logFileNames.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T08:00:00Z');
const MIB = 2 ** 20;

function partOf(day: string, part = 1, bytes = 1_000): LogPart {
  return { name: logName(day, part), day, part, bytes };
}

/** Returns one log part for each of these numbers of days before today. */
function daysBefore(...days: number[]): LogPart[] {
  return days.map((before) => partOf(logDay(NOW - before * DAY_MS)));
}

function namesOf(parts: readonly LogPart[]): string[] {
  return parts.map(({ name }) => name);
}

test('a log name contains its day and part, and other names are not log names', () => {
  expect(logName('2026-11-20', 1)).toBe('pickstation-2026-11-20.log');
  expect(logName('2026-11-20', 12)).toBe('pickstation-2026-11-20.12.log');
  for (const part of [1, 2, 12])
    expect(parseLogName(logName('2026-11-20', part))).toMatchObject({ day: '2026-11-20', part });
  for (const name of [
    'notes.log',
    'pickstation-2026-11-20.log.gz',
    'pickstation-2026-11-20.0.log',
    'pickstation.sqlite',
  ])
    expect(parseLogName(name), name).toBeUndefined();
});

test('a day ends at midnight in UTC', () => {
  expect(logDay(Date.parse('2026-11-20T23:59:59.999Z'))).toBe('2026-11-20');
  expect(logDay(Date.parse('2026-11-21T00:00:00.000Z'))).toBe('2026-11-21');
});

test('keeps fourteen days, including today', () => {
  const parts = daysBefore(15, 14, 13, 12, 1, 0);
  const current = logName(logDay(NOW), 1);
  expect(namesOf(surplusParts(parts, NOW, current))).toEqual(namesOf(daysBefore(15, 14)));
});

test('keeps the last three days that have lines, even if the station was off for a month', () => {
  const parts = daysBefore(40, 39, 38, 37, 0);
  expect(namesOf(surplusParts(parts, NOW, logName(logDay(NOW), 1)))).toEqual(namesOf(daysBefore(40, 39)));
});

test('a clock that is years ahead keeps the last two real days, and one that is years behind deletes nothing', () => {
  const parts = daysBefore(13, 12, 2, 1, 0);
  const ahead = Date.parse('2099-01-01T00:00:00Z');
  const surplus = surplusParts([...parts, partOf('2099-01-01')], ahead, logName('2099-01-01', 1));
  expect(namesOf(surplus)).toEqual(namesOf(daysBefore(13, 12, 2)));
  const behind = Date.parse('1970-01-01T00:00:00Z');
  expect(surplusParts([partOf('1970-01-01'), ...parts], behind, logName('1970-01-01', 1))).toEqual([]);
});

test('a flood of lines on one day removes only the middle of that day', () => {
  const flood = Array.from({ length: 20 }, (_, index) => partOf('2026-11-20', index + 1, LOG_LIMITS.partBytes));
  const before = [partOf('2026-11-18', 1, MIB), partOf('2026-11-19', 1, MIB)];
  const current = logName('2026-11-20', 21);
  const parts = [...before, ...flood, partOf('2026-11-20', 21, 0)];
  const surplus = surplusParts(parts, NOW, current);
  const kept = parts.filter((part) => !surplus.includes(part));
  expect(kept.reduce((bytes, part) => bytes + part.bytes, 0) + LOG_LIMITS.partBytes).toBeLessThanOrEqual(
    LOG_LIMITS.folderBytes,
  );
  for (const name of [...namesOf(before), logName('2026-11-20', 1), logName('2026-11-20', 20), current])
    expect(namesOf(kept)).toContain(name);
});

test('never deletes the current part, even if it is the only part and too large', () => {
  const parts = [partOf('2026-11-20', 1, 10 * LOG_LIMITS.folderBytes)];
  expect(surplusParts(parts, NOW, logName('2026-11-20', 1))).toEqual([]);
});
