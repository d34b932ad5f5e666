import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { FIRST_STEPS, type DemoShop, type FirstDay, type FirstStep } from '#shared/api/setup.ts';
import { FirstDayList } from '../../../renderer/src/features/station/FirstDayList.tsx';
import { StationPage } from '../../../renderer/src/features/station/StationPage.tsx';
import { RemoveDemo } from '../../../renderer/src/shop/tour/RemoveDemo.tsx';
import { device, show, station, testContext } from '../support.tsx';

const dayWith = (done: readonly FirstStep[], given: Partial<FirstDay> = {}): FirstDay => ({
  dismissed: false,
  demo: false,
  steps: FIRST_STEPS.map((step) => ({ step, done: done.includes(step), in_demo: false })),
  ...given,
});

beforeEach(() => window.history.replaceState(null, '', '/today'));

test('each open step links to its page with the task in the address, and completed steps are marked as done', async () => {
  const getFirstDay = () => Promise.resolve(dayWith(['name']));
  show(testContext({ station: station() }, { getFirstDay }), <FirstDayList />);
  const list = within(await screen.findByRole('region', { name: 'First steps' }));
  expect(list.getByText('1 of 8 done')).toBeTruthy();
  expect(list.getByText('Name your shop').textContent).toBe('Name your shop, done');
  const links = list.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Draw your shelves', '/today?task=rack'],
    ['Connect hardware', '/connections?task=connect'],
    ['Or simulate it', '/connections?task=simulate'],
    ['Assign devices to places', '/places/set-up'],
    ['Import articles', '/import?what=articles'],
    ['Import orders', '/import?what=orders'],
    ['Pick an order', '/pick'],
    ['Connect your system', '/connections/programs?task=key'],
  ]);
  expect(list.queryByRole('button', { name: 'Remove the demo shop' })).toBeNull();
});

test('marks steps that are done only in the demo shop', async () => {
  const steps = FIRST_STEPS.map((step) => ({ step, done: false, in_demo: step === 'orders' }));
  const getFirstDay = () => Promise.resolve(dayWith([], { demo: true, steps }));
  show(testContext({ station: station() }, { getFirstDay }), <FirstDayList />);
  const step = (await screen.findByRole('link', { name: 'Import orders' })).closest('li');
  expect(step?.textContent).toContain('Done in the demo shop only');
  expect(screen.getAllByText('Done in the demo shop only')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Remove the demo shop' })).toBeTruthy();
});

test('the list disappears once it is dismissed or done', async () => {
  let day = dayWith([]);
  const dismissFirstDay = vi.fn(() => {
    day = dayWith([], { dismissed: true });
    return Promise.resolve(day);
  });
  const context = testContext(
    { station: station() },
    { getFirstDay: () => Promise.resolve(day), changeFirstDay: dismissFirstDay },
  );
  show(context, <FirstDayList />);
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'First steps' })).toBeNull());
  expect(dismissFirstDay).toHaveBeenCalledOnce();
  day = dayWith([]);
  act(() => context.queries.refresh(['firstDay']));
  await screen.findByRole('heading', { name: 'First steps' });
  day = dayWith(FIRST_STEPS);
  act(() => context.queries.refresh(['firstDay']));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'First steps' })).toBeNull());
});

test('reloads after events for open steps, but not for completed ones', async () => {
  const getFirstDay = vi.fn(() => Promise.resolve(dayWith(['orders', 'pick'])));
  const context = testContext({ station: station() }, { getFirstDay });
  show(context, <FirstDayList />);
  await screen.findByRole('region', { name: 'First steps' });
  const reads = getFirstDay.mock.calls.length;
  const tell = (fact: object) => act(async () => context.store.setState({ told: [fact as never] }));
  await tell({ type: 'order.changed', order: { order_number: '1', pickers: [] } });
  expect(getFirstDay).toHaveBeenCalledTimes(reads);
  await tell({ type: 'map.racks', racks: [] });
  expect(getFirstDay).toHaveBeenCalledTimes(reads + 1);
});

test('starts the task named in the address, and removes it from the address', async () => {
  window.history.replaceState(null, '', '/today?task=rack');
  show(testContext({ station: station(device('51D000:000001')) }), <StationPage />);
  expect(await screen.findByRole('dialog', { name: 'Add a rack' })).toBeTruthy();
  expect(window.location.search).toBe('');
});

const SHOP: DemoShop = {
  orders: ['10418'],
  sequences: ['Bench kit'],
  racks: ['Rack A'],
  devices: [{ deviceid: '51D000:000001', label: 'A-4-1' }],
  kept: [{ kind: 'device', name: 'My shelf', reason: 'Its label or its screen texts were changed.' }],
  lit: [],
};

test('before removing the demo shop, lists what is removed and what is kept', async () => {
  const removeDemoShop = vi.fn(() => Promise.resolve(SHOP));
  const close = vi.fn();
  const calls = { getDemoShop: () => Promise.resolve(SHOP), removeDemoShop };
  show(testContext({ station: station() }, calls), <RemoveDemo close={close} />);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove the demo shop?' }));
  await dialog.findByText('1 simulated device');
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1 simulated device',
    'Rack A',
    'Order 10418',
    'Sequence Bench kit',
    'Everything that you added, and the history',
    'My shelf: Its label or its screen texts were changed.',
  ]);
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(removeDemoShop).toHaveBeenCalledOnce();
});

test('while part of the demo shop is lit, lists the lit places and removes nothing', async () => {
  const removeDemoShop = vi.fn(() => Promise.resolve(SHOP));
  const calls = { getDemoShop: () => Promise.resolve({ ...SHOP, lit: ['A-4-1'] }), removeDemoShop };
  show(testContext({ station: station() }, calls), <RemoveDemo close={() => undefined} />);
  expect(await screen.findByText('Some of it is lit: A-4-1. Turn it off first.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(removeDemoShop).not.toHaveBeenCalled();
});
