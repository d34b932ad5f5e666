import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { BatchAct, RefusedAction, Remedy } from '../../../renderer/src/station/outbox/actions.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { item, order } from '../orders/workSupport.tsx';
import type { Stubs } from '../support.tsx';
import { openBatchPage, press, useClockOfPage } from './batchSupport.tsx';
import { actAnswer, cartBatch, cartShare, LINES, SHARES } from './cartRig.ts';

beforeEach(useClockOfPage);

const piece = (slot: string, id: number, quantity: number) => ({ slot, order_number: 'SO-1', item_id: id, quantity });

/** Opens a cart with refused actions of another cart. */
async function open(entries: readonly [BatchAct, Remedy][], calls: Partial<Stubs> = {}) {
  const refused = entries.map(([given, remedy], index): RefusedAction => {
    const about = { key: `k${index}`, order_number: '', item_id: 0, place: 'A-3-1, 2', batch: 9, at: 0, tries: 0 };
    return { action: { ...about, kind: 'cart', act: given }, why: 'Refused.', remedy };
  });
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  await openBatchPage({ batch: cartBatch(SHARES), lines: LINES }, calls, '/pick/carts/1');
  return vi.waitFor(() => screen.getAllByRole('alert'));
}
const touch = (name: string, inside: HTMLElement) => press(name, within(inside));
/** Touches a button at once. */
const touchNow = (name: string, inside: HTMLElement) =>
  act(async () => fireEvent.click(within(inside).getByRole('button', { name })));

test.each<[BatchAct, Remedy, string]>([
  [
    { does: 'put', pieces: [piece('A1', 1, 2)] },
    { kind: 'hands', does: 'takeOut' },
    'Take 2 out of A1 again: they are not booked there.',
  ],
  [
    { does: 'takeOut', pieces: [piece('A1', 1, 2)] },
    { kind: 'hands', does: 'putIn' },
    'Put 2 into A1 again: they are booked there.',
  ],
  [
    { does: 'unpick', pieces: [piece('A1', 1, 2)] },
    { kind: 'hands', does: 'takeAgain' },
    'Take 2 for A1 again: they are booked.',
  ],
])('says what the hands have to do, and ends by one touch: %j', async (given, remedy, says) => {
  const [notice] = await open([[given, remedy]]);
  if (notice === undefined) throw new Error('No notice is shown.');
  expect(within(notice).getByText(says)).toBeTruthy();
  expect(within(notice).getAllByRole('button')).toHaveLength(1);
  await touch('Done', notice);
  expect(screen.queryByText(says)).toBeNull();
});

test('each of several entries ends on its own, and names its own pieces', async () => {
  const put = (slot: string): BatchAct => ({ does: 'put', pieces: [piece(slot, 1, 2)] });
  const notices = await open([
    [put('A1'), { kind: 'hands', does: 'nothing' }],
    [put('A2'), { kind: 'open' }],
  ]);
  const says = notices.map(({ textContent }) => textContent);
  expect(says).toEqual([expect.stringMatching(/^Not booked: A1 2 put at/), expect.stringMatching(/A2 2 put at/)]);
  await touch('Done', notices[0] ?? document.body);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('after an entry has ended, a bounce does not end the next one, which is under the finger now', async () => {
  const put = (slot: string): BatchAct => ({ does: 'put', pieces: [piece(slot, 1, 2)] });
  const nothing: Remedy = { kind: 'hands', does: 'nothing' };
  const notices = await open([
    [put('A1'), nothing],
    [put('A2'), nothing],
  ]);
  await touch('Done', notices[0] ?? document.body);
  await touchNow('Done', screen.getByRole('alert'));
  expect(screen.getByRole('alert').textContent).toContain('A2 2 put');
  expect(document.querySelector('[data-notices][data-refused]')).not.toBeNull();
  await touch('Done', screen.getByRole('alert'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the message about actions that wait comes below the entries, and slots that it moves ignore a touch at first', async () => {
  const sent = vi.fn<Stubs['putIntoSlot']>(() => Promise.reject(new ApiError('unreachable', 'No answer.')));
  const held = cartBatch(
    [
      cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2 }),
      cartShare('A2', 20, { quantity: 1, picked: 1, in_hand: 1 }),
    ],
    { put_confirmation: 'each' },
  );
  const action = { key: 'k', order_number: '', item_id: 0, place: 'A-3-1, 2', batch: 9, at: 0, tries: 0 };
  const refused = [
    {
      action: { ...action, kind: 'cart', act: { does: 'put', pieces: [piece('B1', 1, 2)] } },
      why: '',
      remedy: { kind: 'open' },
    },
  ];
  localStorage.setItem('pickstation.outbox.Anna', JSON.stringify({ actions: [], refused }));
  await openBatchPage({ batch: held, lines: [] }, { putIntoSlot: sent }, '/pick/carts/1');
  await vi.waitFor(() => screen.getByRole('alert'));
  await press('Put 2 into A1');
  const waits = await vi.waitFor(() => screen.getByText(/kept here/));
  expect(screen.getByRole('alert').compareDocumentPosition(waits)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Put 1 into A2' })));
  expect(screen.getByText(/1 confirmation is kept here/)).toBeTruthy();
  await press('Put 1 into A2');
  expect(screen.getByText(/2 confirmations are kept here/)).toBeTruthy();
});

test('Book of fewer pieces than requested asks for the reason, with one touch for each reason', async () => {
  const pick: BatchAct = { does: 'pick', deviceid: null, command_id: null, quantity: 2, shares: [piece('A1', 1, 2)] };
  const acts = vi.fn<Stubs['actInBatch']>(async () => actAnswer());
  const [notice] = await open([[pick, { kind: 'open', asks: 'reason' }]], {
    actInBatch: acts,
    getOrder: async () => order('SO-1', [item(1, { ordered_quantity: 4, quantity_fulfilled: 0 })]),
    getBatch: async () => cartBatch([cartShare('A1', 1, { quantity: 4 })], { id: 9 }),
  });
  if (notice === undefined) throw new Error('No notice is shown.');
  await touch('Missing', notice);
  expect(acts.mock.calls).toMatchObject([[{ body: { acts: [{ lines: [{ quantity: 2 }], reason: 'missing' }] } }]]);
  expect(screen.queryByRole('alert')).toBeNull();
});
