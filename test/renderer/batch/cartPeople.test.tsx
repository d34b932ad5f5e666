import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import { next, startBatch } from '../../../renderer/src/features/pick/batch/batchSession.ts';
import type { PickLine } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { openBatchPage, press, scan, useClockOfPage } from './batchSupport.tsx';
import { actAnswer, CART, cartBatch, cartLine, cartShare, SHARES, startRig } from './cartRig.ts';
import type { Stubs } from '../support.tsx';

// Several people pick one cart. Anna uses the page.
beforeEach(useClockOfPage);

const BEN = { name: 'Ben', color: 'yellow' };
const ANNA = { name: 'Anna', color: 'blue' };

/** Returns one line per person, each with one piece for A1 and a command id that depends on the person. */
const linesOf = (...people: readonly string[]): PickLine[] =>
  people.map((picker, index) => cartLine(index + 1, { A1: 1 }, { picker, command_id: `${picker} ${index + 1}` }));
const BEN_PICKS = { batch: cartBatch(SHARES, { picker: 'Ben', pickers: [BEN] }), lines: linesOf('Ben', 'Ben', 'Ben') };
const both = (lines: readonly PickLine[], given: Partial<Batch> = {}) => ({
  batch: cartBatch(SHARES, { picker: 'Ben', pickers: [BEN, ANNA], ...given }),
  lines,
});

const openCart = (first: Parameters<typeof openBatchPage>[0], calls: Partial<Stubs> = {}, path = '/pick/carts/1') =>
  openBatchPage(first, { loadCarriers: async (kind) => (kind === 'cart' ? [CART] : []), ...calls }, path);
const asked = () => within(screen.getByRole('dialog', { name: 'Ben is picking Cart 1: 3 places to go' }));

test('asks once when Anna opens a cart that Ben is picking, and shows only her places after Join', async () => {
  const joinBatch = vi.fn<Stubs['joinBatch']>(async () => both(linesOf('Ben', 'Ben', 'Anna')).batch);
  const { change } = await openCart(BEN_PICKS, { joinBatch });
  await screen.findByRole('dialog');
  expect(asked().getByRole('button', { name: 'Just look' })).toBeTruthy();
  await press('Join', asked());
  expect(joinBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
  expect(screen.getByText('You are picking with Ben.')).toBeTruthy();
  await change(both(linesOf('Ben', 'Ben', 'Anna')));
  await screen.findByRole('heading', { name: 'A-3' });
  expect(screen.queryByText('A-1')).toBeNull();
  expect(screen.getByText('with Ben')).toBeTruthy();
});

test('asks Anna to join even if the cart itself is loaded after its batch', async () => {
  const { promise, resolve } = Promise.withResolvers<(typeof CART)[]>();
  await openCart(BEN_PICKS, { loadCarriers: () => promise });
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => resolve([CART]));
  await screen.findByRole('dialog');
  await press('Just look', asked());
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a cart without work that is loaded after its batch does not sound as if the last piece had just been put', () => {
  const kept = { packs: new Map(), undos: [] };
  const keys = { enterRule: 'always', scannedAt: -Infinity } as const;
  const state = startBatch({ kind: 'cart', me: 'Anna', keyBase: 'k', isLost: false, unsent: [], kept, keys });
  const batch = cartBatch([cartShare('A1', 10, { quantity: 2, picked: 2, put: 2, state: 'put' })]);
  const read = next(state, { kind: 'read', read: { batch, lines: [], settled: new Set() } }, 1_000);
  const loaded = next(read.state, { kind: 'carrier', carrier: CART }, 1_100);
  expect(partOf(loaded.state).kind).toBe('end');
  expect([...read.effects, ...loaded.effects]).toEqual([]);
});

test('after “Just look”, asks again only when the cart is scanned, and joining remains possible', async () => {
  const joinBatch = vi.fn<Stubs['joinBatch']>(async () => BEN_PICKS.batch);
  const { change } = await openCart(BEN_PICKS, { joinBatch });
  await screen.findByRole('dialog');
  await press('Just look');
  await change(BEN_PICKS);
  expect(screen.queryByRole('dialog')).toBeNull();
  await screen.findByRole('heading', { name: 'Ben is picking Cart 1: 3 places to go' });
  expect(screen.queryByRole('button', { name: /^Picked/ })).toBeNull();
  await scan('CART-1');
  await press('Just look');
  expect(joinBatch).not.toHaveBeenCalled();
  await press('Join');
  expect(joinBatch).toHaveBeenCalledOnce();
});

test("shows the station's message if there are no places to divide between the pickers", async () => {
  const says = 'Batch 7 has no open line for another person.';
  await openCart(BEN_PICKS, { joinBatch: async () => ({ ...BEN_PICKS.batch, warnings: [says] }) });
  await screen.findByRole('dialog');
  await press('Join', asked());
  expect(screen.getByText(says)).toBeTruthy();
});

test("once Anna's places are done, shows how many places others have left, and offers to help", async () => {
  const joinBatch = vi.fn<Stubs['joinBatch']>(async () => BEN_PICKS.batch);
  const { change } = await openCart(both(linesOf('Ben', 'Ben', 'Anna')), { joinBatch });
  await screen.findByRole('heading', { name: 'A-3' });
  const held = cartBatch([cartShare('A1', 30, { quantity: 1, picked: 1, in_hand: 1, state: 'in_hand' })], {
    picker: 'Ben',
    pickers: [BEN, ANNA],
  });
  await change({ batch: held, lines: linesOf('Ben', 'Ben') });
  await screen.findByRole('heading', { name: 'Put 1' });
  await change(both(linesOf('Ben', 'Ben')));
  await screen.findByRole('heading', { name: 'Your places are done' });
  expect(screen.getByText('Ben has 2 left.')).toBeTruthy();
  await press('Help out');
  expect(joinBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
  // A single place cannot be shared.
  await change(both(linesOf('Ben')));
  expect(screen.queryByRole('button', { name: 'Help out' })).toBeNull();
});

test("once Anna's places are done, she can take over somebody else's last place", async () => {
  const mine = cartBatch(SHARES, { picker: 'Anna', pickers: [ANNA] });
  const handOverBatch = vi.fn<Stubs['handOverBatch']>(async () => mine);
  const { change } = await openCart(both(linesOf('Ben')), { handOverBatch });
  await screen.findByRole('heading', { name: 'Your places are done' });
  expect(screen.queryByRole('button', { name: 'Help out' })).toBeNull();
  await press('More…');
  await press('Take all places from Ben');
  expect(handOverBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 }, body: { picker: 'Anna', from: 'Ben' } });
  expect(screen.getByText('You now have Ben’s places.')).toBeTruthy();
  await change({ batch: mine, lines: linesOf('Anna') });
  await screen.findByRole('heading', { name: 'A-1' });
});

test("scanning another person's place or article names that person and books nothing", async () => {
  const acts = vi.fn<Stubs['actInBatch']>(async () => actAnswer());
  await openCart(both(linesOf('Ben', 'Anna', 'Ben')), { actInBatch: acts });
  await screen.findByRole('heading', { name: 'A-2' });
  await scan('A-3');
  expect(screen.getByText('Ben has A-3. Scan A-2.')).toBeTruthy();
  await scan('SKU-1');
  expect(screen.getByText('Ben has A-1. Scan A-2.')).toBeTruthy();
  expect(acts).not.toHaveBeenCalled();
  await scan('A-2');
  expect(acts).toHaveBeenCalledOnce();
});

test("Pause hands Anna's places to the other pickers, or pauses the cart if there are none", async () => {
  const leaveBatch = vi.fn<Stubs['leaveBatch']>(async () => BEN_PICKS.batch);
  const pauseBatch = vi.fn<Stubs['pauseBatch']>(async () => BEN_PICKS.batch);
  const { change } = await openCart(both(linesOf('Ben', 'Anna', 'Anna')), { leaveBatch, pauseBatch });
  await screen.findByRole('heading', { name: 'A-2' });
  await press('More…');
  await press('Pause: Ben gets your places');
  expect(leaveBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 } });
  expect(screen.getByText('You left Cart 1. Your places go to Ben.')).toBeTruthy();
  await change(BEN_PICKS);
  expect(screen.queryByRole('dialog')).toBeNull();
  await screen.findByRole('heading', { name: 'Ben is picking Cart 1: 3 places to go' });
  expect(pauseBatch).not.toHaveBeenCalled();
  await change({ batch: cartBatch(SHARES), lines: linesOf('Anna', 'Anna') });
  await screen.findByRole('heading', { name: 'A-1' });
  await press('More…');
  await press('Pause the cart');
  expect([leaveBatch.mock.calls.length, pauseBatch.mock.calls.length]).toEqual([1, 1]);
});

test("“More…” offers to hand Anna's places to one of the other pickers, but only while she has some", async () => {
  const batch = both([], { pickers: [BEN, ANNA, { name: 'Carl', color: 'pink' }] }).batch;
  const handOverBatch = vi.fn<Stubs['handOverBatch']>(async () => batch);
  const { change } = await openCart({ batch, lines: linesOf('Ben', 'Anna') }, { handOverBatch });
  await screen.findByRole('heading', { name: 'A-2' });
  await press('More…');
  expect(screen.getAllByRole('button', { name: /^Give my places/ }).map((button) => button.textContent)).toEqual([
    'Give my places to Ben',
    'Give my places to Carl',
  ]);
  await press('Give my places to Carl');
  expect(handOverBatch).toHaveBeenCalledExactlyOnceWith({ path: { id: 7 }, body: { picker: 'Carl' } });
  expect(screen.getByText('Carl now has your places.')).toBeTruthy();
  await change({ batch, lines: linesOf('Ben', 'Carl') });
  await screen.findByRole('heading', { name: 'Your places are done' });
  await press('More…');
  expect(screen.queryByRole('button', { name: /^Give my places/ })).toBeNull();
});

test('the Pick page marks a cart as stalled if nobody has worked on it for a while, and shows its picker', async () => {
  const { batch } = both([], { attention: ['stalled'] });
  await openCart({ batch }, {}, '/pick');
  expect(
    await screen.findByRole('button', { name: 'Continue Cart 1 is being picked with Ben · stalled' }),
  ).toBeTruthy();
});

test('shows who joined, left or took over, and how many places changed hands', () => {
  const rig = startRig({ batch: cartBatch(SHARES), lines: linesOf('Anna', 'Anna', 'Anna') });
  rig.read({ batch: cartBatch(SHARES, { pickers: [ANNA, BEN] }), lines: linesOf('Anna', 'Anna', 'Ben') });
  expect([rig.shows(), rig.says()]).toEqual(['walk A-1 1', 'Ben joined and took 1 of your places.']);
  rig.read({ batch: cartBatch(SHARES), lines: linesOf('Anna', 'Anna', 'Anna') });
  expect(rig.says()).toBe('Ben left. You have 1 more place.');
  rig.read(BEN_PICKS);
  expect([rig.shows(), rig.says(), rig.state().question]).toEqual(['others', 'Ben took over your places.', undefined]);
});

test('a question about a place closes once somebody else gets the place, and a person who is not picking cannot pause', () => {
  const rig = startRig(both(linesOf('Anna', 'Anna', 'Ben')));
  rig.touch({ touch: 'short' });
  expect(rig.state().question?.kind).toBe('short');
  rig.read(both(linesOf('Ben', 'Anna', 'Ben')));
  expect([rig.state().question, rig.shows()]).toEqual([undefined, 'walk A-2 1']);
  rig.read(BEN_PICKS);
  rig.scan('PICK:PAUSE');
  expect([rig.calls(), rig.scanned()]).toEqual([[], 'Ben is picking Cart 1. You can join.']);
});

/** Returns the same lines after the pickers' colors have changed and changed back, which gives the lines new commands. */
const recolored = (lines: readonly PickLine[]) =>
  lines.map((line) => ({ ...line, command_id: `${line.command_id} again` }));

test('a pick in flight still counts if its place is moved to somebody else and back', () => {
  const lines = linesOf('Anna', 'Anna', 'Ben');
  const rig = startRig(both(lines));
  rig.touch({ touch: 'picked' });
  expect(rig.shows()).toBe('put A1 1');
  rig.read(both(linesOf('Ben', 'Anna', 'Ben')));
  expect(rig.shows()).toBe('put A1 1');
  rig.read(both(recolored(lines)));
  rig.touch({ touch: 'putAll' });
  expect(rig.shows()).toBe('walk A-2 1');
});

test("skipped places and questions survive a change of the lines' commands, but not of the quantity", () => {
  const lines = linesOf('Anna', 'Anna', 'Ben');
  const rig = startRig(both(lines));
  rig.touch({ touch: 'skip' });
  rig.touch({ touch: 'short' });
  rig.read(both(recolored(lines)));
  expect([rig.shows(), rig.state().question]).toEqual([
    'walk A-2 1',
    expect.objectContaining({ kind: 'short', line: expect.objectContaining({ command_id: 'Anna 2 again' }) }),
  ]);
  rig.read(both(recolored(lines).map((line) => ({ ...line, quantity: 2 }))));
  expect(rig.state().question).toBeUndefined();
});
