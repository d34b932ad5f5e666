import { expect, test } from 'vitest';
import { MAX_DEVICES } from '#shared/lib/devices/deviceLimits.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readPattern } from '#shared/lib/places/placePattern.ts';
import * as fc from '../helpers/fastCheck.ts';

const number = fc.nat(40);
const ranges = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 3 });

test('ranges joined by a hyphen give each combination once, in order', () => {
  fc.assert(
    fc.property(ranges, (ends) => {
      const read = readPattern(ends.map(([from, to]) => `{${from}..${to}}`).join('-'));
      const count = ends.reduce((product, [from, to]) => product * (Math.abs(to - from) + 1), 1);
      if (!('places' in read)) {
        expect(count).toBeGreaterThan(MAX_DEVICES);
        expect(read.problem.kind).toBe('tooMany');
        return;
      }
      expect(read.places).toHaveLength(count);
      expect(new Set(read.places).size).toBe(count);
      expect(read.places[0]).toBe(ends.map(([from]) => from).join('-'));
      expect(read.places.at(-1)).toBe(ends.map(([, to]) => to).join('-'));
    }),
  );
});

test('any text gives distinct places, or one problem that quotes the text', () => {
  const near = fc.string({ unit: fc.constantFrom('{', '}', '..', '.', '1', '0', '12', 'a', 'f', 'F', '-', ' ') });
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      const read = readPattern(text);
      if ('problem' in read) {
        if (read.problem.kind === 'double') return;
        expect(text.replaceAll(/\s/g, '')).toContain(read.problem.part.replaceAll(/\s/g, ''));
        return;
      }
      expect(read.places.length).toBeGreaterThan(0);
      expect(read.places.length).toBeLessThanOrEqual(MAX_DEVICES);
      expect(new Set(read.places.map(nameKey)).size).toBe(read.places.length);
    }),
  );
});
