import { expect, test } from 'vitest';
import { PLACE_CASES } from '../files/cases/places.ts';
import { readPlaceFile } from '../helpers/placeFile.ts';

test.each(PLACE_CASES.map((each) => [each.title, each] as const))(
  'reads a file of locations: %s',
  async (_title, each) => {
    const read = await readPlaceFile(
      typeof each.file === 'string' ? Buffer.from(each.file, 'utf8') : each.file,
      each.given,
    );
    const messages: string[] = [];
    if ('message' in read) {
      expect(each.refusedFile, read.message).toEqual(expect.any(String));
      expect(each.places).toBeUndefined();
      messages.push(read.message);
    } else {
      expect(read.places).toEqual(each.places ?? {});
      expect(Object.keys(read.refused)).toEqual(Object.keys(each.refused ?? {}));
      expect(read.leftOut).toEqual(each.leftOut ?? []);
      expect(each.refusedFile).toBeUndefined();
      messages.push(...Object.values(read.refused));
    }
    if (each.says !== undefined) expect(messages.join('\n')).toMatch(each.says);
  },
);
