import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import type { Task } from '#shared/api/task.ts';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { isConcerned } from '../../../renderer/src/station/concerns.ts';
import { StationProvider } from '../../../renderer/src/station/context.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { FrameProviders } from '../../../renderer/src/app/frame/FrameProviders.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { litItem, pickLine, pickOrder } from '../pick/pickRig.ts';
import { station, testContext } from '../support.tsx';
import { item, progress } from '../orders/workSupport.tsx';

const ANNA = { name: 'Anna', color: 'blue', paused: false, deviceid: null };
const BEN = { name: 'Ben', color: 'red', paused: false, deviceid: null };
const PICKERS = [
  { name: 'Anna', color: 'blue', orders: ['SO-1'] },
  { name: 'Ben', color: 'red', orders: ['SO-2'] },
];

/** Returns the facts that the stream sends when a line of Ben's order is pressed. */
function foreignPress(times: number): Fact[] {
  const number = 'SO-2';
  return [
    { type: 'command.acknowledged', deviceid: '51D000:000099', command_id: `b${times}`, at: '', qty: 5, by: 'Ben' },
    { type: 'order.item', order_number: number, item: item(900 + times, { state: 'done', picker: 'Ben' }) },
    { type: 'order.changed', order: progress(number, { state: 'in_progress', done_count: times, pickers: [BEN] }) },
  ];
}

async function openPick(path: string) {
  window.history.replaceState(null, '', path);
  const loads = {
    listWork: vi.fn(() => Promise.resolve([pickLine(1), pickLine(2)] as never)),
    listPickers: vi.fn(() => Promise.resolve(PICKERS)),
    getNextOrder: vi.fn(() => Promise.resolve({ order: progress('SO-3'), waiting: 1 })),
    loadOrdersIn: vi.fn((state: string) => Promise.resolve([progress(`SO-${state}`, { state: state as never })])),
  };
  const known = { ...station(), user: userOf('Anna', 'picker') };
  const context = testContext(
    { station: known, connection: { kind: 'live' }, session: 'signedIn' },
    { ...loads, getOrder: () => Promise.resolve(pickOrder([litItem(1), litItem(2)])) },
  );
  await act(async () =>
    render(
      <StationProvider value={context}>
        <FrameProviders>
          <PickPage />
        </FrameProviders>
      </StationProvider>,
    ),
  );
  let revision = known.revision;
  const tell = (...facts: Fact[]) =>
    act(async () => applyMessages(context.store, [{ kind: 'facts', revision: (revision += 1), facts }]));
  const reads = () => Object.values(loads).map(({ mock }) => mock.calls.length);
  return { tell, reads, loads };
}

test.each(['/pick/SO-1', '/pick'])("on %s, 100 presses in other people's orders do not cause a read", async (path) => {
  const { tell, reads } = await openPick(path);
  const before = reads();
  for (let times = 1; times <= 100; times += 1) await tell(...foreignPress(times));
  expect(reads()).toEqual(before);
});

test('the order list on the Pick page loads only unfinished orders, and removes an order that ends', async () => {
  const { tell, loads } = await openPick('/pick');
  expect(loads.loadOrdersIn.mock.calls).toEqual([['open'], ['in_progress']]);
  expect(screen.getByText('SO-open')).toBeDefined();
  await tell(
    { type: 'order.changed', order: progress('SO-open', { state: 'fulfilled' }) },
    { type: 'order.changed', order: progress('SO-new') },
  );
  expect([screen.queryByText('SO-open'), screen.getByText('SO-new')]).toEqual([null, expect.anything()]);
});

test("a press on this person's line causes one read", async () => {
  const { tell, reads } = await openPick('/pick/SO-1');
  const [before = 0] = reads();
  await tell(
    { type: 'command.acknowledged', deviceid: '51D000:000001', command_id: '1', at: '', qty: 5, by: 'Anna' },
    { type: 'order.item', order_number: 'SO-1', item: litItem(1, { state: 'done', command_id: null }) },
    { type: 'order.changed', order: progress('SO-1', { state: 'in_progress', item_count: 2, pickers: [ANNA] }) },
  );
  expect(reads()[0]).toBe(before + 1);
});

const WORK = ['work', 'SO-1', 'Anna'];
const LINES = [pickLine(1)];
const BATCH = { id: 7, state: 'done', put_back: [{ order_number: 'SO-2', put_back: 2 }] };
const TASK: Task = {
  id: 1,
  kind: 'put_back',
  SKU: 'A',
  location: 'A-1',
  deviceid: '',
  quantity: 2,
  state: 'done',
  created: '2026-11-20T08:00:00Z',
  by: 'api',
  order: null,
  overdue: false,
  ended: '2026-11-20T09:00:00Z',
  ended_by: 'Ben',
};
const putBack = (order: string): Fact => ({ type: 'task.changed', task: { ...TASK, order } });

test.each<[string, boolean, readonly string[], unknown, Fact]>([
  ['another line lights for me', true, WORK, LINES, { type: 'order.item', order_number: 'SO-1', item: litItem(7) }],
  [
    'a line of mine goes to Ben',
    true,
    WORK,
    LINES,
    { type: 'order.item', order_number: 'SO-1', item: litItem(1, { picker: 'Ben' }) },
  ],
  [
    'Ben picks another line of this order',
    false,
    WORK,
    LINES,
    { type: 'order.item', order_number: 'SO-1', item: litItem(7, { picker: 'Ben' }) },
  ],
  [
    'other work at my device ends, so my line is shown',
    true,
    WORK,
    LINES,
    { type: 'command.killed', deviceid: '51D000:000001', command_id: 'x', at: '', qty: 0, by: 'Ben' },
  ],
  ['the racks are rearranged', true, WORK, LINES, { type: 'map.racks', racks: [] }],
  [
    'Ben takes an order',
    true,
    ['pickers'],
    PICKERS,
    { type: 'order.changed', order: progress('SO-9', { state: 'in_progress', pickers: [BEN] }) },
  ],
  ['pieces of this batch are put back', true, ['batch', '7'], BATCH, putBack('SO-2')],
  ['pieces of another order are put back', false, ['batch', '7'], BATCH, putBack('SO-3')],
  [
    "Ben's order is complete",
    true,
    ['pickers'],
    PICKERS,
    { type: 'order.changed', order: progress('SO-2', { state: 'fulfilled', pickers: [BEN] }) },
  ],
  [
    'a new order arrives',
    true,
    ['nextOrder'],
    { order: null, waiting: 0 },
    { type: 'order.changed', order: progress('SO-9') },
  ],
  [
    'the next order is taken by Ben',
    true,
    ['nextOrder'],
    { order: progress('SO-9'), waiting: 1 },
    { type: 'order.changed', order: progress('SO-9', { state: 'in_progress', pickers: [BEN] }) },
  ],
])('if %s, the query is reloaded: %s', (_, expected, key, known, fact) => {
  expect(isConcerned(key, known, [fact])).toBe(expected);
});
