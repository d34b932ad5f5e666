import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareLabels, compareNames, countText, isTimeZone } from '#shared/lib/text/locale.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const LOCALE = /\.toLocale\w*String\(|\.localeCompare\(|\bnew Intl\.\w+\((?!\w)|(?<!ending: )'en(?:-GB)?'/;
/** Matches import code, whose locale depends on the file or on the caller. */
const NOT_YET =
  /^electron\/server\/services\/imports\/|^electron\/server\/http\/(?:endpoints\/orders|bodies\/csvSeparator)\.ts$/;

test('apart from import code, only two files name locales', () => {
  const naming = globSync('{electron/server,shared,renderer/src}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NOT_YET.test(path) && LOCALE.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(naming).toEqual(['renderer/src/words/formats.ts', 'shared/lib/text/locale.ts']);
});

test('counts, names and labels read the same on every machine', () => {
  expect(countText(12_345)).toBe('12,345');
  expect(['A-10', 'A-2', 'a-1'].toSorted(compareNames)).toEqual(['a-1', 'A-2', 'A-10']);
  expect(compareNames('a-1', 'A-1')).not.toBe(0);
  expect(compareLabels('a-1', 'A-1')).toBe(0);
});

test('accepts only IANA names as time zones', () => {
  expect(['Europe/Berlin', 'UTC', '+01:00', 'Nowhere/Else', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
