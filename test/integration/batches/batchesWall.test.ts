import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkLine } from '#shared/api/picking.ts';
import { addArticle, movedOf, onHand, postStock } from '../../helpers/articles.ts';
import { act, getBatch, PLACE, shownAt, SLOT_A1, SLOT_A2, slotsOf, tryTo } from '../../helpers/batches.ts';
import { addOrder, itemsOf, press, statesOf } from '../../helpers/orders.ts';
import type { TestStation } from '../../helpers/startTestStation.ts';
import { addGoods, owed, said, scan, sort, startWithWall, waitingIn } from '../../helpers/walls.ts';

// Contract, section 21: walls without picking.
let station: TestStation & AsyncDisposable;
beforeEach(async () => {
  station = await startWithWall();
});
afterEach(() => station.stop());

test('scanning a piece lights the slot of the shipment with the fewest missing pieces, and pressing that slot books the piece', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await getBatch(station)).toMatchObject({
    mode: 'wall',
    wall: 1,
    wall_name: 'Wall 1',
    cart: null,
    state: 'sorting',
  });
  expect(owed(station)).toEqual([]);
  expect(await scan(station, 'ct-200')).toMatchObject({
    result: 'put',
    says: 'A2 takes 1.',
    slot: 'A2',
    quantity: 1,
    order_number: 'SO-2',
    text: 'Name of CT-200',
  });
  expect([await shownAt(station, SLOT_A1), await shownAt(station, SLOT_A2)]).toEqual([
    'dark',
    expect.stringContaining('SO-2 1'),
  ]);
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2 0+0/1', 'A2 open 0+0/2']);
  expect(owed(station)).toEqual([]);
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2 0+0/1', 'A2 open 1+0/2']);
  expect(owed(station)).toEqual([`device_ack SO-2 ${SLOT_A2} 1`, `item_added SO-2 ${SLOT_A2} 1`]);
  expect(await shownAt(station, SLOT_A2)).toBe('dark');
});

test('a slot is complete once it has all its pieces, and its order is fulfilled once, with the last put', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1, 'SC-1': 1 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await act(station, 'put/', { slot: 'A1' });
  expect(await statesOf(station, 'SO-1')).toBe('in_progress: in_progress(done active)');
  await scan(station, 'SC-1');
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 complete 1+0/1 1+0/1']);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done done)');
  expect(owed(station).filter((each) => each.startsWith('order_fulfilled'))).toEqual(['order_fulfilled SO-1']);
  expect(owed(station).filter((each) => each.startsWith('item_added'))).toHaveLength(2);
});

test('a scanned piece must be put before the next scan; scanning an article twice within a second counts two pieces', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 3 });
  await sort(station, ['SO-1']);
  await station.post('/api/scan/', { code: 'CT-200', batch: 1, act: true });
  expect(await scan(station, 'CT-200')).toMatchObject({
    result: 'press_first',
    says: 'Press A1 first.',
    slot: 'A1',
    expected: ['A1'],
    repeated: false,
  });
  expect((await getBatch(station)).scanned).toEqual([
    { by: '', slot: 'A1', order_number: 'SO-1', item_id: 1, quantity: 1 },
  ]);
  await press(station, SLOT_A1);
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 open 2+0/3']);
});

test('explains articles that are not ordered or no longer needed, unknown codes, and a batch that is not running', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1, 'SC-1': 9 });
  await addArticle(station, 'OTHER', [], { name: 'Other thing' });
  await sort(station, ['SO-1']);
  expect(await scan(station, 'OTHER')).toMatchObject({
    result: 'not_needed',
    says: 'No order here has it. Set it aside.',
  });
  expect((await scan(station, 'NO-SUCH-CODE')).result).toBe('unknown');
  await scan(station, 'CT-200');
  await act(station, 'put/', { slot: 'A1' });
  expect(await scan(station, 'CT-200', { quantity: 2 })).toMatchObject({
    result: 'all_done',
    left_over: 2,
    says: 'All orders have their pieces. Set 2 aside.',
  });
  await act(station, 'pause/');
  const { status, body } = await station.request('POST', '/api/scan/', { code: 'SC-1', batch: 1, act: true });
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('is paused')]);
  expect((await station.request('POST', '/api/scan/', { code: 'SC-1', batch: 9 })).status).toBe(404);
});

test('a stack lights all slots that need it, one press confirms them all, and the rest is not booked', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2, 'SC-1': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  const asked = { quantity: 3, act: false };
  expect(await said(station, 'CT-200', asked)).toBe('lit, A2 2, A1 1');
  expect((await getBatch(station)).scanned).toEqual([]);
  expect(await scan(station, 'CT-200', { quantity: 6 })).toMatchObject({
    result: 'put',
    says: 'A2 takes 2, A1 takes 2. Set 2 aside.',
    left_over: 2,
  });
  expect([await shownAt(station, SLOT_A1), await shownAt(station, SLOT_A2)]).toEqual([
    expect.stringContaining('SO-1 2'),
    expect.stringContaining('SO-2 2'),
  ]);
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 open 2+0/2 0+0/1', 'A2 complete 2+0/2']);
  expect(owed(station).filter((each) => each.startsWith('item_added'))).toEqual([
    `item_added SO-1 ${SLOT_A1} 2`,
    `item_added SO-2 ${SLOT_A2} 2`,
  ]);
});

test('with put_confirmation "each", each slot that a stack is split across is confirmed separately, and a partial put leaves the remaining quantity lit', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2'], { put_confirmation: 'each' });
  await scan(station, 'CT-200', { quantity: 4 });
  await act(station, 'put/', { slot: 'A1', quantity: 1 });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 1');
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2', 'A2 complete 2+0/2']);
  expect((await scan(station, 'CT-200')).result).toBe('press_first');
  await press(station, SLOT_A1);
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2', 'A2 complete 2+0/2']);
});

test('with put_confirmation "none", a scan is a put', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await sort(station, ['SO-1'], { put_confirmation: 'none' });
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
  expect(await slotsOf(station)).toEqual(['A1 complete 2+0/2']);
  expect(owed(station)).toContain(`item_added SO-1 ${SLOT_A1} 1`);
});

test('the code of a pack counts all its pieces, and the barcode of the article counts one', async () => {
  await addArticle(station, 'CT-200', [], {
    barcodes: [{ code: '4006381333931' }, { code: 'PACK-10', quantity: 10 }],
  });
  await addGoods(station, 'SO-1', { 'CT-200': 4 });
  await addGoods(station, 'SO-2', { 'CT-200': 3 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await said(station, '4006381333931')).toBe('put, A2 1');
  await act(station, 'put/', { all: true });
  expect(await said(station, 'PACK-10')).toBe('put, A2 2, A1 4, left 4');
});

test('an article without a barcode can be chosen from the list of needed articles', async () => {
  await addOrder(station, 'SO-1', [{ name: 'Loose nut', ordered_quantity: 2, warehouse_location: 'A-9' }]);
  await addOrder(station, 'SO-2', [{ name: 'Loose nut', ordered_quantity: 3 }]);
  await sort(station, ['SO-1', 'SO-2']);
  const list = () => station.get<WorkLine[]>('/api/work/?batch=1');
  const [line] = await list();
  expect(line).toMatchObject({ text: 'Loose nut', light: false, deviceid: null, quantity: 5, batch: 1 });
  expect(line?.shares?.map(({ slot, quantity }) => `${slot} ${quantity}`)).toEqual(['A1 2', 'A2 3']);
  const item_id = line?.shares?.[1]?.item_id;
  expect(await said(station, 'no barcode', { item_id })).toBe('put, A1 1');
  await act(station, 'put/', { all: true });
  expect((await list())[0]?.quantity).toBe(4);
  expect((await tryTo(station, '1/put/', { all: true })).status).toBe(409);
  const other = await station.request('POST', '/api/scan/', { code: 'x', batch: 1, item_id: 99 });
  expect(other.status).toBe(409);
});

test('an order without a free slot waits, and gets a freed slot after ten seconds, with the next scan of its article', async () => {
  for (const number of [1, 2, 3, 4, 5]) await addGoods(station, `SO-${number}`, { [`X-${number}`]: 2, 'CT-200': 1 });
  await sort(station, ['SO-1', 'SO-2', 'SO-3', 'SO-4', 'SO-5']);
  expect(await waitingIn(station)).toEqual(['SO-5']);
  expect(await scan(station, 'X-5')).toMatchObject({
    result: 'wall_full',
    says: 'No slot is free. Set it aside for SO-5.',
  });
  await scan(station, 'X-2', { quantity: 2 });
  await act(station, 'put/', { all: true });
  await scan(station, 'CT-200');
  await act(station, 'put/', { all: true });
  expect(await slotsOf(station)).toContain('A2 complete 2+0/2 1+0/1');
  await station.post('/api/batches/1/slots/A2/free/');
  expect(await said(station, 'X-5')).toBe('wall_full');
  await station.clock.advance(10_000);
  expect(await waitingIn(station)).toEqual(['SO-5']);
  expect(await said(station, 'X-5')).toBe('put, A2 1');
  expect(await waitingIn(station)).toEqual([]);
  await press(station, SLOT_A2);
  expect(await slotsOf(station)).toContain('A2 open 1+0/2 0+0/1');
  expect((await tryTo(station, '1/slots/', { order_number: 'SO-5' })).status).toBe(409);
});

test('a single-piece shipment goes straight to packing, without a slot, device or press', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1 });
  await addGoods(station, 'SO-2', { 'CT-200': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  expect(await waitingIn(station)).toEqual(['SO-1']);
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2']);
  expect(await said(station, 'CT-200', { act: false })).toBe('single');
  expect(await scan(station, 'CT-200')).toMatchObject({
    result: 'single',
    order_number: 'SO-1',
    says: 'SO-1 has only this piece: send it straight to packing.',
  });
  expect(owed(station)).toEqual(['item_added SO-1  1', 'order_fulfilled SO-1']);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
});

test('a single-piece shipment takes a slot like other orders if singles is off or the slot was chosen', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 1 });
  await sort(station, ['SO-1'], { singles: false });
  expect(await said(station, 'CT-200')).toBe('put, A1 1');
  await station.request('DELETE', '/api/batches/1/');
  await addGoods(station, 'SO-2', { 'SC-1': 1 });
  await sort(station, [], { slots: [{ slot: 'B1', order_number: 'SO-2' }] });
  expect(await said(station, 'SC-1', { batch: 2 })).toBe('put, B1 1');
});

test('the batch is done once all slots are free and no order waits, even if a single-piece shipment came last', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await addGoods(station, 'SO-2', { 'SC-1': 1 });
  await sort(station, ['SO-1', 'SO-2']);
  await scan(station, 'CT-200', { quantity: 2 });
  await act(station, 'put/', { all: true });
  await act(station, 'free/');
  expect((await getBatch(station)).state).toBe('sorting');
  expect(await said(station, 'SC-1')).toBe('single');
  expect((await getBatch(station)).state).toBe('done');
});

test('a press at the wrong slot books nothing and shows WRONG SLOT; a scan there reports where the piece belongs', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await addGoods(station, 'SO-2', { 'SC-1': 2 });
  await sort(station, ['SO-1', 'SO-2']);
  await scan(station, 'CT-200');
  await station.press(SLOT_A2);
  await station.clock.advance(500);
  expect(await shownAt(station, SLOT_A2)).toContain('WRONG SLOT');
  await station.clock.advance(3_000);
  expect(await scan(station, 'W1-A2')).toMatchObject({
    result: 'wrong_slot',
    expected: ['A1'],
    says: expect.stringContaining('Put 1 into A1'),
  });
  expect(await slotsOf(station)).toEqual(['A1 open 0+0/2', 'A2 open 0+0/2']);
  expect(await scan(station, 'W1-A1')).toMatchObject({ result: 'put', quantity: 1 });
  expect(await scan(station, 'W1-A1')).toMatchObject({ result: 'slot' });
  expect(await slotsOf(station)).toEqual(['A1 open 1+0/2', 'A2 open 0+0/2']);
});

test('the stock decreases at the place of the article, not at the wall', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-1-1', on_hand: 100 }]);
  await addGoods(station, 'SO-1', { 'CT-200': 3 });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200', { quantity: 3 });
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 100 });
  await press(station, SLOT_A1);
  expect(await onHand(station, 'CT-200')).toEqual({ 'A-1-1': 97 });
  expect((await movedOf(station)).filter(([kind]) => kind === 'pick')).toEqual([['pick', 'A-1-1', -3, 97]]);
});

test('stock changes of an article without places are reported without a place, not at the label of the slot', async () => {
  await station.post(`/api/device/${SLOT_A1}/`, { locationoverride: 'W-A1' });
  await addArticle(station, 'CT-200');
  await addOrder(station, 'SO-1', [{ SKU: 'CT-200', ordered_quantity: 2 }]);
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200');
  await press(station, SLOT_A1);
  // An article can have a place with the same label as the slot, but the wall holds no stock.
  await station.patch('/api/articles/CT-200/', { places: [{ location: 'W-A1' }] });
  await postStock(station, { sku: 'CT-200', location: 'W-A1', count: 50 });
  await scan(station, 'CT-200');
  await press(station, SLOT_A1);
  expect(owed(station).slice(0, 2)).toEqual([`device_ack SO-1 ${SLOT_A1} 1`, `item_added SO-1 ${SLOT_A1} 1`]);
  expect((await movedOf(station)).filter(([kind]) => kind === 'pick')).toEqual([
    ['pick', '', -1, null],
    ['pick', '', -1, null],
  ]);
  expect(await onHand(station, 'CT-200')).toEqual({ 'W-A1': 50 });
});

test('a scan at the wall verifies its article', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 }, { scan_required: true });
  await sort(station, ['SO-1']);
  await scan(station, 'CT-200', { quantity: 2 });
  await press(station, SLOT_A1);
  expect(await statesOf(station, 'SO-1')).toBe('fulfilled: fulfilled(done)');
  expect((await itemsOf(station, 'SO-1'))[0]).toMatchObject({ quantity_fulfilled: 2 });
});

test('a wall batch requires a wall that is not in another batch', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  const wanted = { mode: 'wall', slots: [{ order_number: 'SO-1' }] };
  const tryBatch = async (given: object) =>
    (await station.request('POST', '/api/batches/', { ...wanted, ...given })).status;
  expect(await tryBatch({})).toBe(400);
  expect(await tryBatch({ mode: 'cart', wall: 1 })).toBe(400);
  expect(await tryBatch({ wall: 9 })).toBe(404);
  expect(await tryBatch({ wall: 1 })).toBe(201);
  expect(await tryBatch({ wall: 1 })).toBe(409);
  expect((await station.request('DELETE', '/api/walls/1/')).status).toBe(409);
});

test('with the intent "sort", a scan lights only the slot of its article and acts on nothing else', async () => {
  await addGoods(station, 'SO-1', { 'CT-200': 2 });
  await addOrder(station, 'SO-9', [{ name: 'Screw', SKU: 'SC-9', ordered_quantity: 1, deviceid: PLACE }]);
  await addArticle(station, 'CT-200', [], { barcodes: [{ code: 'BOX-2', quantity: 2 }] });
  await sort(station, ['SO-1']);
  await station.post('/api/orders/SO-9/launch/');
  const given = { intent: 'sort', picker: 'admin' };
  expect(await scan(station, 'BOX-2', given)).toMatchObject({ result: 'put', puts: [{ slot: 'A1', quantity: 2 }] });
  expect(await shownAt(station, SLOT_A1)).toContain('SO-1 2');
  await press(station, SLOT_A1);
  // These scans change nothing that is lit outside the batch.
  for (const [code, result] of [
    ['SO-9', 'order'],
    ['SC-9', 'not_needed'],
    [PLACE, 'wrong_place'],
    ['WALL-1', 'wall'],
    ['NO-SUCH', 'unknown'],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    expect([code, (await scan(station, code, given)).result]).toEqual([code, result]);
  expect(await statesOf(station, 'SO-9')).toBe('in_progress: in_progress(active)');
  expect((await station.get<{ pickers: unknown[] }>('/api/orders/SO-9/')).pickers).toEqual([]);
});
