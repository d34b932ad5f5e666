import { seededFraction } from '../helpers/seeded.ts';

/** Ways to handle a line that only one picker works on. */
export const CLUMSY_WAYS = [
  'scan the place slowly',
  'scan the place fast, with CR and LF',
  'scan the article slowly',
  'scan the article fast',
  'scan a wrong place first',
  'touch',
  'touch twice',
  'press Enter twice',
  'press the shelf',
  'press the shelf twice',
  'press the shelf, and touch what follows too soon',
  'press the shelf out of reach, while a phone counts one piece',
  'count down at the shelf',
  'count down on the page',
  'type fewer',
  'type 50, and say no',
  'undo, and pick again',
  'touch a line without a light',
  'scan the place of a line without a light',
] as const;
export type ClumsyWay = (typeof CLUMSY_WAYS)[number] | 'touch line after line' | 'special';

/** A line, how it is handled, and the expected result. */
export type ClumsyLine = {
  name: string;
  SKU: string;
  place: string;
  /** The device at the place, or undefined if there is none. */
  deviceid: string | undefined;
  ordered: number;
  /** Number of pieces that the picker takes. */
  taken: number;
  way: ClumsyWay;
  /** Milliseconds per key when scanning. */
  everyMs: number;
};
export type ClumsyOrder = { number: string; lines: ClumsyLine[] };

export type ClumsyPlan = {
  /**
   * Creates one picker's orders at these places, which no other picker uses. Each way occurs at least twice, and again
   * on additional lines.
   */
  ordersOf(places: readonly string[], prefix: string): ClumsyOrder[];
  /** Creates an order with lines at these places. The shift itself decides how the lines are handled. */
  special(number: string, places: readonly string[]): ClumsyOrder;
};

const EXTRA_LINES = 3;
const FEWER: readonly ClumsyWay[] = ['count down at the shelf', 'count down on the page', 'type fewer'];
const DARK: readonly ClumsyWay[] = ['touch a line without a light', 'scan the place of a line without a light'];

const COUNTED: ClumsyWay = 'press the shelf out of reach, while a phone counts one piece';

/** Plans the whole shift before it begins. Every second device has plus and minus buttons. */
export function planShift(seed: number, deviceAt: (place: string) => string): ClumsyPlan {
  const fraction = seededFraction(seed);
  const whole = (below: number) => Math.floor(fraction() * below);

  function line(number: string, index: number, place: string, way: ClumsyWay): ClumsyLine {
    const ordered = 2 + whole(4);
    return {
      name: `Part ${number}/${index}`,
      SKU: `SKU-${number.replace('-', '')}-${index}`,
      place,
      deviceid: DARK.includes(way) ? undefined : deviceAt(place),
      ordered,
      taken: FEWER.includes(way) ? 1 + whole(ordered - 1) : ordered,
      way,
      everyMs: way.includes('slowly') || way === DARK[1] ? 70 + whole(81) : 5,
    };
  }

  function shuffled(ways: readonly ClumsyWay[]): ClumsyWay[] {
    const left = [...ways];
    return ways.flatMap(() => left.splice(whole(left.length), 1));
  }

  return {
    ordersOf(places, prefix) {
      const more = Array.from({ length: EXTRA_LINES }, () => CLUMSY_WAYS[whole(CLUMSY_WAYS.length)] ?? 'touch');
      const deck = shuffled([...CLUMSY_WAYS, ...CLUMSY_WAYS, ...more]);
      const orders: ClumsyOrder[] = [];
      for (let from = 0; from < deck.length; from += places.length) {
        const number = `${prefix}-${101 + orders.length}`;
        const ways = deck.slice(from, from + places.length);
        // Counting down at the shelf needs a minus button, so a device with three buttons.
        for (const [index, way] of ways.entries()) {
          const next = ways[index + 1];
          if (way !== 'count down at the shelf' || index % 2 === 1) continue;
          ways[index] = next === undefined || next === way ? 'count down on the page' : next;
          if (next !== undefined && next !== way) ways[index + 1] = way;
        }
        const lines = ways.flatMap((way, index) => {
          const place = DARK.includes(way) ? `Q-${orders.length + 1}-${index + 1}` : (places[index] ?? '');
          // Add two lines at this place, so that a bounce would pick the second one.
          const count = way === 'press the shelf twice' ? 2 : 1;
          return Array.from({ length: count }, (_, nth) => line(number, 2 * index + nth, place, way));
        });
        orders.push({ number, lines });
      }
      const number = `${prefix}-${101 + orders.length}`;
      const lines = places.map((place, index) => line(number, index, place, 'touch line after line'));
      return [...orders, { number, lines }];
    },
    special: (number, places) => ({
      number,
      lines: places.map((place, index) => line(number, index, place, 'special')),
    }),
  };
}

/** Returns the events that the receiver must get for a line. */
export function eventsOf({ way, taken, deviceid }: ClumsyLine): string[] {
  const added = `item_added ${taken}`;
  // A short closed on the page does not acknowledge a command.
  if (deviceid === undefined || way === 'type fewer' || way === 'count down on the page') return [added];
  const picked = [`device_ack ${taken}`, added];
  if (way === COUNTED) return ['item_added 1', ...picked];
  return way === 'undo, and pick again' ? [...picked, 'item_removed 0', ...picked] : picked;
}

/** Returns how many history entries of each kind an order must have. */
export function historyOf({ lines }: ClumsyOrder): Record<string, number> {
  const events = lines.flatMap(eventsOf);
  const count = (...ways: readonly ClumsyWay[]) => lines.filter(({ way }) => ways.includes(way)).length;
  return {
    acknowledged: events.filter((event) => event.startsWith('device_ack')).length,
    order_confirmed: count('touch a line without a light'),
    order_counted: count('scan the place of a line without a light', COUNTED),
    order_short: count(...FEWER),
    order_reopened: count('undo, and pick again'),
    order_corrected: 0,
  };
}

/** Returns the expected state and count of a line once the picker has finished it. */
export const endOf = ({ taken, ordered }: ClumsyLine): string => `${taken < ordered ? 'short' : 'done'} ${taken}`;
