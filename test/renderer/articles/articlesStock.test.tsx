import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import type { Movement } from '#shared/api/stock.ts';
import { ArticlesPage } from '../../../renderer/src/features/articles/ArticlesPage.tsx';
import { AT, command, device, userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { TIE, open, press, fill, send, one } from './articlesSupport.tsx';

test('lists stock movements, newest first', async () => {
  const moved: Movement = {
    movement_id: 2,
    kind: 'pick',
    time: AT,
    SKU: 'CT-200',
    location: 'A-1-1',
    deviceid: '',
    delta: -2,
    on_hand: 14,
    order: 'SO-1',
    shipment: null,
    item: 3,
    ordered_quantity: 2,
    quantity_fulfilled: 2,
    reason: '',
    picker: 'Ann',
    by: 'device',
    nonce: '',
    key: null,
  };
  const loadMovements = async () => [
    moved,
    { ...moved, movement_id: 1, delta: 1, by: 'Ben' },
    { ...moved, movement_id: 0, picker: '' },
  ];
  await open('/articles/CT-200', { ...one, loadMovements });
  const table = within(screen.getByRole('region', { name: 'Movements of the last 30 days' }));
  expect(
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(1)
          .map(({ textContent }) => textContent?.trim()),
      ),
  ).toEqual([
    ['Picked Order SO-1', 'A-1-1', '−2', '14', 'Ann'],
    ['Returned Order SO-1', 'A-1-1', '+1', '14', 'Ben'],
    ['Picked Order SO-1', 'A-1-1', '−2', '14', 'the device'],
  ]);
});

test('“Stop” is offered after a reload and on every page, until the last light of “Show stock” is off', async () => {
  const showStock = vi.fn(async () => ({ until: null, green: 0, yellow: 0, red: 0, busy: [], left_out: [] }));
  const stockLight = command('c1', { shows_stock: true });
  const lit = device('51D000:000001', { commands: [stockLight] });
  const working = device('51D000:000002', { commands: [command('c2')] });
  const known = { ...station(), devices: [working, lit], user: userOf('Ann', 'picker') };
  window.history.replaceState(null, '', '/articles');
  const context = testContext({ station: known }, { listArticles: () => Promise.resolve([TIE]), showStock });
  await act(async () => show(context, <ArticlesPage />));
  expect(screen.queryByRole('button', { name: 'Show stock' })).toBeNull();
  await press('Stop');
  expect(showStock).toHaveBeenLastCalledWith({ body: { seconds: 0 } });
  await act(async () =>
    context.store.setState({ station: { ...known, devices: [working, { ...lit, commands: [] }] } }),
  );
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Show stock' })).toBeDefined();
});

test('an article shows the figures There, Ordered and Free', async () => {
  const getArticle = async () => ({ ...TIE, places: [{ ...TIE.places[0], on_hand: 10 }], wanted: 12 }) as never;
  await open('/articles/CT-200', { ...one, getArticle });
  const facts = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(facts.slice(0, 3)).toEqual(['There10 pcs', 'Ordered12 pcs', 'Free−2 pcs']);
});

test('“Show stock” lights the places, and lists those that could not be lit', async () => {
  const showStock = vi.fn(() =>
    Promise.resolve({ until: AT, green: 3, yellow: 1, red: 0, busy: ['A-1-1'], left_out: ['B-2-1'] }),
  );
  const listArticles = () => Promise.resolve([TIE]);
  await open('/articles', { listArticles, showStock }, 'picker');
  await press('Show stock');
  expect(showStock).toHaveBeenCalledTimes(1);
  expect(screen.getByText('3 green, 1 to reorder, 0 empty. Not shown: A-1-1, B-2-1.')).toBeTruthy();
});

test('“Put away” sends the article and the number of pieces to the station', async () => {
  const scan = vi.fn<Stubs['scan']>(() => Promise.resolve({ says: 'Put 5 Cable tie 200 at A-1-1.' } as ScanResult));
  await open('/articles/CT-200', { ...one, scan }, 'picker');
  await press('Put away');
  await fill(/^Pieces/, '5');
  await send('Put CT-200 away');
  expect(scan.mock.calls).toMatchObject([[{ body: { code: 'CT-200', intent: 'put_away', quantity: 5, act: true } }]]);
  expect(screen.queryByRole('form')).toBeNull();
});

test('“Use the template on its screens” fills the screens at the places of the article', async () => {
  const fillScreen = vi.fn(() => Promise.resolve());
  const devices = [device('51D000:000001', { locationoverride: 'a-1-1' }), device('51D000:000002')];
  window.history.replaceState(null, '', '/articles/CT-200');
  const known = { ...station(), devices, user: userOf('Ann', 'admin') };
  const context = testContext({ station: known }, { ...one, useScreenTemplate: fillScreen });
  await act(async () => show(context, <ArticlesPage />));
  await press('More for CT-200');
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Use the template on its screens' })));
  expect(fillScreen.mock.calls).toEqual([[{ path: { DeviceID: '51D000:000001' } }]]);
});
