import { expect, test } from 'vitest';
import { next } from '../../../renderer/src/features/pick/session/session.ts';
import type { PickEvent, Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { partOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import { openSession, pickOrder, scanResult, type SessionRig } from './pickRig.ts';

const PICKED: Touch = { touch: 'picked' };
const kinds = (rig: SessionRig) => rig.actions().map(({ kind, place }) => `${kind} ${place}`);

test('a line without a place is called by its article', () => {
  const rig = openSession(1);
  rig.item(1, {});
  rig.reread((line) => ({ ...line, location: '', deviceid: null, command_id: null, light: false, text: 'Cable tie' }));
  rig.touch(PICKED);
  expect(rig.state().last?.text).toBe('Cable tie · 5 picked');
});

test('Picked books the displayed line and immediately shows the next one', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  expect(rig.actions()).toMatchObject([{ kind: 'confirm', place: 'A-1', quantity: 5, seen: 0, command_id: '1' }]);
  expect(rig.place()).toBe('A-2');
  expect(rig.state().last).toMatchObject({ kind: 'right', text: 'A-1 · 5 picked', undo: { itemId: 1, before: 0 } });
});

test('the shelf shows a count before it is confirmed, but at most the requested number', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'sign', by: -1 });
  rig.handle({ kind: 'counted', count: 9 });
  expect(rig.actions()).toMatchObject([
    { kind: 'adjust', quantity: 4 },
    { kind: 'adjust', quantity: 5 },
  ]);
  rig.touch(PICKED);
  expect(rig.question()).toMatchObject({ kind: 'over', count: 9 });
  rig.touch({ touch: 'bookCount' }, rig.now + 300);
  expect(kinds(rig)).toEqual(['adjust A-1', 'adjust A-1', 'confirm A-1']);
  expect(rig.actions().at(-1)).toMatchObject({ quantity: 9 });
  expect(rig.state().last?.kind).toBe('care');
});

test("a count at the shelf replaces the page's count once the station has received the page's count", () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 3 });
  rig.reread((line) => ({ ...line, quantity: 3 }));
  rig.reread((line) => ({ ...line, quantity: 2 }));
  rig.touch(PICKED);
  expect(rig.question()).toMatchObject({ kind: 'short', found: 2 });
});

test.each([
  ['more', 50, 'over'],
  ['fewer', 2, 'short'],
])('a scan of the place asks before booking if %s pieces were counted than requested', (_, count, kind) => {
  const rig = openSession(2);
  rig.handle({ kind: 'counted', count });
  rig.scan('a-1');
  expect(rig.question()?.kind).toBe(kind);
  expect([rig.asks(), rig.booked()]).toEqual([[], []]);
  // The station looks up a code that the page does not know.
  const other = openSession(2);
  other.handle({ kind: 'counted', count });
  other.scan('alias');
  expect(other.asks()).toMatchObject([{ step: 'mean' }]);
  other.answer(other.lastAsk(), scanResult('lit', { item_id: 1, quantity: count }));
  expect(other.question()?.kind).toBe(kind);
});

test('a number typed before a code opens a question too, if it differs from the requested number', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'scan', scan: { code: 'A-2', source: 'keyboard', count: 3 } });
  expect(rig.question()).toMatchObject({ kind: 'short', found: 3, line: { location: 'A-2' } });
  rig.touch({ touch: 'close' }, 2_000);
  rig.handle({ kind: 'scan', scan: { code: 'A-2', source: 'keyboard', count: 5 } });
  expect(rig.asks()).toMatchObject([{ step: 'act', count: 5 }]);
});

test('a press for fewer pieces shows an amber message with Undo, and asks for the reason', () => {
  const rig = openSession(2);
  rig.press(1, 3);
  expect(rig.state().last).toMatchObject({ kind: 'care', text: 'A-1 · 3 found, closed short', undo: { itemId: 1 } });
  expect(rig.question()).toMatchObject({ kind: 'reason', fulfilled: 3, line: { location: 'A-1' } });
  rig.touch({ touch: 'reason', reason: 'damaged' }, rig.now + 700);
  expect(rig.actions()).toMatchObject([{ kind: 'reason', quantity_fulfilled: 3, reason: 'damaged', item_id: 1 }]);
  expect(rig.question()).toBeUndefined();
  // The station may refuse the reason; the message stays.
  rig.handle({
    kind: 'sent',
    sent: { action: rig.lastDeed(), outcome: 'refused', failure: { code: 'conflict', message: 'Over.' } },
  });
  expect(rig.state().last?.kind).toBe('care');
});

test('a press for more pieces shows an amber message with Undo', () => {
  const rig = openSession(2);
  rig.press(1, 7);
  expect(rig.state().last).toMatchObject({ kind: 'care', text: 'A-1 · 7 picked', undo: { itemId: 1 } });
  expect(rig.question()).toBeUndefined();
});

test('a correction at the station is not shown as picked, and has no Undo', () => {
  const rig = openSession(2);
  rig.correct(1);
  expect(rig.state().last).toMatchObject({ kind: 'note', text: 'A-1 was changed at the station: 5 counted.' });
  expect(rig.state().last?.undo).toBeUndefined();
});

test('never shows “Nothing is lit for you” while the last line is being booked', () => {
  const rig = openSession(1);
  const parts: string[] = [];
  const look = () => parts.push(partOf(rig.state()).kind);
  rig.touch(PICKED);
  look();
  rig.reread();
  look();
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null });
  look();
  rig.item(1, {}, { state: 'fulfilled' });
  look();
  expect(parts).toEqual(['sending', 'sending', 'sending', 'done']);
  expect(rig.sounds().at(-1)).toBe('done');
});

test('shows a line again if somebody else lights it again, even if it was booked here', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.item(1, { state: 'done', quantity_fulfilled: 5, command_id: null });
  rig.item(1, { state: 'active', quantity_fulfilled: 0, command_id: '9' });
  expect(rig.place()).toBe('A-1');
});

test('“Wrong place” leads to Short, which asks how many were found', () => {
  const rig = openSession(1);
  rig.touch({ touch: 'others' });
  rig.touch({ touch: 'short' }, rig.now + 1_000);
  expect(rig.question()).toMatchObject({ kind: 'short', found: 0, line: { location: 'A-1' } });
});

test('shows a line again if the station refused to book it, instead of listing it as unbooked', () => {
  const rig = openSession(2);
  rig.touch(PICKED);
  const [action] = rig.actions();
  rig.handle({
    kind: 'sent',
    sent: { action: rig.lastDeed(), outcome: 'refused', failure: { code: 'conflict', message: 'Ended.' } },
  });
  expect(rig.place()).toBe('A-1');
  expect(rig.effects).toContainEqual({ do: 'forget', key: action?.key });
  rig.touch(PICKED, rig.now + 1_000);
  rig.touch({ touch: 'undo' }, rig.now + 1_000);
  const undo = rig.lastDeed();
  rig.handle({
    kind: 'sent',
    sent: { action: undo, outcome: 'refused', failure: { code: 'outdated', message: 'Old.' } },
  });
  expect(rig.state().last?.text).toBe('It was not undone. Old.');
  expect(rig.effects).toContainEqual({ do: 'forget', key: undo.key });
});

test('a typed number of four digits that is not a code becomes a quantity only after a question', () => {
  const rig = openSession(2);
  const scan = (code: string, count?: number) => {
    rig.handle({ kind: 'scan', scan: { code, source: 'keyboard', ...(count === undefined ? {} : { count }) } });
    rig.answer(rig.lastAsk(), scanResult('unknown'));
  };
  scan('1200');
  expect([rig.question(), rig.actions()]).toMatchObject([{ kind: 'number', count: 1_200 }, []]);
  rig.touch({ touch: 'close' }, rig.now + 1_000);
  expect([rig.question(), rig.actions(), rig.place()]).toEqual([undefined, [], 'A-1']);
  scan('1200');
  rig.touch({ touch: 'bookCount' }, rig.now + 1_000);
  // The shelf shows the requested quantity until the person has confirmed more.
  expect(rig.lastDeed()).toMatchObject({ kind: 'adjust', quantity: 5 });
  rig.touch(PICKED, rig.now + 1_000);
  expect(rig.question()).toMatchObject({ kind: 'over', count: 1_200 });
  rig.touch({ touch: 'takeAsked' }, rig.now + 1_000);
  for (const code of ['123456', '4006381333931', 'A1200']) {
    scan(code);
    expect(rig.question(), code).toBeUndefined();
  }
  scan('1200', 2);
  expect(rig.question()).toBeUndefined();
  rig.handle({ kind: 'scan', scan: { code: '1200', source: 'camera' } });
  rig.answer(rig.lastAsk(), scanResult('unknown'));
  expect([rig.question(), rig.booked()]).toEqual([undefined, []]);
});

test('a scan never answers a question: scanning the number of the order in question does not join it', () => {
  const rig = openSession(1);
  const pickers = [{ name: 'Ben', color: 'red', paused: false, deviceid: null }];
  const shared = scanResult('order', { order_number: 'SO-2', pickers });
  for (let times = 0; times < 2; times += 1) {
    rig.scan('SO-2');
    rig.answer(rig.lastAsk(), shared);
    rig.now += 2_000;
  }
  expect(rig.question()).toMatchObject({ kind: 'join', orderNumber: 'SO-2' });
  expect(rig.effects.some((effect) => effect.do === 'call')).toBe(false);
  expect(rig.sounds().at(-1)).toBe('tick');
  rig.touch({ touch: 'join' });
  const call = { call: 'join', orderNumber: 'SO-2' } as const;
  expect(rig.effects.at(-1)).toEqual({ do: 'call', call });
  rig.handle({ kind: 'called', call });
  const says = { kind: 'note', text: 'Order SO-2 is yours now. Order SO-1 is paused.' };
  expect(rig.effects.at(-1)).toEqual({ do: 'open', orderNumber: 'SO-2', says });
});

test('a scan closes Short, but does not answer the question about too many pieces', () => {
  const rig = openSession(2);
  rig.touch({ touch: 'short' });
  rig.scan('A-2');
  expect([rig.question(), rig.asks().length]).toEqual([undefined, 1]);
  rig.handle({ kind: 'counted', count: 9 });
  rig.touch(PICKED, 2_000);
  rig.scan('A-1');
  expect([rig.question()?.kind, rig.booked(), rig.sounds().at(-1)]).toEqual(['over', [], 'tick']);
});

test('the message about a wrong scan stays until the next right scan; a success disappears after six seconds', () => {
  const rig = openSession(3);
  rig.touch(PICKED);
  rig.scan('nonsense');
  rig.answer(rig.lastAsk(), scanResult('unknown'));
  // Other events do not restart the time.
  rig.handle({ kind: 'connection', isLost: true }, 4_000);
  rig.handle({ kind: 'tick' }, 7_001);
  expect([rig.state().last, rig.state().scanned]).toEqual([undefined, { kind: 'wrong', text: 'unknown.' }]);
  rig.scan('A-2');
  rig.answer(rig.lastAsk(), scanResult('acknowledged', { item_id: 2, quantity: 5 }));
  expect([rig.state().scanned, rig.place()]).toEqual([undefined, 'A-3']);
});

test('without the station, the code of a known line confirms it, and other codes are reported', () => {
  const rig = openSession(2);
  const lost = { code: 'unreachable', message: 'Away.' } as const;
  rig.scan('A-1');
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: lost });
  expect(rig.booked()).toEqual(['A-1']);
  rig.scan('nonsense');
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: lost });
  expect(rig.state().scanned).toEqual({ kind: 'wrong', text: 'Away.' });
});

function takeAway(rig: SessionRig): void {
  rig.item(1, { state: 'open', command_id: null }, { pickers: [] });
  rig.reread();
}

const ANYWHERE = new Set(['dismiss', 'undo']);
const TOUCHES: readonly Touch[] = [
  ...(['picked', 'less', 'more', 'short', 'others', 'skip', 'wait', 'undo', 'dismiss', 'close'] as const),
  ...(['bookCount', 'takeAsked', 'back', 'join', 'cannotScan', 'take', 'relight', 'print'] as const),
  ...(['pause', 'leave', 'identify'] as const),
].map((touch) => ({ touch }));

test.each<[string, (rig: SessionRig) => void, readonly string[]]>([
  ['while a line is shown', () => undefined, ['picked', 'less', 'more', 'short', 'others', 'skip', 'wait']],
  ['in Short', (rig) => rig.touch({ touch: 'short' }), ['close']],
  ['in More', (rig) => rig.touch({ touch: 'others' }), ['skip', 'close', 'short', 'pause', 'leave', 'identify']],
  ['when the order is complete', (rig) => rig.item(1, { state: 'done' }, { state: 'fulfilled' }), ['print']],
  ['when the order is aborted', (rig) => rig.item(1, { state: 'cancelled' }, { state: 'aborted' }), []],
  ['before the order is taken', (rig) => takeAway(rig), ['take']],
])('%s, a touch on a button that is not shown changes nothing', (_, begin, allowed) => {
  for (const touch of TOUCHES) {
    const rig = openSession(1);
    begin(rig);
    const before = { ...rig.state(), last: undefined };
    const step = next(before, { kind: 'touch', ...touch }, 9_000);
    const hasMeaning = allowed.includes(touch.touch) || ANYWHERE.has(touch.touch);
    if (hasMeaning) continue;
    expect(step.effects, touch.touch).toEqual([]);
    expect(step.state, touch.touch).toBe(before);
  }
});

test('events without effect in the current state change nothing', () => {
  const rig = openSession(1);
  const action = {
    kind: 'undo',
    key: 'x',
    order_number: 'SO-9',
    item_id: 1,
    place: 'A-1',
    quantity_fulfilled: 0,
  } as const;
  const events: PickEvent[] = [
    { kind: 'connection', isLost: false },
    { kind: 'told', facts: [{ type: 'order.removed', order_number: 'SO-9' }] },
    { kind: 'sent', sent: { action, outcome: 'taken' } },
    { kind: 'touch', touch: 'undo' },
    { kind: 'drawn' },
  ];
  for (const event of events) {
    const before = next(rig.state(), { kind: 'drawn' }, 2_000).state;
    expect(next(before, event, 9_000), event.kind).toEqual({ state: before, effects: [] });
  }
  rig.handle({ kind: 'order', order: pickOrder([], { state: 'aborted' }), isMissing: false });
  rig.handle({ kind: 'counted', count: 3 });
  expect(rig.sounds()).toEqual(['attention', 'tick']);
});

test('shows the person who pressed at the shelf that the press was too early or too late', () => {
  const rig = openSession(2);
  const early = { type: 'press.early', deviceid: '51D000:000001', at: '', location: 'A-1', item_id: 1 } as const;
  rig.handle({ kind: 'told', facts: [{ ...early, picker: 'Ben' }] });
  expect(rig.state().last).toBeUndefined();
  rig.handle({ kind: 'told', facts: [{ ...early, picker: 'Anna' }] });
  expect(rig.state().last).toMatchObject({ kind: 'wrong', text: 'Too early. Press A-1 again.' });
  const late = { type: 'press.late', deviceid: '51D000:000001', at: '', location: 'A-1', quantity: 5 } as const;
  rig.handle({ kind: 'told', facts: [{ ...late, picker: 'Anna' }] });
  expect(rig.state().last?.text).toBe('Pressed for 5 at A-1, already closed.');
});

test('a printed command acts like the button of the same name, and shows a message if there is no such button', () => {
  const rig = openSession(3);
  rig.scan('PICK:OK');
  expect(kinds(rig)).toEqual(['confirm A-1']);
  rig.now += 1_000;
  rig.scan('pick:skip');
  expect(rig.place()).toBe('A-3');
  rig.now += 1_000;
  rig.handle({ kind: 'counted', count: 50 });
  rig.touch(PICKED);
  expect(rig.question()?.kind).toBe('over');
  rig.now += 1_000;
  rig.scan('PICK:BACK');
  expect([rig.question(), kinds(rig).filter((kind) => kind.startsWith('confirm'))]).toEqual([
    undefined,
    ['confirm A-1'],
  ]);
  rig.now += 1_000;
  rig.scan('PICK:SHORT');
  expect(rig.question()?.kind).toBe('short');
  rig.now += 1_000;
  rig.scan('PICK:OK');
  expect(rig.question()?.kind).toBe('short');
  expect(rig.state().scanned).toMatchObject({ kind: 'wrong', text: 'OK does nothing here.' });
  expect(rig.asks()).toEqual([]);
});

test('a scan sends the line and quantity that the page shows, and reports a line that has changed', () => {
  const rig = openSession(2);
  rig.scan('A-2');
  expect(rig.lastAsk()).toMatchObject({ step: 'act', line: { itemId: 2, seen: 0 } });
  const failure = { code: 'outdated', message: 'The code means another line now.' } as const;
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure });
  expect(rig.state().scanned?.text).toBe('A-2 was changed at the station. Look again, then confirm.');
  // Two lines share this code, so the page names no line, and the station asks which one.
  rig.reread((line) => ({ ...line, SKU: 'SAME' }));
  rig.scan('SAME');
  expect(rig.lastAsk().line).toBeUndefined();
});
