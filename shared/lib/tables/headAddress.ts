import { columnKey } from './columnKey.ts';
import type { AddressField } from './fields.ts';
import type { HeadColumn, HeadReading } from './headColumns.ts';

/** Names of the parts of an address, without what says whose address it is. An earlier name is more exact. */
const NAMES: Readonly<Record<AddressField, string>> = {
  company: 'company; company name; Firma; Firmenname; société; empresa; bedrijf; bedrijfsnaam; nazwa firmy',
  address_1: `address 1; address line 1; address 1&2; Adresszeile 1; Adresse 1; street 1; street; street address; Straße; Straße und Hausnummer;
    Straße Hausnummer; Straße Nr; Strasse; rue; calle; straat; ulica; address; Adresse; Anschrift; dirección; adres`,
  address_2: `address 2; address line 2; Adresszeile 2; Adresse 2; street 2; Adresszusatz; Zusatz; complément d'adresse; Zustellanweisung`,
  address_3: 'address 3; address line 3; Adresszeile 3; Adresse 3; street 3',
  postcode: `zip; zip code; postcode; post code; postal code; PLZ; Postleitzahl; code postal; código postal; kod pocztowy`,
  city: 'city; town; Stadt; Wohnort; Ort; ville; ciudad; población; plaats; woonplaats; miasto; miejscowość',
  region: 'state; province; state province; state code; province code',
  country: 'country code; country; Land; Länderkürzel; pays; país; kraj',
  email: `email; e-mail address; mail; mail address; E-Mail-Adresse; Mailadresse; adresse e-mail; correo; correo electrónico; e-mailadres`,
  phone: `phone; phone number; telephone; telephone number; mobile; tel; Telefon; Telefonnummer; Tel Nr; Handy; Mobil; téléphone; teléfono; telefoon`,
  ordered_at: `ordered at; order date; ordered on; date order date; date ordered; date of order; order placed; order created; order time; created at;
    purchase date; sale date; sold on; Bestelldatum; Auftragsdatum; bestellt am; Datum der Bestellung; verkauft am; date de commande; date commande;
    fecha de pedido; fecha del pedido; fecha pedido; besteldatum; orderdatum; data zamówienia`,
};

/** Each key with its field and its rank among the names of the field. */
const BY_KEY = new Map(
  Object.entries(NAMES).flatMap(([field, names]) =>
    // Safe cast: the fields are the keys of `NAMES`.
    names.split(';').map((name, rank) => [columnKey(name), { field: field as AddressField, rank }] as const),
  ),
);

const SHIPPING =
  /^(?:shipping|shipto|ship|delivery|recipient|postto|liefer|versandnach|versandan|versand|empfanger)|(?:shipping|delivery|lieferung|lieferadresse|empfanger)$/;
const BILLING =
  /^(?:billing|billto|bill|buyer|invoice|customer|kunden|kunde|rechnungs)|(?:billing|invoice|rechnung|rechnungsadresse)$/;

/** Whose address a column is part of. Goods go to the first that the file has. */
const WHOSE = ['shipping', 'any', 'billing'] as const;
type Whose = (typeof WHOSE)[number];
type Part = { field: AddressField; rank: number; whose: Whose; index: number };

/** Fields of which a file has one for the whole order. A billing e-mail fits a shipping address. */
const SINGLE: readonly AddressField[] = ['email', 'phone', 'ordered_at'];
const PLACES: readonly AddressField[] = ['address_1', 'postcode', 'city'];

/** Maps the columns of an address that nothing else uses, by their names. Asks nothing, because a slip can be printed without them. */
export function takeAddress({ columns, fields, states, setAside }: HeadReading): void {
  const used = new Set([...fields.values(), ...states.map(({ index }) => index), ...setAside]);
  const parts = columns.flatMap((column) => (used.has(column.index) ? [] : (partOf(column) ?? [])));
  const whose = WHOSE.find((each) => parts.some((part) => part.whose === each && PLACES.includes(part.field)));
  const best = parts
    .filter(({ field, whose: its }) => SINGLE.includes(field) || its === whose)
    .toSorted((a, b) => WHOSE.indexOf(a.whose) - WHOSE.indexOf(b.whose) || a.rank - b.rank);
  for (const { field, index } of best) if (!fields.has(field)) fields.set(field, index);
}

function partOf({ key, index }: HeadColumn): Part | undefined {
  for (const { whose, rest } of readingsOf(key)) {
    const found = BY_KEY.get(rest) ?? BY_KEY.get(rest.replace(/^(?:address|adresse)/, ''));
    // A state without an owner is that of the order.
    if (found !== undefined && (found.field !== 'region' || whose !== 'any')) return { ...found, whose, index };
  }
  return undefined;
}

/** Returns what a name can mean: as a whole, and without the words that say whose address it is. */
function readingsOf(key: string): { whose: Whose; rest: string }[] {
  return [
    { whose: 'any', rest: key },
    { whose: 'shipping', rest: key.replace(SHIPPING, '') },
    { whose: 'billing', rest: key.replace(BILLING, '') },
  ];
}
