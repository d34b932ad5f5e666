import { describe, expect, test } from 'vitest';
import type { EnterRule } from '#shared/lib/picking/enterRules.ts';
import { openSession, type SessionRig } from './pickRig.ts';

/** Presses Enter on its own, and then the button that has the focus. Returns whether a button was pressed. */
function enter(rig: SessionRig, at = rig.now): boolean {
  let isPressed = false;
  const effects = rig.handle({ kind: 'enter', madeAt: at, press: () => undefined }, at);
  if (effects.some((effect) => effect.do === 'press')) {
    isPressed = true;
    const touch = rig.place() === undefined ? 'choose' : 'picked';
    rig.handle({ kind: 'touch', touch, madeAt: at, via: 'enter' }, at);
  }
  return isPressed;
}

function space(rig: SessionRig, at = rig.now): void {
  rig.handle({ kind: 'touch', touch: 'picked', madeAt: at, via: 'space' }, at);
}

const WRONG = { code: 'X', source: 'keyboard' } as const;

/** Opens a session at which a code was scanned a moment ago. */
function scanning(lines: number, rule: EnterRule = 'unless_scanning'): SessionRig {
  const rig = openSession(lines);
  rig.handle({ kind: 'enterRule', rule });
  rig.handle({ kind: 'repeated', code: 'X' });
  rig.handle({ kind: 'scan', scan: { ...WRONG, at: 1_000 } }, 1_000);
  return rig;
}

/** Types a number by hand and ends it with Enter. */
function type(rig: SessionRig, count: number, at: number): void {
  rig.handle({ kind: 'counted', count, since: at - 200, madeAt: at }, at);
}

test('Enter confirms the line on a page that has seen no scan', () => {
  const rig = openSession(2);
  enter(rig, 2_000);
  enter(rig, 2_300);
  expect(rig.booked()).toEqual(['A-1', 'A-2']);
});

test('for an hour after a scan, Enter without a typed number confirms nothing and says what to do', () => {
  const rig = scanning(2);
  enter(rig, 5_000);
  expect([rig.booked(), rig.state().scanned?.text, rig.sounds().at(-1)]).toEqual([
    [],
    'Scan, touch or press the light, or type the number.',
    'tick',
  ]);
  enter(rig, 1_000 + 3_599_999);
  expect(rig.booked()).toEqual([]);
  enter(rig, 1_000 + 3_600_000);
  expect(rig.booked()).toEqual(['A-1']);
});

test('while people scan, the Enter after a typed number confirms its line, and only that line', () => {
  const rig = scanning(3);
  type(rig, 5, 5_000);
  expect(rig.booked()).toEqual([]);
  enter(rig, 5_400);
  enter(rig, 5_900);
  expect(rig.booked()).toEqual(['A-1']);
});

test('a typed number does not let Enter confirm its line once the number has changed', () => {
  const rig = scanning(2);
  type(rig, 5, 5_000);
  rig.reread((line) => (line.item_id === 1 ? { ...line, quantity: 2 } : line));
  enter(rig, 6_000);
  expect(rig.booked()).toEqual([]);
});

test('digits that a scanner sends when it loses the other characters do not let Enter confirm', () => {
  const rig = scanning(2);
  rig.handle({ kind: 'counted', count: 5, since: 5_000, madeAt: 5_008 }, 5_008);
  enter(rig, 6_000);
  expect(rig.booked()).toEqual([]);
});

test.each<[EnterRule, string[]]>([
  ['always', ['A-1']],
  ['never', []],
])('with the setting %s, Enter does the same with and without scans', (rule, booked) => {
  const rig = scanning(2, rule);
  enter(rig, 5_000);
  expect(rig.booked()).toEqual(booked);
  const other = openSession(2);
  other.handle({ kind: 'enterRule', rule });
  type(other, 5, 5_000);
  enter(other, 6_000);
  expect(other.booked()).toEqual(booked);
  if (rule === 'never')
    expect(other.state().scanned?.text).toBe('Enter is switched off here. Scan, touch or press the light.');
});

test('while an error is shown, the first Enter only closes it', () => {
  const rig = scanning(2, 'always');
  rig.handle({ kind: 'unreadable', madeAt: 2_000 }, 2_000);
  expect(rig.state().scanned).toMatchObject({
    kind: 'wrong',
    text: expect.stringMatching(/^The scanner sent characters/),
  });
  expect(enter(rig, 4_000)).toBe(false);
  expect([rig.state().scanned, rig.booked()]).toEqual([undefined, []]);
  enter(rig, 4_500);
  expect(rig.booked()).toEqual(['A-1']);
});

test('an unreadable scan shows that people scan here', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'unreadable', madeAt: 2_000 }, 2_000);
  enter(rig, 4_000);
  enter(rig, 5_000);
  expect(rig.booked()).toEqual([]);
});

describe('three confirmations by key within two seconds', () => {
  test('at three places stop the page, which asks about them and can undo all', () => {
    const rig = openSession(4);
    for (const at of [2_000, 2_500, 3_900]) enter(rig, at);
    expect(rig.question()).toMatchObject({
      kind: 'hasty',
      asked: [{ place: 'A-1' }, { place: 'A-2' }, { place: 'A-3' }],
    });
    enter(rig, 4_900);
    expect(rig.booked()).toEqual(['A-1', 'A-2', 'A-3']);
    rig.touch({ touch: 'undoAll' }, 6_000);
    expect(rig.actions().slice(-3)).toMatchObject([
      { kind: 'undo', item_id: 3, quantity_fulfilled: 0, seen: 5 },
      { kind: 'undo', item_id: 2, quantity_fulfilled: 0, seen: 5 },
      { kind: 'undo', item_id: 1, quantity_fulfilled: 0, seen: 5 },
    ]);
    expect([rig.question(), rig.state().last?.text]).toEqual([undefined, 'Opening A-1, A-2, A-3 again…']);
  });

  test('by Space are asked about, too, and Yes keeps them', () => {
    const rig = openSession(4);
    for (const at of [2_000, 2_500, 3_000]) space(rig, at);
    expect(rig.question()?.kind).toBe('hasty');
    rig.touch({ touch: 'close' }, 5_000);
    expect([rig.question(), rig.booked(), rig.place()]).toEqual([undefined, ['A-1', 'A-2', 'A-3'], 'A-4']);
  });

  test('are not asked about if they take longer, or if some are touches', () => {
    const slow = openSession(4);
    for (const at of [2_000, 3_000, 4_001]) enter(slow, at);
    expect(slow.question()).toBeUndefined();
    const mixed = openSession(4);
    enter(mixed, 2_000);
    mixed.touch({ touch: 'picked' }, 2_500);
    enter(mixed, 3_000);
    expect(mixed.question()).toBeUndefined();
  });
});

describe('Next order', () => {
  /** An order whose last line was confirmed at two seconds. */
  function done(): SessionRig {
    const rig = openSession(1);
    enter(rig, 2_000);
    rig.item(1, { state: 'done', quantity_fulfilled: 5 }, { state: 'fulfilled' });
    return rig;
  }
  const isOpened = (rig: SessionRig): boolean => rig.effects.some((effect) => effect.do === 'open');

  test('is not taken by an Enter within 1.2 s of the last line', () => {
    const rig = done();
    const painted = rig.now + 16;
    enter(rig, painted + 1_199);
    expect(isOpened(rig)).toBe(false);
    const other = done();
    enter(other, painted + 1_200);
    expect(isOpened(other)).toBe(true);
  });

  test('is not taken while Enter is pressed again and again', () => {
    const rig = done();
    for (let at = 2_300; at < 12_000; at += 300) enter(rig, at);
    expect(isOpened(rig)).toBe(false);
    enter(rig, rig.now + 1_300);
    expect(isOpened(rig)).toBe(true);
  });
});
