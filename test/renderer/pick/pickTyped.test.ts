import { expect, test } from 'vitest';
import { openSession, scanResult, type SessionRig } from './pickRig.ts';
import { itemFact } from './pressSupport.ts';

// A typed number belongs to the line for which it was typed, and ends with it.
const type = (rig: SessionRig, count: number | undefined) => rig.handle({ kind: 'typed', count });
const cleared = (rig: SessionRig) => rig.effects.filter((effect) => effect.do === 'clearTyped').length;
const later = (rig: SessionRig) => rig.now + 1_000;

test('Picked takes a number that was typed without Enter', () => {
  const rig = openSession(2);
  type(rig, 3);
  rig.touch({ touch: 'picked' }, later(rig));
  expect([rig.question(), cleared(rig)]).toMatchObject([{ kind: 'short', found: 3, line: { location: 'A-1' } }, 1]);
  rig.touch({ touch: 'reason', reason: 'missing' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', item_id: 1, quantity_fulfilled: 3 });
  rig.touch({ touch: 'picked' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 2, quantity: 5 });
});

test('plus and minus start from a number that was typed without Enter', () => {
  const rig = openSession(1);
  type(rig, 3);
  rig.touch({ touch: 'more' }, later(rig));
  expect([rig.count()?.quantity, cleared(rig)]).toEqual([4, 1]);
});

test('a refused touch keeps the typed number', () => {
  const rig = openSession(2);
  rig.touch({ touch: 'picked' }, later(rig));
  type(rig, 3);
  rig.touch({ touch: 'picked' });
  expect([cleared(rig), rig.state().typing?.count]).toEqual([0, 3]);
});

test('a number typed for one line never becomes that of the next line', () => {
  const rig = openSession(2);
  type(rig, 3);
  rig.press(1);
  expect(cleared(rig)).toBe(1);
  rig.touch({ touch: 'takeAsked' }, later(rig));
  rig.touch({ touch: 'picked' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 2, quantity: 5 });
});

test('Enter sets a typed number for its line, even if the page shows another one by now', () => {
  const rig = openSession(3);
  type(rig, 3);
  // The list is walked from the place of the last press.
  rig.press(2);
  rig.item(2, {}, { pickers: [{ name: 'Anna', color: 'blue', paused: false, deviceid: '51D000:000002' }] });
  expect(rig.place()).toBe('A-3');
  rig.handle({ kind: 'counted', count: 3 }, later(rig));
  expect(rig.count()).toMatchObject({ itemId: 1, quantity: 3 });
});

test('a reason takes a number typed in the Short dialog', () => {
  const rig = openSession(1);
  rig.touch({ touch: 'short' }, later(rig));
  type(rig, 2);
  rig.touch({ touch: 'reason', reason: 'missing' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', quantity_fulfilled: 2 });
});

test('each line keeps its number until it ends', () => {
  const rig = openSession(3);
  rig.handle({ kind: 'counted', count: 3 }, later(rig));
  rig.touch({ touch: 'skip' }, later(rig));
  rig.handle({ kind: 'counted', count: 2 }, later(rig));
  rig.press(2, 2);
  rig.touch({ touch: 'close' }, later(rig));
  rig.touch({ touch: 'picked' }, later(rig));
  expect([rig.place(), rig.lastDeed()]).toMatchObject(['A-1', { kind: 'confirm', item_id: 3, quantity: 5 }]);
  rig.touch({ touch: 'picked' }, later(rig));
  expect(rig.question()).toMatchObject({ kind: 'short', found: 3 });
});

const standing: [string, (rig: SessionRig) => void][] = [
  ['typed without Enter', (rig) => type(rig, 3)],
  [
    'typed in the number pad',
    (rig) => {
      rig.touch({ touch: 'pad' }, later(rig));
      rig.touch({ touch: 'padKey', key: '3' }, later(rig));
    },
  ],
  [
    'in the Short dialog',
    (rig) => {
      rig.touch({ touch: 'short' }, later(rig));
      rig.handle({ kind: 'counted', count: 3 }, later(rig));
    },
  ],
  ['that the device did not get', (rig) => rig.handle({ kind: 'counted', count: 3 }, later(rig))],
];

test.each(standing)('after a press that booked another number, the page asks which one counts: %s', (_, begin) => {
  const rig = openSession(2);
  begin(rig);
  rig.press(1);
  expect(rig.question()).toMatchObject({ kind: 'differs', booked: 5, typed: 3 });
  rig.touch({ touch: 'bookCount' }, later(rig));
  // One step replaces what the press has booked. Then the page asks for the reason.
  expect(rig.lastDeed()).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 3, seen: 0, instead: 5 });
  expect(rig.question()).toMatchObject({ kind: 'reason', fulfilled: 3, line: { location: 'A-1' } });
  rig.touch({ touch: 'reason', reason: 'missing' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'reason', item_id: 1, quantity_fulfilled: 3, reason: 'missing' });
  // Undo takes back all of it.
  rig.touch({ touch: 'undo' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 1, quantity_fulfilled: 0, seen: 3 });
});

test('once somebody has opened the line again, the page no longer asks which number counts', () => {
  const rig = openSession(2);
  type(rig, 3);
  rig.press(1);
  rig.handle({ kind: 'told', facts: [itemFact(1, { state: 'done', quantity_fulfilled: 5 })] });
  expect(rig.question()?.kind).toBe('differs');
  rig.handle({ kind: 'told', facts: [itemFact(1, { state: 'active', quantity_fulfilled: 0 })] });
  expect([rig.question(), rig.actions()]).toEqual([undefined, []]);
});

test('if the typed number is refused, the page does not ask for its reason', () => {
  const rig = openSession(2);
  type(rig, 3);
  rig.press(1);
  rig.touch({ touch: 'bookCount' }, later(rig));
  expect(rig.question()?.kind).toBe('reason');
  const failure = { code: 'outdated', message: 'It has changed.' } as const;
  rig.handle({ kind: 'sent', sent: { action: rig.lastDeed(), outcome: 'refused', failure } });
  expect(rig.question()).toBeUndefined();
});

test('one touch keeps what the light booked', () => {
  const rig = openSession(2);
  type(rig, 3);
  rig.press(1);
  rig.touch({ touch: 'takeAsked' }, later(rig));
  expect([rig.question(), rig.actions()]).toEqual([undefined, []]);
});

test.each([
  ['more than requested', 7, 5],
  ['as many as requested, after a press that booked fewer', 5, 3],
])('one touch books the typed number instead of the press: %s', (_, typed, pressed) => {
  const rig = openSession(2);
  type(rig, typed);
  rig.press(1, pressed);
  expect(rig.question()).toMatchObject({ kind: 'differs', booked: pressed, typed });
  rig.touch({ touch: 'bookCount' }, later(rig));
  expect([rig.question(), rig.count()]).toEqual([undefined, undefined]);
  expect(rig.actions()).toMatchObject([
    { kind: 'confirm', item_id: 1, quantity: typed, seen: 0, asked: 5, instead: pressed },
  ]);
  // Undo takes back all of it.
  rig.touch({ touch: 'undo' }, later(rig));
  expect(rig.lastDeed()).toMatchObject({ kind: 'undo', item_id: 1, quantity_fulfilled: 0, seen: typed });
});

test('the page asks once before it books more than requested', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count: 50 }, later(rig));
  rig.touch({ touch: 'picked' }, later(rig));
  expect(rig.question()).toMatchObject({ kind: 'over', count: 50 });
  rig.touch({ touch: 'bookCount' }, later(rig));
  expect([rig.question(), rig.lastDeed()]).toMatchObject([undefined, { kind: 'confirm', quantity: 50 }]);
});

test('a press that booked the typed number asks nothing', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count: 3 }, later(rig));
  rig.press(1, 3);
  expect(rig.question()).toMatchObject({ kind: 'reason', fulfilled: 3 });
});

const holding: [string, (rig: SessionRig) => void][] = [
  [
    'Short with a number',
    (rig) => {
      rig.touch({ touch: 'short' }, later(rig));
      rig.touch({ touch: 'found', by: 1 }, later(rig));
    },
  ],
  [
    'Short with a reason',
    (rig) => {
      rig.reread((line) => ({ ...line, elsewhere: [{ deviceid: '51D000:000009', location: 'C-9' }] }));
      rig.touch({ touch: 'short' }, later(rig));
      rig.touch({ touch: 'reason', reason: 'missing' }, later(rig));
    },
  ],
  [
    'the number pad with digits',
    (rig) => {
      rig.touch({ touch: 'pad' }, later(rig));
      rig.touch({ touch: 'padKey', key: '3' }, later(rig));
    },
  ],
  [
    'more than requested',
    (rig) => {
      rig.handle({ kind: 'counted', count: 7 }, later(rig));
      rig.touch({ touch: 'picked' }, later(rig));
    },
  ],
  [
    'what the light booked',
    (rig) => {
      type(rig, 3);
      rig.press(1);
    },
  ],
];

test.each(holding)('a scan changes nothing while a question holds a number or a reason: %s', (_, open) => {
  const rig = openSession(2);
  open(rig);
  const { question } = rig.state();
  expect(question).toBeDefined();
  for (const code of ['A-2', 'SKU-2', 'A-1']) rig.scan(code, later(rig));
  expect([rig.state().question, rig.asks()]).toEqual([question, []]);
  expect([rig.state().scanned?.text, rig.sounds().at(-1)]).toEqual(['Finish the question first', 'tick']);
});

test.each([
  ['Short', { touch: 'short' }, { kind: 'short', found: 3, isSet: true }],
  ['the number pad', { touch: 'pad' }, { kind: 'pad', text: '3' }],
] as const)('a number that is typed into %s and followed by a scan stays in the dialog', (_, touch, question) => {
  const rig = openSession(2);
  rig.touch(touch, later(rig));
  rig.handle({ kind: 'scan', scan: { code: 'A-2', count: 3, source: 'keyboard' } }, later(rig));
  expect([rig.question(), rig.asks()]).toMatchObject([question, []]);
  expect(rig.state().scanned?.text).toBe('Finish the question first');
});

test('a scan of a place closes the question whether to join an order', () => {
  const rig = openSession(2);
  rig.scan('SO-2', later(rig));
  rig.answer(
    rig.lastAsk(),
    scanResult('order', {
      order_number: 'SO-2',
      pickers: [{ name: 'Ben', color: 'red', paused: false, deviceid: null }],
    }),
  );
  expect(rig.question()?.kind).toBe('join');
  rig.scan('A-1', later(rig));
  rig.answer(rig.lastAsk(), scanResult('acknowledged', { item_id: 1, quantity: 5 }));
  expect(rig.question()).toBeUndefined();
});

const empty: [string, (rig: SessionRig) => void][] = [
  ['Short without a number', (rig) => rig.touch({ touch: 'short' }, later(rig))],
  ['the number pad without digits', (rig) => rig.touch({ touch: 'pad' }, later(rig))],
  ['More', (rig) => rig.touch({ touch: 'others' }, later(rig))],
];

test.each(empty)('a scan closes any other question and counts as a scan: %s', (_, open) => {
  const rig = openSession(2);
  open(rig);
  rig.scan('A-2', later(rig));
  expect([rig.question(), rig.asks().map(({ code }) => code)]).toEqual([undefined, ['A-2']]);
});
