import { describe, expect, test } from 'vitest';
import type { ItemState, OrderState } from '../../../shared/api/order.ts';
import {
  awaitsScan,
  counted,
  isComplete,
  isUnassigned,
  newItem,
  newWork,
  nextItem,
  nextWork,
  NO_ITEMS,
  recounted,
  remainingOf,
  type WorkCounts,
  type ItemEvent,
  type ItemWork,
} from '../../../electron/server/domain/orders/order.ts';

const item = (state: ItemState, fulfilled: number, given: Partial<ItemWork> = {}): ItemWork => ({
  state,
  ordered: 5,
  fulfilled,
  trouble: null,
  ...given,
});

const ITEMS: Record<ItemState, ItemWork> = {
  open: item('open', 1),
  active: item('active', 1),
  done: item('done', 5),
  short: item('short', 3),
  cancelled: item('cancelled', 1),
};

/** The effect of each event by state. Events do not change the states that are not listed. */
const LIFE: { event: ItemEvent; from: Partial<Record<ItemState, Partial<ItemWork>>> }[] = [
  { event: { kind: 'lit', isReached: true }, from: { open: { state: 'active' }, cancelled: { state: 'active' } } },
  {
    event: { kind: 'notFound' },
    from: { open: { trouble: 'unassigned' }, cancelled: { state: 'open', trouble: 'unassigned' } },
  },
  {
    event: { kind: 'acknowledged', to: 5 },
    from: { open: { state: 'done', fulfilled: 5 }, active: { state: 'done', fulfilled: 5 } },
  },
  {
    event: { kind: 'acknowledged', to: 10 },
    from: { open: { state: 'done', fulfilled: 10 }, active: { state: 'done', fulfilled: 10 } },
  },
  {
    event: { kind: 'acknowledged', to: 4 },
    from: { open: { state: 'short', fulfilled: 4 }, active: { state: 'short', fulfilled: 4 } },
  },
  { event: { kind: 'acknowledged', to: 0 }, from: { open: { state: 'short' }, active: { state: 'short' } } },
  {
    event: { kind: 'unlit' },
    from: { open: { state: 'active', trouble: 'no_light' }, cancelled: { state: 'active', trouble: 'no_light' } },
  },
  { event: { kind: 'confirmed', qty: 4 }, from: {} },
  { event: { kind: 'dismissed' }, from: {} },
  {
    event: { kind: 'lit', isReached: false },
    from: { open: { state: 'active', trouble: 'unreachable' }, cancelled: { state: 'active', trouble: 'unreachable' } },
  },
  { event: { kind: 'reach', isReached: true }, from: {} },
  { event: { kind: 'reach', isReached: false }, from: { active: { trouble: 'unreachable' } } },
  {
    event: { kind: 'short', fulfilled: 3 },
    from: {
      open: { state: 'short', fulfilled: 3 },
      active: { state: 'short', fulfilled: 3 },
      cancelled: { state: 'short', fulfilled: 3 },
    },
  },
  {
    event: { kind: 'short', fulfilled: 5 },
    from: {
      open: { state: 'done', fulfilled: 5 },
      active: { state: 'done', fulfilled: 5 },
      cancelled: { state: 'done', fulfilled: 5 },
    },
  },
  { event: { kind: 'reopened' }, from: { done: { state: 'open' }, short: { state: 'open' } } },
  { event: { kind: 'timedOut' }, from: { active: { state: 'open', trouble: 'timed_out' } } },
  { event: { kind: 'killed' }, from: { active: { state: 'open' } } },
  { event: { kind: 'aborted' }, from: { open: { state: 'cancelled' }, active: { state: 'cancelled' } } },
  {
    event: { kind: 'corrected', to: 5 },
    from: {
      open: { state: 'done', fulfilled: 5 },
      active: { state: 'done', fulfilled: 5 },
      short: { state: 'done', fulfilled: 5 },
      cancelled: { state: 'done', fulfilled: 5 },
    },
  },
  {
    event: { kind: 'corrected', to: 4 },
    from: {
      open: { fulfilled: 4 },
      active: { fulfilled: 4 },
      done: { state: 'open', fulfilled: 4 },
      short: { fulfilled: 4 },
      cancelled: { fulfilled: 4 },
    },
  },
  {
    event: { kind: 'corrected', to: 1 },
    from: { done: { state: 'open', fulfilled: 1 }, short: { state: 'open', fulfilled: 1 } },
  },
  {
    event: { kind: 'corrected', to: 0 },
    from: {
      open: { fulfilled: 0 },
      active: { fulfilled: 0 },
      done: { state: 'open', fulfilled: 0 },
      short: { state: 'open', fulfilled: 0 },
      cancelled: { fulfilled: 0 },
    },
  },
];

describe.each(LIFE)('$event', ({ event, from }) => {
  test.each(Object.entries(ITEMS) as [ItemState, ItemWork][])('for an item that is %s', (state, before) => {
    const change = from[state];
    const after = nextItem(before, event);
    if (change === undefined) expect(after).toBe(before);
    else expect(after).toEqual({ ...before, ...change });
  });
});

test('a new item is done if it is already full', () => {
  expect([newItem(2, 0), newItem(2, 1), newItem(2, 2), newItem(2, 7)].map(({ state }) => state)).toEqual([
    'open',
    'open',
    'done',
    'done',
  ]);
});

test('does not mark a new item as unassigned', () => {
  expect(newItem(2, 1)).toEqual({ state: 'open', ordered: 2, fulfilled: 1, trouble: null });
});

test('an item with an ordered quantity of 0 is not reopened', () => {
  const none = newItem(0, 0);
  expect(nextItem(none, { kind: 'reopened' })).toBe(none);
});

test('the remaining quantity is never below 0', () => {
  expect([item('open', 0), item('short', 3), item('done', 5), item('done', 8)].map(remainingOf)).toEqual([5, 2, 0, 0]);
});

test('an item without a device counts as unassigned until it is lit', () => {
  const nowhere = nextItem(ITEMS.open, { kind: 'notFound' });
  expect(nextItem(nowhere, { kind: 'notFound' })).toBe(nowhere);
  expect(isUnassigned(nowhere)).toBe(true);
  expect(isUnassigned(nextItem(nowhere, { kind: 'aborted' }))).toBe(true);
  const corrected = nextItem(nowhere, { kind: 'corrected', to: 5 });
  expect(isUnassigned(corrected)).toBe(false);
  expect(isUnassigned(nextItem(corrected, { kind: 'corrected', to: 4 }))).toBe(true);
  expect(nextItem(nowhere, { kind: 'lit', isReached: true })).toMatchObject({ state: 'active', trouble: null });
  const closed = nextItem(nowhere, { kind: 'short', fulfilled: 1 });
  expect(nextItem(closed, { kind: 'reopened' })).toMatchObject({ state: 'open', trouble: null });
});

test('work without a light is confirmed or dismissed manually; a timeout or an unreachable device changes nothing', () => {
  const unlit = nextItem(ITEMS.open, { kind: 'unlit' });
  const strange = [{ kind: 'timedOut' }, { kind: 'reach', isReached: false }] as const;
  for (const event of [...strange, { kind: 'unlit' } as const]) expect(nextItem(unlit, event)).toBe(unlit);
  for (const before of [unlit, UNASSIGNED]) {
    expect(nextItem(before, { kind: 'confirmed', qty: 9 })).toMatchObject({ state: 'done' });
    expect(nextItem(before, { kind: 'confirmed', qty: 1 })).toMatchObject({ state: 'short' });
  }
  const dismissed = nextItem(unlit, { kind: 'dismissed' });
  for (const kind of ['unlit', 'notFound', 'aborted', 'reopened'] as const) {
    expect(nextItem(dismissed, { kind })).toBe(dismissed);
  }
  expect(isComplete(countsOf(ITEMS.done, dismissed))).toBe(true);
  expect(isComplete(countsOf(ITEMS.done, unlit))).toBe(false);
  expect(nextItem(unlit, { kind: 'lit', isReached: true })).toMatchObject({ state: 'active', trouble: null });
  expect(nextItem(unlit, { kind: 'notFound' })).toMatchObject({ state: 'open', trouble: 'unassigned' });
});

test('an offline device needs attention only while its item is lit', () => {
  const unreached = nextItem(ITEMS.active, { kind: 'reach', isReached: false });
  for (const event of [{ kind: 'killed' }, { kind: 'acknowledged', to: 4 }, { kind: 'aborted' }] as const)
    expect(nextItem(unreached, event)).toMatchObject({ trouble: null });
});

const countsOf = (...items: ItemWork[]): WorkCounts => items.reduce(counted, NO_ITEMS);
const UNASSIGNED = item('open', 0, { trouble: 'unassigned' });
const ZERO = newItem(0, 0);

test('the counts match the items after any event', () => {
  const all = [...Object.values(ITEMS), ZERO];
  const unlit = nextItem(ITEMS.open, { kind: 'unlit' });
  const dismissed = nextItem(unlit, { kind: 'dismissed' });
  expect(countsOf(...all, UNASSIGNED)).toEqual({
    items: 7,
    done: 3,
    short: 1,
    active: 1,
    unassigned: 1,
    timedOut: 0,
    unreachable: 0,
    dismissed: 0,
    unscanned: 0,
    guessed: 0,
    noStock: 0,
    zero: 1,
    ordered: 30,
    fulfilled: 11,
  });
  const guessed = [...all, UNASSIGNED].map((item) => ({ ...item, isGuessed: true }));
  for (const before of [...all, UNASSIGNED, unlit, dismissed, ...guessed]) {
    for (const { event } of LIFE) {
      const after = nextItem(before, event);
      expect(recounted(countsOf(...all, before), before, after)).toEqual(countsOf(...all, after));
    }
  }
});

test('picked pieces wait for a scan if one is required, until they are scanned or somebody gives up', () => {
  const lit = { ...item('active', 0), isVerified: false, awaitsScan: false };
  const done = { ...lit, state: 'done', fulfilled: 5 } as const;
  const waiting = { ...done, awaitsScan: true };
  expect(awaitsScan(lit, done, true)).toBe(true);
  expect(awaitsScan(lit, done, false)).toBe(false);
  expect(awaitsScan(lit, { ...done, isVerified: true }, true)).toBe(false);
  expect(awaitsScan(lit, { ...lit, state: 'short' }, true)).toBe(false);
  expect(awaitsScan(waiting, { ...waiting, isVerified: true }, true)).toBe(false);
  expect(awaitsScan(waiting, done, true)).toBe(false);
  expect(awaitsScan(waiting, { ...waiting, fulfilled: 4, state: 'open' }, true)).toBe(false);
  expect(awaitsScan(waiting, waiting, false)).toBe(true);
  expect(awaitsScan({ ...done, fulfilled: 0, state: 'short' }, done, true)).toBe(true);
  expect(isComplete(countsOf(ITEMS.done, waiting))).toBe(false);
  expect(recounted(countsOf(ITEMS.done, waiting), waiting, done)).toEqual(countsOf(ITEMS.done, done));
});

test.each<{ of: string; counts: WorkCounts; complete: boolean }>([
  { of: 'no items', counts: NO_ITEMS, complete: false },
  { of: 'done and short items', counts: countsOf(ITEMS.done, ITEMS.short), complete: true },
  { of: 'done items and items without a device', counts: countsOf(ITEMS.done, UNASSIGNED), complete: true },
  { of: 'only items with the quantity 0', counts: countsOf(ZERO, ZERO), complete: true },
  { of: 'an item with the quantity 0 and one without a device', counts: countsOf(ZERO, UNASSIGNED), complete: false },
  {
    of: 'a done item, one with the quantity 0 and one without a device',
    counts: countsOf(ZERO, ITEMS.done, UNASSIGNED),
    complete: true,
  },
  { of: 'only an item without a device', counts: countsOf(UNASSIGNED), complete: false },
  { of: 'a done and an open item', counts: countsOf(ITEMS.done, ITEMS.open), complete: false },
  { of: 'a done and a lit item', counts: countsOf(ITEMS.done, ITEMS.active), complete: false },
  { of: 'a done and a canceled item', counts: countsOf(ITEMS.done, ITEMS.cancelled), complete: false },
])('an order of $of is complete: $complete', ({ counts, complete }) => {
  expect(isComplete(counts)).toBe(complete);
  expect(newWork(counts)).toBe(complete ? 'fulfilled' : 'open');
});

const SOME = countsOf(ITEMS.done, ITEMS.open);
const ALL = countsOf(ITEMS.done);
const STATES = ['open', 'in_progress', 'fulfilled', 'aborted'] as const satisfies readonly OrderState[];

test.each<[string, Parameters<typeof nextWork>[1], OrderState[]]>([
  [
    'launched',
    { kind: 'launched', isLit: true, counts: SOME },
    ['in_progress', 'in_progress', 'in_progress', 'in_progress'],
  ],
  [
    'launched without any light',
    { kind: 'launched', isLit: false, counts: SOME },
    ['open', 'in_progress', 'open', 'open'],
  ],
  [
    'launched when complete',
    { kind: 'launched', isLit: false, counts: ALL },
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  ],
  ['aborted', { kind: 'aborted' }, ['aborted', 'aborted', 'fulfilled', 'aborted']],
  [
    'completed',
    { kind: 'counted', counts: ALL, reopened: 'open' },
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  ],
  [
    'counted',
    { kind: 'counted', counts: SOME, reopened: 'in_progress' },
    ['open', 'in_progress', 'in_progress', 'aborted'],
  ],
  [
    'counted before the launch',
    { kind: 'counted', counts: SOME, reopened: 'open' },
    ['open', 'in_progress', 'open', 'aborted'],
  ],
])('the next state of an order that is %s', (_, event, after) => {
  expect(STATES.map((state) => nextWork(state, event))).toEqual(after);
});
