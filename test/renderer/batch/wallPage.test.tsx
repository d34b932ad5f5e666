import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { openBatchPage, press, scan, useClockOfPage } from './batchSupport.tsx';
import { cartShare, wallBatch, wallLine } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';
import type { Stubs } from '../support.tsx';

const SHARES = [
  cartShare('A1', 10, { quantity: 5, picked: 2, put: 2, state: 'open' }),
  cartShare('A2', 11, { quantity: 3 }),
];
const LINES = [wallLine(1, { A1: 3, A2: 3 })];
const IDLE = { batch: wallBatch(SHARES), lines: LINES };
const LIT = { batch: wallBatch(SHARES, [['Anna', 'A2', 11, 1]]), lines: LINES };

beforeEach(useClockOfPage);

const openWall = (first: Parameters<typeof openBatchPage>[0], calls: Partial<Stubs> = {}, path = '/pick/walls/3') =>
  openBatchPage(first, { loadOrdersIn: async () => [], ...calls }, path);

/** Fakes a station that lights A2 for each article. */
function lights() {
  const puts = [{ slot: 'A2', quantity: 1 }];
  return vi.fn<Stubs['scan']>(async ({ body: { act: isAct } }): Promise<ScanResult> =>
    scanResult(isAct === true ? 'put' : 'lit', { batch: 7, puts, left_over: 0 }),
  );
}
const acts = (ask: ReturnType<typeof lights>) => ask.mock.calls.filter(([{ body }]) => body.act === true);
/** Returns the expected scan request, which acts only on articles at the wall. */
const sorts = (code: string) => ({
  code,
  batch: 7,
  picker: 'Anna',
  intent: 'sort',
  act: true,
  key: expect.any(String) as string,
});
const tile = (name: string) => screen.getByRole('button', { name });

test('a wall without lit slots shows the progress of each slot', async () => {
  const done = cartShare('B1', 12, { quantity: 1, picked: 1, put: 1, state: 'put' });
  const short = cartShare('B2', 13, { quantity: 2, picked: 1, put: 1, state: 'short' });
  const batch = wallBatch([...SHARES, done, short]);
  const slots = batch.slots.map((slot) => (slot.slot === 'B2' ? { ...slot, state: 'complete' as const } : slot));
  await openWall({ batch: { ...batch, slots }, lines: LINES });
  await screen.findByRole('heading', { name: 'Scan an article' });
  expect(tile('A1 SO-A1 2 of 5 open')).toBeTruthy();
  expect(tile('B1 SO-B1 1 of 1 complete')).toBeTruthy();
  expect(tile('B2 SO-B2 1 of 2 complete, short')).toBeTruthy();
  expect(screen.getByText('6 pieces for 2 orders to go')).toBeTruthy();
});

test('scanning an article lights its slot, and touching the slot puts the article', async () => {
  const ask = lights();
  const put = vi.fn<Stubs['putIntoSlot']>(() => new Promise(() => undefined));
  const { change } = await openWall(IDLE, { scan: ask, putIntoSlot: put });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await scan('SKU-1');
  // One request both looks up the code and lights the slot.
  expect(ask.mock.calls).toEqual([[{ body: sorts('SKU-1') }]]);
  await change(LIT);
  await screen.findByRole('heading', { name: 'A2 takes 1' });
  await press(/^Put 1 into A2/);
  await screen.findByRole('heading', { name: 'Scan an article' });
  expect(put).toHaveBeenCalledExactlyOnceWith({
    path: { id: 7 },
    body: { slot: 'A2', item_id: 11, quantity: 1, key: expect.any(String) },
  });
  expect(tile('A2 SO-A2 1 of 3 open')).toBeTruthy();
});

test('ignores a repeated scan within 22 ms, but counts it as another piece 0.6 s later', async () => {
  const ask = lights();
  await openWall(IDLE, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await scan('4006381333931');
  await scan('4006381333931', 22);
  expect(acts(ask)).toHaveLength(1);
  expect(screen.getByText(/scanned twice/)).toBeTruthy();
  await scan('4006381333931', 600);
  expect(acts(ask)).toHaveLength(2);
  expect(new Set(acts(ask).map(([{ body }]) => body.key)).size).toBe(2);
});

/** Opens a wall whose station loses the answers to the first scans. Returns the count and key of each request. */
async function openLossy(lost: number, put: Partial<ScanResult> = {}, batch = IDLE.batch) {
  const ask = lights();
  for (let turn = 0; turn < lost; turn += 1) ask.mockRejectedValueOnce(new ApiError('unreachable', 'No answer.'));
  ask.mockResolvedValue(scanResult('put', { batch: 7, puts: [], shares: [], left_over: 0, ...put }));
  const page = await openWall({ ...IDLE, batch }, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  const sent = () => acts(ask).map(([{ body }]) => [body.code, body.quantity, body.key]);
  return { ...page, sent };
}
const NONE = wallBatch(SHARES, [], { put_confirmation: 'none' });

test('an article that is scanned again after its answer was lost counts only once, with its typed number', async () => {
  const { sent } = await openLossy(2, {}, NONE);
  await scan('5');
  await scan('4006381333931');
  expect(screen.getByText('The answer did not arrive. Scan it again: it counts only once.')).toBeTruthy();
  await scan('OTHER');
  await scan('4006381333931');
  await scan('OTHER');
  await scan('4006381333931');
  const [first, other] = sent();
  const next = ['4006381333931', undefined, expect.not.stringMatching(first?.[2] as string)];
  expect(first?.slice(0, 2)).toEqual(['4006381333931', 5]);
  expect(sent()).toEqual([first, other, first, other, next]);
});

test('a different number typed before an article whose answer was lost is a new scan', async () => {
  const { sent } = await openLossy(1, {}, NONE);
  await scan('4006381333931');
  await scan('3');
  await scan('4006381333931');
  expect(sent().map(([, count]) => count)).toEqual([undefined, 3]);
  expect(new Set(sent().map(([, , key]) => key)).size).toBe(2);
});

test.each([
  ['is lit', LIT, 1],
  ['has taken the pieces', IDLE, 2],
])('after a lost answer, while the slot %s, a repeated scan sends this many different keys', async (_, after, keys) => {
  const shares = [{ slot: 'A2', order_number: 'SO-A2', item_id: 11, quantity: 1 }];
  const { change, sent } = await openLossy(1, { shares });
  await scan('SKU-1');
  await change(after);
  await scan('SKU-1');
  // The station answers a repeated key as before. Pieces that are already put need another scan.
  expect(sent()).toHaveLength(keys + 1);
  expect(sent()[1]).toEqual(sent()[0]);
  expect(new Set(sent().map(([, , key]) => key)).size).toBe(keys);
});

test('scanning an order asks whether to add it to the wall, and does not launch it', async () => {
  const ask = vi.fn<Stubs['scan']>(async () => scanResult('order', { order_number: 'SO-9' }));
  await openWall(IDLE, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await scan('SO-9');
  await screen.findByRole('dialog', { name: 'Add order SO-9 to the wall?' });
  expect(ask).toHaveBeenCalledExactlyOnceWith({ body: sorts('SO-9') });
});

test('scanning a place that is lit for another order does not acknowledge its light', async () => {
  const ask = vi.fn<Stubs['scan']>(async () => scanResult('lit', { deviceid: '51D000:000001', location: 'A-1' }));
  await openWall(IDLE, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await scan('A-1');
  expect(ask).toHaveBeenCalledExactlyOnceWith({ body: sorts('A-1') });
});

test('after a reload, shows a slot that is already lit, with its article', async () => {
  const item = { id: 11, name: 'Cable tie 200' };
  const getOrder = async () => ({ shipments: [{ items: [item] }] }) as never;
  await openWall({ ...LIT, lines: [] }, { getOrder });
  await screen.findByRole('heading', { name: 'A2 takes 1' });
  expect(await screen.findByText('Cable tie 200')).toBeTruthy();
});

test('shows pieces scanned by others, and still accepts scans', async () => {
  const batch = wallBatch(SHARES, [['Ben', 'A1', 10, 1]]);
  await openWall({ batch, lines: LINES });
  await screen.findByRole('heading', { name: 'Scan an article' });
  expect(tile('A1 SO-A1 2 of 5 open Ben 1')).toBeTruthy();
});

test('while the connection is lost, a scan is not sent, and the page says so', async () => {
  const ask = lights();
  const { context } = await openWall(IDLE, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await act(async () => context.store.setState({ connection: { kind: 'lost', since: 0 } as never }));
  await scan('SKU-1');
  const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent);
  expect(alerts).toContain('No connection: nothing was lit. Scan it again later.');
  expect(ask).not.toHaveBeenCalled();
});

test('a scan does not press the focused button', async () => {
  const ask = lights();
  await openWall(IDLE, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  const button = screen.getByRole('button', { name: 'No more pieces…' });
  button.focus();
  await scan('SKU-1', 3_000, button);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(acts(ask)).toHaveLength(1);
});

test('“No barcode” lists articles with their pictures, and touching one counts as a scan', async () => {
  const ask = lights();
  const lines = LINES.map((line) => ({ ...line, picture: '/api/articles/1/picture/?v=1' }));
  await openWall({ ...IDLE, lines }, { scan: ask });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await press('No barcode');
  const list = within(screen.getByRole('dialog'));
  expect(list.getByRole('presentation').getAttribute('src')).toBe('/api/articles/1/picture/?v=1&size=160');
  await press(/^Item 1.*6 for 2 orders$/);
  expect(acts(ask)).toEqual([[{ body: expect.objectContaining({ item_id: 10, batch: 7 }) }]]);
});

test('closes missing articles short for all orders in one request, with one reason', async () => {
  const closeBatchItemsShort = vi.fn<Stubs['closeBatchItemsShort']>(async () => IDLE.batch);
  await openWall(IDLE, { closeBatchItemsShort });
  await screen.findByRole('heading', { name: 'Scan an article' });
  await press('No more pieces…');
  await screen.findByRole('dialog', { name: '2 orders are waiting for 1 article' });
  await press('Missing');
  expect(closeBatchItemsShort.mock.calls).toEqual([
    [{ path: { id: 7 }, body: { items: [10, 11], reason: 'missing' } }],
  ]);
});

test('a touch on a stopped slot asks whether its pieces are returned or stay together', async () => {
  const freeSlot = vi.fn<Stubs['freeSlot']>(async () => IDLE.batch);
  const slots = IDLE.batch.slots.map((slot) => (slot.slot === 'A1' ? { ...slot, state: 'stopped' as const } : slot));
  await openWall({ ...IDLE, batch: { ...IDLE.batch, slots } }, { freeSlot });
  await screen.findByText('A1 stopped. Empty it: order SO-A1.');
  await press('A1 SO-A1 2 of 5 stopped');
  await press('Keep together');
  expect(freeSlot).toHaveBeenCalledExactlyOnceWith({ path: { id: 7, slot: 'A1' }, body: { keep: true } });
});

test('empties the wall with one touch once all orders are complete', async () => {
  const freeBatch = vi.fn<Stubs['freeBatch']>(async () => IDLE.batch);
  const done = wallBatch([cartShare('B1', 12, { quantity: 1, picked: 1, put: 1, state: 'put' })]);
  await openWall({ batch: done, lines: [] }, { freeBatch });
  await screen.findByRole('heading', { name: 'All orders are complete' });
  await press(/^Wall emptied/);
  expect(freeBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
});

const MADE = { ...wallBatch(SHARES, [], { state: 'loading' }), left_out: [] };

test.each([
  ['', { mode: 'wall', wall: 3, fill: { count: 4 } }],
  ['Pick onto Cart 1', { mode: 'wall', wall: 3, cart: 1, fill: { count: 4 } }],
])('fills an empty wall, directly or by picking onto a cart first: %j', async (first, asked) => {
  const addBatch = vi.fn<Stubs['addBatch']>(async () => MADE);
  await openWall({}, { addBatch });
  await screen.findByRole('heading', { name: 'Scan an order' });
  if (first !== '') {
    await press('Pick onto a cart first…');
    await press(first);
  }
  await press('Fill: 4 orders');
  expect(addBatch).toHaveBeenCalledExactlyOnceWith({ body: asked });
});

test.each([
  [true, '1 order has no slot yet. A one-piece order needs none.'],
  [false, '1 order has no slot yet.'],
])(
  'explains that an order takes a slot when its first article is scanned (one-piece orders without slots: %s)',
  async (singles, says) => {
    const waiting = cartShare('', 30, { slot: null, order_number: 'SO-30' });
    const made = { ...MADE, singles, waiting: [waiting] };
    const ask = async () => scanResult('order', { order_number: 'SO-30' });
    await openWall({}, { addBatch: async () => made, scan: ask, getBatch: async () => made });
    await screen.findByRole('heading', { name: 'Scan an order' });
    await scan('SO-30');
    expect(screen.getByText('Order SO-30 takes a slot when its first article is scanned.')).toBeTruthy();
    expect(await screen.findByText(says)).toBeTruthy();
  },
);

test('the Pick page offers walls, and opens a scanned wall', async () => {
  const ask = async () => scanResult('wall');
  await openWall({}, { scan: ask }, '/pick');
  expect(await screen.findByRole('button', { name: 'Load Wall 1' })).toBeTruthy();
  await scan('WALL-1');
  await screen.findByRole('heading', { name: 'Scan an order' });
  expect(window.location.pathname).toBe('/pick/walls/3');
});

test('a put in a different tab immediately turns off the slot on this page', async () => {
  const { context } = await openWall(LIT);
  await screen.findByRole('heading', { name: 'A2 takes 1' });
  const put = SHARES.map((share) => (share.slot === 'A2' ? { ...share, picked: 1, put: 1 } : share));
  vi.spyOn(context.api, 'getBatch').mockResolvedValue(wallBatch(put));
  const facts = [{ type: 'batch.changed', batch_id: 7, state: 'sorting' } as const];
  await act(async () => applyMessages(context.store, [{ kind: 'facts', revision: 200, facts }]));
  await screen.findByRole('heading', { name: 'Scan an article' });
  expect(screen.getByText('A2 1 put')).toBeTruthy();
});
