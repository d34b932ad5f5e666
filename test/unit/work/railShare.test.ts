import { expect, test } from 'vitest';
import { DESTINATIONS } from '#shared/lib/station/pageRoutes.ts';
import { splitPages } from '../../../renderer/src/app/frame/railShare.ts';

const PAGES = DESTINATIONS.map((id) => ({ id }));
const ids = (pages: readonly { id: string }[]) => pages.map(({ id }) => id).join(' ');

function share(pages: readonly { id: string }[], isBar: boolean, room: number): [string, string] {
  const { shown, more } = splitPages(pages, { isBar, room });
  return [ids(shown), ids(more)];
}

test('the rail shows as many pages as fit, in order, and reserves one position for "More"', () => {
  expect(share(PAGES, false, Infinity)).toEqual([ids(PAGES), '']);
  expect(share(PAGES, false, 9)).toEqual([ids(PAGES), '']);
  expect(share(PAGES, false, 5)).toEqual(['today orders pick pack', 'articles places history connections settings']);
  expect(share(PAGES, false, 2)).toEqual(['today', 'orders pick pack articles places history connections settings']);
  expect(share(PAGES, false, 0)).toEqual(['today', 'orders pick pack articles places history connections settings']);
});

test('the bar on a phone shows "Pick", "Orders" and "Today", and replaces missing pages with other pages', () => {
  expect(share(PAGES, true, Infinity)).toEqual([
    'pick orders today',
    'pack articles places history connections settings',
  ]);
  const without = PAGES.filter(({ id }) => id !== 'orders');
  expect(share(without, true, 1)).toEqual(['pick today pack', 'articles places history connections settings']);
  expect(share(PAGES.slice(5), true, 1)).toEqual(['places history connections', 'settings']);
  expect(share(PAGES.slice(6), true, 1)).toEqual(['history connections settings', '']);
});
