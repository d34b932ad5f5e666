import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxAction } from '../../../renderer/src/station/outbox/actions.ts';
import { addOrder, anItem, expectCountsRight, itemsOf, ONE, press } from '../../helpers/orders.ts';
import { openPageOutbox, type PageOutbox } from '../../helpers/pageOutbox.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// What the page of a picker sends, at a real station.
let station: TestStation;
let page: PageOutbox;

beforeEach(async () => {
  station = await startTestStation({ simulate: 3, refreshMs: 0 });
  page = await openPageOutbox(station, 'Anna');
  await addOrder(station, 'SO-1', [
    anItem({ ordered_quantity: 5 }),
    anItem({ name: 'Nut', deviceid: '51D000:000002' }),
  ]);
  await station.post('/api/orders/SO-1/launch/', { picker: 'Anna' });
  await station.clock.advance(5_000);
});
afterEach(() => station.stop());

/** The confirmation of a number that was typed, after a press has booked another one. */
async function instead(quantity: number, pressed: number): Promise<OutboxAction> {
  const [item] = await itemsOf(station, 'SO-1');
  return {
    kind: 'confirm',
    key: 'typed',
    order_number: 'SO-1',
    item_id: item?.id ?? 0,
    place: 'A-1',
    deviceid: ONE,
    command_id: '1',
    quantity,
    seen: 0,
    asked: 5,
    instead: pressed,
  };
}

test.each([
  [7, { state: 'done', quantity_fulfilled: 7 }, false],
  [7, { state: 'done', quantity_fulfilled: 7 }, true],
  [3, { state: 'short', quantity_fulfilled: 3 }, true],
])(
  'a typed number, %i, replaces in one commit what a press has booked: %o (answer lost: %s)',
  async (typed, expected, isLost) => {
    await press(station, ONE);
    expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'done', quantity_fulfilled: 5 }, {}]);
    if (isLost) page.loseAnswer();
    page.outbox.add(await instead(typed, 5));
    await page.outbox.settled();
    expect(await itemsOf(station, 'SO-1')).toMatchObject([expected, {}]);
    await page.outbox.flush();
    expect(page.sent).toMatchObject([{ outcome: 'taken' }]);
    expect(await itemsOf(station, 'SO-1')).toMatchObject([expected, {}]);
    expect(page.requests).toHaveLength(isLost ? 2 : 1);
    expect(page.outbox.state()).toMatchObject({ waiting: 0, refused: [] });
    await expectCountsRight(station, 'SO-1');
  },
);

test.each([
  ['corrected to fewer', 'PATCH', '', { quantity_fulfilled: 4 }],
  ['opened again', 'POST', 'reopen/', {}],
])(
  'a typed number that comes after its line was %s is listed, and Book books all that is open',
  async (_, method, path, body) => {
    await press(station, ONE);
    const typed = await instead(7, 5);
    await page.setAway(true);
    page.outbox.add(typed);
    await station.request(method, `/api/orders/SO-1/items/${typed.item_id}/${path}`, body);
    await page.setAway(false);
    await expect.poll(() => page.outbox.state().refused).toMatchObject([{ remedy: { kind: 'open' } }]);
    await page.outbox.bookAnyway('typed');
    expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'done', quantity_fulfilled: 5 }, {}]);
    // Seven pieces were taken, and five of them are booked.
    expect(page.outbox.state().refused).toMatchObject([{ remedy: { kind: 'putBack', quantity: 2 } }]);
  },
);

test.each([
  ['at once', async (run: () => void) => run()],
  [
    'after a lost answer',
    async (run: () => void) => {
      page.loseAnswer();
      run();
      await page.outbox.settled();
    },
  ],
  [
    'after the station was away',
    async (run: () => void) => {
      await page.setAway(true);
      run();
      await page.setAway(false);
    },
  ],
])('"It was mine" with another number is one commit, %s', async (_, send) => {
  await addOrder(station, 'SO-2', [anItem({ ordered_quantity: 4 })]);
  await station.post('/api/orders/SO-2/launch/', {});
  await press(station, ONE);
  const [booked] = await itemsOf(station, 'SO-1');
  const [own] = await itemsOf(station, 'SO-2');
  expect(booked).toMatchObject({ state: 'done', quantity_fulfilled: 5 });
  await send(() =>
    page.outbox.add({
      kind: 'undo',
      key: 'mine',
      order_number: 'SO-1',
      item_id: booked?.id ?? 0,
      place: 'A-1',
      quantity_fulfilled: 0,
      seen: 5,
      instead: own?.id ?? 0,
      instead_quantity: 3,
    }),
  );
  await page.outbox.settled();
  await page.outbox.flush();
  expect(page.sent).toMatchObject([{ outcome: 'taken' }]);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'active', quantity_fulfilled: 0 }, {}]);
  expect(await itemsOf(station, 'SO-2')).toMatchObject([{ state: 'short', quantity_fulfilled: 3 }]);
  await expectCountsRight(station, 'SO-2');
});

/** The Undo of a typed number that replaced a press. */
const undoOf = ({ order_number, item_id, place }: OutboxAction, typed: number): OutboxAction => ({
  kind: 'undo',
  key: 'undo',
  order_number,
  item_id,
  place,
  quantity_fulfilled: 0,
  seen: typed,
});

test('Undo of a typed number that has not been sent takes back the press that it would have replaced', async () => {
  await press(station, ONE);
  const typed = await instead(3, 5);
  await page.setAway(true);
  page.outbox.add(typed);
  page.outbox.add(undoOf(typed, 3));
  expect(page.outbox.state()).toMatchObject({ waiting: 1, isStuck: true });
  await page.setAway(false);
  expect(page.sent).toMatchObject([{ action: { kind: 'undo' }, outcome: 'taken' }]);
  expect(await itemsOf(station, 'SO-1')).toMatchObject([{ state: 'active', quantity_fulfilled: 0 }, {}]);
});

test('if a typed number and its Undo are both refused, the Undo is listed', async () => {
  await press(station, ONE);
  const typed = await instead(7, 5);
  await station.request('PATCH', `/api/orders/SO-1/items/${typed.item_id}/`, { quantity_fulfilled: 4 });
  page.outbox.add(typed);
  page.outbox.add(undoOf(typed, 7));
  await page.outbox.settled();
  expect(page.sent).toMatchObject([{ outcome: 'refused' }, { outcome: 'refused' }]);
  expect(page.outbox.state().refused).toMatchObject([{ action: { kind: 'undo' } }]);
});
