import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { addBatch, addCart } from '../../helpers/batches.ts';
import { addOrder, anItem, ONE, THREE_BUTTONS } from '../../helpers/orders.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

// Contract, section 4: names that people or scanners confuse.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0 });
});
afterEach(() => station.stop());

const post = (path: string, body: object): Promise<Answer> => station.request('POST', path, body);
const label = (id: string, locationoverride: string) => post(`/api/device/${id}/`, { locationoverride });
const alias = (name: string, deviceid: string) => post('/api/location-aliases/', { name, deviceid, deviceIs: 'Above' });
const order = (order_number: string) => post('/api/orders/', { order_number, items: [anItem()] });
const warned = ({ body }: Answer): string => ((body as { warnings?: string[] }).warnings ?? []).join('\n');

test.each([
  ['another case', 'a-3-b'],
  ['blanks and dashes', 'A 3–B'],
  ['no separators', 'A3B'],
  ['a Cyrillic twin', 'А-3-В'],
  ['a Greek twin', 'Α-3-Β'],
  ['compatible characters', 'Ａ-３-Ｂ'],
])('a label that differs from another label only in %s causes a warning', async (_, name) => {
  await label(ONE, 'A-3-B');
  const answer = await label(THREE_BUTTONS, name);
  expect(answer.status).toBe(200);
  const isSame = name === 'a-3-b';
  const said = isSame ? `${ONE} has the label "a-3-b" too.` : `"${name}" looks like "A-3-B", the name of a place.`;
  expect(warned(answer)).toContain(said);
  expect(warned(await alias(name, ONE))).not.toContain('looks like "A-3-B"');
});

test('shelves whose numbers are only divided differently do not look alike', async () => {
  await label(ONE, 'A-1-11');
  for (const name of ['A-11-1', 'A-111', 'A-1-1']) expect(warned(await label(THREE_BUTTONS, name)), name).toBe('');
});

test('an alias, a place of an article and the code of a cart are compared too, and the later name is warned about', async () => {
  await alias('F-10', ONE);
  expect(warned(await label(THREE_BUTTONS, 'F 10'))).toContain('"F 10" looks like "F-10", the name of a place.');
  await addArticle(station, 'NUT', [{ location: 'C-9' }]);
  expect(warned(await label(THREE_BUTTONS, 'C 9'))).toContain('"C 9" looks like "C-9", the name of a place.');
  expect(warned(await label(THREE_BUTTONS, 'c-9'))).toBe('');
  await addCart(station);
  const ofCart = '"CART-1" is also the code of the cart Cart 1. A scan finds that.';
  expect(warned(await label(THREE_BUTTONS, 'CART-1'))).toContain(ofCart);
  expect(warned(await alias('CART 1', THREE_BUTTONS))).toContain(
    '"CART 1" looks like "CART-1", the code of the cart Cart 1.',
  );
  const places = await post('/api/articles/', { sku: 'BOLT', places: [{ location: 'CART-1' }] });
  expect(warned(places)).toContain('/places/0/location: "CART-1" is also the code of the cart Cart 1.');
});

test('a label or an alias can have the name of an article', async () => {
  await addArticle(station, 'CT-200', [], { barcodes: [{ code: '4006381333931', quantity: 1 }] });
  expect(warned(await label(ONE, 'CT-200'))).toBe('');
  expect(warned(await alias('4006381333931', ONE))).toBe('');
});

test('a name in the form of a DeviceID is refused, unless it is that of the device, whether the device is known or not', async () => {
  for (const name of [THREE_BUTTONS, 'abcdef:000001']) {
    expect(await label(ONE, name), name).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await alias(name, ONE), name).toMatchObject({ status: 409, body: { errors: [{ path: '/name' }] } });
  }
  expect(await label(ONE, ONE)).toMatchObject({ status: 200 });
  expect(await alias(ONE, ONE)).toMatchObject({ status: 201 });
});

test('a name that begins like a printed command is refused', async () => {
  expect(await label(ONE, 'PICK:OK')).toMatchObject({ status: 409 });
  expect(await alias('pick:shelf', ONE)).toMatchObject({ status: 409 });
  expect(await post('/api/carts/', { name: 'Cart 9', code: 'PICK:9', rows: 1, columns: 1 })).toMatchObject({
    status: 409,
  });
  const places = [{ location: 'PICK:1' }];
  expect(await post('/api/articles/', { sku: 'NUT', places })).toMatchObject({ status: 409 });
  await addCart(station);
  await addOrder(station, 'SO-1', [anItem()]);
  await addBatch(station, []);
  const tote = await post('/api/batches/1/slots/', { slot: 'A1', order_number: 'SO-1', tote: 'PICK:2' });
  expect(tote).toMatchObject({ status: 409, body: { errors: [{ path: '/tote' }] } });
});

test('new SKUs, barcodes and names of places cannot begin like a printed command, which a scan finds first', async () => {
  await addArticle(station, 'NUT', [{ location: 'A-1' }]);
  for (const [method, path, body, field] of [
    ['POST', '/api/articles/', { sku: 'pick:ok' }, '/sku'],
    ['PATCH', '/api/articles/NUT/', { sku: 'PICK:OK' }, '/sku'],
    ['POST', '/api/articles/', { sku: 'BOLT', barcodes: [{ code: 'PICK:1' }] }, '/barcodes/0/code'],
    ['PATCH', '/api/articles/NUT/', { barcodes: [{ code: 'Pick:1' }] }, '/barcodes/0/code'],
    ['POST', '/api/places/', { name: 'PICK:3' }, '/name'],
    ['POST', '/api/places/rename/', { from: 'A-1', to: 'PICK:3' }, '/to'],
    ['POST', '/api/places/rename/', { from: 'A-1', to: '51D000:000009' }, '/to'],
  ] as const)
    expect(await station.request(method, path, body), `${path} ${field}`).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: [{ path: field }] },
    });
  const file = 'sku;name;location;barcode\nPICK:1;a;;\nB-1;b;PICK:2;\nB-2;c;;PICK:3\n';
  const options = { kind: 'articles', csv: file };
  for (const dry_run of [true, false]) {
    const { body } = await post('/api/imports/', { ...options, dry_run });
    const { rows } = body as { rows: { outcome: string; message: string }[] };
    expect(
      rows.map(({ outcome }) => outcome),
      String(dry_run),
    ).toEqual(['refused', 'refused', 'refused']);
    for (const { message } of rows) expect(message).toContain('Names that begin with PICK: are printed commands.');
  }
});

test('a file of orders warns about numbers that are other names, once per order', async () => {
  await label(ONE, 'H-1');
  await addArticle(station, 'H-2', []);
  const csv = 'order_number;name;quantity\nH-1;Nut;1\nH-1;Bolt;1\nH-2;Nut;1\nPICK:OK;Nut;1\nSO-1;Nut;1\n';
  for (const dry_run of [true, false]) {
    const { body } = await post('/api/imports/', { csv, dry_run });
    const { rows } = body as { rows: { outcome: string; message: string }[] };
    expect(
      rows.map(({ outcome, message }) => `${outcome} ${message}`),
      String(dry_run),
    ).toEqual([
      'new "H-1" is also the name of a place. A scan finds the place while an order is picked, otherwise the order.',
      'new ',
      'new "H-2" is also the SKU of an article. A scan finds the article in its order, otherwise the order with this number.',
      'new "PICK:OK" begins like a printed command. A scan finds the command.',
      'new ',
    ]);
  }
  expect(warned(await order('PICK:SHORT'))).toContain('"PICK:SHORT" begins like a printed command.');
});

test('codes of carts, walls, slots and totes that look alike are refused', async () => {
  await addCart(station);
  const cart = (code: string, slots: object[] = []) =>
    post('/api/carts/', { name: 'Cart 2', code, rows: 1, columns: 2, slots });
  expect(await cart('cart 1')).toMatchObject({ status: 409, body: { errors: [{ path: '/code' }] } });
  expect(await cart('CART-2', [{ slot: 'A1', code: 'C1А1' }])).toMatchObject({ status: 409 });
  await addOrder(station, 'SO-1', [anItem()]);
  await addBatch(station, []);
  const load = (tote: string) => post('/api/batches/1/slots/', { slot: 'A1', order_number: 'SO-1', tote });
  expect(await load('CART 1')).toMatchObject({ status: 409 });
  expect(await load('T-7')).toMatchObject({ status: 201 });
  expect(await cart('t7')).toMatchObject({ status: 409 });
});

test('a code that looks like a place, an article or an open order causes a warning', async () => {
  await label(ONE, 'G-1');
  await addArticle(station, 'G-2', [], { barcodes: [{ code: 'G-3', quantity: 1 }] });
  await order('G-4');
  await order('G-5');
  await post('/api/orders/G-5/abort/', {});
  const codes = ['G 1', 'g-2', 'G 3', 'G-4', 'G-5'];
  const slots = codes.map((code, at) => ({ slot: `A${at + 1}`, code }));
  const answer = await post('/api/carts/', { name: 'Cart 3', code: 'CART-3', rows: 1, columns: 5, slots });
  expect((answer.body as { warnings: string[] }).warnings).toEqual([
    '/slots/0/code: "G 1" looks like "G-1", the name of a place. Choose names that people cannot confuse.',
    '/slots/1/code: "g-2" is also the SKU of an article. A scan finds this slot.',
    '/slots/2/code: "G 3" looks like "G-3", the barcode of an article. Choose names that people cannot confuse.',
    '/slots/3/code: "G-4" is also the number of an order. A scan finds this slot.',
  ]);
});

test('an order number that means something else causes a warning and is never refused', async () => {
  await label(ONE, 'H-1');
  await addArticle(station, 'H-2', [{ location: 'H-4' }], { barcodes: [{ code: 'H-3', quantity: 1 }] });
  await order('so-9');
  const says = {
    'H-1': 'A scan finds the place while an order is picked, otherwise the order.',
    'h 1': '"h 1" looks like "H-1", the name of a place.',
    'H-2': '"H-2" is also the SKU of an article.',
    'H-3': '"H-3" is also the barcode of an article.',
    'H-4': '"H-4" is also the name of a place.',
    'SO-9': '"SO-9" looks like "so-9", the number of an order.',
  };
  for (const [number, said] of Object.entries(says)) {
    const answer = await order(number);
    expect(answer.status, number).toBe(201);
    expect(warned(answer), number).toContain(said);
  }
  const strict = await post('/api/orders/?strict=1', { order_number: 'h-1', items: [anItem()] });
  expect(strict.status).toBe(201);
  expect(warned(await order('SO-77'))).toBe('');
  expect(warned(await label(THREE_BUTTONS, 'SO-77'))).toContain('"SO-77" is also the number of an order.');
  expect(warned(await post('/api/articles/', { sku: 'SO-77' }))).toContain(
    '/sku: "SO-77" is also the number of an order.',
  );
});

/** Creates one name of each kind: a label, an alias, a place of an article, a SKU, a barcode, a cart's code and an order number. */
async function addNames(): Promise<void> {
  await label(ONE, 'L-1-B');
  await alias('N-1-B', ONE);
  await addArticle(station, 'S-1-B', [{ location: 'P-1-B' }], { barcodes: [{ code: 'B-1-B', quantity: 1 }] });
  await addCart(station, { code: 'C-1-B' });
  await order('O-1-B');
}

/** The names of `addNames`, written differently, with what each is. */
const TWINS = {
  label: ['L 1 B', '"L 1 B" looks like "L-1-B", the name of a place.'],
  alias: ['N1 B', '"N1 B" looks like "N-1-B", the name of a place.'],
  place: ['Р-1–В', '"Р-1–В" looks like "P-1-B", the name of a place.'],
  sku: ['S 1 B', '"S 1 B" looks like "S-1-B", the SKU of an article.'],
  barcode: ['B 1 B', '"B 1 B" looks like "B-1-B", the barcode of an article.'],
  code: ['С-1-B', '"С-1-B" looks like "C-1-B", the code of the cart Cart 1.'],
  order: ['O 1 B', '"O 1 B" looks like "O-1-B", the number of an order.'],
} as const;
type Kind = keyof typeof TWINS;

const rowsOf = ({ body }: Answer): string =>
  (body as { rows: { message: string }[] }).rows.map(({ message }) => message).join('\n');
const file = async (kind: string, csv: string): Promise<string> =>
  rowsOf(await post('/api/imports/', { kind, csv, dry_run: true }));
const PLACE_KINDS: readonly Kind[] = ['label', 'alias', 'place', 'code', 'order'];
const WITH_ARTICLES: readonly Kind[] = [...PLACE_KINDS, 'sku', 'barcode'];

/** Each way to create or change a name, with the kinds of names that it is compared with. Returns what the station says. */
const WAYS: Record<string, [compared: readonly Kind[], create: (name: string) => Promise<string>]> = {
  'a label': [PLACE_KINDS, async (name) => warned(await label(THREE_BUTTONS, name))],
  'a label in an array': [
    PLACE_KINDS,
    async (name) => {
      const { body } = await post('/api/devices/', [{ deviceid: THREE_BUTTONS, locationoverride: name }]);
      return (body as { warnings: string[] }[]).flatMap(({ warnings }) => warnings).join('\n');
    },
  ],
  'the command location': [
    PLACE_KINDS,
    async (name) => warned(await post(`/api/device/${THREE_BUTTONS}/`, { command: 'location', line1: name })),
  ],
  'an alias': [PLACE_KINDS, async (name) => warned(await alias(name, THREE_BUTTONS))],
  'a renamed alias': [
    PLACE_KINDS,
    async (name) => {
      const { body } = await alias('Z-9', THREE_BUTTONS);
      const { id } = body as { id: number };
      const change = { name, deviceid: THREE_BUTTONS, deviceIs: 'Above' };
      return warned(await station.request('PUT', `/api/location-aliases/${id}/`, change));
    },
  ],
  'a place': [PLACE_KINDS, async (name) => warned(await post('/api/places/', { name }))],
  'a renamed place': [
    PLACE_KINDS,
    async (name) => {
      await post('/api/places/', { name: 'Z-9' });
      return warned(await post('/api/places/rename/', { from: 'Z-9', to: name }));
    },
  ],
  'a place of an article': [
    PLACE_KINDS,
    async (name) => warned(await post('/api/articles/', { sku: 'ZZ', places: [{ location: name }] })),
  ],
  'a place of an article in an array': [
    PLACE_KINDS,
    async (name) => {
      const { body } = await station.request('PATCH', '/api/articles/', [{ sku: 'ZZ', places: [{ location: name }] }]);
      return (body as { warnings: string[] }[]).flatMap(({ warnings }) => warnings).join('\n');
    },
  ],
  'a place of a controller': [
    PLACE_KINDS,
    async (name) => {
      const places = [{ label: name, start: 0, count: 5 }];
      const url = `http://${encodeURIComponent(name).replaceAll('%', '').replaceAll('_', '').toLowerCase()}.invalid/`;
      return warned(await post('/api/turbo/links/', { kind: 'wled', url, places }));
    },
  ],
  'a SKU': [['code', 'order', 'sku'], async (name) => warned(await post('/api/articles/', { sku: name }))],
  'another SKU': [
    ['code', 'order'],
    async (name) => {
      await post('/api/articles/', { sku: 'ZZ' });
      return warned(await station.request('PATCH', '/api/articles/ZZ/', { sku: name }));
    },
  ],
  'a barcode': [
    PLACE_KINDS,
    async (name) => warned(await post('/api/articles/', { sku: 'ZZ', barcodes: [{ code: name }] })),
  ],
  'an order': [WITH_ARTICLES, async (name) => warned(await order(name))],
  'the code of a wall': [
    ['label', 'alias', 'place', 'sku', 'barcode', 'order'],
    async (name) => warned(await post('/api/walls/', { name: `Wall ${name}`, code: name, rows: 1, columns: 1 })),
  ],
  'a file of articles': [
    ['label', 'alias', 'place', 'code', 'order'],
    (name) => file('articles', `sku;name;location\nZZ;x;${name}\n`),
  ],
  'SKUs of a file': [['code', 'order', 'sku'], (name) => file('articles', `sku;name\n${name};x\n`)],
  'barcodes of a file': [PLACE_KINDS, (name) => file('articles', `sku;name;barcode\nZZ;x;${name}\n`)],
  'a file of orders': [WITH_ARTICLES, (name) => file('orders', `order_number;name;quantity\n${name};Nut;1\n`)],
  'a file of labels': [PLACE_KINDS, (name) => file('locations', `deviceid;label\n${THREE_BUTTONS};${name}\n`)],
  'a file of places': [PLACE_KINDS, (name) => file('locations', `name\n${name}\n`)],
  'a file of aliases': [
    PLACE_KINDS,
    (name) => file('locations', `name;deviceid;deviceIs\n${name};${THREE_BUTTONS};Above\n`),
  ],
};

test.each(Object.entries(WAYS))('%s that looks like another name causes a warning', async (_, [compared, create]) => {
  await addNames();
  for (const kind of compared) {
    const [name, says] = TWINS[kind];
    expect(await create(name), kind).toContain(says);
    // The names of the next kinds are compared with the first names only.
    await station.request('DELETE', '/api/articles/ZZ/');
  }
});

test('the labels of two places of one controller that look alike cause a warning', async () => {
  const places = ['W-1', 'W 1', 'w-1'].map((name, at) => ({ label: name, start: at, count: 1 }));
  const said = warned(await post('/api/turbo/links/', { kind: 'wled', url: 'http://127.0.0.1:9/', places }));
  expect(said).toContain('/places/1/label: "W 1" looks like "W-1", the label of another place of this controller.');
  expect(said).toContain('/places/2/label: Another place of this controller has the label "w-1" too.');
});

test('a Latin name is compared with names that have Cyrillic letters, of each kind', async () => {
  await addArticle(station, 'НЕХ-6', [{ location: 'Х-7' }], { barcodes: [{ code: 'ВАС-1', quantity: 1 }] });
  await order('ЅО-1');
  const said = (name: string, other: string): string => `"${name}" looks like "${other}", `;
  expect(warned(await post('/api/articles/', { sku: 'HEX-6' }))).toContain(said('HEX-6', 'НЕХ-6'));
  expect(warned(await label(ONE, 'X-7'))).toContain(said('X-7', 'Х-7'));
  expect(warned(await order('so-1'))).toContain(said('so-1', 'ЅО-1'));
  expect(warned(await order('BAC-1'))).toContain(said('BAC-1', 'ВАС-1'));
  await post('/api/places/', { name: 'Т-9' });
  expect(warned(await label(ONE, 'T-9'))).toContain(said('T-9', 'Т-9'));
  expect(warned(await alias('t 9', ONE))).toContain(said('t 9', 'Т-9'));
  const csv = 'Order,SKU,Qty\nSO-1,HEX-6,2\n';
  const { rows } = await station.post<{ rows: { message: string }[] }>('/api/imports/', { kind: 'orders', csv });
  expect(rows[0]?.message).toContain(said('SO-1', 'ЅО-1'));
});
