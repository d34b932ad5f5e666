import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOf } from '../../../electron/server/http/compat/bodyShape.ts';
import { readXmlBody } from '../../../electron/server/http/compat/xmlBody.ts';
import { writeXml } from '../../../electron/server/http/compat/xmlWriter.ts';

function read(xml: string, schema: z.ZodType = z.unknown()): unknown {
  return readXmlBody(xml, shapeOf(schema));
}

function write(value: unknown): string {
  return writeXml(value, { name: 'response', namespace: undefined })
    .replace(/^<\?xml [^>]*>\n/, '')
    .trimEnd();
}

describe('reading', () => {
  test('the children of any root are the fields, and a text stays a text', () => {
    for (const root of ['device', 'a', 'request.1', '_', 'größe', 'x:request']) {
      expect(read(`<${root}><line1>M8</line1><quantity>007</quantity></${root}>`)).toEqual({
        line1: 'M8',
        quantity: '007',
      });
    }
  });

  test('nested elements become an object, and repeated elements an array', () => {
    expect(read('<a><b><c>1</c><d/></b><e>2</e><e>3</e></a>')).toEqual({ b: { c: '1', d: '' }, e: ['2', '3'] });
  });

  test('an empty element is an empty text, and nil is null', () => {
    expect(read('<a><b/><c></c><d xsi:nil="true"/><e nil="1"></e><f xsi:nil="false"/><g nil="0"/></a>')).toEqual({
      b: '',
      c: '',
      d: null,
      e: null,
      f: '',
      g: '',
    });
  });

  test('drops space between elements, and keeps it in a text', () => {
    expect(read('\n <a>\n\t<b> M8  x\n20 </b>\n</a> \n')).toEqual({ b: ' M8  x\n20 ' });
    expect(read('<a><b> </b></a>')).toEqual({ b: ' ' });
  });

  test('every line end becomes a line feed, and a carriage return can be written as a number', () => {
    expect(read('<a>\r\n<b>1\r\n2\r3&#13;4</b></a>')).toEqual({ b: '1\n2\n3\r4' });
  });

  test('joins references, CDATA and comments into one text', () => {
    expect(read('<a><b>&lt;&gt;&amp;&apos;&quot;&#65;&#x1F600;&#0000000065;</b></a>')).toEqual({ b: '<>&\'"A😀A' });
    expect(read('<a><b>x<![CDATA[<&nbsp;]]]]>y<!-- z --><?pi ?>z</b></a>')).toEqual({ b: 'x<&nbsp;]]yz' });
    expect(read('<a><b>&amp;lt;&#38;lt;</b></a>')).toEqual({ b: '&lt;&lt;' });
  });

  test('ignores prefixes, and attributes that cannot be fields', () => {
    const xml = `<s:a xmlns:s="urn:x" s:b='>"' version = "1"\n><s:d type="&lt;">1</s:d ><f x:g="]]>"/></s:a\n>`;
    expect(read(xml)).toEqual({ d: '1', f: '' });
  });

  test('refuses an attribute that could be a field, at any depth', () => {
    for (const [xml, element, name] of [
      ['<a b="1"/>', 'a', 'b'],
      ['<a><c/><d><e SKU="7">x</e></d></a>', 'e', 'SKU'],
      ['<a><b><i x="1"/><i/></b></a>', 'i', 'x'],
    ] as const) {
      expect(() => read(xml), xml).toThrow(`<${element}> has the attribute ${name}, and attributes are not read.`);
    }
  });

  test('skips a declaration, a byte order mark, comments and instructions around the root', () => {
    for (const start of [
      '<?xml version="1.0"?>',
      `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>`,
      '\ufeff<?xml version="1.0" encoding="US-ASCII"?>\r\n<!-- a --><?style x?>',
      '\ufeff',
    ]) {
      expect(read(`${start}<a><b>1</b></a><!-- end --><?x?>\n`), start).toEqual({ b: '1' });
    }
  });

  test('gives the same result no matter where parts end', () => {
    const xml = `<a x:b='1'\r\n>\r\n<b>&lt;&#128512;😀ä]]</b><c><![CDATA[]]]]><!-- - --><?p ??>\r</c><d x:nil="&#49;"/></a>`;
    const expected = { b: '<😀😀ä]]', c: ']]\n', d: null };
    for (let before = 64 * 1024 - xml.length; before <= 64 * 1024; before += 1)
      expect(read(' '.repeat(before) + xml), `${before}`).toEqual(expected);
  });

  test('treats JavaScript property names like other names', () => {
    const value = read(
      '<a><__proto__><polluted>1</polluted></__proto__><constructor>x</constructor><toString/></a>',
    ) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
    expect(read('<a><__proto__>1</__proto__><b>2</b></a>', z.object({ b: z.int() }))).toHaveProperty('b', 2);
  });

  test('decodes characters that element names cannot contain', () => {
    expect(read('<a><_x0031_st>1</_x0031_st><X-Shop>2</X-Shop><_x>3</_x></a>')).toEqual({
      '1st': '1',
      'X-Shop': '2',
      _x: '3',
    });
  });
});

describe('reading with a schema', () => {
  const item = z.object({ SKU: z.string(), ordered_quantity: z.int() });
  const order = z.object({
    number: z.string(),
    urgent: z.boolean().optional(),
    weight: z.number().nullable().optional(),
    tags: z.array(z.string()).optional(),
    notes: z.record(z.string(), z.string()).optional(),
    shipments: z.array(z.object({ id: z.string(), items: z.array(item) })).optional(),
  });

  test('digits become a number if the schema has a number, and stay text if it has text', () => {
    expect(read('<o><number>0012</number><weight> 2.50\n</weight><urgent>true</urgent></o>', order)).toEqual({
      number: '0012',
      weight: 2.5,
      urgent: true,
    });
    expect(read('<o><weight>heavy</weight><urgent>0</urgent><number/></o>', order)).toEqual({
      weight: 'heavy',
      urgent: false,
      number: '',
    });
    expect(read('<o><weight/></o>', order)).toEqual({ weight: '' });
  });

  test('reads a list with no, one or many elements, wrapped or repeated', () => {
    expect(read('<o><tags/></o>', order)).toEqual({ tags: [] });
    expect(read('<o><tags>\n</tags></o>', order)).toEqual({ tags: [] });
    expect(read('<o><tags>a</tags></o>', order)).toEqual({ tags: ['a'] });
    expect(read('<o><tags>a</tags><tags>b</tags></o>', order)).toEqual({ tags: ['a', 'b'] });
    expect(read('<o><tags><i>a</i></tags></o>', order)).toEqual({ tags: ['a'] });
    expect(read('<o><tags><tag>a</tag><tag/></tags></o>', order)).toEqual({ tags: ['a', ''] });
    expect(read('<o><tags xsi:nil="true"/></o>', order)).toEqual({ tags: null });
  });

  test('reads lists of objects within lists of objects, with any wrapping', () => {
    const one = '<SKU>a</SKU><ordered_quantity>1</ordered_quantity>';
    const two = '<SKU>b</SKU><ordered_quantity>2</ordered_quantity>';
    const items = [
      { SKU: 'a', ordered_quantity: 1 },
      { SKU: 'b', ordered_quantity: 2 },
    ];
    for (const shipments of [
      `<shipments><shipment><id>7</id><items><item>${one}</item><item>${two}</item></items></shipment></shipments>`,
      `<shipments><id>7</id><items>${one}</items><items>${two}</items></shipments>`,
      `<shipments><i><id>7</id><items><i>${one}</i><i>${two}</i></items></i></shipments>`,
    ]) {
      expect(read(`<o>${shipments}</o>`, order), shipments).toEqual({ shipments: [{ id: '7', items }] });
    }
    expect(read(`<o><shipments><s><id>7</id><items>${one}</items></s></shipments></o>`, order)).toEqual({
      shipments: [{ id: '7', items: items.slice(0, 1) }],
    });
  });

  test('does not mistake a list of records for a single record', () => {
    const records = z.object({ list: z.array(z.record(z.string(), z.string())) });
    expect(read('<o><list><i><a>1</a></i><i/></list></o>', records)).toEqual({ list: [{ a: '1' }, {}] });
  });

  test('a value that may be a text or something else is a text', () => {
    const either = z.object({ a: z.union([z.string(), z.number(), z.boolean()]) });
    expect(read('<o><a>007</a></o>', either)).toEqual({ a: '007' });
    expect(read('<o><a>true</a></o>', either)).toEqual({ a: 'true' });
  });

  test('reads the values of a record, and reads an empty element as an empty record', () => {
    expect(read('<o><notes/></o>', order)).toEqual({ notes: {} });
    expect(read('<o><notes><a>1</a></notes></o>', order)).toEqual({ notes: { a: '1' } });
    expect(read('<o><a>1</a><_x0031_>2</_x0031_></o>', z.record(z.string(), z.int()))).toEqual({ a: 1, 1: 2 });
  });

  test('distinguishes a single request from a list by its fields', () => {
    const request = z.object({ command: z.string().optional(), deviceid: z.string(), quantity: z.int().optional() });
    const bulk = z.union([request, z.array(request)]);
    const one = '<deviceid>a</deviceid><quantity>1</quantity>';
    const a = { deviceid: 'a', quantity: 1 };
    expect(read(`<device>${one}</device>`, bulk)).toEqual(a);
    expect(read(`<devices><device>${one}</device></devices>`, bulk)).toEqual([a]);
    expect(read(`<devices><device>${one}</device><device>${one}</device></devices>`, bulk)).toEqual([a, a]);
    expect(read(`<batch><flash>${one}</flash><kill/></batch>`, bulk)).toEqual([a, {}]);
    expect(read(`<commands><command>${one}</command></commands>`, bulk)).toEqual([a]);
    expect(read(`<device>${one}<more><x>1</x></more></device>`, bulk)).toEqual({ ...a, more: { x: '1' } });
    expect(read('<request><api>2.0</api></request>', bulk)).toEqual({ api: '2.0' });
    expect(read('<list><i/></list>', bulk)).toEqual([{}]);
    expect(read('<devices/>', bulk)).toEqual([]);
  });

  test('reads XML with a recursive schema', () => {
    type Tree = { name: string; parts?: Tree[] | undefined };
    const tree: z.ZodType<Tree> = z.object({ name: z.string(), parts: z.array(z.lazy(() => tree)).optional() });
    expect(read('<t><name>1</name><parts><name>2</name><parts><name>3</name></parts></parts></t>', tree)).toEqual({
      name: '1',
      parts: [{ name: '2', parts: [{ name: '3' }] }],
    });
  });
});

describe('writing', () => {
  test('writes fields as elements, array items as <i>, and null as nil', () => {
    expect(write({ a: 'x', b: 1.5, c: true, d: ['y', ''], e: [], f: {}, g: undefined })).toBe(
      '<response><a>x</a><b>1.5</b><c>true</c><d><i>y</i><i/></d><e/><f/></response>',
    );
    expect(write([{ a: null }, [1]])).toBe(
      '<response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><i><a xsi:nil="true"/></i><i><i>1</i></i></response>',
    );
    expect(write([])).toBe('<response/>');
  });

  test('escapes texts, and writes what XML does not allow as U+FFFD', () => {
    expect(write({ a: `<b>&"']]>\r\n\t` })).toBe(`<response><a>&lt;b&gt;&amp;"']]&gt;&#13;\n\t</a></response>`);
    expect(write({ a: '\u0000\u001b\u0008\ufffe\uffff\ud800x\udfff😀\u007f' })).toBe(
      '<response><a>\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdx\ufffd😀\u007f</a></response>',
    );
  });

  test('turns any field name into the name of an element, and reads it back', () => {
    const names = ['X-Shop', '1st', 'a b', 'a:b', '<', 'ä', '😀', '_x0031_', '-', '.', '__proto__', 'i', '!#$%&*+^|~'];
    for (const name of names) {
      const value = { [name]: 'x' };
      expect(read(write(value)), name).toEqual(value);
      expect(read(write({ ...value, other: 'y' })), name).toEqual({ ...value, other: 'y' });
    }
  });
});
