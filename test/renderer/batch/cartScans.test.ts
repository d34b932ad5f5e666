import { expect, test } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import { countOf, partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import { type CartShare, cartBatch, cartLine, cartShare, LINES, PACK, PACK_CODE, SHARES, startRig } from './cartRig.ts';
import { scanResult } from '../pick/pickRig.ts';

// With `scan_required`, the page asks for an article's scan before its pieces are picked, or before they are put.
const awaits = (share: CartShare): CartShare => ({ ...share, awaits_scan: true });
const OPEN = SHARES.map(awaits);
const held = (share: CartShare): CartShare => ({
  ...share,
  picked: share.quantity,
  in_hand: share.quantity,
  state: 'in_hand',
});
/** The shares after the pieces of the first place have been picked, but not scanned yet. */
const HELD = OPEN.map((share) => (share.item_id < 20 ? held(share) : share));
const [FIRST, SECOND] = LINES;

const start = (shares: readonly CartShare[] = OPEN, lines = LINES, given: Partial<Batch> = {}) =>
  startRig({ batch: cartBatch(shares, given), lines });

/** Starts a session in which the first place was pressed at the shelf. */
function startPressed(given: Partial<Batch> = {}) {
  const rig = start(OPEN, LINES, given);
  const press = { type: 'batch.picked', batch_id: 7, location: 'A-1', quantity: 5, left_over: 0 } as const;
  rig.handle({ kind: 'told', facts: [{ ...press, deviceid: FIRST?.deviceid ?? '', picker: 'Anna' }] });
  rig.read({ batch: cartBatch(HELD, given), lines: LINES.slice(1) });
  return rig;
}

const asks = (rig: ReturnType<typeof startRig>) => rig.state().question?.kind;
const answer = (rig: ReturnType<typeof startRig>, code: string, isRight: boolean) =>
  rig.handle({
    kind: 'verified',
    scan: { code, source: 'keyboard' },
    itemId: 10,
    result: scanResult(isRight ? 'acknowledged' : 'wrong_item', { verified: isRight }),
  });

test('scanning the article picks the place and sends the code, so no further scan is needed', () => {
  const rig = start();
  rig.scan('sku-1');
  expect(rig.acts()).toEqual([
    {
      does: 'pick',
      deviceid: FIRST?.deviceid,
      command_id: '1',
      quantity: 5,
      shares: FIRST?.shares,
      scanned: 'sku-1',
    },
  ]);
  expect(rig.shows()).toBe('put A1 2 · A2 3');
});

test.each([
  ['Picked', (rig: ReturnType<typeof startRig>) => rig.touch({ touch: 'picked' })],
  ['a scan of the place', (rig: ReturnType<typeof startRig>) => rig.scan('A-1')],
  ['the printed command OK', (rig: ReturnType<typeof startRig>) => rig.scan('PICK:OK')],
])('%s books nothing before the article is scanned', (_, confirm) => {
  const rig = start();
  confirm(rig);
  expect([asks(rig), rig.acts()]).toEqual(['scan', []]);
  // Trying again does not help.
  rig.scan('A-1');
  rig.scan('PICK:OK');
  rig.touch({ touch: 'picked' });
  expect([rig.acts(), asks(rig)]).toEqual([[], 'scan']);
  rig.scan('SKU-1');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, scanned: 'SKU-1' }]);
  expect([asks(rig), rig.shows()]).toEqual([undefined, 'put A1 2 · A2 3']);
});

test('while the page asks for an article, scanning an article of a different place is rejected and books nothing', () => {
  const rig = start();
  rig.touch({ touch: 'picked' });
  rig.scan('SKU-2');
  expect([rig.verifies(), rig.acts()]).toEqual([[{ code: 'SKU-2', itemId: 10 }], []]);
  answer(rig, 'SKU-2', false);
  expect([rig.acts(), rig.scanned(), asks(rig)]).toEqual([[], 'Wrong article. Scan Item 1.', 'scan']);
});

test('asks the station whether an unknown code, such as the barcode of a pack, belongs to the article', () => {
  const rig = start();
  rig.touch({ touch: 'picked' });
  rig.scan('4006381333931');
  expect(rig.acts()).toEqual([]);
  answer(rig, '4006381333931', true);
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, scanned: '4006381333931' }]);
});

test('“Cannot be scanned” picks the article without a scan, and Back picks nothing', () => {
  const rig = start();
  rig.touch({ touch: 'picked' });
  rig.touch({ touch: 'close' });
  expect([asks(rig), rig.shows(), rig.acts()]).toEqual([undefined, 'walk A-1 5', []]);
  rig.touch({ touch: 'picked' });
  rig.touch({ touch: 'cannotScan' });
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, scanned: null }]);
  expect(rig.shows()).toBe('put A1 2 · A2 3');
});

test('without a connection, accepts codes that the page knows, and reports any other code', () => {
  const rig = start();
  rig.handle({ kind: 'connection', isLost: true });
  rig.touch({ touch: 'picked' });
  rig.scan('SKU-1');
  expect(rig.acts()).toMatchObject([{ does: 'pick', scanned: 'SKU-1' }]);
  const other = startPressed();
  other.handle({ kind: 'connection', isLost: true });
  other.scan('400638');
  other.handle({
    kind: 'verified',
    scan: { code: '400638', source: 'keyboard' },
    itemId: 10,
    failure: { code: 'unreachable', message: 'The station is away.' },
  });
  expect([other.acts(), other.scanned(), other.shows()]).toEqual([[], 'The station is away.', 'verify A1 2 · A2 3']);
});

test('after a press at the shelf, asks for the article before the slots, and scanning it books no pieces', () => {
  const rig = startPressed();
  expect(rig.shows()).toBe('verify A1 2 · A2 3');
  rig.scan('C-A1');
  expect([rig.acts(), rig.scanned()]).toEqual([[], 'First scan Item 1.']);
  rig.touch({ touch: 'putAll' });
  rig.touch({ touch: 'slot', slot: 'A1' });
  expect(rig.acts()).toEqual([]);
  rig.scan('SKU-2');
  answer(rig, 'SKU-2', false);
  expect([rig.acts(), rig.scanned()]).toEqual([[], 'Wrong article. Scan Item 1.']);
  rig.touch({ touch: 'close' });
  rig.scan('SKU-1');
  expect(rig.acts()).toEqual([
    { does: 'verify', code: 'SKU-1', pieces: [expect.objectContaining({ item_id: 10 }), expect.anything()] },
  ]);
  expect([rig.shows(), rig.says()]).toEqual(['put A1 2 · A2 3', 'Item 1 is the right article.']);
});

test('after a press at the shelf, “Cannot be scanned” leads to the slots, and Undo reverts the pick', () => {
  const rig = startPressed();
  rig.touch({ touch: 'cannotScan' });
  expect(rig.acts()).toMatchObject([{ does: 'verify', code: null }]);
  expect([rig.shows(), rig.says()]).toEqual(['put A1 2 · A2 3', 'Item 1 was not scanned.']);
  const other = startPressed();
  other.touch({ touch: 'undo' });
  expect(other.acts()).toMatchObject([{ does: 'unpick' }]);
});

test('a press at the shelf closes the question about its place, and the page then asks for the article', () => {
  const rig = start();
  rig.touch({ touch: 'picked' });
  rig.read({ batch: cartBatch(HELD), lines: LINES.slice(1) });
  expect([asks(rig), rig.shows()]).toEqual([undefined, 'verify A1 2 · A2 3']);
  rig.scan('SKU-1');
  expect(rig.acts().map(({ does }) => does)).toEqual(['verify']);
});

test('scanning the same article again does not book a second place with that article', () => {
  const again = cartLine(2, { A1: 1 }, { SKU: 'SKU-1', text: 'Item 1' });
  const rig = start(OPEN, [FIRST ?? again, again]);
  rig.scan('SKU-1');
  rig.scan('SKU-1');
  expect(rig.acts()).toHaveLength(1);
  expect(rig.scanned()).toBe('You hold Item 1. To pick at A-2, scan A-2.');
  rig.scan('A-2');
  rig.scan('SKU-1');
  expect(rig.acts()).toMatchObject([{ command_id: '1' }, { command_id: '2', scanned: 'SKU-1' }]);
});

test('a pick of fewer pieces sends an earlier scan with the reason; without one, the page asks for the scan afterwards', () => {
  const rig = start();
  rig.scan('SKU-1', 4);
  expect(asks(rig)).toBe('short');
  rig.touch({ touch: 'reason', reason: 'missing' });
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 4, reason: 'missing', scanned: 'SKU-1' }]);
  expect(rig.shows()).toBe('put A1 2 · A2 2');
  const other = start();
  other.handle({ kind: 'counted', count: 4 });
  other.touch({ touch: 'picked' });
  other.touch({ touch: 'reason', reason: 'missing' });
  expect(other.acts()).toEqual([expect.not.objectContaining({ scanned: expect.anything() as string })]);
  expect(other.shows()).toBe('verify A1 2 · A2 2');
});

test('asks for the scan again if the station refuses it', () => {
  const rig = startPressed();
  rig.scan('SKU-1');
  const [action] = rig.actions();
  if (action === undefined) throw new Error('Nothing was kept.');
  rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', failure: { code: 'conflict', message: 'Wrong.' } } });
  expect([rig.shows(), rig.says()]).toEqual(['verify A1 2 · A2 3', 'Wrong.']);
});

test('ignores the answer to a scan if somebody else has verified the article in the meantime', () => {
  const rig = startPressed();
  rig.scan('4006381333931');
  rig.read({ batch: cartBatch(HELD.map((share) => ({ ...share, awaits_scan: false }))), lines: LINES.slice(1) });
  expect(rig.shows()).toBe('put A1 2 · A2 3');
  answer(rig, '4006381333931', true);
  expect([rig.acts(), rig.scanned()]).toEqual([[], 'Something changed. Scan 4006381333931 again.']);
  const other = startPressed();
  other.scan('4006381333931');
  const next = OPEN.map((share) => (share.item_id === 20 ? held(share) : { ...share, awaits_scan: false }));
  other.read({ batch: cartBatch(next), lines: [] });
  expect(other.shows()).toBe('verify A1 1');
  answer(other, '4006381333931', true);
  expect(other.acts()).toEqual([]);
});

test('asks for missing scans of pieces already put: immediately if there is one picker, otherwise at the end', () => {
  const put = OPEN.map((share) =>
    share.item_id < 20 ? { ...share, picked: share.quantity, put: share.quantity } : share,
  );
  const alone = start(put, LINES.slice(1));
  expect(alone.shows()).toBe('verify A1 2 · A2 3');
  const pickers = [
    { name: 'Anna', color: 'blue' },
    { name: 'Ben', color: 'red' },
  ];
  const two = start(put, LINES.slice(1), { pickers });
  expect(two.shows()).toBe('walk A-2 1');
  const done = put.map((share) => ({ ...share, picked: share.quantity, put: share.quantity }));
  two.read({ batch: cartBatch(done, { pickers }), lines: [] });
  expect(two.shows()).toBe('verify A1 2 · A2 3');
  const looking = start(put, LINES.slice(1), { pickers: pickers.slice(1) });
  expect(looking.shows()).toBe('walk A-2 1');
});

test('does not ask for scans of pieces that others hold, and prevents leaving the cart with unscanned pieces in hand', () => {
  const hands = [{ by: 'Ben', shares: [{ slot: 'A1', order_number: 'SO-A1', item_id: 10, quantity: 2 }] }];
  expect(start(HELD, SECOND === undefined ? [] : [SECOND], { hands }).shows()).toBe('walk A-2 1');
  const rig = startPressed();
  rig.touch({ touch: 'leave' });
  expect(rig.scanned()).toBe('First put the pieces you hold into their slots.');
});

test('does not ask for scans on a cart that is sorted at a wall, because sorting scans each article', () => {
  const rig = start(OPEN, LINES, { mode: 'wall' });
  rig.touch({ touch: 'picked' });
  expect(rig.acts()).toEqual([expect.not.objectContaining({ scanned: expect.anything() as string })]);
});

test('recognizes barcodes of an article and of its packs without the station', () => {
  const rig = startRig({ batch: cartBatch(SHARES), lines: [cartLine(1, { A1: 2 }, PACK), ...LINES.slice(1)] });
  rig.handle({ kind: 'connection', isLost: true });
  rig.scan('14006381333938');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 2, deviceid: FIRST?.deviceid }]);
  const single = startRig({ batch: cartBatch(SHARES), lines: [cartLine(1, { A1: 2, A2: 3 }, PACK)] });
  // The barcode of a single piece confirms the whole line.
  single.scan('04006381333931');
  expect(single.acts()).toMatchObject([{ does: 'pick', quantity: 5 }]);
  expect([...rig.scans(), ...single.scans()]).toEqual([]);
});

/** Returns the number of remaining pieces that the page shows for the current place. */
const left = (rig: ReturnType<typeof startRig>) => {
  const part = partOf(rig.state());
  return part.kind === 'walk' ? countOf(rig.state(), part.line) : undefined;
};

/** Starts a session in which the first place needs five pieces of an article with packs of two. */
const startPacks = (shares: readonly CartShare[] = SHARES) =>
  startRig({ batch: cartBatch(shares), lines: [cartLine(1, { A1: 2, A2: 3 }, PACK), ...LINES.slice(1)] });

test('scanned packs add up, and scanning the place books the line once', () => {
  const rig = startPacks();
  rig.scan(PACK_CODE);
  expect([rig.acts(), rig.says(), rig.state().question]).toEqual([[], 'A-1 · 2 of 5 counted', undefined]);
  rig.scan(PACK_CODE);
  expect([rig.acts(), rig.says(), left(rig)]).toEqual([[], 'A-1 · 4 of 5 counted', 1]);
  rig.scan('A-1');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, deviceid: FIRST?.deviceid }]);
});

test('a pack that completes the line books it, and a pack with too many pieces is not counted', () => {
  const rig = startRig({ batch: cartBatch(SHARES), lines: [cartLine(1, { A1: 3 }, PACK)] });
  rig.scan(PACK_CODE);
  rig.scan(PACK_CODE);
  expect([rig.acts(), rig.scanned(), left(rig)]).toEqual([
    [],
    'Only 1 left to pick at A-1, but the pack has 2. Nothing was counted.',
    1,
  ]);
  const even = startRig({ batch: cartBatch(SHARES), lines: [cartLine(1, { A1: 4 }, PACK)] });
  even.scan(PACK_CODE);
  even.scan(PACK_CODE);
  expect(even.acts()).toMatchObject([{ does: 'pick', quantity: 4 }]);
});

test('after a scanned pack, Picked books the whole line, minus reduces the total, and Short starts with the pieces in the pack', () => {
  const picked = startPacks();
  picked.scan(PACK_CODE);
  picked.touch({ touch: 'picked' });
  expect(picked.acts()).toMatchObject([{ does: 'pick', quantity: 5 }]);
  const fewer = startPacks();
  fewer.scan(PACK_CODE);
  fewer.touch({ touch: 'less' });
  fewer.touch({ touch: 'picked' });
  expect([fewer.acts(), fewer.state().question]).toMatchObject([[], { kind: 'short', found: 4 }]);
  const short = startPacks();
  short.scan(PACK_CODE);
  short.touch({ touch: 'short' });
  expect([short.acts(), short.state().question]).toMatchObject([[], { kind: 'short', found: 2 }]);
});

test('Undo removes the last pack from the count, and a press at the shelf ends the count', () => {
  const rig = startPacks();
  rig.scan(PACK_CODE);
  rig.scan(PACK_CODE);
  rig.touch({ touch: 'undo' });
  expect([rig.says(), left(rig), rig.acts()]).toEqual(['A-1 · 2 undone', 3, []]);
  rig.read({
    batch: cartBatch(SHARES.map((share) => (share.item_id < 20 ? held(share) : share))),
    lines: LINES.slice(1),
  });
  expect([rig.state().packs.size, rig.state().undos.map(({ does }) => does)]).toEqual([0, ['pick']]);
});

test('a number typed before the barcode of a pack counts pieces, not packs', () => {
  const rig = startPacks();
  rig.scan(PACK_CODE, 5);
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5 }]);
});

test('the barcode of a pack that did not complete its line verifies the article when the line is picked', () => {
  const rig = startPacks(OPEN);
  rig.scan(PACK_CODE);
  rig.touch({ touch: 'picked' });
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, scanned: PACK_CODE }]);
});

test('the barcode of a pack verifies its article', () => {
  const rig = start(OPEN, [cartLine(1, { A1: 2, A2: 3 }, PACK)]);
  rig.touch({ touch: 'picked' });
  rig.scan('14006381333938');
  expect(rig.acts()).toMatchObject([{ does: 'pick', quantity: 5, scanned: '14006381333938' }]);
});

test('while a call is in progress, a touch for another call shakes and keeps its question, and a scan is repeated later', () => {
  const rig = startRig({ batch: cartBatch([cartShare('A1', 1)], { state: 'loading' }), lines: [] });
  rig.touch({ touch: 'fill' });
  rig.touch({ touch: 'go' });
  expect(rig.state().refusedUntil).toBeGreaterThan(0);
  expect(rig.plays()).toEqual(['tick']);
  const scan = { code: 'SO-9', source: 'keyboard' } as const;
  rig.handle({ kind: 'answered', scan, result: scanResult('order', { order_number: 'SO-9' }) });
  rig.scan('C-B2');
  expect(rig.later()).toEqual(['SO-9', 'C-B2']);
  rig.touch({ touch: 'slot', slot: 'A1' });
  rig.touch({ touch: 'takeOut', slot: 'A1' });
  expect(rig.state().question).toEqual({ kind: 'slot', slot: 'A1' });
  expect(rig.calls()).toEqual([{ call: 'fill', count: 3 }]);
  rig.handle({ kind: 'called', call: { call: 'fill', count: 3 } });
  rig.touch({ touch: 'takeOut', slot: 'A1' });
  expect(rig.calls().slice(1)).toEqual([{ call: 'takeOut', slot: 'A1' }]);
});
