import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { soundChoice } from '../../../renderer/src/sound/choice.ts';
import { windowSpeaker } from '../../../renderer/src/sound/playSound.ts';
import { cartBatch, SHARES } from '../batch/cartRig.ts';
import { scanResult } from './pickRig.ts';
import { BEN, openSlowly, orderScan as order, stopClock } from './slowStation.tsx';

// What the page that chooses an order does if the station answers slowly.
beforeEach(stopClock);

const loaded = vi.hoisted(() => vi.fn());
vi.mock('../../../renderer/src/features/pick/batch/BatchMode.tsx', () => {
  loaded();
  return { BatchMode: () => null };
});

test('loads the page of carts in advance, so that it receives a code that is scanned right after the code of a cart', async () => {
  await openSlowly('/pick');
  await vi.waitFor(() => expect(loaded).toHaveBeenCalledTimes(1));
});

test('takes no order whose slip was overtaken by another one, asks nothing about it and reports nothing', async () => {
  const { asked, scan, answer } = await openSlowly('/pick');
  await scan('SO-1');
  await scan('SO-2');
  await answer('SO-1', order('SO-1'));
  expect(asked).toEqual(['SO-1', 'SO-2']);
  await answer('SO-2', order('SO-2'));
  await scan('SO-3');
  await answer('take SO-2', order('SO-2', { pickers: [BEN] }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await scan('SO-4');
  await answer('SO-3', scanResult('unknown', { says: 'Nothing has this code.' }));
  expect(screen.queryByText('Nothing has this code.')).toBeNull();
  expect(asked).toEqual(['SO-1', 'SO-2', 'take SO-2', 'SO-3', 'SO-4']);
});

test('ticks if an order is chosen while another one is being taken', async () => {
  vi.spyOn(windowSpeaker, 'state').mockReturnValue('ready');
  const play = vi.spyOn(windowSpeaker, 'play').mockReturnValue(undefined);
  soundChoice.set({ on: true });
  try {
    const { asked, scan } = await openSlowly('/pick');
    await scan('PICK:NEXT');
    expect([asked, play.mock.calls.length]).toEqual([['take SO-9'], 0]);
    await scan('PICK:OK');
    expect([asked, play.mock.calls.map(([encoding]) => encoding)]).toEqual([['take SO-9'], ['40,g4,1']]);
  } finally {
    soundChoice.set({ on: false });
  }
});

test('a printed OK after the slip of an order of others joins that order, even if the station answers late', async () => {
  const join = vi.fn(() => Promise.reject(new Error('no answer')));
  const { asked, scan, answer } = await openSlowly('/pick', { joinOrder: join });
  await scan('SO-1');
  await scan('PICK:OK');
  await answer('SO-1', order('SO-1'));
  expect([asked, join.mock.calls]).toEqual([['SO-1', 'take SO-1'], []]);
  await answer('take SO-1', order('SO-1', { pickers: [BEN], says: 'Ben picks it.' }));
  expect(join.mock.calls).toMatchObject([[{ path: { order_number: 'SO-1' } }]]);
  expect(asked).toEqual(['SO-1', 'take SO-1']);
});

test('a printed OK takes no other order if the slip before it turns out to be unknown', async () => {
  const { asked, scan, answer } = await openSlowly('/pick');
  await scan('SO-7');
  await scan('PICK:OK');
  await answer('SO-7', scanResult('unknown', { says: 'Nothing has this code.' }));
  expect([asked, screen.getByText('Nothing has this code.')]).toMatchObject([['SO-7'], {}]);
  await scan('PICK:NEXT');
  expect(asked).toEqual(['SO-7', 'take SO-9']);
});

test('a printed OK after an unknown slip does not join the order of an earlier slip', async () => {
  const join = vi.fn(() => Promise.reject(new Error('no answer')));
  const { scan, answer } = await openSlowly('/pick', { joinOrder: join });
  await scan('SO-1');
  await answer('SO-1', order('SO-1'));
  await answer('take SO-1', order('SO-1', { pickers: [BEN], says: 'Ben picks it.' }));
  await scan('SO-7');
  await scan('PICK:OK');
  await answer('SO-7', scanResult('unknown', { says: 'Nothing has this code.' }));
  expect(join).not.toHaveBeenCalled();
  await scan('PICK:OK');
  expect(join.mock.calls).toMatchObject([[{ path: { order_number: 'SO-1' } }]]);
});

test.each([
  ['“Leave it”', (page: Awaited<ReturnType<typeof openSlowly>>) => page.press(/^Leave it/)],
  ['a newer slip', (page: Awaited<ReturnType<typeof openSlowly>>) => page.scan('SO-2')],
])('%s stops a join that waits for the pieces in hand', async (_, stop) => {
  const { join, page, hands } = await openJoin('/pick');
  await page.scan('SO-1');
  await page.answer('SO-1', order('SO-1'));
  await page.answer('take SO-1', order('SO-1', { pickers: [BEN], says: 'Ben picks it.' }));
  hands.hold();
  await page.press(/^Join/);
  await stop(page);
  await hands.answer();
  expect(join).not.toHaveBeenCalled();
});

test('“Leave it” stops a join at the page of another order, too', async () => {
  const { join, page, hands } = await openJoin('/pick/SO-1');
  await page.scan('SO-2');
  await page.answer('take SO-2', order('SO-2', { pickers: [BEN], says: 'Ben picks it.' }));
  hands.hold();
  await page.press(/^Join/);
  await page.press(/^Leave it/);
  await hands.answer();
  expect(join).not.toHaveBeenCalled();
});

test('a slip that is scanned while the page of an order loads takes no order if the person holds pieces of a batch', async () => {
  const held = { ...cartBatch(SHARES), hands: [{ by: 'Anna', shares: [{ slot: 'A1', quantity: 2 }] }] } as never;
  const { page, asked } = await openJoin('/pick/SO-1', {
    getOrder: () => new Promise(() => undefined),
    listBatches: async ({ query: { state } }) => (state === 'picking' ? [held] : []),
    getBatch: async () => held,
  });
  await page.scan('SO-2');
  expect(asked).toEqual([]);
  expect(screen.getByText(/^First put the pieces/)).toBeTruthy();
});

/** Opens Pick. After `hold`, the station does not say what the person holds until `answer`. */
async function openJoin(path: string, calls: Parameters<typeof openSlowly>[1] = {}) {
  const join = vi.fn(() => Promise.reject(new Error('no answer')));
  let isHeld = false;
  const waiting: (() => void)[] = [];
  const page = await openSlowly(path, {
    joinOrder: join,
    listBatches: () => (isHeld ? new Promise((resolve) => waiting.push(() => resolve([]))) : Promise.resolve([])),
    ...calls,
  });
  const answer = () =>
    act(async () => {
      for (const each of waiting) each();
    });
  return { join, page, asked: page.asked, hands: { hold: () => void (isHeld = true), answer } };
}
