import { expect, test } from 'vitest';
import type { Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { openSession, type SessionRig } from './pickRig.ts';

// Counting pieces on the page, at the shelf and at the station.
const PICKED: Touch = { touch: 'picked' };
const count = (rig: SessionRig) => rig.count()?.quantity;
const shelfSays = (rig: SessionRig, quantity: number) => rig.reread((line) => ({ ...line, quantity }));

test('minus stops at 0, and every touch of plus counts', () => {
  const rig = openSession(1);
  for (let times = 0; times < 7; times += 1) rig.touch({ touch: 'less' });
  expect([count(rig), rig.lastDeed()]).toMatchObject([0, { kind: 'adjust', quantity: 0 }]);
  for (let times = 0; times < 7; times += 1) rig.touch({ touch: 'more' });
  expect([count(rig), rig.lastDeed()]).toMatchObject([7, { kind: 'adjust', quantity: 5 }]);
});

test('plus, minus and a typed number change nothing while a question is open', () => {
  const rig = openSession(1);
  rig.touch({ touch: 'others' });
  rig.handle({ kind: 'sign', by: 1 });
  rig.handle({ kind: 'counted', count: 2 });
  expect([count(rig), rig.actions(), rig.sounds()]).toEqual([undefined, [], ['tick', 'tick']]);
});

test("a count at the shelf overrides the page's count, even if it returns to an earlier number", () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 3 });
  shelfSays(rig, 3);
  shelfSays(rig, 5);
  rig.touch(PICKED);
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', quantity: 5 });
});

test("a new number from the shelf replaces the page's count, even before the station has received the page's count", () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 3 });
  shelfSays(rig, 4);
  rig.touch(PICKED);
  expect(rig.question()).toMatchObject({ kind: 'short', found: 4 });
});

test('a late answer to an older count does not replace the newer count', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 3 });
  rig.handle({ kind: 'counted', count: 2 });
  shelfSays(rig, 3);
  expect(count(rig)).toBe(2);
});

test('a count applies only to its own line', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count: 3 });
  rig.press(1);
  rig.touch({ touch: 'close' }, rig.now + 1_000);
  rig.touch(PICKED, rig.now + 1_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 2, quantity: 5 });
});

test('reports a refused count only while its line is shown, and discards it', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count: 3 });
  const failure = { code: 'conflict', message: 'Ended.' } as const;
  const action = rig.lastDeed();
  rig.handle({ kind: 'sent', sent: { action: { ...action, item_id: 9 }, outcome: 'refused', failure } });
  expect([count(rig), rig.state().last]).toEqual([3, undefined]);
  rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', failure } });
  expect(rig.state().last?.text).toBe('A-1 was changed at the station. Look again, then confirm.');
  expect(count(rig)).toBeUndefined();
});

test('a skipped line keeps its count, and skipping it again moves it to the end again', () => {
  const rig = openSession(3);
  rig.handle({ kind: 'counted', count: 3 });
  for (const at of [2_000, 3_000, 4_000]) rig.touch({ touch: 'skip' }, at);
  expect([rig.place(), count(rig)]).toEqual(['A-1', 3]);
  rig.touch({ touch: 'skip' }, 5_000);
  expect([rig.place(), rig.state().skipped]).toEqual(['A-2', [2, 3, 1]]);
});

test('Short starts from the count if that is below the requested number, and accepts 0 to the requested number', () => {
  const found = (rig: SessionRig) => (rig.question() as { found?: number }).found;
  const rig = openSession(1);
  rig.touch({ touch: 'short' });
  expect(found(rig)).toBe(0);
  for (let times = 0; times < 7; times += 1) rig.touch({ touch: 'found', by: 1 });
  expect(found(rig)).toBe(5);
  for (let times = 0; times < 7; times += 1) rig.touch({ touch: 'found', by: -1 });
  expect(found(rig)).toBe(0);
  rig.touch({ touch: 'close' }, 2_000);
  rig.handle({ kind: 'counted', count: 2 });
  rig.touch({ touch: 'short' }, 3_000);
  expect(found(rig)).toBe(2);
});

test('Short adds the pieces found to those already counted, and can be undone', () => {
  const rig = openSession(1);
  rig.reread((line) => ({ ...line, quantity: 3, quantity_fulfilled: 2 }));
  rig.touch({ touch: 'short' }, 2_000);
  rig.touch({ touch: 'found', by: 1 }, 3_000);
  rig.touch({ touch: 'reason', reason: 'missing' }, 3_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', quantity_fulfilled: 3, seen: 2, reason: 'missing' });
  expect(rig.state().last).toMatchObject({ kind: 'care', undo: { itemId: 1, before: 2, after: 3 } });
});

test('if the article has another place, Short offers that place for the rest, unless all pieces were found', () => {
  const there = { deviceid: '51D000:000009', location: 'C-9' };
  const open = (found: number): SessionRig => {
    const rig = openSession(2);
    rig.reread((line) => ({ ...line, elsewhere: [there] }));
    rig.touch({ touch: 'short' });
    rig.handle({ kind: 'counted', count: found });
    rig.touch({ touch: 'reason', reason: 'missing' }, 2_000);
    return rig;
  };
  expect(open(5).lastDeed()).toMatchObject({ kind: 'short', quantity_fulfilled: 5 });
  const rig = open(2);
  expect([rig.question(), rig.actions()]).toMatchObject([{ kind: 'short', reason: 'missing', found: 2 }, []]);
  // The place buttons appear where the reason buttons were, so they ignore touches at first.
  rig.touch({ touch: 'elsewhere', place: there }, 2_235);
  expect(rig.actions()).toEqual([]);
  rig.touch({ touch: 'elsewhere', place: there }, 3_000);
  const action = rig.lastDeed();
  expect(action).toMatchObject({ kind: 'short', quantity_fulfilled: 2, elsewhere: '51D000:000009' });
  // The line stays open, so Undo has nothing to reopen.
  expect([rig.state().last?.undo, rig.state().undoable]).toEqual([undefined, undefined]);
  rig.handle({ kind: 'sent', sent: { action, outcome: 'taken' } });
  expect([rig.effects.at(-1), rig.state().booked.size]).toEqual([{ do: 'reread' }, 0]);
});
