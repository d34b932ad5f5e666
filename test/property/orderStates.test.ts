import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { csvTable } from '../helpers/files/csvTable.ts';
import * as fc from '../helpers/fastCheck.ts';

// Files with states in any column and language: nothing that ended elsewhere is picked, and no other column is misread as a state.

/** Words for a state of an order or a delivery, in our languages. */
const WORDS = {
  open: 'open; Processing; unfulfilled; not shipped; Awaiting shipment; offen; noch nicht versendet; in Bearbeitung; freigegeben; à préparer; non expédiée; en cours; pendiente de envío; no enviado; en proceso; in lavorazione; in behandeling; w realizacji',
  shipped:
    'Shipped; fulfilled; Delivered on 2026-11-24; dispatched; versendet; ausgeliefert; Versandt (DHL); Zugestellt am 24.11.2026; expédiée; livré; déjà envoyée; enviado; entregado el 24/11/2026; spedito; verzonden; wysłane',
  canceled:
    'Canceled; CANCELLED; Cancelled by customer; voided; storniert; Wurde storniert; Auftrag annulliert; annulée; Commande annulée; cancelado; anulado por el cliente; annullato; geannuleerd; anulowane',
  refunded: 'Refunded; rückerstattet; remboursée; reembolsado; rimborsato; terugbetaald',
  held: 'on hold; On-Hold; payment review; zurückgestellt; in Wartestellung; en suspens; retenido; bloqueado; sospeso; wstrzymane; cancellation requested; Stornierung beantragt; annulation demandée',
} as const;
type State = keyof typeof WORDS;
const STATES = Object.keys(WORDS) as State[];
const wordOf = (state: State) => fc.constantFrom(...WORDS[state].split(';').map((word) => word.trim()));

/** Names of columns of states in words. */
const NAMES = [
  'Status',
  'Order status',
  'Fulfillment Status',
  'Lieferstatus',
  'Auftragsstatus',
  'Statut de livraison',
  'Estado del pedido',
  'Stato ordine',
  'Stan zamówienia',
  'Foo',
  'Phase',
  'Column1',
  'Vorgang',
];
/** Columns that say yes or no, or when, each with what yes means. */
const FLAGS: readonly [string, State][] = [
  ['Cancelled', 'canceled'],
  ['Storniert', 'canceled'],
  ['Annulée', 'canceled'],
  ['Anulado', 'canceled'],
  ['Canceled at', 'canceled'],
  ['Shipped', 'shipped'],
  ['Versendet am', 'shipped'],
  ['Livré', 'shipped'],
  ['Enviado', 'shipped'],
  ['On hold', 'held'],
  ['Gesperrt', 'held'],
  ['Refunded', 'refunded'],
  ['Cancellation requested', 'held'],
];
const YES = ['yes', 'true', 'x', 'ja', 'oui', 'sí', '2026-11-24', '24.11.2026 10:00', 'Nov 24, 2026'];
const NO = ['', 'no', 'false', '-', 'nein', 'non'];

/** Columns that do not contain states, each with possible values. */
const OTHERS: readonly [string, readonly string[]][] = [
  ['Payment method', ['PayPal', 'Rechnung', 'Vorkasse', 'Cash on delivery']],
  ['Shipping service', ['DHL', 'Express', 'Standard', 'Pickup']],
  ['Country', ['DE', 'FR', 'Spain']],
  ['Ship State', ['CA', 'NY', 'Bayern']],
  ['Gift wrap', ['yes', 'no']],
  ['Newsletter', ['true', 'false']],
  ['Condition', ['New', 'Used']],
  ['Price', ['2,50', '19.90']],
  ['Cancel by', ['2026-12-24', '']],
  ['Invoice status', ['Fully Invoiced', 'To Invoice']],
  ['Sales channel', ['Web', 'Phone', 'Amazon']],
  ['Refunded amount', ['0.00', '5.00']],
  ['Internal', ['x', '']],
  ['Weight', ['1.5', '20']],
];

const column = fc.oneof(
  fc.record({ kind: fc.constant('words' as const), name: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant('flag' as const), flag: fc.constantFrom(...FLAGS) }),
);
const orders = fc.array(
  fc.record({
    state: fc.constantFrom(...STATES),
    quantity: fc.integer({ min: 1, max: 99 }),
    lines: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const others = fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 5, selector: ([name]) => name });

test('what ended or is held elsewhere is not picked, and everything else is, in any column and language', () => {
  fc.assert(
    fc.property(column, orders, others, fc.nat(9), fc.boolean(), fc.gen(), (kind, shop, extra, at, isBlock, gen) => {
      const isYes = (state: State) => kind.kind === 'flag' && kind.flag[1] === state;
      const textOf = (state: State): string => {
        if (kind.kind === 'words') return gen(wordOf, state);
        return gen(fc.constantFrom, ...(isYes(state) ? YES : NO));
      };
      const isPicked = (state: State): boolean => (kind.kind === 'words' ? state === 'open' : !isYes(state));
      const name = kind.kind === 'words' ? kind.name : kind.flag[0];
      const names = ['Order', 'SKU', 'Qty', ...extra.map(([each]) => each)];
      const place = Math.min(names.length, at);
      const rows = shop.flatMap(({ state, quantity, lines }, index) => {
        const text = textOf(state);
        return Array.from({ length: lines }, (_none, line) => {
          const cells = [isBlock && line > 0 ? '' : `O-${index}`, `K-${line}`, String(quantity)];
          cells.push(...extra.map(([, values]) => gen(fc.constantFrom, ...values)));
          return cells.toSpliced(place, 0, isBlock && line > 0 ? '' : text);
        });
      });
      const csv = [names.toSpliced(place, 0, name), ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(';'));
      const mapping = whole(mapColumns('orders', csvTable(csv.join('\n')), { isPlace: () => false }));
      if (!mapping.ok) throw new Error(mapping.message);
      const read = whole(
        readOrderRows(mapping, {
          decimal: undefined,
          dateOrder: undefined,
          timeZone: 'UTC',
          orderPrefix: '',
          takesLeftOut: false,
          isPlace: () => false,
          meantSku: () => undefined,
          articleUnit: () => undefined,
          units: {},
          placePaths: [],
          sharedPlaces: [],
        }),
      );
      if (!read.ok) throw new Error(read.message);
      const picked = read.orders.map(({ number, wanted }) => [
        number,
        wanted?.items?.map((item) => item.ordered_quantity) ?? 'refused',
      ]);
      expect(picked).toEqual(
        shop.flatMap(({ state, quantity, lines }, index) =>
          isPicked(state) ? [[`O-${index}`, Array.from({ length: lines }, () => quantity)]] : [],
        ),
      );
      const ended = shop.flatMap(({ state }, index) => (!isPicked(state) && state !== 'held' ? [`O-${index}`] : []));
      expect(read.ended.map(({ number }) => number)).toEqual(ended);
    }),
  );
});
