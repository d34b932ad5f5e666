import { act, cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { EnterRule } from '#shared/lib/picking/enterRules.ts';
import { openBatchPage, useClockOfPage } from './batchSupport.tsx';
import { cartBatch, cartShare, LINES, SHARES, wallBatch } from './cartRig.ts';

beforeEach(useClockOfPage);

const HELD = [cartShare('A1', 10, { quantity: 2, picked: 2, in_hand: 2, state: 'in_hand' })];
const TO_SCAN = SHARES.map((share) => ({ ...share, awaits_scan: true }));
const LIT = { batch: wallBatch(SHARES, [['Anna', 'A2', 11, 1]]), lines: LINES };

// The buttons offer Enter only if it confirms.
test.each<[string, Parameters<typeof openBatchPage>[0], string, RegExp, RegExp]>([
  [
    'a place',
    { batch: cartBatch(SHARES), lines: LINES },
    'carts/1',
    /^Enter, or scan the place$/,
    /^Or scan the place$/,
  ],
  [
    'an article to scan',
    { batch: cartBatch(TO_SCAN), lines: LINES },
    'carts/1',
    /^Scan the article, or Enter$/,
    /^Scan the article$/,
  ],
  [
    'full hands',
    { batch: cartBatch(HELD), lines: LINES },
    'carts/1',
    /^Enter, or press any/,
    /^Or press any lit slot$/,
  ],
  ['a lit slot of a wall', LIT, 'walls/3', /^Enter, or press A2$/, /^Or press A2$/],
])('%s names Enter only while it confirms', async (_, first, path, isOn, isOff) => {
  const hint = async (rule: EnterRule) => {
    const { context } = await openBatchPage(first, {}, `/pick/${path}`);
    await screen.findByText(isOn);
    await act(async () =>
      context.store.setState(({ station }) => ({ station: station && { ...station, enter_confirms: rule } })),
    );
    const shown = [isOn, isOff].map((text) => screen.queryByText(text) !== null);
    cleanup();
    return shown;
  };
  expect(await hint('always')).toEqual([true, false]);
  expect(await hint('never')).toEqual([false, true]);
});
