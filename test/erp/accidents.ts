import { seededFraction } from '../helpers/seeded.ts';
import type { AccidentMoment } from './accidentProxy.ts';

export type Victim = 'tryton' | 'station' | 'connector' | 'session';
type Accident = { name: string; nth: number; moment: AccidentMoment; victim: Victim };

const OUT = 'model.stock.shipment.out';

/** Kinds of requests that the connector sends for ten shipments (three of them short), and the minimum number of each kind. */
const POINTS: readonly (readonly [name: string, least: number])[] = [
  [`${OUT}.search_read`, 8],
  ['POST /api/orders/', 10],
  ['POST /api/orders/*/launch/', 8],
  ['GET /api/orders/*/', 20],
  ['model.stock.move.draft', 2],
  ['model.stock.move.write', 2],
  ['model.stock.move.assign', 2],
  ['model.ir.note.create', 2],
  [`${OUT}.pick`, 8],
  [`${OUT}.pack`, 8],
  [`${OUT}.done`, 8],
];

/**
 * Plans one kill of the server and one of the connector before and after each kind of request. The seed determines which request of each
 * kind.
 */
export function planAccidents(seed: number, happen: Record<Victim, () => Promise<void>>) {
  const fraction = seededFraction(seed);
  const upTo = (limit: number): number => Math.floor(fraction() * limit);
  const open = POINTS.flatMap(([name, least]) =>
    (['before', 'after'] as const).flatMap((moment): Accident[] => {
      const first = upTo(least);
      const second = (first + 1 + upTo(least - 1)) % least;
      const server = name.includes(' /api/') ? 'station' : 'tryton';
      return [
        { name, moment, nth: first + 1, victim: server },
        { name, moment, nth: second + 1, victim: 'connector' },
      ];
    }),
  );
  open.push({ name: `${OUT}.search_read`, nth: 5, moment: 'before', victim: 'session' });
  const seen = new Map<string, number>();
  return {
    upTo,
    /** Returns the accidents that have not happened yet. */
    open: (): readonly Accident[] => open,
    async at(moment: AccidentMoment, name: string): Promise<void> {
      const key = `${moment} ${name}`;
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      for (const accident of open.filter((each) => each.moment === moment && each.name === name && each.nth === nth)) {
        await happen[accident.victim]();
        open.splice(open.indexOf(accident), 1);
      }
    },
  };
}
