import { expect, test } from 'vitest';
import { openSession, scanResult, type SessionRig } from './pickRig.ts';

// Printed commands and letters that follow a scan which the station has not answered yet.
const LOST = { code: 'unreachable', message: 'Away.' } as const;
const BEN = { name: 'Ben', color: 'red', paused: false, deviceid: null };

const letter = (rig: SessionRig, name: string) => rig.handle({ kind: 'letter', letter: name });
const acknowledged = (id: number) => scanResult('acknowledged', { item_id: id, quantity: 5 });
const deeds = (rig: SessionRig) => rig.actions().map(({ kind, place }) => `${kind} ${place}`);

test('a printed OK after the slip of an order of others joins that order and books nothing', () => {
  const rig = openSession(2);
  rig.scan('SO-2');
  rig.scan('PICK:OK');
  expect([deeds(rig), rig.sounds()]).toEqual([[], []]);
  const effects = rig.answer(rig.lastAsk(), scanResult('order', { order_number: 'SO-2', pickers: [BEN] }));
  expect(effects).toEqual([{ do: 'call', call: { call: 'join', orderNumber: 'SO-2' } }]);
  expect(deeds(rig)).toEqual([]);
});

test.each([
  ['the printed UNDO', (rig: SessionRig) => rig.scan('PICK:UNDO')],
  ['the letter U', (rig: SessionRig) => letter(rig, 'u')],
])('%s after a scan undoes the line of that scan', (_, undo) => {
  const rig = openSession(3);
  rig.touch({ touch: 'picked' });
  rig.scan('A-2');
  undo(rig);
  expect(deeds(rig)).toEqual(['confirm A-1']);
  rig.answer(rig.lastAsk(), acknowledged(2));
  expect(deeds(rig)).toEqual(['confirm A-1', 'undo A-2']);
});

test('printed commands wait for all scans before them, stay in order, and ignore that the page has just changed', () => {
  const rig = openSession(3);
  rig.handle({ kind: 'reasons', reasons: ['missing'] });
  rig.scan('A-1');
  const first = rig.lastAsk();
  rig.scan('alias');
  const second = rig.lastAsk();
  for (const code of ['PICK:SHORT', 'PICK:2', 'PICK:REASON1']) rig.scan(code, rig.now + 100);
  rig.answer(first, acknowledged(1));
  expect([rig.place(), rig.question(), deeds(rig)]).toEqual(['A-2', undefined, []]);
  rig.answer(second, acknowledged(3));
  expect(rig.lastDeed()).toMatchObject({ kind: 'short', item_id: 2, quantity_fulfilled: 2, reason: 'missing' });
});

test('a printed command waits until the station has booked a scan whose meaning it was asked for first', () => {
  const rig = openSession(3);
  rig.handle({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: 5 } });
  rig.scan('PICK:OK');
  rig.answer(rig.lastAsk(), scanResult('lit', { item_id: 1, quantity: 5 }));
  expect([rig.lastAsk().step, deeds(rig)]).toEqual(['act', []]);
  rig.answer(rig.lastAsk(), acknowledged(1));
  expect(deeds(rig)).toEqual(['confirm A-2']);
});

test('without an answer, a printed OK applies to the line after the one of the scan', () => {
  const rig = openSession(3);
  rig.scan('A-1');
  rig.scan('PICK:OK');
  rig.handle({ kind: 'unanswered', ask: rig.lastAsk(), failure: LOST });
  expect(deeds(rig)).toEqual(['confirm A-1', 'confirm A-2']);
});

test('ignores a printed command with a tick if the scan before it was wrong', () => {
  const rig = openSession(2);
  rig.scan('nonsense');
  rig.scan('PICK:OK');
  letter(rig, 'n');
  rig.answer(rig.lastAsk(), scanResult('unknown', { says: 'Nothing has this code.' }));
  expect([deeds(rig), rig.place(), rig.sounds()]).toEqual([[], 'A-1', ['wrong', 'tick', 'tick']]);
  expect(rig.state().scanned?.text).toBe('Nothing has this code.');
  rig.scan('PICK:OK', rig.now + 2_000);
  expect(deeds(rig)).toEqual(['confirm A-1']);
});

test.each([
  ['too many pieces', { kind: 'over', count: 9 }],
  ['an empty place', { kind: 'empty' }],
])('a printed OK does not answer a question about %s that opens only later', (_, question) => {
  const rig = openSession(2);
  rig.handle({ kind: 'scan', scan: { code: 'alias', source: 'keyboard', count: question.kind === 'over' ? 9 : 5 } });
  rig.scan('PICK:OK');
  if (question.kind === 'empty') rig.handle({ kind: 'told', facts: [{ type: 'stock.asked', asked: ASKED_EMPTY }] });
  const answer = scanResult(question.kind === 'over' ? 'lit' : 'already_done', { item_id: 1, quantity: 5 });
  rig.answer(rig.lastAsk(), answer);
  if (question.kind === 'empty') rig.answer(rig.lastAsk(), answer);
  expect([rig.question(), rig.booked(), rig.sounds().at(-1)]).toMatchObject([question, [], 'tick']);
  expect(rig.effects.some((effect) => effect.do === 'call')).toBe(false);
});

const ASKED_EMPTY = {
  SKU: 'X',
  location: 'A-1',
  movement_id: 7,
  what: 'empty',
  deviceid: '51D000:000001',
  order: 'SO-1',
  item: 1,
  picker: 'Anna',
} as const;

test('other inputs do not overtake a printed command that waits', () => {
  const rig = openSession(3);
  rig.scan('A-1');
  rig.scan('PICK:SKIP');
  rig.touch({ touch: 'picked' });
  expect([deeds(rig), rig.sounds()]).toEqual([[], ['tick']]);
  rig.handle({ kind: 'counted', count: 3 });
  rig.scan('A-2');
  rig.answer(rig.lastAsk(), acknowledged(1));
  // Skip applies to the second line, and the count to the third one.
  expect(rig.count()).toMatchObject({ itemId: 3, quantity: 3 });
  expect(rig.asks().map(({ code }) => code)).toEqual(['A-1', 'A-2']);
});

test('a printed command does nothing on a page that the scan before it has left', () => {
  const rig = openSession(2);
  rig.scan('SO-2');
  const slip = rig.lastAsk();
  rig.scan('A-9');
  const place = rig.lastAsk();
  rig.scan('PICK:OK');
  rig.answer(slip, scanResult('order', { order_number: 'SO-2', taken: true }));
  rig.answer(place, scanResult('already_done'));
  expect([deeds(rig), rig.sounds()]).toEqual([[], ['right', 'tick']]);
});
