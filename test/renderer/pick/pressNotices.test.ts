import { beforeEach, expect, test } from 'vitest';
import {
  ASKED_MS,
  hearPresses,
  isAsked,
  keepPresses,
  pressWords,
  readPresses,
} from '../../../renderer/src/features/pick/whose/pressNotices.ts';
import { createPresses } from '../../../renderer/src/features/pick/whose/usePresses.ts';
import type { PickEvent } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import type { PressAnswer, PressNotice } from '../../../renderer/src/features/pick/whose/pressNotices.ts';
import { browserStorage } from '../../../renderer/src/storage.ts';
import type { item } from '../orders/workSupport.tsx';
import { openSession, type SessionRig } from './pickRig.ts';
import { bookedFact, itemFact, noticesOf, ownFact, PRESSED_AT } from './pressSupport.ts';

beforeEach(() => localStorage.clear());

const at = Date.parse(PRESSED_AT);

test('tells the person whose line was booked and the person who waited, and nobody else', () => {
  expect(noticesOf(bookedFact()).map(pressWords)).toEqual(["A-1: that booked Ben's 5."]);
  expect(noticesOf(ownFact()).map(pressWords)).toEqual(['A press at A-1 booked your 5.']);
  expect(noticesOf(bookedFact({ waiting: [{ picker: 'Carl', item_id: 3 }] }))).toEqual([]);
  expect(noticesOf(bookedFact({ picker: null })).map(pressWords)).toEqual(['A-1: that booked other work.']);
  const slot = { batch: '7', slot: 'B2', location: 'B2' };
  expect(noticesOf(bookedFact(slot), ownFact(slot)).map(pressWords)).toEqual([
    "B2: that put Ben's 5.",
    'A press at B2 put your 5.',
  ]);
});

test('a press at a slot that was pressed again since can no longer be claimed, and its notice says why', () => {
  const slot = { batch: '7', slot: 'B2', location: 'B2' };
  const later = { at: '2026-11-29T10:42:05.000Z', picker: 'Carl', item_id: 78, quantity: 2 };
  const notices = noticesOf(bookedFact(slot), bookedFact({ ...slot, ...later }));
  expect(notices.map(pressWords)).toEqual([
    "B2: a press put Ben's 5, and the slot was pressed again since. Only the last press can be yours.",
    "B2: that put Carl's 2.",
  ]);
  expect(notices.map(({ refused }) => refused === undefined)).toEqual([false, true]);
  // One press can put several articles, and presses at other slots do not matter.
  const both = [bookedFact(slot), bookedFact({ ...slot, item_id: 78 })];
  const other = bookedFact({ ...slot, ...later, slot: 'B3' });
  expect(noticesOf(...both, other).some(({ refused }) => refused !== undefined)).toBe(false);
});

test('asks for two minutes after the press, also after the page was loaded again', () => {
  const storage = browserStorage();
  keepPresses(storage, 'Anna', noticesOf(bookedFact()));
  const read = (later: number) => readPresses(storage, 'Anna', at + later).filter((each) => isAsked(each, at + later));
  expect([read(0).length, read(ASKED_MS - 1).length, read(ASKED_MS).length]).toEqual([1, 1, 0]);
  expect(readPresses(storage, 'Ben', at)).toEqual([]);
});

test.each(['{', '1', '[1]', '[{"at":1}]', '{"a":1}'])('ignores damaged stored notices: %s', (stored) => {
  localStorage.setItem('pickstation.presses.Anna', stored);
  expect(readPresses(browserStorage(), 'Anna', at)).toEqual([]);
});

test.each([
  ['the waiting line is booked', bookedFact(), itemFact(1, { state: 'done', quantity_fulfilled: 5 })],
  ['the waiting line is picked in a batch', bookedFact(), itemFact(1, { state: 'active', quantity_fulfilled: 5 })],
  ['the booked line is open again', bookedFact(), itemFact(77, { state: 'active', quantity_fulfilled: 1 })],
  ['the own line is open again', ownFact(), itemFact(1, { state: 'active', quantity_fulfilled: 0 })],
  ['the line of the other is booked', ownFact(), itemFact(77, { state: 'short', quantity_fulfilled: 2 })],
  ['the order is deleted', bookedFact(), { type: 'order.removed', order_number: 'SO-9' } as const],
])('a notice ends when %s', (_, booked, fact) => {
  expect(hearPresses(noticesOf(booked), [fact], 'Anna')).toEqual([]);
});

test('a notice stays while one of several others still waits, and for facts about other lines', () => {
  const waiting = [
    { picker: 'Ben', item_id: 77 },
    { picker: 'Carl', item_id: 78 },
  ];
  const notices = noticesOf(ownFact({ waiting }));
  expect(hearPresses(notices, [itemFact(9, { state: 'done' })], 'Anna')).toBe(notices);
  const after = hearPresses(notices, [itemFact(77, { state: 'done', quantity_fulfilled: 5 })], 'Anna');
  expect(after.map(({ others }) => others.map(({ picker }) => picker))).toEqual([['Carl']]);
  expect(hearPresses(after, [itemFact(78, { state: 'done', quantity_fulfilled: 5 })], 'Anna')).toEqual([]);
});

test('shows the same press once, also if its fact comes again after a lost connection', () => {
  const notices = noticesOf(bookedFact());
  expect(hearPresses(notices, [bookedFact()], 'Anna')).toBe(notices);
});

test('keeps notices for the person in this browser, and says why an answer was refused', () => {
  const open = () => createPresses(browserStorage(), 'Anna', () => at);
  const presses = open();
  expect(presses.hear([bookedFact()])).toBe(true);
  const [notice] = open().list();
  expect(notice).toMatchObject({ place: 'A-1', own: 1 });
  presses.answered(notice?.key ?? '', 'k1');
  expect([presses.list(), open().list()]).toEqual([[], []]);
  const action = { kind: 'undo', key: 'k1', order_number: 'SO-9', item_id: 77, place: 'A-1', instead: 1 } as const;
  const failure = { code: 'conflict', message: 'Both are booked. Nothing was changed.' } as const;
  expect(presses.sent({ action, outcome: 'refused', failure })).toBe(true);
  expect(presses.list().map(pressWords)).toEqual(['Both are booked. Nothing was changed.']);
  expect(presses.sent({ action, outcome: 'refused', failure })).toBe(false);
});

test('a tab that was frozen does not bring an answered notice back', () => {
  const [tab, frozen] = [1, 2].map(() => createPresses(browserStorage(), 'Anna', () => at));
  for (const each of [tab, frozen]) each?.hear([bookedFact()]);
  tab?.answered(tab.list()[0]?.key ?? '', undefined);
  frozen?.calm();
  tab?.lookAgain();
  frozen?.lookAgain();
  expect([tab?.list(), frozen?.list()]).toEqual([[], []]);
});

test('a refused answer is shown for two minutes after the refusal, even if the press is older', () => {
  let now = at;
  const presses = createPresses(browserStorage(), 'Anna', () => now);
  presses.hear([ownFact()]);
  presses.answered(presses.list()[0]?.key ?? '', 'k1');
  now += ASKED_MS + 1_000;
  const action = { kind: 'undo', key: 'k1', order_number: 'SO-1', item_id: 1, place: 'A-1' } as const;
  presses.sent({ action, outcome: 'refused', failure: { code: 'conflict', message: 'Not undone.' } });
  const shown = (later: number) => presses.list().filter((each) => isAsked(each, now + later)).length;
  expect([shown(0), shown(ASKED_MS - 1), shown(ASKED_MS)]).toEqual([1, 1, 0]);
});

test('a press that a device held is asked about for two minutes from when the page hears of it', () => {
  let now = at + 3 * ASKED_MS;
  const open = () => createPresses(browserStorage(), 'Anna', () => now);
  expect(open().hear([bookedFact()])).toBe(true);
  const shown = () =>
    open()
      .list()
      .filter((each) => isAsked(each, now)).length;
  now += ASKED_MS - 1;
  expect(shown()).toBe(1);
  now += 1;
  expect(shown()).toBe(0);
});

test('a quiet press makes no sound', () => {
  const presses = createPresses(browserStorage(), 'Anna', () => at);
  expect(presses.hear([bookedFact({ quiet: true })])).toBe(false);
  const red = createPresses(browserStorage(), 'Anna', () => at);
  red.hear([bookedFact({ item_id: 79 })]);
  red.calm();
  expect(red.list().map(({ isQuiet }) => isQuiet)).toEqual([true, true]);
});

const ask = (rig: SessionRig, presses: readonly PressNotice[]) => rig.handle({ kind: 'presses', presses });
const answer = (rig: SessionRig, notice: PressNotice | undefined, how: PressAnswer, time?: number) =>
  rig.touch({ touch: 'answerPress', press: notice?.key ?? '', how }, time);
const answered = (rig: SessionRig) =>
  rig.effects.flatMap((effect) => (effect.do === 'answered' ? [[effect.press, effect.by]] : []));

test('"It was mine" gives the press to the line of the person in one action, and continues', () => {
  const rig = openSession(2);
  const [notice] = noticesOf(bookedFact());
  ask(rig, noticesOf(bookedFact()));
  answer(rig, notice, 'mine', rig.now + 1_000);
  expect(rig.actions()).toMatchObject([
    { kind: 'undo', order_number: 'SO-9', item_id: 77, quantity_fulfilled: 1, seen: 6, instead: 1 },
  ]);
  expect(answered(rig)).toEqual([[notice?.key, rig.lastDeed().key]]);
  expect([rig.place(), rig.question(), rig.state().presses]).toEqual(['A-2', undefined, []]);
});

test('if "It was mine" is refused because both are booked, the line is shown again until the station says what became of it', () => {
  const rig = openSession(2);
  const [notice] = noticesOf(bookedFact());
  ask(rig, noticesOf(bookedFact()));
  answer(rig, notice, 'mine', rig.now + 1_000);
  const failure = { code: 'conflict', message: 'Both are booked. Nothing was changed.' } as const;
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure } });
  expect([rig.place(), rig.effects.at(-1)]).toEqual(['A-1', { do: 'reread' }]);
});

test('a refused "It was mine" no longer says that the place is yours', () => {
  const rig = openSession(2);
  const [notice] = noticesOf(bookedFact());
  ask(rig, noticesOf(bookedFact()));
  answer(rig, notice, 'mine', rig.now + 1_000);
  expect(rig.state().last?.text).toBe('A-1 is yours.');
  const failure = { code: 'conflict', message: 'Order SO-1 no longer needs Nut: put back what you took.' } as const;
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure } });
  expect(rig.state().last).toBeUndefined();
});

test('"Not mine" opens the own line again, and takes its reason and its Undo with it', () => {
  const rig = openSession(2);
  rig.press(1, 3);
  expect(rig.question()?.kind).toBe('reason');
  const [notice] = noticesOf(ownFact({ quantity: 3 }));
  ask(rig, noticesOf(ownFact({ quantity: 3 })));
  answer(rig, notice, 'notMine', rig.now + 1_000);
  expect(rig.actions()).toMatchObject([{ kind: 'undo', item_id: 1, quantity_fulfilled: 0, seen: 3 }]);
  expect(rig.lastDeed()).not.toHaveProperty('instead');
  expect([rig.question(), rig.state().undoable]).toEqual([undefined, undefined]);
});

test('each answer is offered to one person only, and OK ends the notice without an action', () => {
  const rig = openSession(2);
  const notices = noticesOf(bookedFact(), ownFact({ item_id: 2 }));
  ask(rig, notices);
  answer(rig, notices[0], 'notMine');
  answer(rig, notices[1], 'mine');
  expect([rig.actions(), rig.state().presses.length]).toEqual([[], 2]);
  answer(rig, notices[0], 'read', rig.now + 1_000);
  expect([rig.actions(), answered(rig)]).toEqual([[], [[notices[0]?.key, undefined]]]);
});

test.each<[string, PickEvent]>([
  ['U', { kind: 'letter', letter: 'u' }],
  ['PICK:UNDO', { kind: 'scan', scan: { code: 'PICK:UNDO', source: 'keyboard' } }],
  ['the Undo button', { kind: 'touch', touch: 'undo' }],
])('%s of the person who waited undoes nothing of the other person, but only what this person did', (_, undo) => {
  const rig = openSession(2);
  ask(rig, noticesOf(bookedFact()));
  rig.handle(undo, rig.now + 1_000);
  expect(rig.actions()).toEqual([]);
  const other = openSession(2);
  other.touch({ touch: 'picked' });
  ask(other, noticesOf(bookedFact({ waiting: [{ picker: 'Anna', item_id: 2 }] })));
  other.handle(undo, other.now + 1_000);
  expect(other.lastDeed()).toMatchObject({ kind: 'undo', order_number: 'SO-1', item_id: 1 });
});

test('PICK:MINE says "It was mine" to the newest press, also while a question is open', () => {
  const rig = openSession(3);
  rig.scan('PICK:MINE');
  expect(rig.state().scanned).toMatchObject({ kind: 'wrong', text: 'No press here could be yours.' });
  const second = bookedFact({ item_id: 78, deviceid: '51D000:000002', waiting: [{ picker: 'Anna', item_id: 2 }] });
  ask(rig, noticesOf(bookedFact(), second, ownFact({ item_id: 3 })));
  rig.touch({ touch: 'others' }, rig.now + 1_000);
  rig.scan('pick:mine', rig.now + 1_000);
  expect(rig.actions()).toMatchObject([{ kind: 'undo', item_id: 78, instead: 2 }]);
});

/** Touches plus or minus, and says that the press of a notice was meant for that line. */
function claimAfter(rig: SessionRig, touch: 'less' | 'more') {
  rig.touch({ touch });
  ask(rig, noticesOf(bookedFact()));
  answer(rig, noticesOf(bookedFact())[0], 'mine', rig.now + 1_000);
}
const claims = (rig: SessionRig) => rig.actions().filter(({ kind }) => kind === 'undo');

test.each([
  ['less', 4],
  ['more', 6],
] as const)('if %s changed the number of the own line, "It was mine" asks for the number first', (touch, set) => {
  const rig = openSession(2);
  claimAfter(rig, touch);
  expect([rig.question(), claims(rig), answered(rig)]).toMatchObject([{ kind: 'mine', typed: set }, [], []]);
  rig.touch({ touch: 'bookCount' }, rig.now + 1_000);
  expect(claims(rig)).toMatchObject([{ item_id: 77, seen: 6, instead: 1, instead_quantity: set }]);
  expect(answered(rig)).toEqual([[noticesOf(bookedFact())[0]?.key, rig.lastDeed().key]]);
  expect([rig.place(), rig.count()]).toEqual(['A-2', undefined]);
});

test('the rest of the own line can be chosen instead of the changed number', () => {
  const rig = openSession(2);
  claimAfter(rig, 'less');
  rig.touch({ touch: 'takeAsked' }, rig.now + 1_000);
  expect(claims(rig)).toMatchObject([{ item_id: 77, instead: 1 }]);
  expect(rig.lastDeed()).not.toHaveProperty('instead_quantity');
  expect([rig.question(), rig.place(), rig.count()]).toEqual([undefined, 'A-2', undefined]);
});

test('closing the question about the number answers nothing', () => {
  const rig = openSession(2);
  claimAfter(rig, 'less');
  rig.touch({ touch: 'close' }, rig.now + 1_000);
  expect([rig.question(), claims(rig), answered(rig), rig.place()]).toEqual([undefined, [], [], 'A-1']);
  expect([rig.state().presses.length, rig.count()?.quantity]).toEqual([1, 4]);
});

test('if a number was typed for the own line without Enter, "It was mine" asks for the number', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'typed', count: 3 });
  ask(rig, noticesOf(bookedFact()));
  answer(rig, noticesOf(bookedFact())[0], 'mine', rig.now + 1_000);
  expect(rig.question()).toMatchObject({ kind: 'mine', typed: 3 });
  rig.touch({ touch: 'bookCount' }, rig.now + 1_000);
  expect(rig.effects.filter(({ do: does }) => does === 'clearTyped')).toHaveLength(1);
});

test.each<[string, (rig: SessionRig) => void]>([
  ['the own line is booked', (rig) => rig.press(1, 4)],
  [
    'the line of the other person is open again',
    (rig) => tellItem(rig, 77, { state: 'active', quantity_fulfilled: 1 }),
  ],
])('the question about the number closes once %s', (_, happen) => {
  const rig = openSession(2);
  claimAfter(rig, 'less');
  happen(rig);
  expect([rig.question()?.kind === 'mine', claims(rig)]).toEqual([false, []]);
});
const tellItem = (rig: SessionRig, id: number, given: Parameters<typeof item>[1]) =>
  rig.handle({ kind: 'told', facts: [itemFact(id, given)] });

test.each<[string, (rig: SessionRig) => void]>([
  ['Short dialog', (rig) => rig.handle({ kind: 'counted', count: 3 }, rig.now + 1_000)],
  ['number pad', (rig) => rig.touch({ touch: 'padKey', key: '3' }, rig.now + 1_000)],
])('"It was mine" waits while the %s holds a number of the own line', (dialog, type) => {
  const rig = openSession(2);
  rig.touch({ touch: dialog === 'number pad' ? 'pad' : 'short' });
  type(rig);
  ask(rig, noticesOf(bookedFact()));
  rig.scan('PICK:MINE', rig.now + 1_000);
  expect([rig.question()?.kind, rig.state().scanned?.text]).toEqual([
    dialog === 'number pad' ? 'pad' : 'short',
    'Finish the question first',
  ]);
  expect(rig.actions()).toEqual([]);
});

test('if "It was mine" with fewer pieces is refused, the page no longer asks for the reason', () => {
  const rig = openSession(2);
  claimAfter(rig, 'less');
  rig.touch({ touch: 'bookCount' }, rig.now + 1_000);
  expect(rig.question()).toMatchObject({ kind: 'reason', fulfilled: 4 });
  const failure = { code: 'conflict', message: 'Both are booked. Nothing was changed.' } as const;
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure } });
  expect([rig.question(), rig.place()]).toEqual([undefined, 'A-1']);
});

test('after a notice was answered, a bounce does not answer the next one', () => {
  const rig = openSession(3);
  const second = bookedFact({ item_id: 78, deviceid: '51D000:000002', waiting: [{ picker: 'Anna', item_id: 2 }] });
  const [one, two] = noticesOf(bookedFact(), second);
  ask(rig, noticesOf(bookedFact(), second));
  const touched = rig.now + 1_000;
  answer(rig, one, 'mine', touched);
  answer(rig, two, 'mine', touched + 100);
  expect(rig.actions()).toHaveLength(1);
  answer(rig, two, 'mine', touched + 300);
  expect(rig.actions()).toHaveLength(2);
});

test('after "It was mine" with fewer pieces, the reason is added to the own line', () => {
  const rig = openSession(2);
  claimAfter(rig, 'less');
  rig.touch({ touch: 'bookCount' }, rig.now + 1_000);
  rig.touch({ touch: 'reason', reason: 'missing' }, rig.now + 1_000);
  expect(rig.actions().slice(-2)).toMatchObject([
    { kind: 'undo', item_id: 77, instead: 1, instead_quantity: 4 },
    { kind: 'reason', item_id: 1, quantity_fulfilled: 4, reason: 'missing' },
  ]);
});

test('"It was mine" waits while an open question holds a number of the own line', () => {
  const rig = openSession(2);
  rig.touch({ touch: 'less' });
  rig.touch({ touch: 'short' }, rig.now + 1_000);
  ask(rig, noticesOf(bookedFact()));
  rig.scan('PICK:MINE', rig.now + 1_000);
  expect([rig.question()?.kind, rig.state().scanned?.text]).toEqual(['short', 'Finish the question first']);
  expect(rig.actions().filter(({ kind }) => kind === 'undo')).toEqual([]);
});

test('a touch that was made before its message was painted does nothing', () => {
  const rig = openSession(3);
  rig.touch({ touch: 'picked' });
  const shown = rig.now + 1_000;
  rig.draws = false;
  ask(rig, noticesOf(bookedFact({ waiting: [{ picker: 'Anna', item_id: 2 }] })));
  const [notice] = rig.state().presses;
  rig.handle({ kind: 'touch', touch: 'answerPress', press: notice?.key ?? '', how: 'mine', madeAt: shown + 10 }, shown);
  expect(rig.actions()).toHaveLength(1);
  rig.handle({ kind: 'drawn' }, shown + 500);
  rig.handle(
    { kind: 'touch', touch: 'answerPress', press: notice?.key ?? '', how: 'mine', madeAt: shown + 400 },
    shown + 501,
  );
  expect(rig.actions()).toHaveLength(1);
  // A press books another line, which Undo means only once its message is painted.
  rig.now = shown + 600;
  rig.press(2);
  rig.handle({ kind: 'drawn' }, shown + 700);
  rig.handle({ kind: 'touch', touch: 'undo', madeAt: shown + 650 }, shown + 701);
  rig.handle({ kind: 'letter', letter: 'u', madeAt: shown + 650 }, shown + 702);
  rig.handle({ kind: 'scan', scan: { code: 'PICK:UNDO', source: 'keyboard', at: shown + 650 } }, shown + 703);
  rig.handle({ kind: 'scan', scan: { code: 'PICK:MINE', source: 'keyboard', at: shown + 650 } }, shown + 704);
  expect(rig.actions()).toHaveLength(1);
  rig.handle({ kind: 'touch', touch: 'undo', madeAt: shown + 720 }, shown + 721);
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 2 });
});

test('while a red notice is shown, the first Enter confirms nothing and only makes it quiet', () => {
  const rig = openSession(2);
  ask(rig, noticesOf(bookedFact()));
  let pressed = 0;
  const enter = (madeAt: number) => rig.handle({ kind: 'enter', madeAt, press: () => (pressed += 1) }, madeAt);
  const effects = enter(rig.now + 1_000);
  expect([effects, rig.state().presses.length]).toEqual([[{ do: 'calm' }], 1]);
  ask(
    rig,
    noticesOf(bookedFact()).map((notice) => ({ ...notice, isQuiet: true })),
  );
  expect(enter(rig.now + 1_000)).toMatchObject([{ do: 'press' }]);
});

test('a notice that comes moves the buttons below it, so a finger on its way does not confirm', () => {
  const rig = openSession(2);
  const shown = rig.now;
  ask(rig, noticesOf(bookedFact()));
  rig.touch({ touch: 'picked' }, shown + 100);
  expect([rig.booked(), rig.sounds().at(-1)]).toEqual([[], 'tick']);
  rig.touch({ touch: 'picked' }, shown + 500);
  expect(rig.booked()).toEqual(['A-1']);
});
