import { expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import type { ActionFailure } from '../../../renderer/src/station/outbox/actions.ts';
import type { PickCall, Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { partOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import { litItem, openSession, pickLine, scanResult, type SessionRig } from './pickRig.ts';

// How Pick reacts to the station: lines that end or change, and answers to actions and calls.
const PICKED: Touch = { touch: 'picked' };
const OFF = { state: 'open', command_id: null } as const;
const REFUSED: ActionFailure = { code: 'conflict', message: 'Ended.' };
const message = (rig: SessionRig) => rig.state().last?.text;
const refuse = (rig: SessionRig) =>
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure: REFUSED } });
const ended = (type: 'command.acknowledged' | 'command.killed', id: number): Fact => ({
  type,
  deviceid: `51D000:00000${id}`,
  command_id: String(id),
  at: '',
  qty: 0,
  by: '',
});
const told = (id: number, change: object): Fact => ({
  type: 'order.item',
  order_number: 'SO-1',
  item: { ...litItem(id), ...change },
});
const SHORT = { state: 'short', quantity_fulfilled: 3, command_id: null } as const;

test('a line that was turned off or timed out plays the attention sound, unless its picker has left', () => {
  const rig = openSession(2);
  rig.item(1, OFF);
  expect([message(rig), rig.sounds()]).toEqual(['A-1 was turned off at the station.', ['attention']]);
  const late = openSession(2);
  late.item(1, { ...OFF, timed_out: true });
  expect([message(late), late.sounds()]).toEqual(['A-1 timed out before it was picked.', ['attention']]);
  const left = openSession(2);
  left.item(1, OFF, { pickers: [] });
  expect([message(left), left.sounds()]).toEqual([undefined, []]);
});

test('reports a press even if its line has already left the list', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'work', lines: [pickLine(2)] });
  expect(message(rig)).toBeUndefined();
  rig.press(1);
  expect(message(rig)).toBe('A-1 · 5 picked');
});

test('does not mistake a press at another device in the same commit for a press of a corrected line', () => {
  const rig = openSession(2);
  const facts = [ended('command.acknowledged', 2), ended('command.killed', 1)];
  rig.handle({ kind: 'told', facts: [...facts, told(1, { state: 'done', quantity_fulfilled: 5, command_id: null })] });
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null });
  expect(message(rig)).toBe('A-1 was changed at the station: 5 counted.');
});

test('asks for the reason if a press closes a line short, but not if the station does', () => {
  const missed = openSession(2);
  missed.item(1, SHORT);
  expect([message(missed), missed.question()]).toEqual(['A-1 · 3 found, closed short', undefined]);
  const rig = openSession(2);
  rig.press(1, 3);
  expect(rig.question()?.kind).toBe('reason');
  rig.touch({ touch: 'close' }, 2_000);
  rig.handle({ kind: 'told', facts: [told(1, { state: 'active', quantity_fulfilled: 0 })] });
  rig.item(1, { state: 'active', quantity_fulfilled: 0, command_id: '9' });
  rig.handle({ kind: 'work', lines: [pickLine(1, { command_id: '9' }), pickLine(2)] });
  rig.handle({ kind: 'told', facts: [told(1, SHORT)] });
  rig.item(1, SHORT);
  expect(rig.question()).toBeUndefined();
});

test('no longer asks for the reason of a line that somebody else has opened again or picked', () => {
  for (const change of [{ ...OFF, quantity_fulfilled: 0 }, { state: 'done', quantity_fulfilled: 5 } as const]) {
    const rig = openSession(2);
    rig.press(1, 3);
    expect(rig.question()?.kind).toBe('reason');
    rig.item(1, change);
    expect(rig.question()).toBeUndefined();
  }
});

test('no longer asks for the reason in an order that was deleted', () => {
  const rig = openSession(2);
  rig.press(1, 3);
  rig.handle({ kind: 'order', order: undefined, isMissing: true });
  expect([rig.question(), partOf(rig.state()).kind]).toEqual([undefined, 'removed']);
});

test("does not report a colleague's booking as an own action, and offers no Undo of it", () => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count: 3 });
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null, picker: 'Ben' });
  expect(rig.state().last).toMatchObject({ kind: 'note', text: 'A-1 · 5 picked by Ben' });
  expect([rig.state().undoable, rig.count(), rig.question()]).toEqual([undefined, undefined, undefined]);
});

test('asks for the reason when a scan closes a line short', () => {
  const rig = openSession(2);
  rig.scan('alias');
  rig.answer(rig.lastAsk(), scanResult('acknowledged', { item_id: 1, quantity: 3 }));
  expect(rig.state().last).toMatchObject({ kind: 'care', text: 'A-1 · 3 found, closed short' });
  expect(rig.question()).toMatchObject({ kind: 'reason', fulfilled: 3 });
});

test('Undo of a short closes the question about its reason', () => {
  const rig = openSession(2);
  rig.press(1, 3);
  rig.touch({ touch: 'undo' });
  expect([rig.lastDeed(), rig.question()]).toMatchObject([{ kind: 'undo', item_id: 1 }, undefined]);
});

test('does not report a line as changed if it moves to another place with another quantity', () => {
  const rig = openSession(1);
  const moved = { deviceid: '51D000:000009', location: 'C-9', quantity: 3, quantity_fulfilled: 2 };
  rig.reread((line) => ({ ...line, ...moved }));
  expect([rig.place(), message(rig)]).toEqual(['C-9', undefined]);
});

test('plays the attention sound once for an aborted order, and shows that a deleted order was removed', () => {
  const rig = openSession(1);
  for (const priority of [1, 2]) rig.item(1, { state: 'cancelled' }, { state: 'aborted', priority });
  expect([partOf(rig.state()).kind, rig.sounds()]).toEqual(['aborted', ['attention']]);
  for (const _ of [1, 2]) rig.handle({ kind: 'order', order: undefined, isMissing: true });
  expect(partOf(rig.state()).kind).toBe('removed');
});

test("does not report other people's presses that do not book this person's lines", () => {
  const rig = openSession(1);
  const at = { deviceid: '51D000:000001', location: 'A-1', at: '' };
  rig.handle({ kind: 'told', facts: [{ type: 'press.late', ...at, quantity: 5, picker: 'Ben' }] });
  const work = { order_number: 'SO-9', item_id: 77, quantity: 5, before: 0 };
  const waiting = [{ picker: 'Carl', item_id: 78 }];
  const booked = { type: 'line.booked', ...at, ...work, picker: 'Ben', quiet: false } as const;
  rig.handle({ kind: 'told', facts: [{ ...booked, waiting }] });
  expect(message(rig)).toBeUndefined();
});

test('shows a message to the picker of a line that moves because its place is empty', () => {
  const rig = openSession(2);
  const moved = {
    type: 'line.moved',
    order_number: 'SO-1',
    item_id: 1,
    text: 'Nut',
    from: 'A-1',
    location: 'C-3',
  } as const;
  rig.handle({ kind: 'told', facts: [{ ...moved, picker: 'Ben', by: 'Carl' }] });
  expect(message(rig)).toBeUndefined();
  rig.handle({ kind: 'told', facts: [{ ...moved, picker: 'Anna', by: 'Carl' }] });
  expect([message(rig), rig.sounds()]).toEqual(['A-1 is empty: go to C-3.', ['attention']]);
});

test('an open question follows changes to its line, and closes when none of its lines is left', () => {
  const rig = openSession(2);
  rig.touch({ touch: 'short' });
  rig.touch({ touch: 'found', by: 1 });
  rig.reread((line) => (line.item_id === 1 ? { ...line, quantity: 3, quantity_fulfilled: 2 } : line));
  rig.touch({ touch: 'reason', reason: 'missing' }, 3_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', seen: 2, quantity_fulfilled: 3 });
  const other = openSession(3);
  const candidates = [1, 2].map((id) => ({
    ...scanResult('lit'),
    kind: 'line' as const,
    deviceid: `51D000:00000${id}`,
    item_id: id,
  }));
  other.scan('alias');
  other.answer(other.lastAsk(), scanResult('ambiguous', { candidates }));
  other.press(1);
  expect(other.question()).toMatchObject({ kind: 'which', candidates: [{ item_id: 2 }] });
  other.press(2);
  expect(other.question()).toBeUndefined();
});

test('reloads the work after the station has accepted an Undo', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.touch({ touch: 'undo' });
  const action = rig.lastDeed();
  rig.handle({ kind: 'sent', sent: { action, outcome: 'taken' } });
  expect(rig.effects.at(-1)).toEqual({ do: 'reread' });
  const before = rig.effects.length;
  rig.handle({ kind: 'sent', sent: { action, outcome: 'cancelled' } });
  expect(rig.effects.slice(before)).toEqual([]);
});

test('keeps a refused confirmation in the list of unbooked work if somebody else has finished the line', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null });
  refuse(rig);
  expect(rig.effects.some((effect) => effect.do === 'forget')).toBe(false);
  expect(message(rig)).toBe('A-1 · 5 picked');
});

test('the result of an action in a different order changes nothing', () => {
  const rig = openSession(1);
  rig.touch(PICKED);
  const before = rig.state();
  const action = { ...rig.lastDeed(), order_number: 'SO-9' };
  rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', failure: REFUSED } });
  expect(rig.state()).toBe(before);
});

test('reports a refused join in its dialog, and other refused calls as a message', () => {
  const rig = openSession(1);
  const pickers = [{ name: 'Ben', color: 'red', paused: false, deviceid: null }];
  rig.scan('SO-2');
  rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SO-2', pickers }));
  const call: PickCall = { call: 'join', orderNumber: 'SO-2' };
  rig.handle({ kind: 'called', call, failure: REFUSED });
  expect([rig.question(), message(rig)]).toMatchObject([{ failure: 'You did not join the order. Ended.' }, undefined]);
  rig.handle({ kind: 'called', call: { call: 'pause', orderNumber: 'SO-1' }, failure: REFUSED });
  expect(rig.state().last).toMatchObject({ kind: 'wrong' });
});

test('joining opens the joined order, a complete order is not reported as paused, and handing over or leaving opens the order list', () => {
  const effects = (call: PickCall, begin: (rig: SessionRig) => void = () => undefined) => {
    const rig = openSession(1);
    begin(rig);
    return rig.handle({ kind: 'called', call }).filter((effect) => effect.do !== 'play');
  };
  const done = (rig: SessionRig) =>
    rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null }, { state: 'fulfilled' });
  expect(effects({ call: 'join', orderNumber: 'SO-1' })).toEqual([]);
  expect(effects({ call: 'join', orderNumber: 'SO-2' }, done)).toEqual([{ do: 'open', orderNumber: 'SO-2' }]);
  const choose = [{ do: 'open', orderNumber: undefined }];
  expect(effects({ call: 'leave', orderNumber: 'SO-1' })).toEqual(choose);
  expect(effects({ call: 'handOver', orderNumber: 'SO-1', picker: 'Ben' })).toEqual(choose);
  expect(effects({ call: 'pause', orderNumber: 'SO-1' })).toEqual([]);
});

test('a success disappears after six seconds, a failure stays, Undo remains available, and a note does not hide a wrong scan', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  expect(rig.state().last?.until).toBe(rig.now + 6_000);
  rig.item(2, { ...OFF, timed_out: true });
  rig.handle({ kind: 'tick' }, 60_000);
  expect([rig.state().last?.kind, rig.state().undoable]).toMatchObject(['wrong', { itemId: 1 }]);
  rig.scan('nonsense');
  rig.answer(rig.lastAsk(), scanResult('unknown'));
  rig.handle({ kind: 'repeated', code: 'nonsense' });
  expect(rig.state().scanned).toEqual({ kind: 'wrong', text: 'unknown.' });
});

test('continuing a paused order lights it again, and taking an order of others asks whether to join', () => {
  const ben = { name: 'Ben', color: 'red', paused: false, deviceid: null };
  const take = (pickers: (typeof ben)[]) => {
    const rig = openSession(1);
    rig.item(1, OFF, { pickers });
    rig.reread();
    rig.touch({ touch: 'take' }, 5_000);
    return rig;
  };
  const launch = { do: 'call', call: { call: 'launch', orderNumber: 'SO-1' } };
  expect(take([{ ...ben, name: 'Anna', paused: true }, ben]).effects.at(-1)).toEqual(launch);
  expect(take([]).effects.at(-1)).toEqual(launch);
  const rig = take([ben]);
  expect(rig.question()).toMatchObject({ kind: 'join', orderNumber: 'SO-1' });
  expect(rig.effects.some((effect) => effect.do === 'call')).toBe(false);
});

test('a line reopened by Undo asks for its own quantity, not for the earlier count', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 9 });
  rig.touch(PICKED);
  rig.touch({ touch: 'bookCount' }, 2_000);
  rig.touch({ touch: 'undo' }, 3_000);
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'cancelled' } });
  rig.touch(PICKED, 5_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', quantity: 5 });
});
