import type { CountField } from './fields.ts';
import { wordSet, wordsOfName } from './nameWords.ts';

/** Pieces that a column counts according to its name. Unless `isSure`, its values must fit, and a person must decide. */
type NamedCount = {
  fields: readonly CountField[];
  isSure: boolean;
  /** Whether the name has a word for quantities, so that the column does not contain sums of money. */
  hasAmount: boolean;
  /** Whether only zeros say nothing, because the name can also mean money or missing stock, such as `Balance`, `Versand` or `Backorder`. */
  mayBeMoney: boolean;
  /** Whether finished pieces may include those of other orders, and exceed the ordered quantity. */
  isTotal: boolean;
};

type Word =
  | 'amount'
  | 'filler'
  | 'not'
  | 'to'
  | 'canceled'
  | 'cancel'
  | 'refunded'
  | 'return'
  | 'shipped'
  | 'ship'
  | 'maybe shipped'
  | 'left'
  | 'maybe left'
  | 'other';

/** Words of column names in English, German, French, Spanish, Italian, Dutch and Polish, without accents. A name has them in any order. */
const WORDS: Readonly<Record<Word, string>> = {
  amount: `qty qtys quantity quantities qta quantita qt nb nbre qte qtes quantite quantites menge mengen mge anzahl anz stuck stuecke stueck stk stuckzahl stueckzahl
    cant cantidad cantidades unidades uds piezas pieces pcs pces units ilosc sztuk aantal liczba hoeveelheid quantidade qtd qtde pezzi stuks`,
  filler: `liefer item items line lines lineitem order orders product products article articles artikel position pos sku goods already bereits schon deja ya gia reeds
    so far total gesamt nombre count of der die das den de del della di la le les el los des du von in the now is are was been have has be being as number
    teilweise davon received move moves`,
  not: 'not nicht non no pas noch yet un',
  to: 'to zu a por da te nog still',
  canceled: `canceled cancelled storno stornos storniert stornierte stornierten stornierter annule annulee annules annulees anulado anulada anuladas anulados cancelado abgesagt abgesagte abgesagten
    cancelada canceladas cancelados geannuleerd geannuleerde annullata annullate annullato annullati anulowana anulowane anulowano voided`,
  cancel:
    'cancel rejected declined removed abgelehnt abgelehnte refusee rechazada cancellation cancellations cancelation void annulation anulacion cancelacion',
  refunded: `refunded returned retouren retoure retourniert retournierte retournierten zuruckgesendet zuruckgesendete erstattet erstattete erstatteten
    rembourse remboursee remboursees rembourses retourne retournee retournees reembolsada reembolsado reembolsadas devuelta devuelto devueltas devueltos reso resa resi rese
    rimborsata rimborsate rimborsato terugbetaald geretourneerd geretourneerde zwrocona zwrocono zwrocone`,
  return:
    'refund credited gutschrift avoir avoirs abono refunds return returns ruckgabe retour retours remboursement devolucion devoluciones rimborso reembolso zwrot',
  shipped: `shipped fulfilled dispatched despatched delivered sent picked geliefert gelieferte gelieferten ausgeliefert ausgelieferte versandt versandte versandten
    versendet versendete versendeten verschickt verschickte kommissioniert kommissionierte kommissionierten gepickt gepickte gepickten gepackt gepackte gepackten packed
    preparee preparees preparada preparadas preparado preparados livre livree livrees livres expedie expediee expediees expedies envoye envoyee envoyees
    servida servido servidas enviada enviado enviadas entregada entregado entregadas despachada despachado spedita spedito spedite consegnata consegnato consegnate evasa
    verzonden geleverd geleverde wyslana wyslano wyslane dostarczona dostarczono dostarczone zrealizowana zrealizowano`,
  ship: `ship deliver pick send fulfill fulfil dispatch despatch versand liefern versenden verschicken kommissionieren preparer preparar livrer expedier envoyer enviar servir entregar despachar spedire consegnare
    evadere verzenden leveren wysylki wyslania wydania dostarczenia`,
  'maybe shipped': 'gel ausgel vers',
  left: `remaining outstanding open unfulfilled unshipped undelivered fulfillable unsent offen offene offener offenen rest restlich restliche ausstehend ausstehende
    ruckstandig ruckstandige ruckstand restant restante restantes restants reste pendiente pendientes pdte pdtes rimanente rimanenti residua resterend resterende openstaand openstaande pozostala pozostalo
    ungeliefert ungelieferte unversendet`,
  'maybe left': 'reliquat left due balance current pending backorder backordered backorders',
  // These name money, documents, times or the stock instead.
  other: `amount amounts betrag price prices preis preise prix precio precios prezzo cost costs kosten fee tax steuer value wert montant importe eur usd gbp currency
    discount rabatt invoice invoiced billed invoicing fakturiert fakturierte berechnet berechnete facture facturee facturada facturado fatturata
    id nr code date datum fecha data at on am by via time reason grund motif motivo status state zustand statut etat estado address adresse name label weight gewicht
    hand available stock warehouse lager bestand inventory supplier lieferant purchase vendor tracking carrier method days tage url email`,
};

const KINDS: ReadonlyMap<string, Word> = new Map(
  Object.entries(WORDS).flatMap(([word, texts]) =>
    [...wordSet(texts)].map((text): [string, Word] => [text, word as Word]),
  ),
);

const SURE: Partial<Record<Word, CountField>> = {
  canceled: 'canceled_quantity',
  refunded: 'refunded_quantity',
  shipped: 'shipped_quantity',
  left: 'quantity_to_ship',
};
const UNSURE: Partial<Record<Word, readonly CountField[]>> = {
  ...Object.fromEntries(Object.entries(SURE).map(([word, field]) => [word, [field]])),
  cancel: ['canceled_quantity'],
  return: ['refunded_quantity'],
  'maybe shipped': ['shipped_quantity'],
  ship: ['quantity_to_ship', 'shipped_quantity'],
  'maybe left': ['quantity_to_ship'],
};
const LEFT: ReadonlySet<Word | undefined> = new Set(['left', 'maybe left']);
const WORK: ReadonlySet<Word | undefined> = new Set([...LEFT, 'ship', 'shipped']);
/** Words that make a name a number or a sum, unless it has a word for quantities. */
const COUNTING = wordSet('no number nombre count total gesamt');
/** Words for a number of pieces, or for the number of a document. */
const NUMBER_OF = wordSet('number nombre count');
/** Words that make a sum of pieces possibly that of several orders. */
const TOTALS = wordSet('total gesamt nb nbre');
/** Words in names such as `Anzahl Retouren` or `Qty in open orders`, which may count the returns of a customer or all orders of an article. */
const NUMBERS = wordSet('anzahl anz aantal liczba');
const EVENTS = wordSet('storno stornos retoure retouren');
const ORDERS = wordSet('order orders');
/** Words for pieces that are still to ship, or that the stock lacks. */
const BACKORDERS = wordSet('backorder backordered backorders');
/** Words for open pieces that never mean money. */
const PIECES_LEFT = wordSet(
  `remaining unfulfilled unshipped undelivered fulfillable unsent ungeliefert ungelieferte unversendet ruckstand ruckstandig ruckstandige
    reliquat pick`,
);
/** Maximum number of words of a name. */
const MOST_WORDS = 8;

/** Returns the pieces that a column such as `Cancelled Qty`, `Stornomenge` or `Cant. enviada` counts by its name, or undefined. */
export function namedCount(name: string): NamedCount | undefined {
  const words = wordsOfName(spelledOut(name), (word) => KINDS.has(word));
  const kinds = words.map((word) => KINDS.get(word));
  if (words.length > MOST_WORDS || kinds.includes('other')) return undefined;
  const hasAmount = kinds.includes('amount');
  const found = new Set(kinds.flatMap((each) => (each !== undefined && each in UNSURE ? [each] : [])));
  const [kind] = found;
  if (kind === undefined) return undefined;
  const isKnown = !kinds.includes(undefined);
  // A name such as `Returned to shelf 3` needs a word for quantities, but `Number shipped` can be read by its values.
  const counting = words.filter((word) => COUNTING.has(word));
  const isNumberOf = kind in SURE && kind !== 'left' && counting.every((word) => NUMBER_OF.has(word));
  if (!hasAmount && (!isKnown || (counting.length > 0 && !isNumberOf))) return undefined;
  const before = kinds.slice(0, kinds.indexOf(kind));
  const isDenied = before.includes('not') || before.includes('to');
  const isOfWork = [...found].every((each) => WORK.has(each));
  const isLeft = isDenied ? isOfWork : found.size > 1 && isOfWork && [...found].some((each) => LEFT.has(each));
  const isNoun = !isDenied && [...found].every((each) => LEFT.has(each) || each === 'ship');
  const isClear = hasAmount || words.some((word) => PIECES_LEFT.has(word));
  const mayBeMoney = isNoun && (!isClear || words.some((word) => BACKORDERS.has(word)));
  const isTotal = isOfMore(words, kind);
  const said = { hasAmount, mayBeMoney, isTotal };
  if (isLeft) return { fields: ['quantity_to_ship'], isSure: hasAmount && isKnown, ...said };
  const sure = SURE[kind];
  if (sure !== undefined && found.size === 1 && hasAmount && isKnown && !isDenied)
    return { fields: [sure], isSure: !isTotal, ...said };
  if (found.size > 1 && !hasAmount) return undefined;
  return { fields: [...new Set([...found].flatMap((each) => UNSURE[each] ?? []))], isSure: false, ...said };
}

/**
 * Replaces the Italian `Q.tà`, the Polish `do` before a verb, because `do` is a different word in Portuguese, and `amount` beside a word for
 * picking, because it is money elsewhere.
 */
function spelledOut(name: string): string {
  return name
    .replace(/^q\.t/iu, 'qt')
    .replace(/\bdo (?=wys|wyd|dostarcz)/iu, 'to ')
    .replace(/\bamount(?=[\s_-](?:to[\s_-])?pick)|(?<=\bpick(?:ed)?[\s_-])amount\b/iu, 'qty');
}

/** Whether a column may count pieces beyond its own row. */
function isOfMore(words: readonly string[], kind: Word): boolean {
  const has = (some: ReadonlySet<string>): boolean => words.some((word) => some.has(word));
  return has(TOTALS) || (has(NUMBERS) && has(EVENTS)) || (LEFT.has(kind) && has(ORDERS));
}
