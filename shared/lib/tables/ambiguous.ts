import { columnKey } from './columnKey.ts';
import type { TableField, TableKind } from './fields.ts';

/** Tests for the values of a column (see `fits.ts`). With `never`, the values do not help, so a person must decide. */
export type FitName =
  | 'places'
  | 'deviceids'
  | 'articles'
  | 'directions'
  | 'barcodes'
  | 'codes'
  | 'articleCodes'
  | 'doubtfulCodes'
  | 'titles'
  | 'words'
  | 'goods'
  | 'customers'
  | 'lastNames'
  | 'orderTexts'
  | 'wholeNumbers'
  | 'filled'
  | 'activities'
  | 'different'
  | 'never';

/**
 * Possible meanings of a column name. `may` lists the possible fields, likeliest first, each with the test for the values. `ask` tells when
 * to ask a person if no test passes. `doubt` is a field to ask about in any case if the values pass the test. `isTown` tells whether the
 * name means a town in a file with postal codes. A column is ignored if nobody answers.
 */
export type AmbiguousName = {
  may: readonly (readonly [TableField, FitName])[];
  ask: 'always' | 'needed' | 'never';
  doubt?: readonly [TableField, FitName];
  isTown?: boolean;
};

type AmbiguousRow = { names: string } & AmbiguousName;

const ARTICLE = [
  ['UPC', 'barcodes'],
  ['name', 'words'],
  ['SKU', 'codes'],
] as const satisfies AmbiguousName['may'];

/** Names with different meanings in different files. The values decide, or else a person. */
const ROWS: Readonly<Record<TableKind, readonly AmbiguousRow[]>> = {
  orders: [
    {
      names: 'name; nom; names; namen; naam; nazwa',
      may: [
        ['name', 'goods'],
        ['order_number', 'never'],
        ['warehouse_location', 'places'],
        ['customer_last_name', 'lastNames'],
        ['customer', 'customers'],
      ],
      ask: 'always',
    },
    // "nombre" is the number of pieces in French, and a name in Spanish.
    {
      names: 'nombre',
      may: [
        ['name', 'goods'],
        ['ordered_quantity', 'never'],
      ],
      ask: 'needed',
    },
    {
      names: `item; items; part; parts; Teil; Teile; article; articles; Artikel; Art; artículo; artículos; lineitem;
        product id; article id; Artikel ID; goods; Ware; custom label; towar; towary; artykuł`,
      may: ARTICLE,
      ask: 'needed',
    },
    // In Polish files, this is the article's code.
    {
      names: 'symbol; indeks; sygnatura; kod',
      may: [
        ['UPC', 'barcodes'],
        ['SKU', 'codes'],
      ],
      ask: 'needed',
    },
    // An order is a document, unless the file also has the number of the order.
    {
      names: `document no; document nr; document number; document id; doc no; doc nr; doc number; document ref; Dokumentnummer; Dokument Nr; Dokumentennummer; Verkaufsbeleg; Vertriebsbeleg; Verkaufsbelegnummer; Vorgangsnummer; Vorgangsnr;
        n° de pièce; n° pièce; no de pièce; numéro de pièce; numéro pièce; n° document; n° de document; no document; numéro de document; numéro document;
        nº documento; nº de documento; no documento; número de documento; número documento; num documento; documentnummer; documentnr; numer dokumentu; nr dokumentu; dokument`,
      may: [['order_number', 'filled']],
      ask: 'needed',
    },
    {
      // This is also a form of address.
      names: 'title; Titel; titre; título',
      may: [
        ['name', 'titles'],
        ['SKU', 'never'],
      ],
      ask: 'needed',
    },
    {
      names: `id; number; no; nr; num; Nummer; Nr; numéro; número; code;
        document; Beleg; documento; numer; key; external id; source; Kennung`,
      may: [
        ['UPC', 'barcodes'],
        ['order_number', 'never'],
        ['SKU', 'never'],
        ['shipment_number', 'never'],
      ],
      ask: 'needed',
    },
    // In French and Spanish files, this is the article's code, next to its name.
    {
      names: 'reference; ref; references; Referenz; référence; referencia; referencias; referentie; referencja',
      may: [
        ['UPC', 'barcodes'],
        ['SKU', 'articleCodes'],
        ['order_number', 'never'],
      ],
      ask: 'needed',
      // Beside a column such as Product, it is also the number of a customer's order.
      doubt: ['SKU', 'doubtfulCodes'],
    },
    // Usually a line number.
    { names: 'position; pos; posición; poste', may: [['warehouse_location', 'places']], ask: 'never' },
    {
      names: `location; locations; position code; Lagerort; Standort; Lager; stock location; from; von; zone;
        almacén; magasin; entrepôt; warehouse; locatie; magazijn; lokalizacja; magazyn`,
      may: [['warehouse_location', 'places']],
      ask: 'always',
    },
    { names: 'Ort; lieu; lugar', may: [['warehouse_location', 'places']], ask: 'always', isTown: true },
    { names: 'site; store; Filiale; branch', may: [['warehouse_location', 'places']], ask: 'never' },
    {
      names: `amount; total; sum; Summe; Betrag; Gesamt; Gesamtmenge; montant; somme; importe; suma; count; volume; demand; Bedarf`,
      may: [
        ['ordered_quantity', 'never'],
        ['quantity_to_ship', 'never'],
      ],
      ask: 'needed',
    },
    // This can be either the open or the delivered quantity.
    {
      names: 'Liefermenge; delivery quantity; delivery qty; dlv qty; dlv quantity; offen; open; Rest',
      may: [
        ['quantity_to_ship', 'never'],
        ['ordered_quantity', 'never'],
        ['shipped_quantity', 'never'],
      ],
      ask: 'always',
    },
    // `takeStates` tests the values of these.
    {
      names: 'status; state; Zustand; statut; état; estado',
      may: [['order_status', 'never']],
      ask: 'never',
    },
    {
      names: 'notes; text; Notizen; texte; texto; notas; info; message; memo',
      may: [
        ['note', 'orderTexts'],
        ['description', 'words'],
      ],
      ask: 'always',
    },
    // Other programs use these names for tills, lamps, and tags on goods.
    {
      names: 'deviceid; device; light; tag; Gerät; Geräte ID; Licht; dispositivo; appareil',
      may: [['deviceid', 'deviceids']],
      ask: 'always',
    },
    {
      names: 'priority; prio; Priorität; Dringlichkeit; priorité; prioridad',
      may: [['priority', 'wholeNumbers']],
      ask: 'never',
    },
    // In a list of deliveries, their number is that of the order to pick. Elsewhere it is the way or the date of delivery.
    {
      names: 'delivery; Lieferung',
      may: [
        ['order_number', 'never'],
        ['shipment_number', 'never'],
      ],
      ask: 'needed',
    },
    { names: 'color; colour; Farbe; couleur; carrier', may: [], ask: 'never' },
  ],
  articles: [
    {
      names: `item; items; article; articles; Artikel; Art; artículo; artículos; title; Titel; titre; título; goods; Ware; custom label`,
      may: ARTICLE,
      ask: 'needed',
    },
    {
      names: `id; number; no; nr; num; Nummer; Nr; numéro; número; numer; code; kod; symbol; indeks; sygnatura; key; external id; Kennung; product id; article id;
        Artikel ID; reference; ref; references; Referenz; référence; referencia; referencias; referentie; referencja`,
      may: [
        ['UPC', 'barcodes'],
        ['SKU', 'codes'],
      ],
      ask: 'needed',
    },
    {
      names: `location; locations; Lagerort; Standort; Ort; Lager; stock location; lieu; zone; lugar; almacén; magasin; entrepôt; warehouse; locatie; magazijn;
        lokalizacja; magazyn`,
      may: [['location', 'places']],
      ask: 'always',
    },
    // Other programs use these names for goods that are new or used.
    { names: 'status; state; Zustand; statut; état; estado', may: [['active', 'activities']], ask: 'never' },
    {
      names:
        'amount; total; sum; Summe; Betrag; Gesamt; montant; importe; suma; count; available; verfügbar; disponible; stan; dostępne; beschikbaar',
      may: [['on_hand', 'never']],
      ask: 'never',
    },
  ],
  locations: [
    // This is the rack of several places, or the place itself if nothing else names it.
    { names: 'Regal; rack; étagère; estantería', may: [['name', 'different']], ask: 'needed' },
    {
      names: 'id; number; no; nr; Nummer; tag; light; identifier; Kennung; identifiant; identificador; código; code',
      may: [['deviceid', 'deviceids']],
      ask: 'needed',
    },
    {
      names: 'position; direction; Richtung; Lage; sens; dirección; posición',
      may: [['deviceIs', 'directions']],
      ask: 'needed',
    },
    {
      names: `item; items; articles; Artikel; artículo; artículos; product; products; Produkt; Produkte; produit; produits; producto; productos;
        reference; ref; references; Referenz; référence; referencia; referencias`,
      may: [['article', 'articles']],
      ask: 'always',
    },
  ],
};

/** Ambiguous names, by `columnKey`. */
export const AMBIGUOUS: Readonly<Record<TableKind, ReadonlyMap<string, AmbiguousName>>> = {
  orders: new Map(ambiguousKeys('orders').map(({ key, row }) => [key, row])),
  articles: new Map(ambiguousKeys('articles').map(({ key, row }) => [key, row])),
  locations: new Map(ambiguousKeys('locations').map(({ key, row }) => [key, row])),
};

/** All ambiguous names with their keys. */
export function ambiguousKeys(kind: TableKind): { called: string; key: string; row: AmbiguousName }[] {
  return ROWS[kind].flatMap((row) =>
    row.names.split(';').map((called) => ({ called: called.trim(), key: columnKey(called), row })),
  );
}
