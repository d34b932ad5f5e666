import { expect, test } from 'vitest';
import { shareOut } from '../../renderer/src/app/frame/railShare.ts';

const PAGES = ['station', 'alerts', 'orders', 'locations', 'devices', 'settings'].map((id) => ({ id }));
const ids = (pages: readonly { id: string }[]) => pages.map(({ id }) => id).join(' ');

function share(pages: readonly { id: string }[], isBar: boolean, room: number): [string, string] {
  const { shown, more } = shareOut(pages, { isBar, room });
  return [ids(shown), ids(more)];
}

test('the rail shows the pages that fit, in their order, and More takes one place', () => {
  expect(share(PAGES, false, Infinity)).toEqual([ids(PAGES), '']);
  expect(share(PAGES, false, 6)).toEqual([ids(PAGES), '']);
  expect(share(PAGES, false, 5)).toEqual(['station alerts orders locations', 'devices settings']);
  expect(share(PAGES, false, 2)).toEqual(['station', 'alerts orders locations devices settings']);
  expect(share(PAGES, false, 0)).toEqual(['station', 'alerts orders locations devices settings']);
});

test('a bar shows the three most important pages, even if more would fit', () => {
  expect(share(PAGES, true, Infinity)).toEqual(['station alerts orders', 'locations devices settings']);
  const without = PAGES.filter(({ id }) => id !== 'orders');
  expect(share(without, true, 1)).toEqual(['station alerts locations', 'devices settings']);
  const devicesFirst = PAGES.toSorted((one, other) => Number(other.id === 'devices') - Number(one.id === 'devices'));
  expect(share(devicesFirst, true, 1)).toEqual(['station alerts orders', 'devices locations settings']);
  expect(share(PAGES.slice(3), true, 1)).toEqual(['locations devices settings', '']);
  expect(share([...PAGES.slice(4), { id: 'users' }, { id: 'turbos' }], true, 1)).toEqual([
    'devices settings users',
    'turbos',
  ]);
});
