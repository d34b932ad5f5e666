import { expect, test } from 'vitest';
import { SAID_MS } from '../../../renderer/src/features/pick/session/sessionSteps.ts';
import type { Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { litItem, openSession, scanResult, type SessionRig } from './pickRig.ts';

const PICKED: Touch = { touch: 'picked' };

test('Undo is sent through the outbox, and the line returns if its unsent confirmation was canceled', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.handle({ kind: 'letter', letter: 'u' });
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 1, quantity_fulfilled: 0 });
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'cancelled' } });
  expect([rig.place(), rig.state().last?.text]).toEqual(['A-1', 'A-1 is open again.']);
});

test('More offers to undo the last action after its message has disappeared', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.handle({ kind: 'tick' }, rig.now + SAID_MS);
  expect([rig.state().last, rig.state().undoable?.place]).toEqual([undefined, 'A-1']);
  rig.touch({ touch: 'others' }, rig.now + 1_000);
  rig.touch({ touch: 'undo' }, rig.now + 1_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 1, quantity_fulfilled: 0 });
  expect([rig.question(), rig.state().undoable]).toEqual([undefined, undefined]);
});

test('when somebody else opens a line again, its message and Undo disappear', () => {
  const rig = openSession(2);
  rig.press(1);
  expect(rig.state().last).toMatchObject({ text: 'A-1 · 5 picked', undo: { itemId: 1 } });
  rig.item(1, { state: 'active', quantity_fulfilled: 0, quantity_remaining: 5 });
  expect([rig.state().last?.text, rig.state().undoable]).toEqual(['A-1 is open again.', undefined]);
  rig.handle({ kind: 'letter', letter: 'u' });
  expect([rig.actions(), rig.state().scanned?.text]).toEqual([[], 'There is nothing to undo.']);
});

test('a line that somebody else has opened again leaves a message about another place', () => {
  const rig = openSession(3);
  rig.press(1);
  rig.item(2, { state: 'open', command_id: null });
  const message = rig.state().last;
  expect(message).toMatchObject({ kind: 'wrong', text: 'A-2 was turned off at the station.' });
  rig.item(1, { state: 'active', quantity_fulfilled: 0, quantity_remaining: 5 });
  expect([rig.state().last, rig.state().undoable]).toEqual([message, undefined]);
});

test('Undo with nothing to undo shows a message and changes nothing', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.handle({ kind: 'letter', letter: 'u' });
  const undone = rig.actions().length;
  rig.handle({ kind: 'letter', letter: 'u' });
  expect(rig.actions()).toHaveLength(undone);
  expect(rig.state().scanned).toMatchObject({ kind: 'wrong', text: 'There is nothing to undo.' });
  rig.handle({ kind: 'scan', scan: { code: 'PICK:UNDO', source: 'keyboard' } });
  expect([rig.actions().length, rig.state().scanned?.text]).toEqual([undone, 'There is nothing to undo.']);
});

test('after the rest of a line moves to another place, Undo is disabled instead of reverting the previous line', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.reread((line) =>
    line.item_id === 2 ? { ...line, elsewhere: [{ deviceid: '51D000:000009', location: 'B-9' }] } : line,
  );
  rig.touch({ touch: 'short' }, rig.now + 1_000);
  rig.touch({ touch: 'reason', reason: 'missing' }, rig.now + 1_000);
  rig.touch({ touch: 'elsewhere', place: { deviceid: '51D000:000009', location: 'B-9' } }, rig.now + 1_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', elsewhere: '51D000:000009' });
  expect(rig.state().undoable).toBeUndefined();
});

/** Reports counted pieces of a line from the stream, without reloading the lines. */
function count(rig: SessionRig, id: number, fulfilled: number): void {
  const counted = litItem(id, { quantity_fulfilled: fulfilled });
  rig.handle({ kind: 'told', facts: [{ type: 'order.item', order_number: 'SO-1', item: counted }] });
  rig.item(id, { quantity_fulfilled: fulfilled });
}

test.each([
  ['all', 5, '3 picked'],
  ['fewer', 4, '2 found, closed short'],
])(
  'Undo of a press for %s pieces at the shelf keeps the earlier count, even if the list of lines is older',
  (_, pressed, message) => {
    const rig = openSession(2);
    count(rig, 1, 2);
    rig.press(1, pressed);
    expect(rig.state().last?.text).toBe(`A-1 · ${message}`);
    if (pressed < 5) rig.touch({ touch: 'close' }, rig.now + 1_000);
    rig.touch({ touch: 'undo' }, rig.now + 1_000);
    expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 1, quantity_fulfilled: 2, seen: pressed });
  },
);

test.each([true, false])(
  'Undo of a scan keeps the earlier count, whether the answer or the event arrives first (%s)',
  (isAnswerFirst) => {
    const rig = openSession(2);
    count(rig, 1, 2);
    rig.scan('A-1');
    const ask = rig.lastAsk();
    const answer = () => rig.answer(ask, scanResult('acknowledged', { item_id: 1, quantity: 3 }));
    if (isAnswerFirst) answer();
    rig.press(1);
    if (!isAnswerFirst) answer();
    expect(rig.state().last).toMatchObject({ kind: 'right', text: 'A-1 · 3 picked' });
    rig.touch({ touch: 'undo' }, rig.now + 1_000);
    expect(rig.lastDeed()).toMatchObject({ kind: 'undo', quantity_fulfilled: 2, seen: 5 });
  },
);

test('after a lost connection, the station decides which count Undo of a press restores', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'connection', isLost: true });
  rig.handle({ kind: 'connection', isLost: false });
  rig.press(1);
  rig.touch({ touch: 'undo' }, rig.now + 1_000);
  expect(rig.lastDeed()).not.toHaveProperty('quantity_fulfilled');
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', seen: 5 });
});

test('Undo sends the quantity that the person saw, so that a later pick by somebody else stays', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null });
  // Ben reopens the line and closes it short.
  count(rig, 1, 0);
  rig.item(1, { state: 'short', quantity_fulfilled: 3, command_id: null });
  rig.touch({ touch: 'undo' }, rig.now + 1_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', quantity_fulfilled: 0, seen: 5 });
});

test('a confirmation that the station refused cannot be undone', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  const failure = { code: 'outdated', message: 'Somebody has finished the line since.' } as const;
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure } });
  expect(rig.state().undoable).toBeUndefined();
});
