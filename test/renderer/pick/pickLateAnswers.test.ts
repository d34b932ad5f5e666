import { expect, test } from 'vitest';
import type { ScanResult } from '#shared/api/picking.ts';
import { openSession, scanResult, type SessionRig } from './pickRig.ts';

// How Pick treats scans whose answer is late or lost.
const LOST = { code: 'unreachable', message: 'Away.' } as const;
const HERE = { deviceid: '51D000:000001', location: 'A-1' };

const lose = (rig: SessionRig) => rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
const result = (rig: SessionRig) => [rig.booked(), rig.state().scanned?.text];

test('if the answer to a scan is lost after its line was booked, confirms no other line with the same light', () => {
  const rig = openSession(3);
  rig.reread((line) => (line.item_id === 3 ? line : { ...line, ...HERE, waiting: line.item_id === 2 }));
  rig.scan('A-1');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 1, seen: 0 } });
  rig.press(1);
  lose(rig);
  expect(result(rig)).toEqual([[], 'Away.']);
});

test('if the answer to a scan is lost after a part of its line was booked, does not confirm the rest', () => {
  const rig = openSession(2);
  rig.scan('A-1');
  rig.reread((line) => (line.item_id === 1 ? { ...line, quantity: 3, quantity_fulfilled: 2 } : line));
  lose(rig);
  expect(result(rig)).toEqual([[], 'A-1 was changed at the station. Look again, then confirm.']);
});

test('if the answer to a scan that verifies an article is lost, confirms no line with the same article', () => {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, SKU: 'SAME' }));
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true });
  rig.scan('SAME', 5_000);
  rig.answer(rig.lastAsk(), scanResult('acknowledged', { item_id: 1 }));
  expect(rig.lastAsk()).toMatchObject({ step: 'act', why: 'verify' });
  rig.item(1, { awaits_scan: false, verified: true });
  lose(rig);
  expect(result(rig)).toEqual([[], 'Away.']);
});

test('if the answer to a code of two lines is lost after one of them was picked, does not confirm the other one', () => {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, SKU: 'SAME' }));
  rig.scan('SAME');
  expect(rig.lastAsk()).toMatchObject({ step: 'mean', why: 'shared' });
  rig.press(1);
  lose(rig);
  expect(result(rig)).toEqual([[], 'Away.']);
});

test('a late answer to a scan of another line keeps the count of the current line', () => {
  const rig = openSession(3);
  rig.scan('A-3');
  const late = rig.lastAsk();
  rig.handle({ kind: 'counted', count: 3 });
  rig.answer(late, scanResult('acknowledged', { item_id: 3, quantity: 5 }));
  rig.touch({ touch: 'picked' }, rig.now + 2_000);
  expect([rig.question(), rig.booked()]).toMatchObject([{ kind: 'short', found: 3, line: { location: 'A-1' } }, []]);
});

test('a line that is confirmed without the station keeps the count of the current line', () => {
  const rig = openSession(3);
  rig.scan('A-3');
  rig.handle({ kind: 'counted', count: 3 });
  lose(rig);
  rig.touch({ touch: 'picked' }, rig.now + 2_000);
  expect([rig.question(), rig.booked()]).toMatchObject([
    { kind: 'short', found: 3, line: { location: 'A-1' } },
    ['A-3'],
  ]);
});

const PACK = { ...LOST, message: 'No answer.' };
const counted = (given: Partial<ScanResult> = {}) =>
  scanResult('counted', { item_id: 1, quantity: 2, remaining: 3, command_id: '9', says: '2, 3 to go.', ...given });

test('repeats the key if a code whose answer was lost is scanned again, so that its pack counts once', () => {
  const rig = openSession(2);
  rig.scan('pack');
  const first = rig.lastAsk();
  rig.handle({ kind: 'unanswered', ask: first, failure: PACK });
  expect(result(rig)).toEqual([[], 'No answer.']);
  rig.scan('pack', rig.now + 5_000);
  expect(rig.lastAsk()).toEqual(first);
  const sent = rig.answer(rig.lastAsk(), counted({ repeated: true }));
  expect(rig.state().last).toMatchObject({ kind: 'care', text: 'Already counted. 2, 3 to go.' });
  expect([sent.at(-1), rig.state().lines?.[0]?.quantity]).toEqual([{ do: 'reread' }, 5]);
  rig.scan('pack', rig.now + 5_000);
  expect(rig.lastAsk().key).not.toBe(first.key);
});

test.each<[string, (rig: SessionRig) => void, string]>([
  ['another code', () => undefined, 'other'],
  ['the same code at the next line', (rig) => rig.press(1), 'pack'],
  ['the same code after its line was picked and undone', (rig) => pickAndUndo(rig), 'pack'],
])('%s gets its own key after the answer to a scan is lost', (_, act, code) => {
  const rig = openSession(2);
  rig.scan('pack');
  const { key } = rig.lastAsk();
  lose(rig);
  act(rig);
  rig.scan(code, rig.now + 5_000);
  expect(rig.lastAsk()).toMatchObject({ code, step: 'act' });
  expect(rig.lastAsk().key).not.toBe(key);
});

function pickAndUndo(rig: SessionRig): void {
  rig.press(1);
  rig.item(1, { state: 'active', command_id: '1', quantity_fulfilled: 0 });
  expect(rig.place()).toBe('A-1');
}

test.each([
  ['the same quantity', {}, true],
  ['another quantity', { quantity_fulfilled: 4 }, false],
  ['another picker', { picker: 'Ben' }, false],
] as const)(
  'after an unanswered scan, an outdated confirmation leaves no notice only if the line is booked: %s',
  (_, change, isForgotten) => {
    const rig = openSession(2);
    rig.scan('A-1');
    lose(rig);
    const action = rig.lastDeed();
    expect(action).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 5, seen: 0 });
    rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, ...change });
    const failure = { code: 'outdated', message: 'Ended.' } as const;
    const effects = rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', failure } });
    expect(effects).toEqual(isForgotten ? [{ do: 'forget', key: action.key }] : []);
  },
);
