import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { soundChoice } from '../../../renderer/src/sound/choice.ts';
import { windowSpeaker } from '../../../renderer/src/sound/playSound.ts';
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
