import { act, createEvent, fireEvent, screen } from '@testing-library/react';
import { vi } from 'vitest';
import type { Batch, BatchProgress } from '#shared/api/batch.ts';
import { PickPage } from '../../../renderer/src/features/pick/PickPage.tsx';
import type { PickLine } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { CART, cartBatch, WALL } from './cartRig.ts';
import { show, station, testContext, type Stubs, touchPainted } from '../support.tsx';

/** Current time on the page's clock in milliseconds. Only presses and scans advance it. */
let nowMs = 0;

/** Replaces the page's clock. Call this before each test, and the returned function after it. */
export function useClockOfPage(): () => void {
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return () => vi.restoreAllMocks();
}

const progressOf = ({
  id,
  mode,
  cart,
  cart_name,
  wall,
  wall_name,
  singles,
  state,
  put_confirmation,
  picker,
  pickers,
  attention,
  created_time,
  updated_time,
}: Batch): BatchProgress => ({
  id,
  mode,
  cart,
  cart_name,
  wall,
  wall_name,
  singles,
  state,
  put_confirmation,
  picker,
  pickers,
  attention,
  created_time,
  updated_time,
});

/** Opens the page of a cart or wall. The returned `change` replaces the batch. */
export async function openBatchPage(
  first: { batch?: Batch; lines?: readonly PickLine[] },
  calls: Partial<Stubs> = {},
  path: string,
  me = 'Anna',
) {
  window.history.replaceState(null, '', path);
  let known = first;
  const context = testContext(
    { station: { ...station(), user: userOf(me, 'picker') }, connection: { kind: 'live' }, session: 'signedIn' },
    {
      loadCarriers: async (kind) => (kind === 'wall' ? [WALL] : [CART]),
      listBatches: async ({ query: { state, holder } }) => {
        const { batch } = known;
        const isAsked = state === undefined ? batch?.state !== 'done' : batch?.state === state;
        const isHeld = holder === undefined || batch?.hands.some(({ by }) => by === holder);
        return batch !== undefined && isAsked && isHeld ? [progressOf(batch)] : [];
      },
      getBatch: async () => known.batch ?? cartBatch([]),
      listWork: async () => [...(known.lines ?? [])],
      listShortReasons: async () => [{ key: 'missing', label: null }] as never,
      getShortNumbers: async () => ({ exist: false }),
      listPickers: async () => [{ name: 'Ben', color: 'yellow', orders: [] }],
      getNextOrder: async () => ({ order: null, waiting: 0 }),
      loadOrdersIn: async () => [],
      getOrder: () => Promise.reject(new Error('gone')),
      ...calls,
    },
  );
  await act(async () => show(context, <PickPage />));
  // Wait, because the code of the page is loaded on first use.
  await screen.findByRole('main');
  let revision = 100;
  const change = (next: typeof known) =>
    act(async () => {
      known = next;
      const facts = [{ type: 'batch.changed', batch_id: 7, state: 'picking' } as const];
      applyMessages(context.store, [{ kind: 'facts', revision: ++revision, facts }]);
    });
  return { context, change };
}

export const press = (name: string | RegExp, inside: Pick<typeof screen, 'getByRole'> = screen) =>
  touchPainted(
    () => inside.getByRole('button', { name }),
    () => (nowMs += 1_000),
  );

/** Types like a scanner. `afterMs` is the time since the previous key in milliseconds. */
export async function scan(code: string, afterMs = 3_000, target: Element = document.body) {
  nowMs += afterMs;
  await act(async () => {
    for (const key of [...Array.from(code), 'Enter']) {
      const event = createEvent.keyDown(target, { key, code: key === 'Enter' ? key : `Key${key}` });
      Object.defineProperty(event, 'timeStamp', { value: nowMs });
      fireEvent(target, event);
    }
  });
}
