import { expect, test, vi } from 'vitest';
import type { BatchAct, BatchAction, BatchPieces } from '../../../renderer/src/station/outbox/actions.ts';
import { createOutbox, type SentAction } from '../../../renderer/src/station/outbox/outbox.ts';
import { type ActionCalls, sendAnyway, sendAction } from '../../../renderer/src/station/outbox/sendAction.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import type { BatchTouch } from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import { cartBatch, cartShare, startRig } from './cartRig.ts';
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
const lit = (rest: object) => ({ path: { DeviceID: 'D' }, body: { command_id: '5', qty: 4, ...rest } });

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
    acknowledgeCommand: note('acknowledge'),
    confirmItem: note('confirmItem'),
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

test('after a pick with a scanned article, verifies each item that got pieces', async () => {
  const shares = [piece('A1', 1, 2), piece('A2', 2, 2), piece('B1', 3, 0)];
  const scan = vi.fn<Stubs['scan']>(async () => RIGHT);
  const { api, asked } = startApi({ scan });
  await sent(api, action('p', { ...LIT, shares, scanned: 'CT-200' }));
  expect(asked).toEqual([['acknowledge', lit({ key: 'p', confirmed_at })]]);
  const call = { code: 'CT-200', intent: 'verify', act: true, confirmed_at };
  expect(scan.mock.calls).toEqual([
    [{ body: { ...call, item_id: 1, key: 'p.1' } }],
    [{ body: { ...call, item_id: 2, key: 'p.2' } }],
  ]);
});

test('a refused pick verifies nothing; a refused scan does not fail the pick; a missing response fails the action', async () => {
  const picked = action('p', { ...LIT, shares: [piece('A1', 1, 4)], scanned: 'CT-200' });
  const taken = vi.fn<Stubs['scan']>(async () => RIGHT);
  const conflict = new ApiError('conflict', 'It ended.');
  await expect(
    sent(startApi({ scan: taken, acknowledgeCommand: () => Promise.reject(conflict) }).api, picked),
  ).rejects.toBe(conflict);
  expect(taken).not.toHaveBeenCalled();
  await sent(startApi({ scan: async () => WRONG }).api, picked);
  await expect(sent(startApi({ scan: () => Promise.reject(AWAY) }).api, picked)).rejects.toBe(AWAY);
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
  await expect(sent(api, PUT)).rejects.toBe(gone);
  expect(put).toHaveBeenCalledTimes(2);
  const wrong = startApi({
    putIntoSlot: async () => ({ result: 'wrong_slot', says: 'That was A1.', quantity: 0, expected: [] }),
  });
  await expect(sent(wrong.api, PUT)).rejects.toThrow('That was A1.');
});

test('a pick of all pieces sends only an acknowledgement; a pick of fewer pieces also sends the shares and the reason', async () => {
  const { api, asked } = startApi();
  const shares = [piece('A1', 1, 1), piece('A2', 2, 3)];
  await sent(api, action('a', { ...LIT, shares }));
  await sent(api, action('b', { ...LIT, shares, reason: 'missing' }));
  const acknowledged = (key: string) => ['acknowledge', lit({ key, confirmed_at })];
  const body = {
    shares: [
      { item_id: 1, quantity: 1 },
      { item_id: 2, quantity: 3 },
    ],
    reason: 'missing',
    key: 'b.1',
  };
  expect(asked).toEqual([acknowledged('a'), acknowledged('b'), ['reassignShares', { path: { id: 7 }, body }]]);
});

test('does not send shares if a pick of fewer pieces is refused', async () => {
  const refused = new ApiError('conflict', 'It ended.');
  const { api, asked } = startApi({ acknowledgeCommand: () => Promise.reject(refused) });
  await expect(sent(api, action('b', { ...LIT, shares: [piece('A1', 1, 4)], reason: 'missing' }))).rejects.toBe(
    refused,
  );
  expect(asked).toEqual([]);
});

test('confirms each item of a line without a light, and reopens each item if the pick is undone', async () => {
  const { api, asked } = startApi();
  const shares = [piece('A1', 1, 1), piece('A2', 2, 0)];
  await sent(api, action('c', { ...LIT, deviceid: null, command_id: null, quantity: 1, shares, reason: 'damaged' }));
  await sent(api, action('d', { does: 'unpick', pieces: shares }));
  await sent(api, action('e', { does: 'takeOut', pieces: [piece('A1', 1, 1)] }));
  await sent(api, action('f', { does: 'reassign', shares, reason: 'other' }));
  const confirm = { reason: 'damaged', confirmed_at };
  expect(asked).toEqual([
    ['confirmItem', { path: { order_number: 'SO-A1', id: 1 }, body: { quantity: 1, key: 'c', ...confirm } }],
    ['confirmItem', { path: { order_number: 'SO-A2', id: 2 }, body: { quantity: 0, key: 'c.1', ...confirm } }],
    ['reopen', { path: { order_number: 'SO-A1', id: 1 }, body: { key: 'd' } }],
    ['reopen', { path: { order_number: 'SO-A2', id: 2 }, body: { key: 'd.1' } }],
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

test('sends a refused action again with a new key and without its original time', async () => {
  const { api, asked } = startApi();
  await sendAnyway(api, { ...action('a', { ...LIT, shares: [] }), at: AT_MS, tries: 1 });
  expect(asked).toEqual([['acknowledge', lit({ key: expect.not.stringMatching(/^a$/) })]]);
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
    sendAnyway: () => Promise.resolve(),
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
