import { expect, test } from 'vitest';
import { whole } from '#shared/lib/station/inParts.ts';
import { createWhenReader } from '#shared/lib/tables/cells/whenIs.ts';
import { mapColumns } from '#shared/lib/tables/mapping.ts';
import { readOrderRows } from '#shared/lib/tables/orders.ts';
import { csvTable } from '../helpers/files/csvTable.ts';
import * as fc from '../helpers/fastCheck.ts';

// Lists as programs of shops and warehouses write them: lines in several rows, rows of text, ruled lines, dates of sending, holds in notes, tests and
// channels, in columns of any order and language. Without a note, no more pieces are picked than a person would pick, and no order that was sent
// or waits.

/** Names of columns by language. */
const LANGUAGES = [
  {
    order: 'Order; Sales order number; Document No.',
    line: 'Line; Line No; Order line ID',
    sku: 'SKU; Item number',
    name: 'Product name; Item title',
    qty: 'Qty; Ordered Qty',
    part: 'Lot Qty; Qty per bin',
    sum: 'Line total; Sum of line',
    lot: 'Lot; Batch',
    place: 'Bin; Bin location',
    customer: 'Customer; Buyer name',
    note: 'Note; Customer note',
    sent: 'SendDate; Dispatch date; OXSENDDATE',
    channel: 'Channel; Sales channel',
  },
  {
    order: 'Auftrag; Auftragsnr.; Belegnr.; Verkaufsbeleg',
    line: 'Pos; Positionsnr.; Zeilennummer',
    sku: 'Artikelnummer; Art.-Nr.',
    name: 'Bezeichnung; Artikelname',
    qty: 'Menge; Bestellmenge',
    part: 'Chargenmenge; Menge je Fach',
    sum: 'Summe der Position; Zeilensumme',
    lot: 'Charge; Los',
    place: 'Lagerplatz; Fach',
    customer: 'Kunde; Kundenname',
    note: 'Bemerkung; Hinweis',
    sent: 'Versanddatum; Absendedatum',
    channel: 'Kanal; Vertriebskanal',
  },
  {
    order: 'Commande; N° de pièce',
    line: 'Ligne; N° ligne',
    sku: 'Référence article; Code article',
    name: 'Désignation; Libellé article',
    qty: 'Quantité; Qté commandée',
    part: 'Qté par lot; Quantité du lot',
    sum: 'Somme de la ligne',
    lot: 'N° de lot',
    place: 'Emplacement; Casier',
    customer: 'Client; Nom du client',
    note: 'Remarque; Commentaire',
    sent: "Date d'envoi; Date d'expédition",
    channel: 'Canal; Canal de vente',
  },
  {
    order: 'Pedido; Nº documento',
    line: 'Línea; Nº línea',
    sku: 'Código de artículo; Referencia artículo',
    name: 'Denominación; Nombre del producto',
    qty: 'Cantidad; Cantidad pedida',
    part: 'Cantidad por lote; Cantidad del lote',
    sum: 'Suma de la línea',
    lot: 'Lote',
    place: 'Ubicación; Casilla',
    customer: 'Cliente; Comprador',
    note: 'Observaciones; Comentario',
    sent: 'Fecha de envío',
    channel: 'Canal de venta',
  },
  {
    order: 'Bestelnummer; Ordernummer; Documentnummer',
    line: 'Regel; Regelnummer',
    sku: 'Artikelcode; Artikelnr.',
    name: 'Omschrijving; Productnaam',
    qty: 'Aantal; Besteld aantal',
    part: 'Aantal per partij; Aantal per vak',
    sum: 'Som van de regel',
    lot: 'Partij',
    place: 'Magazijnlocatie; Vak',
    customer: 'Klant; Klantnaam',
    note: 'Opmerkingen; Notitie',
    sent: 'Verzenddatum',
    channel: 'Verkoopkanaal',
  },
  {
    order: 'Numer zamówienia; Nr zamówienia; Numer dokumentu',
    line: 'Lp.; Pozycja',
    sku: 'Kod towaru; Symbol',
    name: 'Nazwa towaru; Nazwa produktu',
    qty: 'Ilość; Liczba sztuk',
    part: 'Ilość partii; Ilość w miejscu',
    sum: 'Suma pozycji',
    lot: 'Partia',
    place: 'Lokalizacja; Półka',
    customer: 'Klient; Kupujący',
    note: 'Uwagi; Komentarz',
    sent: 'Data nadania; Data wysyłki',
    channel: 'Kanał sprzedaży',
  },
] as const;
type Column = keyof (typeof LANGUAGES)[number];

/** Words for a hold and for a remark that says nothing, in our languages. */
const HOLDS = ['on hold', 'gesperrt', 'en suspens', 'retenido', 'in de wacht', 'wstrzymane'];
const TEXTS = ['Please call first', 'Lieferung bis 10 Uhr', 'Attention, fragile', 'Llamar antes', 'Graag bellen'];
const PLACES = ['A-1-1', 'A-1-2', 'B-2-1'];
const NOW = Date.parse('2026-11-26T12:00:00Z');

const line = fc.record({
  sku: fc.integer({ min: 1, max: 9 }),
  /** Pieces in each row of the line. */
  parts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
});
const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  hasText: fc.boolean(),
  isSent: fc.boolean(),
  isHeld: fc.boolean(),
  isMixed: fc.boolean(),
});
const style = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  /**
   * What the rows of a line say: its parts, its parts and their sum, the whole quantity, or the whole quantity and its parts in another column.
   */
  rows: fc.constantFrom('parts', 'sum', 'whole', 'wholeAndPart'),
  form: fc.constantFrom('list', 'markdown', ',', ';', '\t'),
  hasPlaces: fc.boolean(),
  hasSent: fc.boolean(),
  hasNotes: fc.boolean(),
  hasChannels: fc.boolean(),
});

/** Writes rows in a form. */
function written(rows: readonly (readonly string[])[], form: string): string {
  if (form !== 'list' && form !== 'markdown')
    return rows.map((cells) => cells.map((cell) => `"${cell}"`).join(form)).join('\n');
  const widths = (rows[0] ?? []).map((_name, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const lines = rows.map((cells) => `|${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('|')}|`);
  const rule =
    form === 'list' ? '-'.repeat(lines[0]?.length ?? 3) : `|${widths.map((each) => '-'.repeat(each)).join('|')}|`;
  const [head = '', ...body] = lines;
  return (form === 'list' ? [rule, head, rule, ...body, rule] : [head, rule, ...body]).join('\n');
}

/** Minimum numbers of what must occur in 600 files. */
const MIN = { files: 400, asked: 20, picked: 300, refused: 300, left: 400 };

test('rows of one line, texts, sent orders, holds and channels are read as by a person, in any language and form', () => {
  const seen = { files: 0, asked: 0, picked: 0, refused: 0, left: 0 };
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 5 }), style, fc.gen(), (orders, how, gen) => {
      const pick = (text: string): string => gen(fc.constantFrom, ...text.split(';').map((each) => each.trim()));
      const rows: Map<Column, string>[] = [];
      for (const [at, { lines, hasText, isSent, isHeld, isMixed }] of orders.entries()) {
        const common = new Map<Column, string>([
          ['order', `O-${100 + at}`],
          ['customer', `Customer ${at}`],
        ]);
        if (how.hasSent) common.set('sent', isSent ? '2026-11-25 10:00:00' : '0000-00-00 00:00:00');
        const before = rows.length;
        for (const [index, { sku, parts }] of lines.entries()) {
          const all = parts.reduce((sum, each) => sum + each, 0);
          for (const [part, pieces] of parts.entries()) {
            const isWhole = how.rows === 'whole' || how.rows === 'wholeAndPart';
            const row = new Map(common)
              .set('line', String(index + 1))
              .set('sku', `K-${100 + sku}`)
              .set('name', `Article ${sku}`)
              .set('lot', `L${part}${pieces}x`)
              .set('qty', String(isWhole ? all : pieces));
            if (how.rows === 'wholeAndPart') row.set('part', String(pieces));
            if (how.rows === 'sum') row.set('sum', String(all));
            if (how.hasPlaces) row.set('place', PLACES[part] ?? '');
            rows.push(row);
          }
        }
        const own = rows.slice(before);
        if (how.hasNotes)
          for (const [index, row] of own.entries())
            row.set('note', index === 0 && isHeld ? gen(fc.constantFrom, ...HOLDS) : '');
        if (how.hasChannels) {
          for (const [index, row] of own.entries()) {
            row.set('channel', isMixed && index > 0 ? 'Amazon' : 'Web');
            if (isMixed && index > 0) row.set('customer', `Other ${at}`);
          }
        }
        if (hasText) {
          const text = new Map(common)
            .set('name', gen(fc.constantFrom, ...TEXTS))
            .set('line', String(lines.length + 1));
          rows.splice(before + gen(fc.integer, { min: 1, max: own.length }), 0, text);
        }
      }
      const columns = new Set(rows.flatMap((row) => [...row.keys()]));
      const keys = gen(fc.shuffledSubarray<Column>, [...columns], { minLength: columns.size });
      const table = [
        keys.map((key) => pick(how.language[key])),
        ...rows.map((row) => keys.map((key) => row.get(key) ?? '')),
      ];
      const csv = written(table, how.form);
      const isPlace = (text: string) => PLACES.includes(text);
      const dates = { dateOrder: undefined, timeZone: 'UTC', now: NOW };
      const mapping = whole(mapColumns('orders', csvTable(csv), { isPlace, whenIs: createWhenReader(dates) }));
      if (!mapping.ok) {
        // Nobody knows what a past date of sending means if all orders have one.
        expect(mapping.questions.length, `${mapping.message}\n${csv}`).toBeGreaterThan(0);
        const isAllSent = how.hasSent && orders.every(({ isSent }) => isSent);
        expect(isAllSent, `${mapping.message}\n${csv}`).toBe(true);
        seen.asked += 1;
        return;
      }
      seen.files += 1;
      const read = whole(
        readOrderRows(mapping, {
          decimal: undefined,
          ...dates,
          orderPrefix: '',
          takesLeftOut: false,
          isPlace,
          meantSku: () => undefined,
          articleUnit: () => undefined,
          units: {},
          placePaths: [],
          sharedPlaces: [],
        }),
      );
      if (!read.ok) throw new Error(`${read.message}\n${csv}`);
      for (const [at, { lines, isSent, isHeld, isMixed }] of orders.entries()) {
        const found = read.orders.find(({ number }) => number === `O-${100 + at}`);
        const rowCount = lines.reduce((sum, { parts }) => sum + parts.length, 0);
        if ((how.hasSent && isSent) || (how.hasNotes && isHeld)) {
          expect(found, csv).toBeUndefined();
          seen.left += 1;
          continue;
        }
        const isTwo = how.hasChannels && isMixed && rowCount > 1;
        const isRepeated = how.rows.startsWith('whole') && lines.some(({ parts }) => parts.length > 1);
        if (isTwo) expect(found?.problem, csv).not.toBeNull();
        if (how.rows === 'wholeAndPart' && isRepeated) expect(found?.problem, csv).not.toBeNull();
        if (found?.wanted === undefined) {
          // Without places, equal rows of one line are the same row twice.
          const isTwice =
            !how.hasPlaces && how.rows === 'parts' && lines.some(({ parts }) => new Set(parts).size < parts.length);
          expect(isTwo || isRepeated || isTwice, `${found?.problem?.message ?? 'missing'}\n${csv}`).toBe(true);
          seen.refused += 1;
          continue;
        }
        seen.picked += 1;
        const picked = (found.wanted.items ?? []).reduce((sum, { ordered_quantity: pieces }) => sum + pieces, 0);
        const wanted = lines.reduce((sum, { parts }) => sum + parts.reduce((all, each) => all + each, 0), 0);
        if (isRepeated)
          expect(
            found.rows.some(({ message }) => message.includes('Both are picked')),
            csv,
          ).toBe(true);
        else expect(picked, csv).toBe(wanted);
      }
    }),
    { numRuns: 600 },
  );
  for (const [what, least] of Object.entries(MIN))
    expect({ what, count: seen[what as keyof typeof seen] }).toEqual({
      what,
      count: expect.toSatisfy((count: number) => count > least),
    });
});
