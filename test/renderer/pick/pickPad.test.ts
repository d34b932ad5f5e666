import { expect, test } from 'vitest';
import type { PadKey } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { openSession, type SessionRig } from './pickRig.ts';

const OPEN_MS = 1_000;

/** Opens the number pad, then types keys with this delay before each. */
function type(rig: SessionRig, keys: readonly PadKey[], everyMs = 300): void {
  rig.touch({ touch: 'pad' }, rig.now + OPEN_MS);
  for (const key of keys) rig.touch({ touch: 'padKey', key }, rig.now + everyMs);
}
const text = (rig: SessionRig) => {
  const question = rig.question();
  return question?.kind === 'pad' ? question.text : undefined;
};
const touchOk = (rig: SessionRig) => rig.touch({ touch: 'enterPad' }, rig.now + 300);
const touchPicked = (rig: SessionRig) => rig.touch({ touch: 'picked' }, rig.now + 300);

test.each<[string, readonly PadKey[], string]>([
  ['digits form a number', ['1', '2'], '12'],
  ['leading zeros disappear', ['0', '0', '7'], '7'],
  ['delete removes the last digit', ['1', '2', 'delete'], '1'],
  ['delete without digits does nothing', ['delete'], ''],
  ['at most 99,999 fit', ['9', '9', '9', '9', '9', '9'], '99999'],
])('on the number pad, %s', (_, keys, shown) => {
  const rig = openSession(1);
  type(rig, keys);
  expect(text(rig)).toBe(shown);
  // Nothing is counted before OK.
  expect([rig.count(), rig.actions()]).toEqual([undefined, []]);
});

test('OK sets the count without booking it, and Picked books it', () => {
  const rig = openSession(2);
  type(rig, ['5']);
  touchOk(rig);
  expect([rig.question(), rig.count()?.quantity, rig.booked()]).toEqual([undefined, 5, []]);
  touchPicked(rig);
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 5 });
});

test.each<[string, readonly PadKey[], object, number]>([
  ['more', ['5', '0'], { kind: 'over', count: 50 }, 5],
  ['fewer', ['2'], { kind: 'short', found: 2 }, 2],
])('if the number pad sets %s pieces than requested, Picked opens a question', (_, keys, question, atShelf) => {
  const rig = openSession(2);
  type(rig, keys);
  touchOk(rig);
  expect(rig.lastDeed()).toMatchObject({ kind: 'adjust', quantity: atShelf });
  touchPicked(rig);
  expect(rig.question()).toMatchObject(question);
  expect(rig.booked()).toEqual([]);
});

test.each(['close', 'enterPad'] as const)('the number pad keeps the count if it closes without a digit (%s)', (how) => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 3 });
  type(rig, []);
  rig.touch({ touch: how }, rig.now + 300);
  expect([rig.question(), rig.count()?.quantity]).toEqual([undefined, 3]);
});

test('closing the number pad discards its digits', () => {
  const rig = openSession(1);
  type(rig, ['3']);
  rig.touch({ touch: 'close' }, rig.now + 300);
  expect([rig.question(), rig.count(), rig.actions()]).toEqual([undefined, undefined, []]);
});

test('a bouncing finger types a digit once, and fast fingers type each digit', () => {
  for (const bounceMs of [60, 110, 200]) {
    const rig = openSession(1);
    type(rig, ['1']);
    rig.touch({ touch: 'padKey', key: '1' }, rig.now + bounceMs);
    expect([text(rig), rig.sounds().at(-1)]).toEqual(['1', 'tick']);
  }
  const fast = openSession(1);
  type(fast, ['1'], 300);
  for (const key of ['2', '3'] as const) fast.touch({ touch: 'padKey', key }, fast.now + 60);
  expect(text(fast)).toBe('123');
  const twice = openSession(1);
  type(twice, ['1', '1'], 300);
  expect(text(twice)).toBe('11');
});

test('the bounce of a touch that opens or closes the number pad presses no button at that spot', () => {
  const rig = openSession(2);
  type(rig, []);
  rig.touch({ touch: 'padKey', key: '8' }, rig.now + 110);
  expect(text(rig)).toBe('');
  rig.touch({ touch: 'padKey', key: '5' }, rig.now + 300);
  touchOk(rig);
  rig.touch({ touch: 'picked' }, rig.now + 110);
  expect([rig.booked(), rig.sounds().at(-1)]).toEqual([[], 'tick']);
});

test('a scan is ignored if the number pad has digits; otherwise it closes the pad and counts as a scan', () => {
  const rig = openSession(2);
  type(rig, ['2']);
  rig.scan('A-1', rig.now + 1_000);
  expect([text(rig), rig.asks(), rig.sounds().at(-1)]).toEqual(['2', [], 'tick']);
  rig.touch({ touch: 'padKey', key: 'delete' }, rig.now + 300);
  rig.scan('A-1', rig.now + 1_000);
  expect(rig.question()).toBeUndefined();
  expect(rig.lastAsk()).toMatchObject({ code: 'A-1', step: 'act' });
});

test('the open number pad accepts printed digits, BACK and OK, and a typed number', () => {
  const rig = openSession(1);
  type(rig, []);
  for (const code of ['PICK:4', 'PICK:2', 'PICK:BACK']) rig.scan(code, rig.now + 1_000);
  expect(text(rig)).toBe('4');
  rig.scan('PICK:OK', rig.now + 1_000);
  expect([rig.question(), rig.count()?.quantity]).toEqual([undefined, 4]);
  type(rig, ['1']);
  rig.handle({ kind: 'counted', count: 3 });
  expect([rig.question(), rig.count()?.quantity, rig.booked()]).toEqual([undefined, 3, []]);
  type(rig, []);
  rig.scan('PICK:BACK', rig.now + 1_000);
  expect(rig.question()).toBeUndefined();
});

test('after a press at the shelf, the page asks which number counts, and the typed digits do not count for the next line', () => {
  const rig = openSession(2);
  type(rig, ['2']);
  rig.press(1);
  expect([rig.question(), rig.count()]).toMatchObject([{ kind: 'differs', booked: 5, typed: 2 }, undefined]);
  // A finger on its way to a digit or OK presses nothing.
  touchOk(rig);
  expect(rig.booked()).toEqual([]);
});

test('a line without a quantity has no number pad', () => {
  const rig = openSession(1);
  rig.reread((line) => ({ ...line, quantity: null, ordered_quantity: null }));
  type(rig, []);
  expect(rig.question()).toBeUndefined();
});
