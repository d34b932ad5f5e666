import { expect, test } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import {
  type OutboxAction,
  type KeptAction,
  readKept,
  type Remedy,
  unsent,
} from '../../../renderer/src/station/outbox/actions.ts';
import { createOutbox, type SentAction } from '../../../renderer/src/station/outbox/outbox.ts';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Item, Order } from '#shared/api/order.ts';
import { sendAnyway, sendAction } from '../../../renderer/src/station/outbox/sendAction.ts';
import { findRemedy } from '../../../renderer/src/station/outbox/remedy.ts';
import { startOutbox } from '../../../renderer/src/station/outbox/startOutbox.ts';
import { createStationStore } from '../../../renderer/src/station/live/store.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { station, testContext } from '../support.tsx';
import { item, order } from '../orders/workSupport.tsx';

const HOUR_MS = 3_600_000;
const AWAY = new ApiError('unreachable', 'no answer');

const about = (key: string, id = 1) => ({ key, order_number: 'SO-1', item_id: id, place: `A-${id}` });

const confirm = (key: string, id = 1): OutboxAction => ({
  ...about(key, id),
  kind: 'confirm',
  deviceid: '51D000:000001',
  command_id: '7',
  quantity: 2,
  seen: 0,
});
const adjust = (key: string, quantity: number, command = '7'): OutboxAction => ({
  ...about(key),
  kind: 'adjust',
  deviceid: '51D000:000001',
  command_id: command,
  quantity,
});
const undo = (key: string): OutboxAction => ({ ...about(key), kind: 'undo', quantity_fulfilled: 0 });

function fakeStorage(stored = new Map<string, string>()) {
  return {
    stored,
    get: (key: string) => stored.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? stored.delete(key) : stored.set(key, value)),
  };
}

/** Opens an outbox whose station gives these answers in order, and then accepts everything. */
function open(answers: readonly (ApiError | 'ok')[] = [], storage = fakeStorage(), person = 'Anna', nowMs = HOUR_MS) {
  const left = [...answers];
  const sent: string[] = [];
  const heard: string[] = [];
  const outbox = createOutbox({
    storage,
    person,
    now: () => nowMs,
    async send({ key }) {
      sent.push(key);
      const answer = left.shift() ?? 'ok';
      if (answer !== 'ok') throw answer;
    },
    async sendAnyway({ key }) {
      sent.push(`${key} anyway`);
      return 0;
    },
    findRemedy: async () => ({ kind: 'open' }),
  });
  outbox.listen(({ action, outcome }: SentAction) => heard.push(`${action.key} ${outcome}`));
  const kept = () => readKept(storage, person).actions.map(({ key }) => key);
  return { outbox, sent, heard, storage, kept };
}

test('sends an action immediately, reports it, and stores nothing', async () => {
  const { outbox, sent, heard, storage } = open();
  outbox.add(confirm('a'));
  await outbox.settled();
  expect([sent, heard, storage.stored.size]).toEqual([['a'], ['a taken'], 0]);
  expect(outbox.state()).toMatchObject({ waiting: 0, isStuck: false, sent: undefined });
});

test('keeps actions in order with their keys while the station is unreachable, then sends them and reports how many', async () => {
  const { outbox, sent, kept } = open([AWAY]);
  outbox.add(confirm('a'));
  await outbox.settled();
  expect(outbox.state()).toMatchObject({ waiting: 1, isStuck: true });
  outbox.setLost(true);
  outbox.add(adjust('b', 3));
  outbox.add(adjust('c', 4));
  outbox.add(confirm('d', 2));
  outbox.add(undo('e'));
  // A newer count of a line replaces the older one.
  expect(kept()).toEqual(['a', 'c', 'd', 'e']);
  expect(outbox.state()).toMatchObject({ waiting: 3, isStuck: true, items: new Set([1, 2]) });
  outbox.setLost(false);
  await outbox.settled();
  expect(sent).toEqual(['a', 'a', 'c', 'd', 'e']);
  expect(outbox.state()).toMatchObject({ waiting: 0, isStuck: false, sent: { count: 3 } });
});

test('Undo cancels an unsent action, and is sent after an action that may have arrived', async () => {
  const { outbox, heard, kept } = open();
  outbox.setLost(true);
  outbox.add(confirm('a'));
  outbox.add(undo('b'));
  expect([heard, kept()]).toEqual([['b cancelled'], []]);
  const tried = open([AWAY]);
  tried.outbox.add(confirm('a'));
  await tried.outbox.settled();
  tried.outbox.add(undo('b'));
  await tried.outbox.settled();
  expect(tried.heard).toEqual(['a taken', 'b taken']);
});

test("a refused confirmation cancels its Undo, because that would revert somebody else's pick", async () => {
  const { outbox, sent, heard, kept } = open([AWAY, new ApiError('outdated', 'Somebody has finished the line since.')]);
  outbox.add(confirm('1'));
  await outbox.settled();
  outbox.add(undo('2'));
  outbox.add(confirm('3', 2));
  await outbox.settled();
  expect(sent).toEqual(['1', '1', '3']);
  expect(heard).toEqual(['1 refused', '3 taken']);
  expect([kept(), outbox.state().refused]).toEqual([[], []]);
});

test('does not cancel an action in flight', async () => {
  const { outbox, sent } = open();
  outbox.add(confirm('a'));
  outbox.add(undo('b'));
  await outbox.settled();
  expect(sent).toEqual(['a', 'b']);
});

test('lists refused actions other than counts, even after a reload, until each is booked or discarded', async () => {
  const storage = fakeStorage();
  const { outbox, heard, sent } = open(
    Array.from({ length: 5 }, () => new ApiError('conflict', 'It ended.')),
    storage,
  );
  outbox.add(confirm('a'));
  outbox.add(confirm('b', 2));
  outbox.add(adjust('c', 1));
  outbox.add({ ...about('d'), kind: 'reason', quantity_fulfilled: 1, reason: 'missing' });
  outbox.add(undo('e'));
  await outbox.settled();
  expect(heard).toEqual(['a', 'b', 'c', 'd', 'e'].map((key) => `${key} refused`));
  expect(outbox.state().refused.map(({ action, why }) => [action.key, why])).toEqual(
    ['a', 'b', 'd', 'e'].map((key) => [key, 'It ended.']),
  );
  const again = open([], storage);
  await again.outbox.bookAnyway('a');
  for (const key of ['b', 'd', 'e']) again.outbox.forget(key);
  expect([again.sent, again.outbox.state().refused, storage.stored.size]).toEqual([['a anyway'], [], 0]);
  expect(sent).toHaveLength(5);
});

test.each(['stopping', 'storage', 'too_many_requests', 'csrf'] as const)(
  'keeps an action and sends it again after the error %s',
  async (code) => {
    const { outbox, heard, kept } = open([new ApiError(code, 'Later.')]);
    outbox.add(confirm('a'));
    await outbox.settled();
    expect([heard, kept(), outbox.state().isStuck, outbox.state().refused]).toEqual([[], ['a'], true, []]);
    await outbox.flush();
    expect([heard, kept()]).toEqual([['a taken'], []]);
  },
);

test('keeps actions for days until they are sent, and treats damaged storage as empty', async () => {
  const storage = fakeStorage();
  const { outbox } = open([], storage);
  outbox.setLost(true);
  outbox.add(confirm('a'));
  const monday = open([], storage, 'Anna', 70 * HOUR_MS);
  await monday.outbox.flush();
  expect([monday.sent, monday.heard, monday.outbox.state().refused]).toEqual([['a'], ['a taken'], []]);
  storage.set('pickstation.outbox.Anna', 'not JSON');
  expect(readKept(storage, 'Anna')).toEqual({ actions: [], refused: [] });
});

test('does not send a count that is over an hour old', async () => {
  let now = 0;
  const sent: string[] = [];
  const heard: string[] = [];
  const outbox = createOutbox({
    storage: fakeStorage(),
    person: 'Anna',
    now: () => now,
    send: async ({ key }) => void sent.push(key),
    sendAnyway: () => Promise.resolve(0),
    findRemedy: () => Promise.resolve({ kind: 'open' }),
  });
  outbox.listen(({ action, failure }) => heard.push(`${action.key} ${failure?.message}`));
  outbox.setLost(true);
  outbox.add(adjust('a', 3));
  now = HOUR_MS + 1;
  outbox.setLost(false);
  await outbox.settled();
  expect([sent, heard]).toEqual([[], ['a The count at A-1 is too old. Count again.']]);
});

test('each tab keeps its own actions, and sends the kept actions of a closed tab', async () => {
  const storage = fakeStorage();
  const left = open([AWAY], storage);
  const right = open([AWAY], storage);
  left.outbox.add(confirm('a'));
  await left.outbox.settled();
  right.outbox.add(confirm('b'));
  await right.outbox.settled();
  expect(left.kept()).toEqual(['a', 'b']);
  await right.outbox.flush();
  expect([right.sent.toSorted(), storage.stored.size]).toEqual([['a', 'b', 'b'], 0]);
});

test("each person has a separate outbox that opens with their session, so nobody sends another person's actions", async () => {
  const store = createStationStore({ connection: { kind: 'live' }, session: 'unknown' });
  const storage = fakeStorage();
  const sent: string[] = [];
  let isAway = true;
  let again: (() => void) | undefined;
  const personal = startOutbox({
    store,
    storage,
    now: () => HOUR_MS,
    setTimer(_, run) {
      again = run;
      return () => (again = undefined);
    },
    async send(person, { key }) {
      if (isAway) throw AWAY;
      sent.push(`${person} ${key}`);
    },
    sendAnyway: () => Promise.resolve(0),
    findRemedy: () => Promise.resolve({ kind: 'open' }),
  });
  expect(personal.current()).toBeUndefined();
  const signIn = (name: string) =>
    store.setState({ session: 'signedIn', station: { ...station(), user: userOf(name, 'picker') } });
  signIn('Anna');
  personal.current()?.add(confirm('a'));
  await personal.current()?.settled();
  isAway = false;
  store.setState({ session: 'signedOut' });
  expect([personal.current(), again]).toEqual([undefined, undefined]);
  signIn('Ben');
  personal.current()?.add(confirm('b'));
  await personal.current()?.settled();
  expect(sent).toEqual(['Ben b']);
  signIn('Anna');
  await personal.current()?.settled();
  expect(sent).toEqual(['Ben b', 'Anna a']);
  // The outbox retries an action that got no answer.
  isAway = true;
  personal.current()?.add(confirm('c'));
  await personal.current()?.settled();
  isAway = false;
  again?.();
  await personal.current()?.settled();
  expect(sent.at(-1)).toBe('Anna c');
});

test('sends each kind of action as one call with its key; a confirmation includes its time and the quantity seen', async () => {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]) =>
      void calls.push([name, ...given]);
  const { api } = testContext(
    {},
    {
      acknowledgeCommand: note('acknowledge'),
      adjustCommand: note('adjust'),
      closeItemShort: note('short'),
      reopenItem: note('reopen'),
      confirmItem: note('confirmItem'),
      verifyItem: note('verify'),
    },
  );
  const kept = (action: OutboxAction): KeptAction => ({ ...action, at: 0, tries: 0 });
  await sendAction(api, kept(confirm('a')));
  // A tablet's clock may be wrong by hours, so it is corrected by the clock skew.
  await sendAction(api, { ...kept(confirm('z')), at: 7_200_000 }, 7_200_000);
  await sendAction(api, kept(adjust('b', 3)));
  const short = { ...about('c'), kind: 'short', quantity_fulfilled: 1, reason: 'missing', seen: 0 } as const;
  await sendAction(api, kept({ ...short, elsewhere: 'X' }));
  await sendAction(api, kept({ ...about('r'), kind: 'reason', quantity_fulfilled: 1, reason: 'missing' }));
  await sendAction(api, kept({ ...about('d'), kind: 'undo', quantity_fulfilled: 0, seen: 2 }));
  await sendAction(api, kept({ ...about('e'), kind: 'undo' }));
  await sendAction(api, kept({ ...about('f'), kind: 'verify', seen: 5 }));
  await sendAction(api, kept({ ...about('g'), kind: 'verify' }));
  const confirmed_at = '1970-01-01T00:00:00.000Z';
  const light = { DeviceID: '51D000:000001' };
  const path = { order_number: 'SO-1', id: 1 };
  expect(calls).toEqual([
    ['acknowledge', { path: light, body: { command_id: '7', qty: 2, key: 'a', confirmed_at, seen: 0 } }],
    ['acknowledge', { path: light, body: { command_id: '7', qty: 2, key: 'z', confirmed_at, seen: 0 } }],
    ['adjust', { path: light, body: { command_id: '7', quantity: 3, key: 'b' } }],
    [
      'short',
      { path, body: { quantity_fulfilled: 1, reason: 'missing', key: 'c', elsewhere: 'X', confirmed_at, seen: 0 } },
    ],
    ['short', { path, body: { quantity_fulfilled: 1, reason: 'missing', key: 'r', confirmed_at, seen: 1 } }],
    ['reopen', { path, body: { quantity_fulfilled: 0, key: 'd', confirmed_at, seen: 2 } }],
    ['reopen', { path, body: { key: 'e', confirmed_at } }],
    ['verify', { path, body: { key: 'f', confirmed_at, seen: 5 } }],
    ['verify', { path, body: { key: 'g', confirmed_at } }],
  ]);
});

test('books a refused confirmation with the current command of its line', async () => {
  const calls: unknown[] = [];
  const items = [item(1, { ordered_quantity: 2, state: 'active', deviceid: 'NEW', command_id: '9' }), item(2)];
  const { api } = testContext(
    {},
    {
      getOrder: () => Promise.resolve(order('SO-1', items)),
      acknowledgeCommand: async ({ path, body }) =>
        void calls.push([path.DeviceID, body.command_id, body.qty, body.confirmed_at]),
      closeItemShort: async ({ body }) =>
        void calls.push(['short', body.late, body.quantity_fulfilled, body.confirmed_at]),
      confirmItem: async ({ path, body }) => void calls.push([path.id, body?.late, body?.quantity, body?.confirmed_at]),
    },
  );
  const again = (action: OutboxAction, now = 0) =>
    sendAnyway(api, { ...action, at: 0, tries: 1 }, { now, skewMs: -1_000 });
  const confirmed_at = '1970-01-01T00:00:01.000Z';
  expect(await again(confirm('a'))).toBe(0);
  expect(calls).toEqual([['NEW', '9', 2, confirmed_at]]);
  // The station takes the time of an old pick only in a late confirmation.
  expect(await again(confirm('o'), HOUR_MS)).toBe(0);
  expect(calls.splice(1)).toEqual([[1, true, 2, confirmed_at]]);
  const short: OutboxAction = { ...about('s'), kind: 'short', quantity_fulfilled: 1, reason: 'missing', seen: 0 };
  expect(await again(short, HOUR_MS)).toBe(0);
  expect(calls.splice(1)).toEqual([['short', true, 1, confirmed_at]]);
  // The light is off, a short line has 1 piece left, the order was aborted, and the line is done.
  items[1] = item(2, { ordered_quantity: 3, state: 'open' });
  expect(await again(confirm('b', 2))).toBe(0);
  items[1] = item(2, { ordered_quantity: 3, quantity_fulfilled: 2, state: 'short' });
  expect(await again(confirm('c', 2))).toBe(1);
  expect(calls.slice(1)).toEqual([
    [2, true, 2, confirmed_at],
    [2, true, 1, confirmed_at],
  ]);
  items[1] = item(2, { ordered_quantity: 3, quantity_fulfilled: 3, state: 'done' });
  await expect(again(confirm('d', 2))).rejects.toThrow('no longer lit');
  items[1] = item(2, { state: 'cancelled' });
  await expect(again(confirm('e', 2))).rejects.toThrow('no longer lit');
});

test('asks the station what can still be done about a refused action', async () => {
  const row = { item_id: 1, at: '2026-11-25T10:42:00.000Z', by: 'device', for: '', qty: 5, item: null };
  const given: { order: Order | undefined; row: object } = { order: undefined, row };
  const { api } = testContext(
    {},
    {
      getOrder: () =>
        given.order === undefined ? Promise.reject(new ApiError('not_found', 'No.')) : Promise.resolve(given.order),
      listHistory: async () => [{ ...row, item_id: 9 }, given.row] as HistoryEntry[],
    },
  );
  const remedy = (action: OutboxAction) => findRemedy(api, { ...action, at: 0, tries: 1 });
  const with1 = (change: Partial<Item>, more: Partial<Order> = {}) =>
    order('SO-1', [item(1, { ordered_quantity: 5, ...change })], more);
  expect(await remedy(confirm('a'))).toEqual({ kind: 'putBack', quantity: 2 });
  expect(await remedy(undo('u'))).toEqual({ kind: 'putBack', quantity: 0 });
  given.order = with1({ state: 'cancelled' }, { state: 'aborted' });
  expect(await remedy(confirm('a'))).toEqual({ kind: 'putBack', quantity: 2 });
  given.order = with1({ state: 'active' });
  expect(await remedy(confirm('a'))).toEqual({ kind: 'open' });
  given.order = with1({ state: 'short', quantity_fulfilled: 4 });
  expect(await remedy(confirm('a'))).toEqual({ kind: 'open' });
  given.order = with1({ state: 'done', quantity_fulfilled: 5 });
  expect(await remedy(undo('u'))).toEqual({ kind: 'open' });
  const at = Date.parse(row.at);
  expect(await remedy(confirm('a'))).toEqual({ kind: 'done', at, by: 'device', quantity: 5 });
  given.row = { ...row, by: 'API key', for: 'Ben', item: { id: 1, name: '', before: 2 } };
  expect(await remedy(confirm('a'))).toEqual({ kind: 'done', at, by: 'Ben', quantity: 3 });
});

test('a refused action ends by one touch: it is booked, the rest is put back, or the pieces were booked meanwhile', async () => {
  const sent: OutboxAction[] = [];
  const given: { remedy: Remedy; left: number } = { remedy: { kind: 'open' }, left: 0 };
  const outbox = createOutbox({
    storage: fakeStorage(),
    person: 'Anna',
    now: () => HOUR_MS,
    async send(action) {
      sent.push(action);
      if (action.kind === 'confirm') throw new ApiError('outdated', 'Too old.');
    },
    sendAnyway: async () => given.left,
    findRemedy: async () => given.remedy,
  });
  const refuse = async (key: string): Promise<void> => {
    outbox.add(confirm(key));
    await outbox.settled();
    await Promise.resolve();
  };
  const shown = () => outbox.state().refused.map(({ remedy }) => remedy);
  await refuse('a');
  expect(shown()).toEqual([{ kind: 'open' }]);
  await outbox.bookAnyway('a');
  expect(shown()).toEqual([]);
  await refuse('b');
  given.left = 1;
  await outbox.bookAnyway('b');
  expect(shown()).toEqual([{ kind: 'putBack', quantity: 1 }]);
  outbox.returned('b');
  await outbox.settled();
  expect([shown(), sent.at(-1)]).toMatchObject([[], { kind: 'returned', quantity: 1, item_id: 1, place: 'A-1' }]);
  await refuse('c');
  // The line ended between the notice and the touch.
  given.remedy = { kind: 'done', at: 1, by: 'device', quantity: 5 };
  await outbox.bookAnyway('c');
  expect(shown()).toEqual([given.remedy]);
  outbox.tookMore('c');
  expect(shown()).toEqual([{ kind: 'putBack', quantity: 2 }]);
  outbox.returned('c');
  await outbox.settled();
  expect(sent.at(-1)).toMatchObject({ kind: 'returned', key: 'c.returned', quantity: 2 });
  await refuse('d');
  outbox.forget('d');
  expect(shown()).toEqual([]);
});

test('sending a refused short again keeps pieces counted in the meantime, and a refused Undo can also be sent again', async () => {
  const calls: unknown[] = [];
  const { api } = testContext(
    {},
    {
      getOrder: () => Promise.resolve(order('SO-1', [item(1, { state: 'active', quantity_fulfilled: 3 })])),
      closeItemShort: async ({ body }) => void calls.push(body),
      reopenItem: async ({ body }) => void calls.push(body),
    },
  );
  const key: unknown = expect.any(String);
  const again = (action: OutboxAction) =>
    sendAnyway(api, { ...action, at: 0, tries: 1 }, { now: HOUR_MS - 600_000, skewMs: 0 });
  await again({ ...about('a'), kind: 'short', quantity_fulfilled: 1, reason: 'missing', seen: 0 });
  await again({ ...about('b'), kind: 'undo', quantity_fulfilled: 0 });
  // Only two pieces are undone, because somebody else counted the third.
  await again({ ...about('c'), kind: 'undo', quantity_fulfilled: 0, seen: 2 });
  expect(calls).toEqual([
    { quantity_fulfilled: 3, reason: 'missing', key, late: true, confirmed_at: '1970-01-01T00:00:00.000Z' },
    { quantity_fulfilled: 0, key },
    { quantity_fulfilled: 1, key },
  ]);
});

test('Undo also cancels a short, and a confirmation that is followed by a count', () => {
  const { outbox, heard, kept } = open();
  outbox.setLost(true);
  outbox.add({ ...about('a'), kind: 'short', quantity_fulfilled: 1, reason: 'missing', seen: 0 });
  outbox.add(undo('b'));
  outbox.add(confirm('c', 2));
  outbox.add({ ...adjust('d', 1), item_id: 2 });
  outbox.add({ ...undo('e'), item_id: 2 });
  expect([heard, kept()]).toEqual([['b cancelled', 'e cancelled'], ['d']]);
});

test('an unsent count is not reported as stuck, and no line waits for it', async () => {
  const { outbox } = open([AWAY]);
  outbox.add(adjust('a', 1));
  await outbox.settled();
  expect(outbox.state()).toMatchObject({ waiting: 0, isStuck: false, items: new Set() });
});

test('stops sending once the connection is known to be lost, and continues once it is back', async () => {
  const { outbox, sent } = open();
  outbox.add(confirm('a'));
  outbox.add(confirm('b', 2));
  outbox.setLost(true);
  await outbox.settled();
  expect([sent, outbox.state()]).toMatchObject([['a'], { waiting: 1, isStuck: true }]);
  outbox.setLost(false);
  await outbox.settled();
  expect([sent, outbox.state().sent]).toEqual([['a', 'b'], { count: 1, at: HOUR_MS }]);
  const away = open([AWAY]);
  away.outbox.add(confirm('c'));
  await away.outbox.settled();
  away.outbox.setLost(false);
  await away.outbox.settled();
  expect(away.sent).toEqual(['c']);
});

test('counts actions that had to wait as sent late, including those made before a reload, but not later actions', async () => {
  const storage = fakeStorage();
  const before = open([AWAY], storage);
  before.outbox.add(confirm('a'));
  await before.outbox.settled();
  const { outbox } = open([], storage);
  await outbox.flush();
  expect(outbox.state().sent).toEqual({ count: 1, at: HOUR_MS });
  const stuck = open([AWAY]);
  stuck.outbox.add(confirm('b'));
  await stuck.outbox.settled();
  await stuck.outbox.flush();
  const { sent } = stuck.outbox.state();
  stuck.outbox.add(confirm('c', 2));
  await stuck.outbox.settled();
  expect(stuck.outbox.state().sent).toBe(sent);
});

test('lists refusals from another tab, and does not book an action that is no longer in the list', async () => {
  const storage = fakeStorage();
  const other = open([new ApiError('conflict', 'It ended.')], storage);
  const { outbox, sent } = open([], storage);
  other.outbox.add(confirm('a'));
  await other.outbox.settled();
  outbox.add(confirm('b', 2));
  await outbox.settled();
  expect(outbox.state().refused.map(({ action }) => action.key)).toEqual(['a']);
  outbox.forget('a');
  await outbox.bookAnyway('a');
  expect(sent).toEqual(['b']);
});

test('notifies subscribers of each change and each answer until they unsubscribe', async () => {
  const { outbox, heard } = open();
  const seen: number[] = [];
  const stop = outbox.subscribe(() => seen.push(outbox.state().waiting));
  const inert: string[] = [];
  const stopHearing = outbox.listen(({ action }) => inert.push(action.key));
  outbox.add(confirm('a'));
  await outbox.settled();
  expect([seen[0], seen.at(-1), inert]).toEqual([1, 0, ['a']]);
  const { length } = seen;
  stop();
  stopHearing();
  outbox.add(confirm('b'));
  await outbox.settled();
  expect([seen.length, inert, heard]).toEqual([length, ['a'], ['a taken', 'b taken']]);
});

test('a count replaces an earlier count for the same command unless that count is being sent', async () => {
  const { outbox, sent, kept } = open();
  outbox.add(adjust('a', 3));
  outbox.add(adjust('b', 4));
  outbox.add(adjust('c', 5, '8'));
  outbox.add(adjust('d', 6));
  expect(kept()).toEqual(['a', 'c', 'd']);
  await outbox.settled();
  expect(sent).toEqual(['a', 'c', 'd']);
});

test('does not send the counts of a closed tab', async () => {
  const storage = fakeStorage();
  const other = open([], storage);
  const closed = open([AWAY, AWAY], storage);
  closed.outbox.add(adjust('a', 3));
  closed.outbox.add(confirm('b'));
  await closed.outbox.settled();
  other.outbox.add(confirm('c', 2));
  await other.outbox.settled();
  expect(other.sent).toEqual(['c', 'b']);
});

test('does not include counts in the number of unsent actions', () => {
  const kept = [confirm('a'), adjust('b', 1), undo('c')].map((action) => ({ ...action, at: 0, tries: 0 }));
  expect(unsent(kept)).toBe(2);
});
