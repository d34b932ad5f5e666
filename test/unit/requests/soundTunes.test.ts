import { expect, test } from 'vitest';
import { parseSound } from '#shared/sound/sound.ts';
import { TUNES } from '#shared/sound/tunes.ts';

/** A second copy of the specification's table, so that a typing mistake in either one is found. */
const PUBLISHED = [
  ['Regular Beep', '15,c5,4'],
  ['Constant', '15,c5,400'],
  ['Macaroon', '250,c5,1,e5,1,g5,1,c6,1,g5,1,e5,1,c5,1'],
  ['Marshmallow', '200,d5,3,d5,1,f5,2,f5,1,g5,1,f5,2'],
  ['Meringue', '250,c6,1,a5,1,b5,1,g5,1,f5,1'],
  ['Milkshake', '300,a5,1,g5s,1,f5s,1,d5,1'],
  ['Mousse', '160,e5,3,e5,1,g5s,2,b5,2,a5,2'],
  ['Muffin', '250,a5,1,c6,1,e6,1,c6,1,e6,1,c6,1,e6,1,c6,1,a5,1'],
  ['Charge', '140,c5,2,f5,2,a5,2,c6,3,a5,1,c6,3'],
  ['Charge2', '140,c5,2,f5,2,a5,2,g5,2,e5,2,f5,2,g5,2'],
  ['Twilight', '140,g5s,2,a5,2,g5s,2,e5,2,g5s,2,a5,2,g5s,2,e5,2'],
  ['Waterfall', '140,a5s,2,g5s,2,f5s,2,d5s,2,c5s,2,d5s,2,f5s,2'],
  ['Skip Along', '140,f5,2,f5,2,d5,2,f5,2,e5,2,d5,2,c5,2'],
  ['Yankee Doodle', '140,f5,2,f5,2,g5,2,a5,2,f5,2,a5,2,g5,2'],
  ['Scale', '140,c5,2,d5,2,e5,2,f5,2,g5,2,f5,2,e5,2,d5,2,c5,2'],
  ['Scale-Reverse', '140,c6,2,b5,2,a5,2,g5,2,f5,2,g5,2,a5,2,b5,2,c6,2'],
  ['Day is Done', '140,c5,1,c5,1,f5,3,p,2,c5,1,f5,1,a5,3'],
  ['Ta-Da', '140,e5,1,e5,3,g5,1,g5,3,c5,1,c5,3'],
  [
    'Dreidel-Dreidel',
    '200,g5,1,c6,1,c6,1,d6,1,d6,1,e6,1,c6,2,e6,1,g6,1,g6,1,f6,1,e6,1,d6,3,a5,1,d6,1,d6,1,e6,1,e6,1,f6,1,d6,2,g6,1,g6,1,f6,1,e6,1,d6,1,c6,3,g5,1,g6,1,f6,1,e6,1,d6,1,c6,2',
  ],
  [
    'Taps',
    '250,g5,2,g5,1,c6,6,g5,2,c6,1,e6,6,g5,1,c6,1,e6,2,g5,1,c6,1,e6,2,g5,1,c6,1,e6,6,c6,2,e6,1,g6,5,e6,2,c6,1,g5,6,g5,2,g5,1,c6,6',
  ],
  [
    'Sakura',
    '200,a6,2,a6,2,b6,4,a6,2,a6,2,b6,4,a6,2,b6,2,c7,2,b6,2,a6,2,b6,1,a6,1,f6,4,e6,2,c6,2,e6,2,f6,2,e6,2,e6,1,c6,1,b5,4,a6,2,b6,2,c7,2,b6,2,a6,2,b6,1,a6,1,f6,4,e6,2,c6,2,e6,2,f6,2,e6,2,e6,1,c6,1,b5,4,a6,2,a6,2,b6,4,a6,2,a6,2,b6,4,e6,2,f6,2,b6,1,a6,1,f6,2,e6,4',
  ],
] as const;

test('has each of the 21 published tunes, character by character and in the published order', () => {
  expect(PUBLISHED).toHaveLength(21);
  expect(Object.entries(TUNES)).toEqual(PUBLISHED);
});

test.for(PUBLISHED)('finds %s by its name in any spelling', ([name, encoding]) => {
  for (const asked of [
    name,
    name.toUpperCase(),
    name.toLowerCase().replaceAll(/[ -]/g, ''),
    name.replaceAll(' ', '-'),
    name.replaceAll('-', '–'),
    name.split('').join(' '),
  ]) {
    expect(parseSound(asked), asked).toMatchObject({ ok: true, encoding, warnings: [] });
  }
});

test('no two tunes have the same name, and none is named "none" or "beep"', () => {
  const names = [...PUBLISHED.map(([name]) => name), 'none', 'beep'].map((name) =>
    name.toLowerCase().replaceAll(/[\s–-]/g, ''),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).not.toMatch(/^\d|,/);
});
