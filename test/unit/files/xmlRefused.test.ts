import { expect, test } from 'vitest';
import { z } from 'zod';
import { StationError } from '../../../electron/server/errors.ts';
import { shapeOf } from '../../../electron/server/http/compat/bodyShape.ts';
import { readXmlBody } from '../../../electron/server/http/compat/xmlBody.ts';
import { readXml } from '../../../electron/server/http/compat/xmlReader.ts';

const UNKNOWN = shapeOf(z.unknown());

/** Returns the code and the message of a refusal. */
function refusal(xml: string): { code: string; message: string } {
  try {
    readXml(xml);
  } catch (error) {
    if (error instanceof StationError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`${xml.slice(0, 80)} was read.`);
}

test.each<[xml: string, line: number, column: number, said: string]>([
  ['', 1, 1, 'no element'],
  ['  ', 1, 2, 'no element'],
  ['x', 1, 1, 'text outside'],
  ['{"line1":"x"}', 1, 13, 'text outside'],
  ['<', 1, 1, 'no element'],
  ['<a', 1, 2, 'no element'],
  ['<a>', 1, 3, '<a>'],
  ['<a></b>', 1, 7, '<a>'],
  ['<a></ab>', 1, 8, '<a>'],
  ['<a><b></a></b>', 1, 10, '<b>'],
  ['<a>\n <b>\n', 3, 1, '<b>'],
  ['<a/><b/>', 1, 7, 'second root'],
  ['<a></a>x', 1, 8, 'text outside'],
  ['<a></a></a>', 1, 11, 'end tag'],
  ['<a/></attribute>', 1, 16, 'end tag'],
  ['</>', 1, 3, 'end tag'],
  ['<a/>&amp;', 1, 5, 'text outside'],
  ['<a/><![CDATA[]]>', 1, 13, 'text outside'],
  ['<![CDATA[]]><a/>', 1, 9, 'text outside'],
  ['<1/>', 1, 2, 'write a tag'],
  ['< a/>', 1, 2, 'write a tag'],
  ['<a$/>', 1, 3, 'write a tag'],
  ['<a/ >', 1, 4, 'write a tag'],
  ['<a><-b/></a>', 1, 5, 'write a tag'],
  ['<a b/>', 1, 5, 'attributes'],
  ['<a b=1/>', 1, 6, 'attributes'],
  ['<a b="1"c="2"/>', 1, 9, 'attributes'],
  ['<a b="1" c="" b="2"/>', 1, 21, 'each once'],
  ['<a __proto__="1" __proto__="2"/>', 1, 32, 'each once'],
  ['<a b="1/>', 1, 9, '<a>'],
  ['<a b="<"/>', 1, 7, '&lt;'],
  ['<a b="&"/>', 1, 7, '&amp;'],
  ['<a></a b="1">', 1, 8, 'end tag'],
  ['<a></a/>', 1, 7, 'end tag'],
  ['<a>1 < 2</a>', 1, 7, '&lt;'],
  ['<a>]]></a>', 1, 6, ']]&gt;'],
  ['<a>text<b/></a>', 1, 10, '<a> has text'],
  ['<a><b/>text</a>', 1, 12, '<a> has text'],
  ['<a><b/> <![CDATA[text]]></a>', 1, 24, '<a> has text'],
  ['<a><!-- x</a>', 1, 13, '<a>'],
  ['<a><!-- -- --></a>', 1, 11, '"--"'],
  ['<a><!--></a>', 1, 12, '<a>'],
  ['<a/><!--', 1, 8, 'a comment'],
  ['<a><![CDATA[</a>', 1, 16, '<a>'],
  ['<a><?x</a>', 1, 7, 'instruction'],
  ['<a><??></a>', 1, 6, 'instruction'],
  ['<a><?xml version="1.0"?></a>', 1, 9, 'very beginning'],
  [' <?xml version="1.0"?><a/>', 1, 7, 'very beginning'],
  ['<a/><?XML version="1.0"?>', 1, 25, 'very beginning'],
  ['<?xml?><a/>', 1, 7, 'very beginning'],
  ['<?xml encoding="utf-8"?><a/>', 1, 15, 'very beginning'],
  ['<?xml version="1.0\'?><a/>', 1, 20, 'very beginning'],
  ['<?xml version="2.0"?><a/>', 1, 19, 'very beginning'],
  ['<?xml version="1.0" standalone="maybe"?><a/>', 1, 38, 'very beginning'],
  ['<?xml version="1.0"encoding="utf-8"?><a/>', 1, 20, 'very beginning'],
  ['<?xml version="1.1"?><a/>', 1, 21, 'send 1.0'],
  ['<a>\n\n  \u0000</a>', 3, 3, 'not an XML character'],
  ['<a>\u001b</a>', 1, 4, 'not an XML character'],
  ['<a>\uffff</a>', 1, 4, 'not an XML character'],
  ['<a>\ud800</a>', 1, 4, 'not an XML character'],
  ['<a>😀\udc00</a>', 1, 5, 'not an XML character'],
  ['<a b="\u0001"/>', 1, 7, 'not an XML character'],
  ['<a>\r\n&#0;</a>', 2, 4, 'not an XML character'],
  ['<a>&#x1B;</a>', 1, 9, 'not an XML character'],
  ['<a>&#xD800;</a>', 1, 11, 'not an XML character'],
  ['<a>&#xFFFE;</a>', 1, 11, 'not an XML character'],
  ['<a>&#1114112;</a>', 1, 13, 'not an XML character'],
  ['<a>&#99999999999999999999999;</a>', 1, 29, 'not an XML character'],
  ['<a b="&#0;"/>', 1, 10, 'not an XML character'],
  ['<a>a&#;</a>', 1, 5, '&amp;'],
  ['<a>&#x;</a>', 1, 4, '&amp;'],
  ['<a>&#X41;</a>', 1, 4, '&amp;'],
  ['<a>&;</a>', 1, 4, '&amp;'],
  ['<a>&nbsp;</a>', 1, 4, '&amp;'],
  ['<a>&__proto__;</a>', 1, 4, '&amp;'],
  ['<a>&lt</a>', 1, 4, '&amp;'],
  ['<a>a & b</a>', 1, 6, '&amp;'],
  ['<a>\n<b>&lt; &\r b</b>\n<c>&amp;</c></a>', 2, 9, '&amp;'],
  ['<a b="1"\nc="&other;"/>', 2, 4, '&amp;'],
])('refuses %j with line, column and reason', (xml, line, column, said) => {
  const { code, message } = refusal(xml);
  expect(code).toBe('malformed');
  expect(message).toMatch(new RegExp(`^The body is not XML: line ${line}, column ${column}: \\S.*\\.$`));
  expect(message).toContain(said);
});

test('refuses a DTD of any kind before it reads an entity', () => {
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

test('refuses a declared encoding that is not UTF-8', () => {
  for (const encoding of ['ISO-8859-1', 'windows-1252', 'UTF-16']) {
    expect(refusal(`<?xml version="1.0" encoding="${encoding}"?><a/>`)).toEqual({
      code: 'unsupported_media_type',
      message: expect.stringContaining(encoding) as string,
    });
  }
});

test('refuses more than 32 levels, and accepts 32', () => {
  const deep = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
  expect(readXml(deep(32)).children).toHaveLength(1);
  expect(refusal(deep(33))).toEqual({ code: 'invalid', message: expect.stringContaining('32 levels') as string });
  expect(refusal('<a>'.repeat(500_000)).message).toContain(`${'/a'.repeat(31)}: Objects and lists`);
});

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('');

test('refuses more than half a million elements, and accepts exactly as many', () => {
  const lists = `${times(49, () => `<i>${'<i/>'.repeat(9_999)}</i>`)}<i>${'<i/>'.repeat(9_998)}</i>`;
  expect(readXml(`<r>${lists}</r>`).children).toHaveLength(50);
  expect(refusal(`<r>${lists}<a/>`).message).toContain('at most 500000 fields and elements');
});

test('refuses more than 512 fields of an element before the next begins, and accepts 512', () => {
  const fields = (count: number) => times(count, (index) => `<f${index}/>`);
  expect(readXml(`<r>${fields(512)}</r>`).children).toHaveLength(512);
  expect(refusal(`<r>${fields(513)}<`).message).toContain('The body: An object has at most 512 fields');
  expect(refusal(`<r><i/><i/><i><a>${fields(513)}`).message).toContain('/i/2/a: An object');
  expect(refusal(`<r>${'<i/>'.repeat(600)}${fields(512)}`).message).toContain('at most 512 fields');
});

test('refuses more than 10,000 elements of one name, even among other fields, and accepts 10,000', () => {
  const list = (count: number) => '<i/>'.repeat(count);
  expect(readXml(`<r>${list(10_000)}<a/><b/></r>`).children).toHaveLength(10_002);
  expect(refusal(`<r>${list(10_001)}`).message).toContain('at most 10000 elements');
  expect(refusal(`<r><items>${list(5_000)}<a/>${list(5_001)}`).message).toContain('/items: A list has');
  expect(refusal(`<r>${times(6_000, () => '<i/><j/>')}`).message).toContain('at most 10000 elements');
});

test('refuses more than 256 attributes of an element before its tag ends, and accepts 256', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ` a${index}="1"`).join('');
  expect(readXml(`<r${many(256)}><a${many(256)}/></r>`).children).toHaveLength(1);
  expect(refusal(`<r${many(257)}`).message).toContain('more than 256 attributes');
});

test('refuses a text, comment or attribute of two mebibytes, and accepts one of a mebibyte', () => {
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (const [start, end] of [
    ['<r>', '</r>'],
    ['<r><![CDATA[', ']]></r>'],
    ['<!--', '-->'],
    ['<?p ', '?>'],
    ['<r a="', '"/>'],
    ['<r ', '="1"/>'],
    ['<', '/>'],
  ] as const) {
    expect(() => readXml(`<a>${`${start}${mebibyte}${end}`.repeat(2)}</a>`), start).not.toThrow();
    expect(refusal(start + mebibyte + mebibyte).message, start).toContain('longer than 1048576 characters');
  }
  expect(refusal(`<!DOCTYPE a [${mebibyte}`).code).toBe('malformed');
});

test('reads or refuses a million characters of any construct without a crash', () => {
  for (const [start, part, end] of [
    ['<r>', `<i>${'<a/>'.repeat(9_000)}</i>`, '</r>'],
    ['<r>', '&amp;', '</r>'],
    ['<r>', '<![CDATA[]]>', '</r>'],
    ['<r>', 'x<!---->', '</r>'],
    ['<r>', `<i>${'<a x:a="1" x:b="2"/>'.repeat(9_000)}</i>`, '</r>'],
    ['<r x:a="', '\n', '"/>'],
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
