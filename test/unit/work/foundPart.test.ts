import { expect, test } from 'vitest';
import { foundPart } from '#shared/lib/text/foundPart.ts';

const partOf = (text: string, wanted: string) => {
  const found = foundPart(text, wanted);
  return found && text.slice(found.start, found.end);
};

test('finds the part in any case and with any encoding of accents', () => {
  expect(partOf('Black CABLE tie', ' cable ')).toBe('CABLE');
  expect(partOf('Große Schraube', 'GROSSE')).toBe('Große');
  expect(partOf('STRASSE', 'straße')).toBe('STRASSE');
  expect(partOf('Du\u0308bel 8', 'dübel')).toBe('Du\u0308bel');
  expect(partOf('İstanbul tie', 'TIE')).toBe('tie');
  expect(partOf('50 % (a_b)*', '(A_')).toBe('(a_');
});

test('finds nothing if the text does not contain the part', () => {
  expect(foundPart('Cable tie', 'cabletie')).toBeUndefined();
  expect(foundPart('Cable tie', '  ')).toBeUndefined();
  expect(foundPart('', 'a')).toBeUndefined();
});
