import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { PageParts } from '../../../renderer/src/app/frame/PageParts.tsx';
import { PAGES } from '../../../renderer/src/app/pages.tsx';
import { createAdvancedChoice } from '../../../renderer/src/shop/advancedChoice.ts';
import type { PageId } from '#shared/lib/station/pageRoutes.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext } from '../support.tsx';

beforeEach(() => window.localStorage.clear());

function open(page: PageId) {
  const parts = PAGES.filter(({ destination }) => destination === 'connections');
  const context = testContext({ station: { ...station(), user: userOf('Ann', 'admin') } });
  return show(context, <PageParts of="Connections" parts={parts} page={page} />);
}

const links = () =>
  within(screen.getByRole('navigation', { name: 'Connections pages' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

test('lists the pages of a destination, marks the open one, and shows advanced ones only if switched on', async () => {
  open('callbacks');
  expect(links().slice(0, 3)).toEqual(['Gateways', 'Programs', 'Callbacks']);
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Callbacks');
  expect(links()).not.toContain('Developer');
  const advanced = await screen.findByRole('switch', { name: 'Advanced' });
  fireEvent.click(advanced);
  expect(links()).toContain('Developer');
});

test('opens an advanced page by its address, and then lists it even if the Advanced switch is off', async () => {
  open('developer');
  expect(links()).toContain('Developer');
  expect(await screen.findByRole('switch', { name: 'Advanced' })).toHaveProperty('checked', false);
});

test('remembers the Advanced switch per person', () => {
  const kept = new Map<string, string>();
  const storage = {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? kept.delete(key) : kept.set(key, value)),
  };
  const choice = createAdvancedChoice(storage);
  choice.set('Ann', true);
  expect([choice.isOn('ann'), choice.isOn('Ben')]).toEqual([true, false]);
  choice.set('Ann', false);
  expect(kept.size).toBe(0);
});

test('does not show a list for a destination with only one page', () => {
  const context = testContext({ station: station() });
  show(context, <PageParts of="Orders" parts={[{ id: 'orders', word: 'Orders' }]} page="orders" />);
  expect(screen.queryByRole('navigation')).toBeNull();
});
