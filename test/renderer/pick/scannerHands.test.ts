import { expect, test } from 'vitest';
import { partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import type { BatchInput } from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import type { PickEvent } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import {
  entryPatienceMs,
  type EntryStep,
  nextEntryKey,
  nextEntrySilence,
  nextEntryText,
  NO_ENTRY,
} from '../../../renderer/src/scan/entry.ts';
import type { WedgeKey } from '../../../renderer/src/scan/wedge.ts';
import { type Scan, scanOfEntry } from '../../../renderer/src/scan/windowScans.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { cartBatch, cartLine, cartShare, startRig, wallBatch } from '../batch/cartRig.ts';
import { scannerKeys } from '../scan/scannerKeys.ts';
import { openSession, scanResult } from './pickRig.ts';

/** Events that both sessions handle. */
type KeyEvent = Extract<
  PickEvent & BatchInput,
  { kind: 'enter' | 'unreadable' | 'scan' | 'counted' | 'letter' | 'inertEnter' }
>;

const NAMES = { has: () => false, haveNumbers: false };

/** A page at which people scan. `enter` presses the main button, which has the focus. */
type ScannedPage = {
  handle(event: KeyEvent, now: number): void;
  enter(at: number, now: number): void;
  draw(now: number): void;
  /** Names of everything that was booked. */
  booked(): readonly string[];
};

function orderPage(): ScannedPage {
  const rig = openSession(6);
  return {
    handle: (event, now) => void rig.handle(event, now),
    enter: (at, now) => void rig.handle({ kind: 'touch', touch: 'picked', madeAt: at, via: 'enter' }, now),
    draw: (now) => void rig.handle({ kind: 'drawn' }, now),
    booked: () => rig.booked(),
  };
}

function batchPage(rig: ReturnType<typeof startRig>): ScannedPage {
  return {
    handle: (event, now) => rig.handleAt(event, now),
    enter(at, now) {
      const touch = partOf(rig.state()).kind === 'put' ? 'putAll' : 'picked';
      rig.handleAt({ kind: 'touch', touch, madeAt: at, via: 'enter' }, now);
    },
    draw: (now) => rig.handleAt({ kind: 'drawn' }, now),
    booked: () => rig.acts().map(({ does }) => does),
  };
}

const lines = [1, 2, 3].map((id) => cartLine(id, { A1: 1 }));
const shares = lines.map((_, index) => cartShare('A1', (index + 1) * 10, { quantity: 1 }));
const PAGES: readonly [string, () => ScannedPage][] = [
  ['an order', orderPage],
  ['a cart', () => batchPage(startRig({ batch: cartBatch(shares), lines }))],
  [
    'a cart with full hands',
    () => batchPage(startRig({ batch: cartBatch([cartShare('A1', 10, { picked: 3, in_hand: 3 })]), lines })),
  ],
  [
    'a wall with a lit slot',
    () => batchPage(startRig({ batch: wallBatch(shares, [['Anna', 'A1', 10, 1]]), lines: [] }, 'Anna', 'wall')),
  ],
];

/** What one scan sends: keys, and texts that come without keys. */
type Sent = { at: number; key?: WedgeKey };

/** Codes that name nothing at these pages. Only a wrong booking can follow from their scan. */
const code = fc.constantFrom('ZZ-99-8', '40063813339', 'ZU-5', '5-N-1', '10418-77');
const scan = fc.record({
  code,
  everyMs: fc.integer({ min: 3, max: 30 }),
  /** For each character, how it arrives. */
  arrives: fc.array(fc.constantFrom('key', 'key', 'lost', 'unidentified', 'text'), { minLength: 12, maxLength: 12 }),
  kind: fc.constantFrom('whole', 'losesSome', 'losesAll', 'prefix'),
  ends: fc.constantFrom('\r', '\r\r', ''),
  /** Further Enters after the scan, such as a bounce or an Enter for the red message. */
  again: fc.option(fc.integer({ min: 20, max: 699 })),
  pauseMs: fc.integer({ min: 6_000, max: 9_000 }),
  lateMs: fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 30, maxLength: 30 }),
});

type Scanned = typeof scan extends fc.Arbitrary<infer T> ? T : never;

/** Returns what a scanner sends from this time on. */
function sentBy({ code: text, everyMs, arrives, kind, ends, again }: Scanned, from: number): Sent[] {
  const keys = scannerKeys(`${kind === 'prefix' ? '\r' : ''}${text}${ends}`, { everyMs, at: from });
  let index = 0;
  const sent = keys.flatMap((key): Sent[] => {
    if (key.key === 'Enter' || key.key === 'Shift') return [{ at: key.at, key }];
    const how = arrives[index++ % arrives.length];
    if (kind === 'losesAll')
      return how === 'unidentified'
        ? [{ at: key.at, key: { ...key, key: 'Unidentified' } }]
        : how === 'text'
          ? [{ at: key.at }]
          : [];
    if (kind !== 'losesSome' || how === 'key') return [{ at: key.at, key }];
    if (how === 'lost') return [];
    return how === 'text' ? [{ at: key.at }] : [{ at: key.at, key: { ...key, key: 'Unidentified' } }];
  });
  const last = sent.at(-1);
  if (again === null || last === undefined || ends === '') return sent;
  const [enter] = scannerKeys('\r', { everyMs, at: last.at + again });
  return enter === undefined ? sent : [...sent, { at: enter.at, key: enter }];
}

/** Handles what scanners send, each key late, and the timers of entries between them. */
function play(page: ScannedPage, scans: readonly Scanned[]): void {
  let entry = NO_ENTRY;
  let busyUntil = 0;
  const take = (step: EntryStep, at: number, now: number): void => {
    entry = step.state;
    if (step.isUnreadable === true) page.handle({ kind: 'unreadable', madeAt: at }, now);
    if (step.isInert === true) page.handle({ kind: 'inertEnter' }, now);
    if (step.enterAt !== undefined) {
      page.handle({ kind: 'enter', madeAt: step.enterAt, press: () => undefined }, now);
      page.enter(step.enterAt, now);
    }
    if (step.entry?.kind === 'scan')
      page.handle({ kind: 'scan', scan: { code: step.entry.scan.code, source: 'keyboard', at } }, now);
    if (step.entry?.kind === 'letter') page.handle({ kind: 'letter', letter: step.entry.letter, madeAt: at }, now);
    if (step.entry?.kind === 'count')
      page.handle({ kind: 'counted', count: step.entry.count, since: step.entry.since, madeAt: at }, now);
  };
  /** Runs the timer of the entry if it is due before this time. Keys that were pressed until then are handled first. */
  const wait = (until: number): void => {
    const patience = entryPatienceMs(entry, NAMES);
    const due = Math.max(busyUntil, entry.lastAt + (patience ?? Infinity));
    if (due < until) take(nextEntrySilence(entry, due, NAMES), entry.lastAt, due);
  };
  let from = 20_000;
  for (const each of scans) {
    page.draw(from - 1_000);
    for (const [index, { at, key }] of sentBy(each, from).entries()) {
      wait(at);
      const now = Math.max(busyUntil, at + (each.lateMs[index % each.lateMs.length] ?? 0));
      busyUntil = now;
      take(key === undefined ? nextEntryText(entry, at) : nextEntryKey(entry, key, NAMES), at, now);
    }
    from = Math.max(from, busyUntil) + each.pauseMs;
    wait(from - 2_000);
  }
}

test.each(PAGES)('at %s, scanners of all kinds book nothing that they did not name', (_, open) => {
  fc.assert(
    fc.property(fc.array(scan, { minLength: 1, maxLength: 6 }), (scans) => {
      const page = open();
      page.draw(15_000);
      // Somebody has scanned here before.
      page.handle({ kind: 'scan', scan: { code: 'ZZ-1', source: 'keyboard', at: 16_000 } }, 16_000);
      play(page, scans);
      expect(page.booked()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('the first scan on a page confirms nothing, unless all of its characters get lost', () => {
  fc.assert(
    fc.property(scan, (first) => {
      const page = orderPage();
      play(page, [{ ...first, kind: first.kind === 'losesAll' ? 'losesSome' : first.kind }]);
      const isLost = first.kind === 'losesAll' || first.kind === 'losesSome';
      if (!isLost) expect(page.booked()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

/** Codes of digits that the pages do not know, but the station does. */
const digits = fc.constantFrom('4006381333931', '0036000291452', '14006381333938', '31415', '96385074');

/** The scan or count of a scanner that pauses once. A slow one types like a person. */
const paused = fc.record({
  code: digits,
  cut: fc.integer({ min: 1, max: 13 }),
  everyMs: fc.integer({ min: 3, max: 150 }),
  pauseMs: fc.integer({ min: 400, max: 900 }),
});

function scanPaused({
  code: text,
  cut,
  everyMs,
  pauseMs,
}: typeof paused extends fc.Arbitrary<infer T> ? T : never): Scan {
  const keys = scannerKeys(`${text}\r`, { everyMs, at: 20_000 }).map((key, index) =>
    index < Math.min(cut, text.length - 1) ? key : { ...key, at: key.at + pauseMs },
  );
  let state = NO_ENTRY;
  const entries = keys.flatMap((key) => {
    const step = nextEntryKey(state, key, NAMES);
    ({ state } = step);
    return step.entry ?? [];
  });
  const [entry] = entries;
  if (entries.length !== 1 || entry?.kind !== 'scan') throw new Error(`${text} was read as ${JSON.stringify(entries)}`);
  return scanOfEntry(entry);
}

test('the whole code of a scanner that pauses once reaches the station, never a quantity with a wrong code', () => {
  fc.assert(
    fc.property(paused, (each) => {
      const order = openSession(3);
      order.handle({ kind: 'scan', scan: scanPaused(each) }, 30_000);
      const cart = startRig({ batch: cartBatch(shares), lines });
      cart.handle({ kind: 'scan', scan: scanPaused(each) });
      if (order.lastAsk().code !== each.code) order.answer(order.lastAsk(), scanResult('unknown'));
      if (cart.scans().at(-1) !== each.code)
        cart.handle({ kind: 'answered', scan: scanPaused(each), result: scanResult('unknown') });
      expect(order.lastAsk()).toMatchObject({ code: each.code, step: 'act' });
      expect([order.lastAsk().count, cart.scans().at(-1)]).toEqual([undefined, each.code]);
      expect([order.count(), cart.count(), order.actions(), cart.acts()]).toEqual([undefined, undefined, [], []]);
      order.answer(order.lastAsk(), scanResult('unknown', { says: 'Nobody knows it.' }));
      expect([order.state().scanned?.kind, order.count(), order.asks().length <= 2]).toEqual([
        'wrong',
        undefined,
        true,
      ]);
    }),
    { numRuns: 300 },
  );
});
