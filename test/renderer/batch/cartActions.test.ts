import { expect, test, vi } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import type { BatchAct, BatchAction, BatchPieces } from '../../../renderer/src/station/outbox/actions.ts';
import { createOutbox, type SentAction } from '../../../renderer/src/station/outbox/outbox.ts';
import { type ActionCalls, sendAnyway, sendAction } from '../../../renderer/src/station/outbox/sendAction.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { BatchTouch } from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import type { Item } from '#shared/api/order.ts';
import { findRemedy, shelfOf } from '../../../renderer/src/station/outbox/remedy.ts';
import { item, order } from '../orders/workSupport.tsx';
import { actAnswer, cartBatch, cartShare, startRig } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';
import { testContext, type Stubs } from '../support.tsx';

const AWAY = new ApiError('unreachable', 'no answer');
const AT_MS = Date.parse('2026-11-27T10:00:00.000Z');
const confirmed_at = '2026-11-27T10:00:00.000Z';

const piece = (slot: string, item: number, quantity: number): BatchPieces => ({
  slot,
  order_number: `SO-${slot}`,
  item_id: item,
  quantity,
});
const action = (key: string, act: BatchAct, takesBack?: string): BatchAction => ({
  kind: 'cart',
  key,
  order_number: '',
  item_id: 0,
  place: 'A-1',
  batch: 7,
  act,
  ...(takesBack === undefined ? {} : { takesBack }),
});
const PUT = action('p', { does: 'put', pieces: [piece('A1', 1, 2), piece('A2', 2, 3)] });
const LIT = { does: 'pick', deviceid: 'D', command_id: '5', quantity: 4 } as const;
const DARK = { ...LIT, deviceid: null, command_id: null } as const;
const picked = (key: string, rest: object) => [
  'acts',
  { path: { id: 7 }, body: { acts: [{ key, act: 'pick', ...rest }] } },
];
const problemOf = (code: Problem['code'], detail: string): Problem => ({
  type: '',
  title: '',
  status: 409,
  code,
  detail,
});

/** Returns a fake API that records its calls. */
function startApi(given: Partial<Stubs> = {}) {
  const asked: unknown[] = [];
  const note =
    (name: string) =>
    (...call: unknown[]) => {
      asked.push([name, ...call]);
      return Promise.resolve(cartBatch([]));
    };
  const calls = {
    actInBatch: (...call: unknown[]) => {
      asked.push(['acts', ...call]);
      return Promise.resolve(actAnswer());
    },
    reassignShares: note('reassignShares'),
    reopenItem: note('reopen'),
    undoPut: note('undoPut'),
    putIntoSlot: (...call: unknown[]) => {
      asked.push(['put', ...call]);
      return Promise.resolve({ result: 'put', says: '', quantity: 1, expected: [] });
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers that nobody reads
  const { api } = testContext({}, { ...(calls as unknown as Partial<Stubs>), ...given });
  return { api, asked };
}

const sent = (api: ActionCalls, each: BatchAction) => sendAction(api, { ...each, at: AT_MS, tries: 0 });

test('a put sends one request for each slot and item, each with its own key', async () => {
  const { api, asked } = startApi();
  await sent(api, PUT);
  expect(asked).toEqual([
    ['put', { path: { id: 7 }, body: { slot: 'A1', item_id: 1, quantity: 2, key: 'p' } }],
    ['put', { path: { id: 7 }, body: { slot: 'A2', item_id: 2, quantity: 3, key: 'p.1' } }],
  ]);
});

test('undoing a put sends the slot, unless the piece has none', async () => {
  const { api, asked } = startApi();
  const pieces = [piece('A1', 1, 2), { ...piece('A1', 2, 1), slot: null }];
  await sent(api, action('u', { does: 'takeOut', pieces }));
  expect(asked).toEqual([
    ['undoPut', { path: { id: 7 }, body: { slot: 'A1', item_id: 1, quantity: 2, key: 'u' } }],
    ['undoPut', { path: { id: 7 }, body: { item_id: 2, quantity: 1, key: 'u.1' } }],
  ]);
});

const RIGHT = scanResult('acknowledged', { verified: true });
const WRONG = scanResult('wrong_item', { says: 'X is not Cable tie.' });

test('a pick is one request for all its items, with a light or without one', async () => {
  const { api, asked } = startApi();
  const shares = [{ ...piece('A1', 1, 2), quantity_fulfilled: 1 }, piece('A2', 2, 2)];
  const lines = [
    { item_id: 1, quantity: 2, seen: 1 },
    { item_id: 2, quantity: 2 },
  ];
  await sent(api, action('a', { ...LIT, shares }));
  await sent(api, action('b', { ...DARK, shares, reason: 'missing' }));
  await sent(api, action('c', { ...DARK, shares, scanned: 'CT-200' }));
  await sent(api, action('d', { ...DARK, shares, scanned: null }));
  const acted = { acted_at: confirmed_at, lines };
  expect(asked).toEqual([
    picked('a', acted),
    picked('b', { ...acted, reason: 'missing' }),
    picked('c', { ...acted, code: 'CT-200' }),
    picked('d', { ...acted, code: null }),
  ]);
});

test('an item that gets pieces into two slots is one line of the pick', async () => {
  const { api, asked } = startApi();
  await sent(api, action('a', { ...DARK, shares: [piece('A1', 1, 2), piece('B1', 1, 3)] }));
  expect(asked).toEqual([picked('a', { acted_at: confirmed_at, lines: [{ item_id: 1, quantity: 5 }] })]);
});

test('a refused pick fails with the problem of the station; a missing response fails the action', async () => {
  const pick = action('p', { ...LIT, shares: [piece('A1', 1, 4)] });
  const problem = problemOf('outdated', 'It ended.');
  const refused = startApi({ actInBatch: async () => actAnswer({ status: 409, result: 'refused', problem }) });
  await expect(sent(refused.api, pick)).rejects.toMatchObject({ code: 'outdated', message: 'It ended.' });
  await expect(sent(startApi({ actInBatch: () => Promise.reject(AWAY) }).api, pick)).rejects.toBe(AWAY);
});

test('of a pick that is booked in part, only the lines that were not booked are kept for the person', async () => {
  const stored = new Map<string, string>();
  const partly = actAnswer({
    status: 207,
    not_booked: [{ item_id: 2, quantity: 3 }],
    problem: problemOf('outdated', 'It has changed.'),
  });
  const { api } = startApi({ actInBatch: async () => partly });
  const outbox = createOutbox({
    storage: { get: (key) => stored.get(key) ?? null, set: (key, value) => void stored.set(key, value ?? '') },
    person: 'Anna',
    now: () => AT_MS,
    send: (each) => sendAction(api, each),
    sendAnyway: (each) => sendAnyway(api, each, { now: AT_MS, skewMs: 0 }),
    findRemedy: () => Promise.resolve({ kind: 'open' }),
  });
  outbox.add(action('p', { ...DARK, shares: [piece('A1', 1, 1), piece('A2', 2, 3)] }));
  await outbox.settled();
  const kept = outbox
    .state()
    .refused.map(({ action: { kind, ...rest } }) => kind === 'cart' && 'act' in rest && rest.act);
  expect(kept).toMatchObject([{ does: 'pick', quantity: 3, shares: [piece('A2', 2, 3)] }]);
});

test('verifying after the pick fails for a wrong article, and can record that an article cannot be scanned', async () => {
  const pieces = [piece('A1', 1, 2), piece('A2', 2, 3)];
  const scan = vi.fn<Stubs['scan']>().mockResolvedValueOnce(WRONG).mockResolvedValue(RIGHT);
  await expect(sent(startApi({ scan }).api, action('v', { does: 'verify', pieces, code: 'X' }))).rejects.toThrow(
    'X is not Cable tie.',
  );
  expect(scan).toHaveBeenCalledTimes(2);
  const verifyItem = vi.fn<Stubs['verifyItem']>(async () => ({}) as never);
  await sent(startApi({ verifyItem }).api, action('v', { does: 'verify', pieces, code: null }));
  expect(verifyItem.mock.calls).toEqual([
    [{ path: { order_number: 'SO-A1', id: 1 }, body: { key: 'v', confirmed_at } }],
    [{ path: { order_number: 'SO-A2', id: 2 }, body: { key: 'v.1', confirmed_at } }],
  ]);
});

test('a put without a response is sent again as a whole, with the same keys', async () => {
  const put = vi
    .fn<Stubs['putIntoSlot']>()
    .mockResolvedValueOnce({ result: 'put', says: '', quantity: 2, expected: [] })
    .mockRejectedValueOnce(AWAY)
    .mockResolvedValue({ result: 'put', says: '', quantity: 3, expected: [] });
  const { api } = startApi({ putIntoSlot: put });
  await expect(sent(api, PUT)).rejects.toBe(AWAY);
  await sent(api, PUT);
  expect(put.mock.calls.map(([{ body }]) => body.key)).toEqual(['p', 'p.1', 'p', 'p.1']);
});

test('a put with a refused piece still puts the other pieces, and then fails', async () => {
  const gone = new ApiError('conflict', 'Nothing is in hand.');
  const put = vi
    .fn<Stubs['putIntoSlot']>()
    .mockRejectedValueOnce(gone)
    .mockResolvedValue({ result: 'put', says: '', quantity: 3, expected: [] });
  const { api } = startApi({ putIntoSlot: put });
  const [refused] = PUT.act.does === 'put' ? PUT.act.pieces : [];
  await expect(sent(api, PUT)).rejects.toMatchObject({
    message: gone.message,
    rest: { does: 'put', pieces: [refused] },
  });
  expect(put).toHaveBeenCalledTimes(2);
  const wrong = startApi({
    putIntoSlot: async () => ({ result: 'wrong_slot', says: 'That was A1.', quantity: 0, expected: [] }),
  });
  await expect(sent(wrong.api, PUT)).rejects.toThrow('That was A1.');
});

test('reopens each item if a pick is undone, and sends all shares if a reason is given later', async () => {
  const { api, asked } = startApi();
  const shares = [piece('A1', 1, 1), piece('A2', 2, 0)];
  const picked = shares.map((share) => ({ ...share, quantity_fulfilled: share.quantity }));
  await sent(api, action('d', { does: 'unpick', pieces: picked }));
  await sent(api, action('e', { does: 'takeOut', pieces: [piece('A1', 1, 1)] }));
  await sent(api, action('f', { does: 'reassign', shares, reason: 'other' }));
  expect(asked).toEqual([
    ['reopen', { path: { order_number: 'SO-A1', id: 1 }, body: { key: 'd', confirmed_at, seen: 1 } }],
    ['reopen', { path: { order_number: 'SO-A2', id: 2 }, body: { key: 'd.1', confirmed_at, seen: 0 } }],
    ['undoPut', { path: { id: 7 }, body: { slot: 'A1', item_id: 1, quantity: 1, key: 'e' } }],
    [
      'reassignShares',
      {
        path: { id: 7 },
        body: {
          shares: [
            { item_id: 1, quantity: 1 },
            { item_id: 2, quantity: 0 },
          ],
          reason: 'other',
          key: 'f',
        },
      },
    ],
  ]);
});

test('sends a refused action again with a new key and its time', async () => {
  const live = cartBatch([cartShare('A1', 1, { quantity: 2 })]);
  const given = { batch: live, state: 'active' as Item['state'] };
  const { api, asked } = startApi({
    getBatch: () => Promise.resolve(given.batch),
    getOrder: () => Promise.resolve(order('SO-A1', [item(1, { state: given.state })])),
  });
  const shares = [{ ...piece('A1', 1, 2), quantity_fulfilled: 0 }];
  const pick = { ...action('a', { ...LIT, quantity: 2, shares }), at: AT_MS, tries: 1 };
  expect(await sendAnyway(api, pick, { now: AT_MS + 60_000, skewMs: 0 })).toBe(0);
  expect(await sendAnyway(api, pick, { now: AT_MS + 3_600_000, skewMs: 0 })).toBe(0);
  expect(await findRemedy(api, pick)).toEqual({ kind: 'open' });
  // The order has left the batch, so its pieces go back to the shelf.
  given.batch = cartBatch([cartShare('A1', 1, { quantity: 2, state: 'stopped' })]);
  expect(await findRemedy(api, pick)).toEqual({ kind: 'putBack', quantity: 2 });
  expect(shelfOf({ ...pick, place: 'A-1, 4' })).toBe('A-1');
  const lines = [{ item_id: 1, quantity: 2 }];
  const key: unknown = expect.not.stringMatching(/^a$/);
  const acted_at = '2026-11-27T10:00:00.000Z';
  expect(asked).toEqual([
    ['acts', { path: { id: 7 }, body: { acts: [{ key, act: 'pick', acted_at, late: true, lines }] } }],
    ['acts', { path: { id: 7 }, body: { acts: [{ key, act: 'pick', acted_at, late: true, lines }] } }],
  ]);
});

test('Undo cancels an unsent action; if the action is in flight, Undo waits, and is dropped if the action is refused', async () => {
  const answers: (() => void)[] = [];
  const stored = new Map<string, string>();
  const storage = {
    get: (key: string) => stored.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? stored.delete(key) : stored.set(key, value)),
  };
  const asked: string[] = [];
  const heard: string[] = [];
  const outbox = createOutbox({
    storage,
    person: 'Anna',
    now: () => AT_MS,
    send: ({ key }) =>
      new Promise((_, reject) => {
        asked.push(key);
        answers.push(() => reject(new ApiError('conflict', 'It ended.')));
      }),
    sendAnyway: () => Promise.resolve(0),
    findRemedy: () => Promise.resolve({ kind: 'open' }),
  });
  outbox.listen(({ action: { key }, outcome }: SentAction) => heard.push(`${key} ${outcome}`));
  outbox.add(PUT);
  outbox.add(action('q', { does: 'put', pieces: [] }));
  outbox.add(action('r', { does: 'takeOut', pieces: [] }, 'q'));
  expect([heard, outbox.state().inBatches.map(({ key }) => key)]).toEqual([['r cancelled'], ['p']]);
  outbox.add(action('s', { does: 'takeOut', pieces: [] }, 'p'));
  expect(outbox.state().inBatches.map(({ key }) => key)).toEqual(['p', 's']);
  answers[0]?.();
  await outbox.settled();
  expect([asked, heard, outbox.state().waiting, outbox.state().refused]).toEqual([
    ['p'],
    ['r cancelled', 'p refused'],
    0,
    [],
  ]);
});

const sharesOf = (picked: number) => [cartShare('A1', 10, { quantity: 2, picked, in_hand: picked })];
const PICKED = { batch: cartBatch(sharesOf(2)), lines: [] };

test.each<[string, ReturnType<typeof startRig>, BatchTouch, Parameters<typeof startRig>[0], string]>([
  ['pick', startRig(), { touch: 'picked' }, { batch: cartBatch(sharesOf(2)), lines: [] }, 'put A1 2'],
  [
    'put',
    startRig(PICKED),
    { touch: 'putAll' },
    { batch: cartBatch([cartShare('A1', 10, { quantity: 2, picked: 2, put: 2 })]), lines: [] },
    'end',
  ],
])('a refused %s ends its waiting Undo, so that the page shows what the station has', (_, rig, touch, after, shows) => {
  rig.touch(touch);
  rig.touch({ touch: 'undo' });
  const [first, undo] = rig.actions();
  if (first === undefined) throw new Error('Nothing was kept.');
  expect(undo?.takesBack).toBe(first.key);
  const failure = { code: 'outdated', message: 'Ben has pressed the device.' } as const;
  rig.handle({ kind: 'sent', sent: { action: first, outcome: 'refused', failure } });
  expect(rig.says()).toBe('Ben has pressed the device.');
  rig.read(after ?? {});
  expect([rig.state().pending, rig.shows()]).toEqual([[], shows]);
});
