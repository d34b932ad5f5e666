import { expect, test } from 'vitest';
import type { Fact } from '#shared/api/station.ts';
import { litItem, openSession, pickOrder, type SessionRig } from './pickRig.ts';

// What Pick says if somebody changes or removes a line that a person picks.
const said = (rig: SessionRig) => [rig.state().last?.kind, rig.state().last?.text];
const line = (id: number, given: Partial<Extract<Fact, { type: 'order.line' }>> = {}): Fact => ({
  type: 'order.line',
  order_number: 'SO-1',
  item_id: id,
  change: 'removed',
  location: `A-${id}`,
  name: `Item ${id}`,
  before: 5,
  ordered_quantity: 0,
  quantity_fulfilled: 0,
  was_active: true,
  picker: 'Anna',
  ...given,
});
const ended = (id: number) => ({ deviceid: `51D000:00000${id}`, command_id: String(id), at: '', qty: 0, by: '' });
const killed = (id: number): Fact => ({ type: 'command.killed', ...ended(id) });
const acknowledged = (id: number): Fact => ({ type: 'command.acknowledged', ...ended(id) });
/** Reports that a line was removed. The order is read before the list of work. */
function remove(rig: SessionRig, id: number, count = 3): void {
  rig.handle({ kind: 'told', facts: [line(id), killed(id)] });
  const items = Array.from({ length: count }, (_, index) => litItem(index + 1)).filter((item) => item.id !== id);
  rig.handle({ kind: 'order', order: pickOrder(items), isMissing: false });
  rig.handle({ kind: 'work', lines: (rig.state().lines ?? []).filter(({ item_id: item }) => item !== id) });
}

test('when the current line is removed, tells the picker to return the pieces, and shows the next line', () => {
  const rig = openSession(3);
  remove(rig, 1);
  expect(said(rig)).toEqual(['wrong', 'A-1 is no longer needed: put back what you took.']);
  expect([rig.place(), rig.sounds()]).toEqual(['A-2', ['attention']]);
});

test('when a later line is removed, shows a note and keeps the current line', () => {
  const rig = openSession(3);
  remove(rig, 3);
  expect(said(rig)).toEqual(['note', 'A-3 is no longer needed.']);
  expect([rig.place(), rig.sounds()]).toEqual(['A-1', []]);
});

test('says nothing about lines of other people and other orders, and of lines that nobody picked', () => {
  for (const other of [{ picker: 'Ben' }, { order_number: 'SO-2' }, { was_active: false }, { picker: null }]) {
    const rig = openSession(2);
    rig.handle({ kind: 'told', facts: [line(1, other)] });
    expect(rig.state().last).toBeUndefined();
  }
});

test('says the new number of the current line', () => {
  const rig = openSession(2);
  rig.reread((each) => (each.item_id === 1 ? { ...each, quantity: 3, ordered_quantity: 3 } : each));
  expect(said(rig)).toEqual(['note', 'A-1 was changed at the station: take 3, not 5.']);
});

test('asks to put back what a press for the old screen reported beyond the new number', () => {
  const rig = openSession(2);
  const over: Fact = {
    type: 'press.over',
    deviceid: '51D000:000001',
    at: '',
    location: 'A-1',
    order_number: 'SO-1',
    item_id: 1,
    quantity: 3,
    left_over: 2,
    picker: 'Anna',
  };
  const done = { state: 'done', quantity_fulfilled: 3, ordered_quantity: 3, command_id: null } as const;
  const item: Fact = { type: 'order.item', order_number: 'SO-1', item: { ...litItem(1), ...done } };
  rig.handle({ kind: 'told', facts: [acknowledged(1), over, item] });
  rig.item(1, done);
  rig.reread();
  expect(said(rig)).toEqual(['care', 'A-1 · 3 picked. Put 2 back.']);
  expect(rig.state().last?.until).toBeUndefined();
});
