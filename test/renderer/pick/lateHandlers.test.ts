import { describe, expect, test } from 'vitest';
import { bySlot, partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { cartBatch, cartLine, cartShare, startRig, wallBatch, wallLine } from '../batch/cartRig.ts';
import { type LateInput, type LatePage, playLate } from './latePage.ts';
import { openSession, scanResult } from './pickRig.ts';

const PLACES = 24;
/** Every place of the cart supplies one piece for the same slot. */
const lines = Array.from({ length: PLACES }, (_, index) => cartLine(index + 1, { A1: 1 }));
const shares = lines.map((_, index) => cartShare('A1', (index + 1) * 10, { quantity: 1 }));

/** A page at an order of many lines. */
function orderPage() {
  const rig = openSession(PLACES);
  rig.draws = false;
  const page = {
    rig,
    shows: () => rig.state().shows,
    place: () => rig.place(),
    booked: () => rig.booked(),
    draw: (at: number) => void rig.handle({ kind: 'drawn' }, at),
    touch: (at: number, now: number) => void rig.handle({ kind: 'touch', touch: 'picked', madeAt: at }, now),
    /** The light of the place that the page shows is pressed. */
    press(now: number): void {
      const id = Number(rig.place()?.slice(2) ?? 0);
      rig.now = now;
      if (id > 0) rig.press(id);
    },
  };
  page.draw(0);
  return page;
}

/** A page at a cart, whose touches confirm picks and puts in turn. */
function cartPage() {
  const rig = startRig({ batch: cartBatch(shares), lines });
  const gone = new Set<string>();
  const page = {
    rig,
    shows: () => rig.state().shows,
    place: () => placeOf(rig),
    booked: () => rig.actions().map(({ place, act }) => (act.does === 'put' ? 'put A1' : place)),
    draw: (at: number) => rig.handleAt({ kind: 'drawn' }, at),
    touch(at: number, now: number): void {
      const touch = partOf(rig.state()).kind === 'put' ? 'putAll' : 'picked';
      rig.handleAt({ kind: 'touch', touch, madeAt: at }, now);
    },
    /** Somebody else takes over the place that the page shows. */
    press(now: number): void {
      const part = partOf(rig.state());
      if (part.kind !== 'walk') return;
      gone.add(part.line.location);
      const left = lines.filter(({ location }) => !gone.has(location));
      rig.handleAt({ kind: 'read', read: { batch: cartBatch(shares), lines: left, settled: new Set() } }, now);
    },
  };
  page.draw(0);
  return page;
}

/** A page at a wall, where scans light one slot after the other. Touches are made at the slot that the page showed last. */
function wallPage() {
  const slots = ['A1', 'A2', 'B1', 'B2'];
  const open = slots.map((slot, index) => cartShare(slot, 10 + index, { quantity: PLACES }));
  const work = [wallLine(1, Object.fromEntries(slots.map((slot) => [slot, PLACES])))];
  const rig = startRig({ batch: wallBatch(open), lines: work }, 'Anna', 'wall');
  let scanned = 0;
  const page = {
    rig,
    shows: () => rig.state().shows,
    place: () => placeOf(rig),
    booked: () =>
      rig.acts().flatMap((act) => (act.does === 'put' ? [`put ${act.pieces.map(({ slot }) => slot).join()}`] : [])),
    draw: (at: number) => rig.handleAt({ kind: 'drawn' }, at),
    touch(at: number, now: number): void {
      const slot = slots[(scanned - 1) % slots.length] ?? 'A1';
      rig.handleAt({ kind: 'touch', touch: 'slot', slot, madeAt: at }, now);
    },
    /** The station lights the next slot for a scanned article. */
    scan(at: number, now: number): void {
      const scan = { code: 'SKU-1', source: 'keyboard', at } as const;
      rig.handleAt({ kind: 'scan', scan }, now);
      const index = scanned++ % slots.length;
      const slot = slots[index] ?? 'A1';
      const settled = new Set(rig.actions().map(({ key }) => key));
      const puts = [{ slot, quantity: 1 }];
      rig.handleAt({ kind: 'sorted', scan, result: scanResult('put', { puts, left_over: 0 }) }, now);
      const batch = wallBatch(open, [['Anna', slot, 10 + index, 1]]);
      rig.handleAt({ kind: 'read', read: { batch, lines: work, settled } }, now);
    },
  };
  page.draw(0);
  return page;
}

/** Returns the part of the page that a touch confirms. */
function placeOf(rig: ReturnType<typeof startRig>): string | undefined {
  const part = partOf(rig.state());
  if (part.kind === 'walk') return part.line.location;
  return part.kind === 'put'
    ? `put ${bySlot(part.pieces)
        .map(({ slot }) => slot)
        .join()}`
    : undefined;
}

const hurried = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 1, max: 900 }),
    lateMs: fc.integer({ min: 0, max: 800 }),
    does: fc.constantFrom<'touch' | 'change'>('touch', 'touch', 'touch', 'change'),
  }),
  { minLength: 1, maxLength: 40 },
);
const frames = fc.integer({ min: 4, max: 120 });

type Moves = Readonly<Record<'touch' | 'change', (at: number, now: number) => void>>;
const PAGES: readonly [string, () => LatePage & { moves: Moves }][] = [
  ['an order', () => withMoves(orderPage(), ({ touch, press }) => ({ touch, change: (_, now) => press(now) }))],
  ['a cart', () => withMoves(cartPage(), ({ touch, press }) => ({ touch, change: (_, now) => press(now) }))],
  ['a wall', () => withMoves(wallPage(), ({ touch, scan }) => ({ touch, change: scan }))],
];

function withMoves<Page extends LatePage>(page: Page, movesOf: (page: Page) => Moves): Page & { moves: Moves } {
  return { ...page, moves: movesOf(page) };
}

describe.each(PAGES)('at %s', (_, open) => {
  test('a touch books only what was painted before it, even if handlers are late by up to 800 ms', () => {
    fc.assert(
      fc.property(hurried, frames, (moves, frameMs) => {
        const page = open();
        let at = 2_000;
        const inputs = moves.map(({ gapMs, lateMs, does }): LateInput => {
          at += gapMs;
          return { at, lateMs, give: page.moves[does] };
        });
        for (const { booked, seen } of playLate(page, inputs, frameMs)) expect(booked).toBe(seen);
      }),
      { numRuns: 60 },
    );
  });

  test('a bounce of 60 to 200 ms books nothing, even if its handler is late by up to 800 ms', () => {
    const touches = fc.array(
      fc.record({
        bounceMs: fc.integer({ min: 60, max: 200 }),
        lateMs: fc.tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 800 })),
      }),
      { minLength: 10, maxLength: 10 },
    );
    fc.assert(
      fc.property(touches, frames, (all, frameMs) => {
        const page = open();
        const inputs = all.flatMap(({ bounceMs, lateMs: [first, second] }, index): LateInput[] => {
          const at = 3_000 * (index + 1);
          const { touch, change } = page.moves;
          return [
            { at: at - 1_500, lateMs: 0, give: index % 2 === 0 ? change : () => undefined },
            { at, lateMs: first, give: touch },
            { at: at + bounceMs, lateMs: second, give: touch },
          ];
        });
        const times = playLate(page, inputs, frameMs).map((booking) => booking.at);
        for (const time of times) expect(times.filter((each) => each > time && each < time + 220)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

const rhythm = fc.array(
  fc.record({ by: fc.integer({ min: -30, max: 30 }), lateMs: fc.integer({ min: 0, max: 199 }) }),
  {
    minLength: 20,
    maxLength: 20,
  },
);

test.each([
  ['an order', orderPage],
  ['a cart', cartPage],
] as const)('at %s, 20 touches 300 ms apart book 20 while handlers are less than 200 ms late', (_, open) => {
  fc.assert(
    fc.property(rhythm, (touches) => {
      const page = open();
      const inputs = touches.map(({ by, lateMs }, index): LateInput => ({
        at: 3_000 + index * 300 + by,
        lateMs,
        give: page.touch,
      }));
      expect(playLate(page, inputs)).toHaveLength(20);
    }),
    { numRuns: 40 },
  );
});

test('at a wall, 20 touches 300 ms after the scan that lit their slot book 20 while handlers are less than 200 ms late', () => {
  fc.assert(
    fc.property(rhythm, (touches) => {
      const page = wallPage();
      const inputs = touches.flatMap(({ by, lateMs }, index): LateInput[] => {
        const at = 3_000 + index * 600;
        return [
          { at, lateMs, give: page.scan },
          { at: at + 300 + by, lateMs, give: page.touch },
        ];
      });
      expect(playLate(page, inputs)).toHaveLength(20);
    }),
    { numRuns: 40 },
  );
});
