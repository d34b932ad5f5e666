import { expect, test } from 'vitest';
import type { Touch } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import { partOf } from '../../../renderer/src/features/pick/session/sessionView.ts';
import { openSession, pickLine, scanResult, type SessionRig } from './pickRig.ts';

const PICKED: Touch = { touch: 'picked' };

/** Scans barcodes of printed commands, one second apart. */
function print(rig: SessionRig, ...commands: string[]): void {
  for (const command of commands) rig.scan(`PICK:${command}`, rig.now + 1_000);
}
const lastDeed = (rig: SessionRig) => rig.actions().at(-1);
const wrong = (rig: SessionRig) => rig.state().scanned?.text;

test('consecutive printed digits form one count, which OK books', () => {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, quantity: 24, ordered_quantity: 24 }));
  print(rig, '1', '2');
  expect(rig.count()).toMatchObject({ itemId: 1, quantity: 12 });
  print(rig, 'OK');
  expect(rig.question()).toMatchObject({ kind: 'short', found: 12 });
  print(rig, 'BACK');
  print(rig, '2', '4', 'OK');
  expect(lastDeed(rig)).toMatchObject({ kind: 'confirm', item_id: 1, quantity: 24 });
  expect(rig.place()).toBe('A-2');
  print(rig, '3');
  expect(rig.count()).toMatchObject({ itemId: 2, quantity: 3 });
});

test('a printed digit begins a new number after five seconds, or after the count was changed in another way', () => {
  const rig = openSession(1);
  print(rig, '1');
  rig.now += 4_500;
  print(rig, '2');
  expect(rig.count()?.quantity).toBe(2);
  rig.handle({ kind: 'sign', by: 1 }, rig.now + 100);
  print(rig, '4');
  expect(rig.count()?.quantity).toBe(4);
});

test('printed digits form one number only on the same line and without another action in between', () => {
  const rig = openSession(2);
  rig.reread((line) => ({ ...line, quantity: 24, ordered_quantity: 24 }));
  print(rig, '1');
  rig.scan('PICK:2', rig.now + 4_900);
  expect(rig.count()?.quantity).toBe(12);
  rig.touch({ touch: 'others' }, rig.now + 300);
  rig.touch({ touch: 'close' }, rig.now + 300);
  rig.scan('PICK:4', rig.now + 300);
  expect(rig.count()?.quantity).toBe(4);
  print(rig, '0', 'BACK', '5');
  expect(rig.count()?.quantity).toBe(45);
  const next = openSession(2);
  print(next, '5');
  next.press(1);
  print(next, '0');
  expect(next.count()).toMatchObject({ itemId: 2, quantity: 0 });
});

test('without a line, printed OK takes the order, or the next one after a complete order, as NEXT does, and PAUSE does nothing', () => {
  const effect = (begin: (rig: SessionRig) => void, command: string) => {
    const rig = openSession(1);
    begin(rig);
    print(rig, command);
    return [rig.effects.at(-1), wrong(rig)];
  };
  const open = { state: 'open', command_id: null } as const;
  const complete = (rig: SessionRig) => rig.item(1, { ...DONE, awaits_scan: false }, { state: 'fulfilled' });
  const left = (rig: SessionRig) => rig.item(1, open, { pickers: [] });
  const pause = (rig: SessionRig) =>
    rig.item(1, open, { pickers: [{ name: 'Anna', color: 'blue', paused: true, deviceid: null }] });
  const launch = { do: 'call', call: { call: 'launch', orderNumber: 'SO-1' } };
  const takeNext = { do: 'open', orderNumber: undefined, takesNext: true };
  for (const begin of [left, pause]) {
    const after = (rig: SessionRig) => {
      begin(rig);
      rig.reread();
    };
    expect(effect(after, 'OK')).toEqual([launch, undefined]);
    expect(effect(after, 'PAUSE')[1]).toBe('PAUSE does nothing here.');
  }
  expect(effect(complete, 'OK')).toEqual([takeNext, undefined]);
  expect(effect(complete, 'NEXT')).toEqual([takeNext, undefined]);
  expect(effect(complete, 'PAUSE')[1]).toBe('PAUSE does nothing here.');
});

test('printed OK and BACK answer questions: BACK rejects too many pieces, and OK joins an order', () => {
  const rig = openSession(1);
  rig.handle({ kind: 'counted', count: 9 });
  rig.touch(PICKED);
  print(rig, 'BACK');
  expect([rig.question(), rig.count()?.quantity]).toEqual([undefined, 5]);
  rig.scan('SO-2');
  const pickers = [{ name: 'Ben', color: 'red', paused: false, deviceid: null }];
  rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SO-2', pickers }));
  print(rig, 'OK');
  expect(rig.effects.at(-1)).toEqual({ do: 'call', call: { call: 'join', orderNumber: 'SO-2' } });
});

test('a printed command clears the message about a wrong scan', () => {
  const rig = openSession(2);
  print(rig, 'REASON1');
  expect(wrong(rig)).toBe('REASON1 does nothing here.');
  print(rig, 'SKIP');
  expect(wrong(rig)).toBeUndefined();
});

test('BACK deletes the last printed digit, and restores the requested quantity once no digit is left', () => {
  const rig = openSession(1);
  print(rig, '1', '2', 'BACK');
  expect(rig.count()?.quantity).toBe(1);
  print(rig, 'BACK');
  expect(rig.count()?.quantity).toBe(5);
  print(rig, 'BACK');
  expect(wrong(rig)).toBe('BACK does nothing here.');
  expect(rig.actions().every(({ kind }) => kind === 'adjust')).toBe(true);
});

test('in Short, printed digits set the pieces found, and REASON closes the line with that reason', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'reasons', reasons: ['missing', 'damaged'] });
  print(rig, 'REASON2');
  expect(wrong(rig)).toBe('REASON2 does nothing here.');
  print(rig, 'SHORT', '3', 'BACK', '2');
  expect(rig.question()).toMatchObject({ kind: 'short', found: 2 });
  print(rig, 'REASON3');
  expect(wrong(rig)).toBe('REASON3 does nothing here.');
  print(rig, 'REASON2');
  expect(lastDeed(rig)).toMatchObject({ kind: 'short', item_id: 1, quantity_fulfilled: 2, reason: 'damaged' });
  expect(rig.place()).toBe('A-2');
});

test('in Short, a digit that would exceed the quantity of the line is ignored', () => {
  const rig = openSession(1);
  print(rig, 'SHORT', '4', '7');
  expect(rig.question()).toMatchObject({ found: 4 });
  expect(rig.sounds().at(-1)).toBe('tick');
});

test('BACK goes back one step in Short, and REASON gives the reason after a press at the shelf closed a line short', () => {
  const rig = openSession(2);
  rig.handle({ kind: 'reasons', reasons: ['missing'] });
  rig.reread((line) => ({ ...line, elsewhere: [{ deviceid: '51D000:000009', location: 'C-9' }] }));
  print(rig, 'SHORT', 'REASON1');
  expect(rig.question()).toMatchObject({ kind: 'short', reason: 'missing' });
  print(rig, 'BACK');
  expect(rig.question()).not.toHaveProperty('reason');
  print(rig, 'BACK');
  expect(rig.question()).toBeUndefined();
  rig.press(1, 3);
  expect(rig.question()?.kind).toBe('reason');
  print(rig, '7');
  expect(wrong(rig)).toBe('7 does nothing here.');
  print(rig, 'REASON1');
  expect(lastDeed(rig)).toMatchObject({ kind: 'reason', quantity_fulfilled: 3, reason: 'missing' });
});

test('printed commands for carts and counts do nothing while picking an order', () => {
  const rig = openSession(1);
  for (const command of ['ALL', 'FULL', 'EMPTY', 'SOME', 'NEXT']) {
    print(rig, command);
    expect(wrong(rig)).toBe(`${command} does nothing here.`);
  }
  expect(rig.actions()).toEqual([]);
});

test('“Light it again” asks the station to light a line without a light', () => {
  const rig = openSession(2);
  rig.touch({ touch: 'others' });
  rig.touch({ touch: 'relight' }, rig.now + 1_000);
  expect(rig.effects.some((effect) => effect.do === 'call')).toBe(false);
  const dark = openSession(0);
  dark.handle({
    kind: 'work',
    lines: [pickLine(1, { deviceid: null, command_id: null, light: false, location: 'C-9' })],
  });
  dark.touch({ touch: 'others' }, 5_000);
  dark.touch({ touch: 'relight' }, 6_000);
  expect(dark.effects).toContainEqual({ do: 'call', call: { call: 'launch', orderNumber: 'SO-1' } });
  expect(dark.state().last?.text).toBe('Looking for a light at C-9…');
});

const DONE = { state: 'done', quantity_fulfilled: 5, command_id: null, awaits_scan: true } as const;

test('asks for a required scan, and “Cannot be scanned” reports this to the station', () => {
  const rig = openSession(2, { scan_required: true });
  rig.press(1);
  expect(partOf(rig.state()).kind).toBe('line');
  rig.item(1, DONE);
  expect(partOf(rig.state())).toMatchObject({ kind: 'verify', item: { id: 1 } });
  print(rig, 'OK');
  expect(wrong(rig)).toBe('OK does nothing here.');
  rig.touch({ touch: 'cannotScan' }, rig.now + 1_000);
  expect(lastDeed(rig)).toMatchObject({ kind: 'verify', item_id: 1, order_number: 'SO-1', seen: 5 });
  expect(rig.place()).toBe('A-2');
});

test('asks for scans of articles picked by somebody who left the order, but not by a colleague who is still picking', () => {
  const rig = openSession(1);
  const ben = { name: 'Ben', color: 'red', paused: false, deviceid: null };
  const anna = { ...ben, name: 'Anna' };
  rig.item(1, { ...DONE, picker: 'Ben' }, { pickers: [anna, ben] });
  expect(partOf(rig.state()).kind).toBe('nothing');
  rig.item(1, {}, { pickers: [anna] });
  expect(partOf(rig.state()).kind).toBe('verify');
  rig.item(1, { picker: null });
  expect(partOf(rig.state()).kind).toBe('verify');
});

test('asks for the scan again if the station refuses to complete the item without it', () => {
  const rig = openSession(1);
  rig.item(1, DONE);
  rig.touch({ touch: 'cannotScan' }, rig.now + 1_000);
  expect(partOf(rig.state()).kind).toBe('sending');
  const action = rig.lastDeed();
  rig.handle({ kind: 'sent', sent: { action, outcome: 'refused', failure: { code: 'conflict', message: 'No.' } } });
  expect(partOf(rig.state()).kind).toBe('verify');
  expect(rig.state().last).toMatchObject({ kind: 'wrong', text: 'The article still needs a scan. No.' });
});

test('letter keys do nothing while an article waits for its scan or a question is open', () => {
  const letters = (rig: SessionRig) =>
    ['s', 'n', 'u'].map((letter) => {
      const { length } = rig.actions();
      rig.handle({ kind: 'letter', letter });
      return [wrong(rig), rig.actions().length - length];
    });
  const none = (text: string) => [text, 0];
  const verify = openSession(2);
  verify.item(1, DONE);
  const [short, skip] = letters(verify);
  expect([short, skip]).toEqual([none('S does nothing here.'), none('N does nothing here.')]);
  const rig = openSession(2);
  rig.touch(PICKED);
  rig.touch({ touch: 'others' }, 2_000);
  expect(letters(rig)).toEqual(['S', 'N', 'U'].map((letter) => none(`${letter} does nothing here.`)));
});

test('the buttons of the next article that waits for its scan ignore touches for 220 ms', () => {
  const rig = openSession(2);
  rig.item(1, DONE);
  rig.item(2, DONE);
  rig.handle({ kind: 'drawn' }, 5_000);
  rig.item(1, { awaits_scan: false });
  rig.touch({ touch: 'cannotScan' }, 5_235);
  expect(rig.actions()).toEqual([]);
  rig.touch({ touch: 'cannotScan' }, 5_236);
  expect(rig.lastDeed()).toMatchObject({ kind: 'verify', item_id: 2 });
});

test('a wrong article books nothing and offers to undo the line', () => {
  for (const answers of [
    [scanResult('lit')],
    [scanResult('wrong_item'), scanResult('wrong_item', { says: 'Not it.' })],
  ]) {
    const rig = openSession(2);
    rig.touch(PICKED);
    rig.item(1, DONE);
    rig.scan('N-1', rig.now + 10_000);
    for (const result of answers) rig.answer(rig.lastAsk(), result);
    expect(rig.state().last).toMatchObject({ kind: 'wrong', undo: { itemId: 1 } });
    expect(rig.sounds().at(-1)).toBe('wrong');
    rig.touch({ touch: 'undo' });
    const undo = rig.lastDeed();
    expect(undo).toMatchObject({ kind: 'undo', item_id: 1 });
    expect(undo).not.toHaveProperty('quantity_fulfilled');
  }
});
