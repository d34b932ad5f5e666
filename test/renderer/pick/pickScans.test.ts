import { expect, test } from 'vitest';
import { sameCodeMs } from '../../../renderer/src/features/pick/session/sessionEntries.ts';
import { partOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import { openSession, pickLine, scanResult, type SessionRig } from './pickRig.ts';

// What a scan on Pick books, asks and says. The rest of the session is in pickSession.test.ts.
const LOST = { code: 'unreachable', message: 'Away.' } as const;

const candidate = (id: number) => ({
  kind: 'line' as const,
  deviceid: `51D000:00000${id}`,
  location: `A-${id}`,
  text: '',
  quantity: 5,
  order_number: 'SO-1',
  item_id: id,
  command_id: String(id),
});
const twoLines = () => scanResult('ambiguous', { candidates: [candidate(1), candidate(2)] });

/** Both lines have the code `SAME`. */
function openShared(): SessionRig {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, SKU: 'SAME' }));
  return rig;
}

test('a code of two places is looked up first, and then the person chooses', () => {
  const rig = openShared();
  rig.scan('same');
  expect(rig.asks()).toMatchObject([{ step: 'mean', why: 'shared' }]);
  rig.answer(rig.lastAsk(), twoLines());
  expect(rig.question()).toMatchObject({ kind: 'which' });
  rig.touch({ touch: 'which', candidate: candidate(2) }, 2_000);
  expect([rig.asks().length, rig.deeds()]).toMatchObject([1, [{ kind: 'confirm', item_id: 2, quantity: 5, seen: 0 }]]);
});

test('a number typed before a code of two places counts for the chosen line', () => {
  const rig = openShared();
  rig.hear({ kind: 'scan', scan: { code: 'SAME', source: 'keyboard', count: 3 } });
  rig.answer(rig.lastAsk(), twoLines());
  rig.touch({ touch: 'which', candidate: candidate(1) }, 2_000);
  expect([rig.question(), rig.deeds()]).toMatchObject([{ kind: 'short', found: 3, line: { location: 'A-1' } }, []]);
});

test('if one of two lines with the same code was finished meanwhile, a scan of the code does not book the other one', () => {
  const rig = openShared();
  rig.scan('SAME');
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 2, quantity: 5 }));
  expect(rig.state().scanned?.text).toBe('SAME was changed at the station. Look again, then confirm.');
  expect([rig.asks().length, rig.deeds()]).toEqual([1, []]);
  rig.press(1);
  rig.scan('SAME', rig.now + 2_000);
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 2, seen: 0 } });
});

test('a shared code that has another meaning at the station acts with that meaning', () => {
  const rig = openShared();
  rig.scan('SAME');
  rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SAME' }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', code: 'SAME' });
});

test('if two lines share a light, a scan of the place means the current line, or else the line that the light shows', () => {
  const here = { deviceid: '51D000:000001', location: 'A-1' };
  const rig = openSession(3);
  rig.reread((line) => (line.item_id === 3 ? line : { ...line, ...here, waiting: line.item_id === 1 }));
  rig.scan('A-1');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 1, seen: 0 } });
  for (const _ of [1, 2]) rig.hear({ kind: 'letter', letter: 'n' });
  expect(rig.place()).toBe('A-3');
  rig.scan('A-1');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 2, seen: 0 } });
  rig.hear({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 2 });
});

test('a number typed before an unknown code is looked up before anything is counted', () => {
  const rig = openSession(1);
  rig.hear({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: 3 } });
  expect(rig.asks()).toMatchObject([{ step: 'mean', why: 'count', count: 3 }]);
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 1, quantity: 5 }));
  expect(rig.question()).toMatchObject({ kind: 'short', found: 3 });
  rig.touch({ touch: 'close' }, 2_000);
  // As many as asked: the station refuses to book another line.
  rig.hear({ kind: 'counted', count: 5 });
  rig.hear({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: 5 } });
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 1, quantity: 5 }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', count: 5, line: { itemId: 1, seen: 0 } });
});

test('a number typed before the code of another place does not count there yet', () => {
  const rig = openSession(2);
  rig.hear({ kind: 'scan', scan: { code: 'A-2', source: 'keyboard', count: 3 } });
  expect([rig.question()?.kind, rig.deeds()]).toEqual(['short', []]);
});

test('without the station, a number typed before a code asks like a count', () => {
  const rig = openSession(2);
  rig.hear({ kind: 'scan', scan: { code: 'A-1', source: 'keyboard', count: 5 } });
  rig.hear({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 5 });
  rig.hear({ kind: 'scan', scan: { code: 'alias-2', source: 'keyboard', count: 2 } });
  const asked = { ...rig.lastAsk(), code: 'A-2' };
  rig.hear({ kind: 'unanswered', ask: asked, failure: LOST });
  expect([rig.question(), rig.booked()]).toMatchObject([{ kind: 'short', found: 2 }, ['A-1']]);
});

test('without the station, the place of another line is not confirmed while an article waits for its scan', () => {
  const rig = openSession(2);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true });
  expect(partOf(rig.state()).kind).toBe('verify');
  rig.scan('A-2', 5_000);
  rig.hear({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect([rig.booked(), rig.state().scanned?.text]).toEqual([[], 'Away.']);
});

test('while an article waits for its scan, a code of several lines is a wrong article', () => {
  const rig = openSession(2);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true });
  rig.scan('SKU-2', 5_000);
  rig.answer(rig.lastAsk(), twoLines());
  expect(rig.state().last).toMatchObject({ kind: 'wrong', undo: { itemId: 1 } });
  expect([rig.question(), rig.asks().length]).toEqual([undefined, 1]);
});

test('a scan that verifies an article never picks a line, even if the article was scanned elsewhere meanwhile', () => {
  const waits = { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true } as const;
  const rig = openSession(2);
  rig.item(1, waits);
  rig.scan('SKU-1', 5_000);
  const first = rig.lastAsk();
  rig.scan('SKU-1', 5_500);
  const second = rig.lastAsk();
  rig.answer(first, scanResult('acknowledged', { item_id: 1 }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 1, seen: 5 } });
  rig.item(1, { awaits_scan: false, verified: true });
  rig.answer(second, scanResult('lit', { item_id: 2, quantity: 5 }));
  expect([rig.asks().length, rig.deeds()]).toEqual([3, []]);
  expect(rig.state().scanned?.text).toBe('SKU-1 was changed at the station. Look again, then confirm.');
});

test('the same code counts once within 400 ms for an article or a printed command, else within a second', () => {
  const barcodes = [{ code: '14006381333938', quantity: 2 }];
  const lines = [pickLine(1, { SKU: 'ct-200', UPC: '4006381333931', barcodes })];
  for (const code of ['CT-200', '4006381333931', '14006381333938', 'PICK:1', ' pick:ok\r'])
    expect(sameCodeMs(code, lines), code).toBe(400);
  for (const code of ['A-1', '51D000:000001', 'SO-2', '']) expect(sameCodeMs(code, lines), code).toBe(1_000);
});

test('the second reading of a code is tried only once', () => {
  const rig = openSession(1);
  rig.hear({ kind: 'scan', scan: { code: 'yellow', source: 'keyboard', second: 'zellow', note: 'Caps Lock?' } });
  for (const _ of [1, 2]) rig.answer(rig.lastAsk(), scanResult('unknown'));
  expect(rig.asks().map(({ code }) => code)).toEqual(['yellow', 'zellow']);
  expect(rig.state().scanned?.text).toBe('unknown. Caps Lock?');
});

test('a counting scan replaces a count on the page, and the page reloads the work', () => {
  const rig = openSession(1);
  rig.scan('alias');
  const ask = rig.lastAsk();
  rig.hear({ kind: 'counted', count: 3 });
  rig.answer(ask, scanResult('counted', { item_id: 1, quantity: 2, remaining: 3, command_id: '9' }));
  expect(rig.state().count).toBeUndefined();
  expect(rig.effects.at(-1)).toEqual({ do: 'reread' });
});

test('a number that is not a code opens no question while another one is open', () => {
  const rig = openSession(1);
  rig.scan('1200');
  const ask = rig.lastAsk();
  rig.touch({ touch: 'others' });
  rig.answer(ask, scanResult('unknown'));
  expect(rig.question()).toMatchObject({ kind: 'more' });
});

test('scanning another order after this one is complete pauses nothing', () => {
  const rig = openSession(1);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null }, { state: 'fulfilled' });
  rig.scan('SO-2', 5_000);
  rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SO-2', taken: true, says: 'Order SO-2: 1 of 1.' }));
  const { last } = rig.state();
  expect(last).toMatchObject({ kind: 'right', text: 'Order SO-2: 1 of 1.' });
  expect(rig.effects.at(-1)).toEqual({ do: 'open', orderNumber: 'SO-2', says: last });
});

test('a repeated code, a code without Enter and an early Enter are reported and book nothing', () => {
  const rig = openSession(1);
  rig.hear({ kind: 'repeated', code: 'A-1' });
  expect(rig.state().scanned).toMatchObject({ kind: 'note', text: 'A-1: scanned twice.' });
  rig.hear({ kind: 'cleared', text: 'A-' });
  expect(rig.state().scanned?.text).toBe('No Enter after A-. Does the scanner send Enter?');
  expect(rig.hear({ kind: 'deafEnter' })).toEqual([{ do: 'play', answer: 'tick' }]);
  expect(rig.state().refusedUntil).toBe(rig.now + 300);
  expect([rig.asks(), rig.deeds()]).toEqual([[], []]);
});
