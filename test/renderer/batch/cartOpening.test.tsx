import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openBatchPage, press, scan, useClockOfPage } from './batchSupport.tsx';
import { CART, cartBatch, LINES, SHARES, startRig } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';
import type { Stubs } from '../support.tsx';

beforeEach(useClockOfPage);

/**
 * Opens cart 1. The codes CART-2 and CART-3 name carts with the batches 12 and 13. `answer` answers the request for
 * such a batch, which the page sends before it opens the cart. `known` resolves once the station knows codes.
 */
async function openCart(known: Promise<void> = Promise.resolve()) {
  const asked = new Map<number, () => void>();
  const acts = vi.fn<Stubs['actInBatch']>(() => new Promise(() => undefined));
  await openBatchPage(
    { batch: cartBatch(SHARES), lines: LINES },
    {
      loadCarriers: async (kind) =>
        kind === 'cart' ? [1, 2, 3].map((id) => ({ ...CART, id, name: `Cart ${id}`, code: `CART-${id}` })) : [],
      actInBatch: acts,
      scan: async ({ body: { code } }) => {
        await known;
        return scanResult('cart', { batch: 10 + Number(code.slice(-1)) });
      },
      getBatch: async ({ path }) => {
        const id = Number(path.id);
        if (id === 7) return cartBatch(SHARES);
        await new Promise<void>((resolve) => asked.set(id, resolve));
        return cartBatch([], { id, cart: id - 10 });
      },
    },
    '/pick/carts/1',
  );
  await screen.findByRole('heading', { name: 'A-1' });
  return { acts, answer: (id: number) => act(async () => asked.get(id)?.()) };
}
const shown = () => window.location.pathname;

test('does not open a scanned cart if the person has pieces in hand by the time the station answers', async () => {
  const { answer } = await openCart();
  await scan('CART-2');
  await press(/^Picked/);
  await answer(12);
  expect(screen.getByText('First put the pieces you hold into their slots.')).toBeTruthy();
  expect(shown()).toBe('/pick/carts/1');
  await screen.findByRole('heading', { name: 'Put 5' });
});

test.each(['A-1', 'PICK:OK'])(
  '%s, scanned while another cart is being opened, books nothing at the first cart',
  async (code) => {
    const { acts, answer } = await openCart();
    await scan('CART-2');
    await scan(code);
    await answer(12);
    expect(shown()).toBe('/pick/carts/2');
    expect(acts).not.toHaveBeenCalled();
  },
);

test('of two carts scanned quickly, opens the second one, even if its answer comes first', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { answer } = await openCart(promise);
  await scan('CART-2');
  await scan('CART-3');
  await act(async () => resolve());
  for (const id of [13, 12, 13]) await answer(id);
  expect(shown()).toBe('/pick/carts/3');
});

test('opens nothing after the person has left the page', async () => {
  const { answer } = await openCart();
  await scan('CART-2');
  await press('More…');
  await press('Another cart or order');
  expect(shown()).toBe('/pick');
  await answer(12);
  expect(shown()).toBe('/pick');
});

test('a code of this cart that belongs to a batch unknown to the page has to be scanned again', () => {
  const rig = startRig();
  const asked = { code: 'T-7', source: 'keyboard' } as const;
  rig.handle({ kind: 'answered', scan: asked, result: scanResult('slot', { batch: 9 }) });
  rig.scan('A-1');
  expect([rig.acts(), rig.later()]).toEqual([[], ['A-1']]);
  rig.handle({ kind: 'found', scan: asked, carrier: { kind: 'cart', id: 1 } });
  expect(rig.scanned()).toBe('Something changed. Scan T-7 again.');
  rig.scan('A-1');
  expect(rig.acts()).toHaveLength(1);
});

test('a code answered while another cart is being opened waits, because it belongs to that cart', () => {
  const rig = startRig();
  const asked = { code: 'CART-2', source: 'keyboard' } as const;
  rig.scan('CART-2');
  rig.scan('SLIP');
  rig.handle({ kind: 'answered', scan: asked, result: scanResult('cart', { batch: 9 }) });
  rig.handle({
    kind: 'answered',
    scan: { ...asked, code: 'SLIP' },
    result: scanResult('order', { order_number: 'SO-9' }),
  });
  expect([rig.state().question, rig.later()]).toEqual([undefined, ['SLIP']]);
  rig.handle({ kind: 'found', scan: asked, carrier: { kind: 'cart', id: 2 } });
  rig.runLater();
  expect([rig.state().question, rig.scanned(), rig.plays()]).toEqual([
    undefined,
    'Something changed. Scan SLIP again.',
    ['wrong'],
  ]);
});
