import { act } from '@testing-library/react';
import { navigate } from 'wouter/use-browser-location';
import { beforeEach, expect, test } from 'vitest';
import { openSlowly, orderScan, stopClock } from './slowStation.tsx';

// Late answers at the page of an order that the person has left.
beforeEach(stopClock);

const path = () => window.location.pathname;
const go = (address: string) => act(async () => navigate(address));
const taken = (number: string) => orderScan(number, { taken: true, says: `Order ${number}.` });

test('a late answer to a slip does not replace the order that was opened in the meantime', async () => {
  const { scan, answer } = await openSlowly('/pick/SO-1');
  await scan('SO-2');
  await go('/pick');
  await go('/pick/SO-3');
  await answer('take SO-2', taken('SO-2'));
  expect(path()).toBe('/pick/SO-3');
});

test('the second of two slips opens its order, although the first one has already opened its own', async () => {
  const { asked, scan, answer } = await openSlowly('/pick/SO-1');
  await scan('SO-2');
  await scan('SO-3');
  await answer('take SO-2', taken('SO-2'));
  expect(path()).toBe('/pick/SO-2');
  await answer('take SO-3', taken('SO-3'));
  expect([path(), asked]).toEqual(['/pick/SO-3', ['take SO-2', 'take SO-3']]);
});

test.each([
  ['opens the list of orders', false, '/pick'],
  ['does not replace an order that was opened in the meantime', true, '/pick/SO-2'],
])('a late answer to “Leave” %s', async (_, isLeft, expected) => {
  let answerLeave = (): void => undefined;
  const leaveOrder = () => new Promise<never>((resolve) => (answerLeave = () => resolve(undefined as never)));
  const { scan, press, answer } = await openSlowly('/pick/SO-1', { leaveOrder });
  await press('More…');
  await press(/^Leave/);
  if (isLeft) {
    await scan('SO-2');
    await answer('take SO-2', taken('SO-2'));
  }
  await act(async () => answerLeave());
  expect(path()).toBe(expected);
});
