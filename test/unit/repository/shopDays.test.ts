import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Matches code that uses the day or the time of day of the browser. */
const OF_BROWSER =
  /\.[gs]et(?:Date|Day|Hours|Minutes|Month|FullYear|TimezoneOffset)\(|\.to(?:Date|Time)String\(|\bnew Date\([^()]*,|T00:00(?!:00Z)|Date\.parse\((?:target|typed)/;
/**
 * Matches code of the station that uses the day of its computer, or of UTC. The setting `time_zone` decides which day it is: use
 * `shopDaysIn`.
 */
const OF_COMPUTER =
  /\.[gs]et(?:Date|Day|Hours|Month|FullYear)\(|\.to(?:Date|Time)String\(|toISOString\(\)\.slice\(0, 10\)/;
/** Dates that are not days of the shop: names of log files, and the date in a signed notice about updates. */
const IN_UTC: readonly string[] = [
  'electron/server/domain/station/logFileNames.ts',
  'electron/server/services/updates/status.ts',
  'shared/api/fields.ts',
];

const naming = (files: string, of: RegExp): string[] =>
  globSync(files, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => of.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted((one, other) => (one < other ? -1 : 1));

test('the page takes days and times of day from words/shopClock.ts', () => {
  expect(naming('renderer/src/**/*.{ts,tsx}', OF_BROWSER)).toEqual([]);
});

test('the station takes days from shared/lib/station/shopDay.ts', () => {
  expect(naming('{electron/server,shared}/**/*.ts', OF_COMPUTER)).toEqual(IN_UTC);
});
