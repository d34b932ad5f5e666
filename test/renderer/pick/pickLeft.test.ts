import { expect, test } from 'vitest';
import type { LeftAsked } from '#shared/api/stock.ts';
import { openSession, type SessionRig } from './pickRig.ts';

// Questions about the remaining stock of a place after a pick.
const ASKED: LeftAsked = {
  what: 'empty',
  movement_id: 7,
  SKU: 'SKU-1',
  location: 'A-1',
  deviceid: '51D000:000001',
  order: 'SO-1',
  item: 1,
  picker: 'Anna',
};
const LATER_MS = 1_000;

const ask = (rig: SessionRig, given: Partial<LeftAsked> = {}): void =>
  void rig.handle({ kind: 'told', facts: [{ type: 'stock.asked', asked: { ...ASKED, ...given } }] });
const told = (rig: SessionRig) =>
  rig.effects.flatMap((effect) => (effect.do === 'call' && effect.call.call === 'left' ? [effect.call.left] : []));
const answer = { sku: 'SKU-1', location: 'A-1', movement_id: 7 };

test('“Empty” sends a count of 0, and “Some left” sends `some_left`', () => {
  const rig = openSession(2);
  ask(rig);
  expect(rig.question()).toMatchObject({ kind: 'empty' });
  rig.touch({ touch: 'isEmpty' }, rig.now + LATER_MS);
  expect([rig.question(), told(rig)]).toEqual([undefined, [{ ...answer, count: 0 }]]);
  ask(rig);
  rig.touch({ touch: 'someLeft' }, rig.now + LATER_MS);
  expect(told(rig).at(-1)).toEqual({ ...answer, some_left: true });
});

test('the question closes after ten seconds or with Close, and sends nothing', () => {
  const rig = openSession(2);
  ask(rig);
  rig.handle({ kind: 'tick' }, rig.now + 9_999);
  expect(rig.question()).toMatchObject({ kind: 'empty' });
  rig.handle({ kind: 'tick' }, rig.now + 1);
  expect(rig.question()).toBeUndefined();
  ask(rig);
  rig.touch({ touch: 'close' }, rig.now + LATER_MS);
  expect([rig.question(), told(rig)]).toEqual([undefined, []]);
});

test('asks only the picker of the line in this order, and never replaces another open question', () => {
  const rig = openSession(2);
  ask(rig, { picker: 'Ben' });
  ask(rig, { picker: '' });
  ask(rig, { order: 'SO-2' });
  expect(rig.question()).toBeUndefined();
  rig.touch({ touch: 'others' });
  ask(rig);
  expect(rig.question()).toMatchObject({ kind: 'more' });
});

test('the remaining quantity can be typed with keys or on the number pad, where a bouncing finger types once', () => {
  const rig = openSession(2);
  ask(rig, { what: 'count' });
  expect(rig.question()).toMatchObject({ kind: 'left', text: '' });
  rig.handle({ kind: 'counted', count: 12 }, rig.now + LATER_MS);
  expect(told(rig)).toEqual([{ ...answer, count: 12 }]);
  ask(rig, { what: 'count' });
  rig.touch({ touch: 'padKey', key: '4' }, rig.now + LATER_MS);
  rig.touch({ touch: 'padKey', key: '4' }, rig.now + 100);
  rig.touch({ touch: 'padKey', key: '0' }, rig.now + 300);
  rig.touch({ touch: 'enterPad' }, rig.now + LATER_MS);
  expect(told(rig).at(-1)).toEqual({ ...answer, count: 40 });
});

test('a scan closes the question without an answer', () => {
  const rig = openSession(2);
  ask(rig);
  rig.scan('SKU-2');
  expect([rig.question(), told(rig), rig.asks().length]).toEqual([undefined, [], 1]);
});

test('a refused answer shows a message', () => {
  const rig = openSession(2);
  ask(rig);
  rig.touch({ touch: 'isEmpty' }, rig.now + LATER_MS);
  const call = { call: 'left', left: { ...answer, count: 0 } } as const;
  rig.handle({ kind: 'called', call, failure: { code: 'outdated', message: 'Something moved.' } });
  expect(rig.state().last).toMatchObject({ kind: 'wrong', text: 'Your answer was not booked. Something moved.' });
});

test('a number that was begun before the question appeared does not answer it', () => {
  const rig = openSession(2);
  rig.press(1);
  const since = rig.now;
  ask(rig, { what: 'count' });
  rig.handle({ kind: 'counted', count: 2, since }, rig.now + 5_000);
  expect([rig.question(), told(rig), rig.sounds().at(-1)]).toMatchObject([{ kind: 'left', text: '' }, [], 'tick']);
  rig.handle({ kind: 'counted', count: 12, since: since + 1_000 }, rig.now + 1_000);
  expect(told(rig)).toEqual([{ ...answer, count: 12 }]);
  ask(rig, { what: 'count' });
  rig.handle({ kind: 'counted', count: 3 }, rig.now + 100);
  expect(told(rig)).toHaveLength(1);
});
