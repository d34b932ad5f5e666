import { expect, test } from 'vitest';
import { sameCodeMs } from '../../../renderer/src/features/pick/session/sessionEntries.ts';
import { partOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import { openSession, pickLine, scanResult, type SessionRig } from './pickRig.ts';

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

/** Opens a session with two lines that share the code `SAME`. */
function openShared(): SessionRig {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, SKU: 'SAME' }));
  return rig;
}

test('if two places share a code, looks it up and then asks which place is meant', () => {
  const rig = openShared();
  rig.scan('same');
  expect(rig.asks()).toMatchObject([{ step: 'mean', why: 'shared' }]);
  rig.answer(rig.lastAsk(), twoLines());
  expect(rig.question()).toMatchObject({ kind: 'which' });
  rig.touch({ touch: 'which', candidate: candidate(2) }, 2_000);
  expect([rig.asks().length, rig.actions()]).toMatchObject([
    1,
    [{ kind: 'confirm', item_id: 2, quantity: 5, seen: 0 }],
  ]);
});

test('a number typed before a code that two places share applies to the chosen line', () => {
  const rig = openShared();
  rig.handle({ kind: 'scan', scan: { code: 'SAME', source: 'keyboard', count: 3 } });
  rig.answer(rig.lastAsk(), twoLines());
  rig.touch({ touch: 'which', candidate: candidate(1) }, 2_000);
  expect([rig.question(), rig.actions()]).toMatchObject([{ kind: 'short', found: 3, line: { location: 'A-1' } }, []]);
});

test('if one of two lines with the same code has just been finished, a scan of the code does not book the other line', () => {
  const rig = openShared();
  rig.scan('SAME');
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 2, quantity: 5 }));
  expect(rig.state().scanned?.text).toBe('SAME was changed at the station. Look again, then confirm.');
  expect([rig.asks().length, rig.actions()]).toEqual([1, []]);
  rig.press(1);
  rig.scan('SAME', rig.now + 2_000);
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 2, seen: 0 } });
});

test('if a shared code means something else at the station, that meaning applies', () => {
  const rig = openShared();
  rig.scan('SAME');
  rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SAME' }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', code: 'SAME' });
});

test('if two lines share a device, a scan of the place means the current line, or else the lit line', () => {
  const here = { deviceid: '51D000:000001', location: 'A-1' };
  const rig = openSession(3);
  rig.reread((line) => (line.item_id === 3 ? line : { ...line, ...here, waiting: line.item_id === 1 }));
  rig.scan('A-1');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 1, seen: 0 } });
  rig.answer(rig.lastAsk(), scanResult('already_done'));
  for (const _ of [1, 2]) rig.handle({ kind: 'letter', letter: 'n' });
  expect(rig.place()).toBe('A-3');
  rig.scan('A-1');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 2, seen: 0 } });
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 2 });
});

test('looks up an unknown code before applying the number typed before it', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: 3 } });
  expect(rig.asks()).toMatchObject([{ step: 'mean', why: 'count', count: 3 }]);
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 1, quantity: 5 }));
  expect(rig.question()).toMatchObject({ kind: 'short', found: 3 });
  rig.touch({ touch: 'close' }, 2_000);
  // If the number equals the requested quantity, the scan names its line, so that the station cannot confirm a different one.
  rig.handle({ kind: 'counted', count: 5 });
  rig.handle({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: 5 } });
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 1, quantity: 5 }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', count: 5, line: { itemId: 1, seen: 0 } });
});

test('a number typed before the code of a different place counts only after a question', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'scan', scan: { code: 'A-2', source: 'keyboard', count: 3 } });
  expect([rig.question()?.kind, rig.actions()]).toEqual(['short', []]);
});

test('without the station, a number typed before a code confirms the line, or opens a question if it is too low', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'scan', scan: { code: 'A-1', source: 'keyboard', count: 5 } });
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 5 });
  rig.handle({ kind: 'scan', scan: { code: 'alias-2', source: 'keyboard', count: 2 } });
  const asked = { ...rig.lastAsk(), code: 'A-2' };
  rig.handle({ kind: 'unanswered', ask: asked, failure: LOST });
  expect([rig.question(), rig.booked()]).toMatchObject([{ kind: 'short', found: 2 }, ['A-1']]);
});

test('without the station, a scan of another place that the page knows is wrong, but an alias of an open line is not', () => {
  const rig = openSession(2);
  rig.scan('B-9');
  const away = { kind: 'unanswered', ask: rig.lastAsk(), failure: LOST } as const;
  rig.handle({ ...away, place: { deviceid: '51D000:000009', name: 'B-9' } });
  expect([rig.booked(), rig.state().scanned]).toMatchObject([
    [],
    { kind: 'wrong', text: 'Wrong place: that was B-9. Scan A-1.' },
  ]);
  rig.handle({ ...away, place: { deviceid: '51D000:000002', name: 'A-2' } });
  expect(rig.state().scanned?.text).toBe('Away.');
});

test("without the station, a scan of another line's place confirms nothing while an article waits for its scan", () => {
  const rig = openSession(2);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true });
  expect(partOf(rig.state()).kind).toBe('verify');
  rig.scan('A-2', 5_000);
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect([rig.booked(), rig.state().scanned?.text]).toEqual([[], 'Away.']);
});

test('while an article waits for its scan, a code of several lines counts as a wrong article', () => {
  const rig = openSession(2);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true });
  rig.scan('SKU-2', 5_000);
  rig.answer(rig.lastAsk(), twoLines());
  expect(rig.state().last).toMatchObject({ kind: 'wrong', undo: { itemId: 1 } });
  expect([rig.question(), rig.asks().length]).toEqual([undefined, 1]);
});

test('a scan to verify an article never picks a line, even if the article has just been verified', () => {
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
  expect([rig.asks().length, rig.actions()]).toEqual([3, []]);
  expect(rig.state().scanned?.text).toBe('SKU-1 was changed at the station. Look again, then confirm.');
});

test('ignores the same code for 400 ms if it is an article or a printed command, and otherwise for a second', () => {
  const barcodes = [{ code: '14006381333938', quantity: 2 }];
  const lines = [pickLine(1, { SKU: 'ct-200', UPC: '4006381333931', barcodes })];
  for (const code of ['CT-200', '4006381333931', '14006381333938', 'PICK:1', ' pick:ok\r'])
    expect(sameCodeMs(code, lines), code).toBe(400);
  for (const code of ['A-1', '51D000:000001', 'SO-2', '']) expect(sameCodeMs(code, lines), code).toBe(1_000);
});

test('tries the second reading of a code only once', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'scan', scan: { code: 'yellow', source: 'keyboard', second: 'zellow', note: 'Caps Lock?' } });
  for (const _ of [1, 2]) rig.answer(rig.lastAsk(), scanResult('unknown'));
  expect(rig.asks().map(({ code }) => code)).toEqual(['yellow', 'zellow']);
  expect(rig.state().scanned?.text).toBe('unknown. Caps Lock?');
});

test('a scan that counts replaces the count on the page and reloads the work', () => {
  const rig = openSession(1);
  rig.scan('alias');
  const ask = rig.lastAsk();
  rig.handle({ kind: 'counted', count: 3 });
  rig.answer(ask, scanResult('counted', { item_id: 1, quantity: 2, remaining: 3, command_id: '9' }));
  expect(rig.count()).toBeUndefined();
  expect(rig.effects.at(-1)).toEqual({ do: 'reread' });
});

test('pieces of a counting scan are counted once, even if the work with them arrives before the answer to the scan', () => {
  const answer = scanResult('counted', { item_id: 1, quantity: 2, remaining: 3, command_id: '9' });
  for (const isWorkFirst of [false, true]) {
    const rig = openSession(1);
    rig.scan('alias');
    const work = (rig.state().lines ?? []).map((line) => ({
      ...line,
      quantity: 3,
      quantity_fulfilled: 2,
      command_id: '9',
    }));
    if (isWorkFirst) rig.handle({ kind: 'work', lines: work });
    rig.answer(rig.lastAsk(), answer);
    expect(rig.state().lines).toMatchObject([{ quantity: 3, quantity_fulfilled: 2, command_id: '9' }]);
  }
});

test('while a question is open, a number that is not a code does not open a second one', () => {
  const rig = openSession(1);
  rig.scan('1200');
  const ask = rig.lastAsk();
  rig.touch({ touch: 'others' });
  rig.answer(ask, scanResult('unknown'));
  expect(rig.question()).toMatchObject({ kind: 'more' });
});

test('scanning a new order after this one is complete does not pause an order', () => {
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
  rig.handle({ kind: 'repeated', code: 'A-1' });
  expect(rig.state().scanned).toMatchObject({ kind: 'note', text: 'A-1: scanned twice.' });
  rig.handle({ kind: 'cleared', text: 'A-' });
  expect(rig.state().scanned?.text).toBe('No Enter after A-. Does the scanner send Enter?');
  expect(rig.handle({ kind: 'inertEnter' })).toEqual([{ do: 'play', answer: 'tick' }]);
  expect(rig.state().refusedUntil).toBe(rig.now + 300);
  expect([rig.asks(), rig.actions()]).toEqual([[], []]);
});

test('at another place of the article of a line without a light, the page offers to take the pieces there', () => {
  const rig = openSession(2);
  const dark = { deviceid: null, command_id: null, light: false, location: 'C-9' };
  rig.reread((line) => (line.item_id === 1 ? { ...line, ...dark } : line));
  const scanAt = (location: string, item_id: number | null) => {
    rig.scan(location);
    rig.answer(
      rig.lastAsk(),
      scanResult('wrong_place', { says: `Wrong place: that was ${location}.`, location, item_id }),
    );
  };
  scanAt('C-7', null);
  expect(rig.state().scanned).toEqual({ kind: 'wrong', text: 'Wrong place: that was C-7.' });
  rig.touch({ touch: 'takeHere' }, 2_000);
  scanAt('A-2', 2);
  expect(rig.state().scanned?.here).toBeUndefined();
  scanAt('C-8', 1);
  expect(rig.state().scanned).toMatchObject({ kind: 'wrong', here: { location: 'C-8' } });
  expect(rig.actions()).toEqual([]);
  rig.touch({ touch: 'takeHere' }, 4_000);
  expect(rig.actions()).toMatchObject([{ kind: 'confirm', item_id: 1, location: 'C-8', quantity: 5, place: 'C-8' }]);
  expect(rig.state().last?.text).toBe('C-8 · 5 picked');
  expect(rig.place()).toBe('A-2');
});
