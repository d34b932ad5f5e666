import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { StationProvider } from '../../../renderer/src/station/context.ts';
import { applyMessages, forgetStation, takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { useOrders } from '../../../renderer/src/station/useWork.ts';
import { station, testContext } from '../support.tsx';
import { progress } from '../orders/workSupport.tsx';

function Numbers() {
  const { value } = useOrders();
  return <p>{value?.map(({ order_number }) => order_number).join() ?? 'nothing'}</p>;
}

async function openNumbers() {
  const loadOrders = vi.fn(() => Promise.resolve([progress('1')]));
  const context = testContext({ station: station(), connection: { kind: 'live' } }, { loadOrders });
  const look = () =>
    act(async () =>
      render(
        <StationProvider value={context}>
          <Numbers />
        </StationProvider>,
      ),
    );
  const said = () => screen.getByRole('paragraph').textContent;
  return { context, loadOrders, look, said };
}

test('a list that is not on screen follows events, and is not reloaded when its page reopens', async () => {
  const { context, loadOrders, look, said } = await openNumbers();
  const { unmount } = await look();
  unmount();
  const fact = { type: 'order.changed', order: progress('2') } as const;
  const revision = (context.store.getState().station?.revision ?? 0) + 1;
  await act(async () => applyMessages(context.store, [{ kind: 'facts', revision, facts: [fact] }]));
  await look();
  expect(said()).toBe('1,2');
  expect(loadOrders).toHaveBeenCalledTimes(1);
});

test('reloads a list when its page reopens after a new snapshot', async () => {
  const { context, loadOrders, look, said } = await openNumbers();
  const { unmount } = await look();
  unmount();
  loadOrders.mockResolvedValue([progress('3')]);
  await act(async () => takeSnapshot(context.store, { station: station(), clockSkewMs: 0 }));
  expect(loadOrders).toHaveBeenCalledTimes(1);
  await look();
  expect(said()).toBe('3');
  expect(loadOrders).toHaveBeenCalledTimes(2);
});

test('the next user does not see data of the previous user', async () => {
  const { context, loadOrders, look, said } = await openNumbers();
  const { unmount } = await look();
  unmount();
  await act(async () => forgetStation(context.store));
  loadOrders.mockReturnValue(new Promise(() => undefined));
  await act(async () => takeSnapshot(context.store, { station: station(), clockSkewMs: 0 }));
  await look();
  expect(said()).toBe('nothing');
});
