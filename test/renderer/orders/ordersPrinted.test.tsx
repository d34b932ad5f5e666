import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { findPage } from '#shared/lib/station/pageRoutes.ts';
import type { Station } from '#shared/api/station.ts';
import { addressLines, slipParts } from '../../../renderer/src/shop/order/slipParts.ts';
import { paperLines } from '../../../renderer/src/shop/order/paperLines.ts';
import { device, station } from '../support.tsx';
import { item, ONE, openWork, order, press, TWO } from './workSupport.tsx';

const FAR = '51D000:000003';
const KNOWN: Station = {
  ...station(
    device(ONE, { locationoverride: 'A-1' }),
    device(TWO, { locationoverride: 'A-2' }),
    device(FAR, { locationoverride: 'B-1' }),
  ),
  aliases: [{ id: 1, name: 'A-2 left', deviceid: TWO, deviceIs: 'to the Left of' }],
  map: {
    racks: [
      {
        id: 'r',
        name: 'Rack',
        shelves: [
          { id: 's1', columns: 3 },
          { id: 's2', columns: 3 },
        ],
      },
    ],
    places: [
      { deviceid: ONE, shelf: 's2', column: 1 },
      { deviceid: TWO, shelf: 's2', column: 2 },
    ],
  } as unknown as Station['map'],
};
const ITEMS = [
  item(1, { name: 'Ghost', warehouse_location: 'A-0' }),
  item(2, {
    name: 'Cable tie',
    description: 'black',
    SKU: 'CT-200',
    deviceid: ONE,
    state: 'done',
    quantity_fulfilled: 5,
  }),
  item(3, { name: 'Nut', warehouse_location: 'a-2 LEFT', ordered_quantity: 12, quantity_fulfilled: 4 }),
  item(4, { SKU: 'B-1' }),
];

test("prints items in walking order with the station's place names, and items at unknown places last", () => {
  const lines = paperLines(order('7001', ITEMS), KNOWN);
  expect(lines.map(({ item: { id }, place }) => [id, place])).toEqual([
    [3, 'A-2 left'],
    [2, 'A-1'],
    [4, 'B-1'],
    [1, 'A-0'],
  ]);
  expect(new Set(lines.map(({ shipment }) => shipment))).toEqual(new Set(['']));
});

test('with several shipments, each line names its shipment', () => {
  const two = order('7001', ITEMS, {
    shipments: [ITEMS.slice(0, 1), ITEMS.slice(1)].map((items, index) => ({
      id: index,
      shipment_number: `S${index + 1}`,
      state: 'open' as const,
      attention: [],
      items,
    })),
  });
  expect(paperLines(two, KNOWN).map(({ shipment }) => shipment)).toEqual(['S2', 'S2', 'S2', 'S1']);
});

test('the printout has the order number as a barcode, and a checkbox, place, quantity and article for each item', async () => {
  const due_time = '2026-11-20T14:30:00.000Z';
  const known = order('7001', ITEMS, { priority: 5, due_time, customer: 'Baker', note: 'Fragile' });
  const { context } = await openWork(
    'orders',
    { getOrder: () => Promise.resolve(known) },
    { path: '/orders/7001/print' },
  );
  expect(findPage('/orders/7001/print')).toBe('orders');
  expect(context.store.getState().station).not.toBeNull();
  await screen.findByRole('radio', { name: 'Pick list' });
  await press('Pick list', 'radio');
  const paper = within(await screen.findByRole('region', { name: 'Pick list of order 7001' }));
  expect(paper.getByRole('img', { name: 'Barcode' })).toBeDefined();
  expect(paper.getByText(/^Due /)).toBeDefined();
  expect(paper.getByText('For Baker')).toBeDefined();
  expect(paper.getByText('Fragile')).toBeDefined();
  expect(paper.getByText('Priority 5')).toBeDefined();
  expect(paper.getByText('4 lines, 27 pieces')).toBeDefined();
  const rows = paper.getAllByRole('row').map((row) => row.textContent);
  expect(rows[0]).toBe('PickedPlaceQtyLine of order 7001');
  expect(rows).toContain('✓A-15Cable tieblackCT-200');
  expect(rows).toContain('a-2 LEFT124 pickedNut');
  expect(paper.getAllByRole('img', { name: 'To pick' })).toHaveLength(3);
  await press('80 mm receipt', 'radio');
  expect(screen.getByRole('region', { name: 'Pick list of order 7001' }).dataset['paper']).toBe('receipt');
});

test('a line closed short has no tick and shows the picked quantity', async () => {
  const items = [item(1, { name: 'Fuse', ordered_quantity: 4, quantity_fulfilled: 1, state: 'short' })];
  await openWork('orders', { getOrder: () => Promise.resolve(order('7002', items)) }, { path: '/orders/7002/print' });
  await screen.findByRole('radio', { name: 'Pick list' });
  await press('Pick list', 'radio');
  const paper = within(await screen.findByRole('region', { name: 'Pick list of order 7002' }));
  expect(paper.getAllByRole('row')[1]?.textContent).toBe('–No place4Short: 1 pickedFuse');
  expect(paper.getByRole('img', { name: 'Short' })).toBeDefined();
});

const shipments = (...lists: (typeof ITEMS)[]) =>
  lists.map((items, index) => ({
    id: index,
    shipment_number: `S${index + 1}`,
    state: 'open' as const,
    attention: [],
    items,
  }));
const SOAP = { name: 'Soap', SKU: 'SO-1', ordered_quantity: 3 };

test('a packing slip adds up the lines of an article, and separates this parcel, other parcels and what follows', () => {
  const known = order('7003', [], {
    shipments: shipments(
      [
        item(1, { ...SOAP, quantity_fulfilled: 3, state: 'done' }),
        item(2, { ...SOAP, quantity_fulfilled: 1, state: 'short' }),
        item(3, { name: 'Cup', ordered_quantity: 2, state: 'cancelled' }),
      ],
      [item(4, { ...SOAP, quantity_fulfilled: 2 }), item(5, { name: 'Card', ordered_quantity: 4 })],
    ),
  });
  const soap = (pieces: number) => ({ name: 'Soap', description: '', codes: 'SO-1', pieces });
  expect(slipParts(known, 'S1')).toEqual({
    here: [soap(4)],
    elsewhere: [soap(2)],
    later: [soap(3), { name: 'Card', description: '', codes: '', pieces: 4 }],
  });
  expect(slipParts(known, undefined)).toMatchObject({ here: [soap(6)], elsewhere: [] });
  expect(slipParts({ ...known, state: 'aborted' }, 'S1')).toMatchObject({ later: [] });
});

test('the packing slip of a picked order is for its customer: shop, contents and closing, without places', async () => {
  const known = order('7001', ITEMS, { customer: 'Baker', note: 'Gift wrap' });
  const shop = { shop_name: 'Harbour bikes', shop_address: 'Quay 3\n1000 Port', slip_closing: 'Thank you!' };
  const { context } = await openWork(
    'orders',
    { getOrder: () => Promise.resolve(known) },
    { path: '/orders/7001/print' },
  );
  act(() => context.store.setState(({ station: now }) => ({ station: now && { ...now, ...shop } })));
  const paper = within(await screen.findByRole('region', { name: 'Packing slip of order 7001' }));
  for (const text of ['Harbour bikes', 'Baker', 'Gift wrap', 'Thank you!', 'Order 7001'])
    expect(paper.getByText(text)).toBeDefined();
  expect(paper.getByText(/Quay 3/).textContent).toBe('Quay 3\n1000 Port');
  expect(within(paper.getByRole('table', { name: 'In this parcel' })).getAllByRole('row')).toHaveLength(3);
  const later = within(paper.getByRole('table', { name: 'Follows later' }));
  expect(later.getAllByRole('row').map((row) => row.textContent)).toContain('8Nut');
  expect(paper.queryByText(/A-1|A-2|Short|To pick/)).toBeNull();
  await press('Letter', 'radio');
  expect(screen.getByRole('region', { name: 'Packing slip of order 7001' }).dataset['paper']).toBe('letter');
});

test("the address replaces the customer's name on the packing slip, which has the date of the order", async () => {
  const address = {
    lines: ['Eulenweg 7'],
    postcode: '04107',
    city: 'Leipzig',
    country: 'DE',
    email: 'e@miller.example',
  };
  const known = order('7001', ITEMS, { customer: 'Erika Miller', address, ordered_at: '2026-02-03T09:30:00.000Z' });
  await openWork('orders', { getOrder: () => Promise.resolve(known) }, { path: '/orders/7001/print' });
  const paper = within(await screen.findByRole('region', { name: 'Packing slip of order 7001' }));
  expect(paper.getByText(/Eulenweg/).textContent).toBe('Erika Miller\nEulenweg 7\n04107 Leipzig\nDE');
  expect(paper.getByText(/Feb/).textContent).toMatch(/\b3\b/);
  expect(paper.queryByText(/miller\.example/)).toBeNull();
  expect(addressLines({ customer: 'Miller Ltd', address: { ...address, name: 'Erika Miller' } })[0]).toBe(
    'Erika Miller',
  );
  expect(addressLines({ customer: 'Miller Ltd' })).toEqual(['Miller Ltd']);
});

test('an order without picked pieces offers its pick list first', async () => {
  const known = order('7004', [item(1, SOAP)]);
  await openWork('orders', { getOrder: () => Promise.resolve(known) }, { path: '/orders/7004/print' });
  await screen.findByRole('region', { name: 'Pick list of order 7004' });
  await press('Packing slip', 'radio');
  const paper = within(screen.getByRole('region', { name: 'Packing slip of order 7004' }));
  expect(paper.getByText('Nothing is packed yet.')).toBeDefined();
});
