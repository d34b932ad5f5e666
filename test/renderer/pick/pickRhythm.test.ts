import { expect, test } from 'vitest';
import { next, wakeAt } from '../../../renderer/src/features/pick/session/session.ts';
import type { Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { openSession, scanResult, type SessionRig } from './pickRig.ts';

const PICKED: Touch = { touch: 'picked' };
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `A-${index + 1}`);

test('twenty touches 300 ms apart pick twenty lines', () => {
  const jitters = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(jitters, (jitter) => {
      const rig = openSession(20);
      for (const [index, by] of jitter.entries()) rig.touch(PICKED, 1_000 + index * 300 + by);
      expect(rig.booked()).toEqual(numbers(20));
    }),
  );
});

test('a second touch after 60 to 200 ms books nothing, shakes the button and plays a tick', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 60, max: 200 }), { minLength: 1, maxLength: 20 }), (gaps) => {
      const rig = openSession(gaps.length + 1);
      for (const [index, gapMs] of gaps.entries()) {
        rig.touch(PICKED, 1_000 * (index + 1));
        rig.touch(PICKED, 1_000 * (index + 1) + gapMs);
        expect(rig.state().refusedUntil).toBeGreaterThan(rig.now);
      }
      expect(rig.booked()).toEqual(numbers(gaps.length));
      expect(rig.sounds().filter((sound) => sound === 'tick')).toHaveLength(gaps.length);
    }),
  );
});

test('200 double touches 60 to 200 ms apart book 200 lines, even if the station books a line between its two touches', () => {
  const press = fc.record({
    gapMs: fc.integer({ min: 60, max: 200 }),
    pauseMs: fc.integer({ min: 300, max: 900 }),
    tells: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(press, { minLength: 200, maxLength: 200 }), (presses) => {
      const rig = openSession(200);
      for (const [index, { gapMs, pauseMs, tells }] of presses.entries()) {
        rig.touch(PICKED, rig.now + pauseMs);
        // The station records the line before the second touch.
        if (tells) rig.item(index + 1, { state: 'done', quantity_fulfilled: 5, command_id: null });
        rig.touch(PICKED, rig.now + gapMs);
      }
      expect(rig.booked()).toEqual(numbers(200));
    }),
    { numRuns: 2 },
  );
});

/** Events other than a touch that lead to the next line. */
const CHANGES: readonly ((rig: SessionRig) => void)[] = [
  (rig) => rig.press(1),
  (rig) => {
    rig.scan('A-1');
    const [ask] = rig.asks();
    if (ask !== undefined) rig.answer(ask, scanResult('acknowledged', { item_id: 1, quantity: 5 }));
  },
  (rig) => rig.item(1, { picker: 'Ben' }),
];

test('ignores touches for 600 ms after a press, a scan or somebody else changes the line', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CHANGES), fc.integer({ min: 0, max: 615 }), (change, gapMs) => {
      const rig = openSession(3);
      change(rig);
      expect(rig.place()).toBe('A-2');
      rig.touch(PICKED, rig.now + gapMs);
      expect([rig.booked(), rig.sounds().at(-1)]).toEqual([[], 'tick']);
      rig.touch(PICKED, 1_616);
      expect(rig.booked()).toEqual(['A-2']);
    }),
  );
});

/** Sets the quantity that the station has recorded for the first line. */
const setFulfilled = (rig: SessionRig, fulfilled: number) =>
  rig.reread((line) =>
    line.item_id === 1 ? { ...line, quantity: 5 - fulfilled, quantity_fulfilled: fulfilled } : line,
  );

test('ignores touches for 600 ms after somebody else changes the quantity', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 615 }), (gapMs) => {
      const rig = openSession(2);
      setFulfilled(rig, 2);
      expect(rig.state().last?.text).toBe('A-1 was changed at the station: take 3, not 5.');
      rig.touch(PICKED, rig.now + gapMs);
      expect([rig.booked(), rig.sounds().at(-1)]).toEqual([[], 'tick']);
      rig.touch(PICKED, 1_616);
      expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', place: 'A-1', quantity: 3, seen: 2 });
    }),
  );
});

test('counting pieces by scanning does not show a message about a change', () => {
  const rig = openSession(1);
  rig.scan('SKU-1');
  rig.answer(
    rig.lastAsk(),
    scanResult('counted', { item_id: 1, quantity: 2, remaining: 3, command_id: '9', says: 'A-1: 2, 3 to go.' }),
  );
  setFulfilled(rig, 2);
  expect(rig.state().last?.text).toBe('A-1: 2, 3 to go.');
  rig.touch(PICKED, 2_000);
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', quantity: 3, seen: 2 });
});

test('accepts touches 220 ms after the first line appears, or after a line is skipped by key', () => {
  const rig = openSession(3);
  rig.touch(PICKED, 235);
  expect(rig.booked()).toEqual([]);
  rig.touch(PICKED, 236);
  expect(rig.booked()).toEqual(['A-1']);
  rig.handle({ kind: 'letter', letter: 'n' }, 2_000);
  rig.touch(PICKED, 2_235);
  rig.touch(PICKED, 2_236);
  expect(rig.booked()).toEqual(['A-1', 'A-3']);
});

test('a key press does not shorten the 600 ms in which touches are ignored after a change', () => {
  const rig = openSession(3);
  rig.press(1);
  rig.handle({ kind: 'letter', letter: 'n' }, 1_100);
  rig.touch(PICKED, 1_600);
  expect(rig.booked()).toEqual([]);
  rig.touch(PICKED, 1_620);
  expect(rig.booked()).toEqual(['A-3']);
});

test('a slow render does not lose touches that are 300 ms apart', () => {
  const rig = openSession(3);
  const { state } = next(rig.state(), { kind: 'touch', ...PICKED }, 2_000);
  const drawn = next(state, { kind: 'drawn' }, 2_200).state;
  const { effects } = next(drawn, { kind: 'touch', ...PICKED }, 2_300);
  expect(effects).toContainEqual(expect.objectContaining({ do: 'keep' }));
});

test('a button that appears because somebody else paused the order ignores touches for 220 ms', () => {
  const rig = openSession(1);
  const paused = { pickers: [{ name: 'Anna', color: 'blue', paused: true, deviceid: null }] };
  rig.item(1, { state: 'open', command_id: null }, paused);
  rig.reread();
  rig.touch({ touch: 'take' }, rig.now + 235);
  expect(rig.effects.some((effect) => effect.do === 'call')).toBe(false);
  rig.touch({ touch: 'take' }, 1_236);
  expect(rig.effects.at(-1)).toMatchObject({ do: 'call', call: { call: 'launch' } });
});

test('a note about a scan disappears after six seconds, even without another event', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'repeated', code: 'A-1' });
  expect(wakeAt(rig.state(), rig.now + 400)).toBe(7_000);
  rig.handle({ kind: 'tick' }, 6_999);
  expect(rig.state().scanned?.kind).toBe('note');
  rig.handle({ kind: 'tick' }, 7_000);
  expect(rig.state().scanned).toBeUndefined();
});

test('the “Next order” button of a completed order ignores touches for 800 ms, and the buttons of a question for 220 ms', () => {
  const rig = openSession(1);
  rig.touch(PICKED);
  rig.item(1, { state: 'done', quantity_fulfilled: 5 }, { state: 'fulfilled' });
  rig.touch({ touch: 'choose' }, 1_831);
  expect(rig.effects.some((effect) => effect.do === 'open')).toBe(false);
  rig.touch({ touch: 'choose' }, 1_832);
  expect(rig.effects.at(-1)).toEqual({ do: 'open', orderNumber: undefined, takesNext: true });

  const asked = openSession(1);
  asked.handle({ kind: 'counted', count: 2 });
  asked.touch(PICKED, 1_000);
  // The reasons appear where Picked was, so a bounce would choose a reason.
  asked.touch({ touch: 'reason', reason: 'missing' }, 1_200);
  expect(asked.actions().map(({ kind }) => kind)).toEqual(['adjust']);
  asked.touch({ touch: 'reason', reason: 'missing' }, 1_236);
  expect(asked.actions().map(({ kind }) => kind)).toEqual(['adjust', 'short']);
});

type OutboxAction = { at: number; act: (rig: SessionRig) => void };

const ACTS: readonly ((rig: SessionRig) => void)[] = [
  ...(
    [
      'picked',
      'more',
      'less',
      'short',
      'others',
      'skip',
      'close',
      'bookCount',
      'takeAsked',
      'join',
      'pad',
      'enterPad',
    ] as const
  ).map((touch) => (rig: SessionRig) => void rig.touch({ touch })),
  (rig) => void rig.touch({ touch: 'reason', reason: 'missing' }),
  (rig) => void rig.touch({ touch: 'padKey', key: '3' }),
  (rig) => void rig.touch({ touch: 'padKey', key: '9' }),
  (rig) => void rig.scan(rig.place() ?? 'A-1'),
  (rig) => void rig.scan('A-2'),
  (rig) => void rig.scan('SO-2'),
  (rig) => void rig.handle({ kind: 'counted', count: 3 }),
  (rig) => void rig.handle({ kind: 'counted', count: 9 }),
  (rig) => void rig.handle({ kind: 'letter', letter: 's' }),
  (rig) => void rig.handle({ kind: 'letter', letter: 'n' }),
  (rig) => void rig.handle({ kind: 'sign', by: 1 }),
  // The station answers the oldest unanswered scan, and reports what it recorded.
  (rig) => answerScan(rig),
  (rig) => publishBooked(rig),
  (rig) => rig.press(2),
  (rig) => rig.press(3, 2),
];

const answered = new WeakMap<SessionRig, number>();

function answerScan(rig: SessionRig): void {
  const at = answered.get(rig) ?? 0;
  const ask = rig.asks()[at];
  if (ask === undefined) return;
  answered.set(rig, at + 1);
  const id = Number(/^A-(\d)$/.exec(ask.code)?.[1] ?? 0);
  const isOpen = id > 0 && !endedItems(rig).has(id);
  if (ask.code === 'SO-2') {
    const pickers = [{ name: 'Ben', color: 'red', paused: false, deviceid: null }];
    rig.answer(ask, scanResult('order', { order_number: 'SO-2', pickers }));
  } else if (!isOpen) rig.answer(ask, scanResult('already_done', { item_id: id }));
  else if (ask.step === 'mean') rig.answer(ask, scanResult('lit', { item_id: id, quantity: 5 }));
  else {
    rig.answer(ask, scanResult('acknowledged', { item_id: id, quantity: 5 }));
    rig.item(id, { state: 'done', quantity_fulfilled: 5, command_id: null });
  }
}

const endedItems = (rig: SessionRig) =>
  new Set(
    rig
      .state()
      .order?.shipments.flatMap(({ items }) => items)
      .filter(({ state }) => state !== 'active')
      .map(({ id }) => id),
  );

function publishBooked(rig: SessionRig): void {
  for (const action of rig.actions()) {
    if (action.kind === 'confirm' || action.kind === 'short') {
      rig.item(action.item_id, { state: 'done', quantity_fulfilled: 5, command_id: null });
    }
  }
}

const rhythm = fc.array(fc.record({ at: fc.integer({ min: 1, max: 900 }), act: fc.constantFrom(...ACTS) }), {
  minLength: 1,
  maxLength: 60,
});

function play(rig: SessionRig, actions: readonly OutboxAction[]): void {
  for (const { at, act } of actions) {
    rig.now += at;
    act(rig);
  }
}

test('no sequence of scans, keys and touches books a line twice or skips a required question', () => {
  fc.assert(
    fc.property(rhythm, (actions) => {
      const rig = openSession(4);
      play(rig, actions);
      const lines = rig.actions().filter(({ kind }) => kind === 'confirm' || kind === 'short');
      expect(new Set(lines.map(({ item_id: id }) => id)).size).toBe(lines.length);
      for (const action of lines) {
        // Fewer pieces must be a short with a reason. After a press that is replaced, the page asks for the reason later.
        if (action.kind === 'confirm' && action.instead === undefined)
          expect(action.quantity ?? 5).toBeGreaterThanOrEqual(5);
      }
    }),
    { numRuns: 500 },
  );
});

test('two actions never share a key, and a count never follows the confirmation of its line', () => {
  fc.assert(
    fc.property(rhythm, (actions) => {
      const rig = openSession(4);
      play(rig, actions);
      const keys = [
        ...rig.actions().map(({ key }) => key),
        ...rig
          .asks()
          .filter(({ step }) => step === 'act')
          .map(({ key }) => key),
      ];
      expect(new Set(keys).size).toBe(keys.length);
      const booked = new Set<number>();
      for (const { kind, item_id: id } of rig.actions()) {
        if (kind === 'adjust') expect(booked.has(id)).toBe(false);
        if (kind === 'confirm' || kind === 'short') booked.add(id);
      }
    }),
    { numRuns: 300 },
  );
});
