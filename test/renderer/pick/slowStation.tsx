import { act, fireEvent, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import { userOf } from '../../helpers/snapshots.ts';
import { progress } from '../orders/workSupport.tsx';
import { show, station, testContext, type Stubs } from '../support.tsx';
import { litItem, pickLine, pickOrder, scanResult } from './pickRig.ts';

export const BEN = { name: 'Ben', color: 'red', paused: false, deviceid: null };

export const orderScan = (number: string, given: Partial<ScanResult> = {}): ScanResult =>
  scanResult('order', { order_number: number, ...given });

/** Current time on the page's clock in milliseconds. Each input advances it, so that none is repeated or too early. */
let nowMs = 0;

/** Lets only the inputs of a test advance the page's clock. Returns a function that restores it. */
export function stopClock(): () => void {
  localStorage.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return () => vi.restoreAllMocks();
}

/**
 * Opens Pick for Anna at an address. Orders SO-1 and SO-2 wait, and each has two lines. The test answers each scan of a
 * code, and then the scan that takes its order (`take` and the code).
 */
export async function openSlowly(path: string, calls: Partial<Stubs> = {}) {
  window.history.replaceState(null, '', path);
  const waiting = new Map<string, (result: ScanResult) => void>();
  const asked: string[] = [];
  const context = testContext(
    { station: { ...station(), user: userOf('Anna', 'picker') }, connection: { kind: 'live' }, session: 'signedIn' },
    {
      loadOrdersIn: (state) => Promise.resolve(state === 'open' ? [progress('SO-1'), progress('SO-2')] : []),
      getNextOrder: () => Promise.resolve({ order: progress('SO-9'), waiting: 1 }),
      getOrder: ({ path: { order_number: number } }) =>
        Promise.resolve({ ...pickOrder([litItem(1), litItem(2)]), order_number: number }),
      listWork: ({ query: { order = '' } }) =>
        Promise.resolve([1, 2].map((id) => pickLine(id, { order_number: order })) as never),
      listPickers: () => Promise.resolve([]),
      scan: ({ body: { code, act: isAct = false } }) => {
        const name = isAct ? `take ${code}` : code;
        asked.push(name);
        return new Promise((resolve) => waiting.set(name, resolve));
      },
      ...calls,
    },
  );
  await act(async () => show(context, <PickPage />));
  return {
    asked,
    scan(code: string) {
      nowMs += 3_000;
      return act(async () => {
        for (const key of [...code.split(''), 'Enter']) fireEvent.keyDown(document.body, { key, code: `Key${key}` });
      });
    },
    press(name: string | RegExp) {
      nowMs += 3_000;
      return act(async () => fireEvent.click(screen.getByRole('button', { name })));
    },
    answer: (name: string, result: ScanResult) => act(async () => waiting.get(name)?.(result)),
  };
}
