import { expect, test } from 'vitest';
import { z } from 'zod';
import { StationError } from '../../electron/server/errors.ts';
import { readXmlBody, shapeOf } from '../../electron/server/http/dialects/xmlBody.ts';
import { readXml } from '../../electron/server/http/dialects/xmlReader.ts';

const UNKNOWN = shapeOf(z.unknown());

/** The refusal of a document: its code and sentence. */
function refusal(xml: string): { code: string; message: string } {
  try {
    readXml(xml);
  } catch (error) {
    if (error instanceof StationError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`${xml.slice(0, 80)} was read.`);
}

test.each<[xml: string, line: number, column: number]>([
  ['', 1, 1],
  ['  ', 1, 3],
  ['x', 1, 1],
  ['{"line1":"x"}', 1, 1],
  ['<', 1, 1],
  ['<a', 1, 3],
  ['<a>', 1, 1],
  ['<a></b>', 1, 4],
  ['<a></ab>', 1, 4],
  ['<a><b></a></b>', 1, 7],
  ['<a>\n <b>\n', 2, 2],
  ['<a/><b/>', 1, 5],
  ['<a></a>x', 1, 8],
  ['<a></a></a>', 1, 8],
  ['<a/>&amp;', 1, 5],
  ['<a/><![CDATA[]]>', 1, 5],
  ['<1/>', 1, 1],
  ['< a/>', 1, 1],
  ['<a><-b/></a>', 1, 4],
  ['<a b/>', 1, 3],
  ['<a b=1/>', 1, 3],
  ['<a b="1"c="2"/>', 1, 9],
  ['<a b="1/>', 1, 3],
  ['<a b="<"/>', 1, 7],
  ['<a b="&"/>', 1, 7],
  ['<a></a b="1">', 1, 4],
  ['<a></a/>', 1, 4],
  ['<a>1 < 2</a>', 1, 6],
  ['<a>]]></a>', 1, 4],
  ['<a>text<b/></a>', 1, 1],
  ['<a><!-- x</a>', 1, 4],
  ['<a><!-- -- --></a>', 1, 9],
  ['<a><!--></a>', 1, 4],
  ['<a/><!--', 1, 5],
  ['<a><![CDATA[</a>', 1, 4],
  ['<a><?x</a>', 1, 4],
  ['<a><??></a>', 1, 4],
  ['<a><?xml version="1.0"?></a>', 1, 4],
  [' <?xml version="1.0"?><a/>', 1, 2],
  ['<?xml?><a/>', 1, 1],
  ['<?xml encoding="utf-8"?><a/>', 1, 1],
  ['<?xml version="1.1"?><a/>', 1, 1],
  ['<a>\n\n  \u0000</a>', 3, 3],
  ['<a>\u001b</a>', 1, 4],
  ['<a>\uffff</a>', 1, 4],
  ['<a b="\u0001"/>', 1, 7],
  ['<a>\r\n&#0;</a>', 2, 1],
  ['<a>&#x1B;</a>', 1, 4],
  ['<a>&#xD800;</a>', 1, 4],
  ['<a>&#xFFFE;</a>', 1, 4],
  ['<a>&#1114112;</a>', 1, 4],
  ['<a>&#99999999999999999999999;</a>', 1, 4],
  ['<a b="&#0;"/>', 1, 7],
  ['<a>a&#;</a>', 1, 5],
  ['<a>&#x;</a>', 1, 4],
  ['<a>&#X41;</a>', 1, 4],
  ['<a>&nbsp;</a>', 1, 4],
  ['<a>&lt</a>', 1, 4],
  ['<a>a & b</a>', 1, 6],
  ['<a b="&other;"/>', 1, 7],
])('%j is refused, by line and column', (xml, line, column) => {
  expect(refusal(xml)).toEqual({
    code: 'malformed',
    message: expect.stringMatching(
      new RegExp(`^The body is not XML: line ${line}, column ${column}: \\S.*\\.$`),
    ) as string,
  });
});

test('a DTD of any kind is refused, before an entity of it could be read', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY x0 "ha"><!ENTITY x1 "&x0;&x0;&x0;&x0;"><!ENTITY x2 "&x1;&x1;&x1;&x1;">]><a>&x2;</a>';
  for (const xml of [
    bomb,
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    '<!doctype a><a/>',
    '<a><!ENTITY x "y"></a>',
    '<a><!ELEMENT x></a>',
    '<a><![INCLUDE[x]]></a>',
  ]) {
    expect(refusal(xml), xml).toEqual({ code: 'malformed', message: expect.stringContaining('DTD') as string });
  }
});

test('a declared encoding that is not UTF-8 is refused', () => {
  for (const encoding of ['ISO-8859-1', 'windows-1252', 'UTF-16']) {
    expect(refusal(`<?xml version="1.0" encoding="${encoding}"?><a/>`)).toEqual({
      code: 'unsupported_media_type',
      message: expect.stringContaining(encoding) as string,
    });
  }
});

test('more than 32 levels are refused, and nothing less', () => {
  const deep = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
  expect(readXml(deep(32)).children).toHaveLength(1);
  expect(refusal(deep(33)).message).toContain('32 deep');
  expect(refusal('<a>'.repeat(500_000)).message).toContain('32 deep');
});

test('more than a million elements are refused, and nothing less', () => {
  const many = (count: number) => `<r>${'<a/>'.repeat(count - 1)}</r>`;
  expect(readXml(many(1_000_000)).children).toHaveLength(999_999);
  expect(refusal(many(1_000_001)).message).toContain('more than 1000000 elements');
});

test('a mebibyte of one thing breaks nothing, whatever it is', () => {
  for (const [start, part, end] of [
    ['<r>', '<a/>', '</r>'],
    ['<r>', '&amp;', '</r>'],
    ['<r>', '<![CDATA[]]>', '</r>'],
    ['<r>', 'x<!---->', '</r>'],
    ['<r', ' a="1"', '/>'],
    ['<r ', '\n', '/>'],
    ['<', 'a', '/>'],
    ['<r><!--', ' - ', '--></r>'],
    ['<r>&#', '0', '65;</r>'],
  ] as const) {
    const xml = start + part.repeat(Math.floor(1_000_000 / part.length)) + end;
    expect(() => readXmlBody(xml, UNKNOWN), `${start}${part}`).not.toThrow();
  }
  for (const part of ['<', '&', '<a b=', '<a b="', '<!--', '<![CDATA[', '<?', '<a ', '\'"', '</a>', '<!', ']]>', '-'])
    for (const start of ['', '<r>', '<r a="'])
      expect(refusal(start + part.repeat(Math.floor(1_000_000 / part.length))).code, start + part).toBe('malformed');
});
