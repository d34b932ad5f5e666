import { expect, test } from 'vitest';
import { partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import { cartBatch, cartLine, cartShare, startRig, wallBatch } from './cartRig.ts';

type Rig = ReturnType<typeof startRig>;

const lines = [1, 2, 3].map((id) => cartLine(id, { A1: 1 }));
const shares = lines.map((_, index) => cartShare('A1', (index + 1) * 10, { quantity: 1 }));

/** A cart at which the person confirms only by keys. Everything is painted as soon as it changes. */
function keyCart(): Rig {
  const rig = startRig({ batch: cartBatch(shares), lines });
  rig.handleAt({ kind: 'drawn' }, 10_000);
  return rig;
}

/** Presses Enter on its own, and then the main button of the page, which has the focus. */
function enter(rig: Rig, at: number, touch?: 'go' | 'freeAll'): void {
  rig.handleAt({ kind: 'enter', madeAt: at, press: () => undefined }, at);
  if (!rig.presses()) return;
  const main = partOf(rig.state()).kind === 'put' ? 'putAll' : 'picked';
  rig.handleAt({ kind: 'touch', touch: touch ?? main, madeAt: at, via: 'enter' }, at);
  rig.handleAt({ kind: 'drawn' }, at + 16);
}

const does = (rig: Rig): string[] => rig.acts().map((act) => act.does);

test('Enter picks and puts on a page that has seen no scan', () => {
  const rig = keyCart();
  enter(rig, 12_000);
  enter(rig, 14_100);
  expect(does(rig)).toEqual(['pick', 'put']);
});

test('for an hour after a scan, Enter picks only what a number was typed for', () => {
  const rig = keyCart();
  rig.handleAt({ kind: 'scan', scan: { code: 'X', source: 'keyboard', at: 12_000 } }, 12_000);
  enter(rig, 13_000);
  expect([does(rig), rig.scanned()]).toEqual([[], 'Scan, touch or press the light, or type the number.']);
  rig.handleAt({ kind: 'counted', count: 1, since: 14_000, madeAt: 14_200 }, 14_200);
  enter(rig, 15_000);
  enter(rig, 16_000);
  expect(does(rig)).toEqual(['pick']);
});

test('while an error is shown, the first Enter only closes it', () => {
  const rig = keyCart();
  rig.handleAt({ kind: 'enterRule', rule: 'always' }, 11_000);
  rig.handleAt({ kind: 'unreadable', madeAt: 12_000 }, 12_000);
  enter(rig, 13_000);
  expect([does(rig), rig.scanned()]).toEqual([[], undefined]);
  enter(rig, 14_000);
  expect(does(rig)).toEqual(['pick']);
});

test('three confirmations by Enter within two seconds stop the page, which can undo all', () => {
  const rig = keyCart();
  for (const at of [12_000, 12_600, 13_200]) enter(rig, at);
  expect(does(rig)).toEqual(['pick', 'put', 'pick']);
  expect(rig.state().question).toMatchObject({ kind: 'hasty', asked: [{ place: 'A-1' }, {}, { place: 'A-2' }] });
  enter(rig, 15_000);
  rig.touch({ touch: 'undoAll' });
  expect(does(rig).slice(3)).toEqual(['unpick', 'takeOut', 'unpick']);
  expect(rig.state().question).toBeUndefined();
});

test('undoes all of them, also if the first item was picked again at another place', () => {
  const [first = cartLine(1, { A1: 1 })] = lines;
  const again = cartLine(2, {}, { shares: first.shares ?? [], quantity: 1 });
  const rig = startRig({ batch: cartBatch([cartShare('A1', 10, { quantity: 2 })]), lines: [first, again] });
  rig.handleAt({ kind: 'drawn' }, 10_000);
  for (const at of [12_000, 12_600, 13_200]) enter(rig, at);
  expect(rig.state().undos).toMatchObject([{ does: 'pick', isEarlier: true }, { does: 'put' }, { does: 'pick' }]);
  rig.touch({ touch: 'undoAll' });
  expect(does(rig).slice(3)).toEqual(['unpick', 'takeOut', 'unpick']);
});

test('Enter pressed again and again does not launch a cart, and never frees slots while people scan', () => {
  const rig = startRig({ batch: cartBatch(shares, { state: 'loading' }), lines: [] });
  rig.handleAt({ kind: 'drawn' }, 10_000);
  for (const at of [12_000, 12_300, 12_600]) enter(rig, at, 'go');
  expect(rig.calls()).toEqual([{ call: 'launch' }]);
  const wall = startRig({ batch: wallBatch([]), lines: [] }, 'Anna', 'wall');
  wall.handleAt({ kind: 'scan', scan: { code: 'X', source: 'keyboard', at: 12_000 } }, 12_000);
  wall.handleAt({ kind: 'drawn' }, 13_000);
  enter(wall, 15_000, 'freeAll');
  expect(wall.calls()).toEqual([]);
});
