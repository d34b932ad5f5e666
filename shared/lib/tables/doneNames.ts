import { columnKey, columnKeySet } from './columnKey.ts';
import type { StateField } from './stateNames.ts';
import { plainOf, plainSet, type WordState } from './statePhrases.ts';
import { isWeakState, pickStateOf } from './states.ts';

/** Columns of shop programs, by `columnKey`, with the date on which an order was sent. */
const SENT = columnKeySet('oxsenddate');
/** Words for a date. */
const DATES = plainSet(
  'date; dates; datum; fecha; data; dato; at; on; am; le; el; il; op; dnia; zeitpunkt; timestamp; datetime; time',
);
/** Words that change nothing in a name. */
const FILLERS = plainSet('de; du; des; d; l; la; del; della; di; da; van; the; of; flag; yn; was; is');
/** Words for goods that leave. A date of such an event is either planned or past. */
const EVENTS =
  plainSet(`ship; shipping; shipment; dispatch; despatch; send; sending; delivery; fulfillment; fulfilment; completion; goods issue; goods; issue; versand; liefer; lieferung; auslieferung; warenausgang; warenausgangs; zustellung; zustell; sende; absende; absendung; abschlus; abschluss; erledigung; erledigungs; fertigstellung; fertigstellungs;
  expedition; envoi; livraison; sortie; achevement; cloture; envio; finalizacion; cierre; entrega; salida; despacho; expedicion; spedizione; consegna; uscita; invio; completamento; chiusura; verzend; verzending; lever; levering; bezorging; afronding; voltooiing; wysylki; nadania; zakonczenia; realizacji; wysylka; dostawy; dostawa; wydania`);
/** Words for dates that are past, not planned. */
const ACTUAL = plainSet(
  'actual; effective; effectif; reel; reelle; real; efectiva; effettiva; effettivo; tatsachliches; tatsachlicher; tatsachlich; ist; werkelijke; rzeczywista',
);
/** Words with other meanings too: deliver as a whole, finished goods, missing goods, ways to pay, failures. */
const UNSURE = plainSet(
  `complete; complet; completa; completo; komplett; komplette; vollständig; compleet; volledig; kompletny; kompletne; kompletna; kompletnie; fertig; fertiggestellt; finished; collected;
  devolución; devoluciones; credit; abonado; refusé; refusée; failed; fehlgeschlagen; échoué; échouée; fallido; fallito; mislukt; nieudane; lieferbar; unfulfillable`,
);
/** Names that can also mean that the record of the order was deleted. */
const DELETED = plainSet('gelöscht; supprimé; supprimée; eliminado; eliminada; eliminato; verwijderd; usunięte');
/** Words for goods that are picked, but may not have left yet. */
const PICKED = plainSet(
  `picked; packed; kommissioniert; gepickt; gepackt; verpackt; verarbeitet; processed; préparé; préparée; emballé; emballée; traité; traitée;
  preparado; preparada; procesado; procesada; preparato; preparata; ingepakt; spakowane; skompletowane`,
);
const FROZEN = plainSet('frozen; gelée; gelé');
const COMPOUND = /^(\p{L}{4,}?)(?:s|en|n)?(datum|date)$/u;

type DoneField = Extract<StateField, 'shipped_at' | 'canceled_at' | 'refunded_at' | 'on_hold'>;
const FIELDS: ReadonlyMap<WordState | undefined, DoneField> = new Map([
  ['shipped', 'shipped_at'],
  ['canceled', 'canceled_at'],
  ['refunded', 'refunded_at'],
  ['on_hold', 'on_hold'],
]);

/**
 * The meaning of a name that consists of a state and words for dates, in any order: `Completed`, `Refund date`, `Erstattungsdatum`. `isWeak`
 * tells whether it can mean something else, such as `Return`, `Complete` or `Stop`.
 */
export type DoneName = { field: DoneField; isWeak: boolean };

/** Returns the state in the name of a column, or undefined if the name is not a state. */
export function doneName(name: string): DoneName | undefined {
  if (SENT.has(columnKey(name))) return { field: 'shipped_at', isWeak: false };
  const words = wordsOf(name);
  const rest = words.filter(isMeaningful);
  const events = rest.filter((word) => !isIn(ACTUAL, word));
  if (events.length > 0 && events.length < rest.length && events.every((word) => isIn(EVENTS, word)))
    return { field: 'shipped_at', isWeak: false };
  const text = rest.join(' ');
  // Frozen goods.
  if (isIn(FROZEN, text) && !words.some((word) => isIn(DATES, word))) return undefined;
  if (plainOf(text) === 'locked') return { field: 'on_hold', isWeak: true };
  // A date of processing is often that of the order.
  if (rest.length === words.length && rest.length > 0 && rest.every((word) => isIn(PICKED, word)))
    return { field: 'shipped_at', isWeak: true };
  const state = stateOf(text);
  const field = FIELDS.get(state);
  if (field === undefined) return undefined;
  const sure = rest.filter((word) => !isIn(UNSURE, word));
  const isUnsure = (sure.length < rest.length && stateOf(sure.join(' ')) !== state) || isIn(DELETED, name);
  return { field, isWeak: isUnsure || (field !== 'shipped_at' && [text, `${text}e`].some(isWeakState)) };
}

/** Names of columns in which a no means that the order waits, by `columnKey`. */
const RELEASED =
  /^(?:is|ist|order|auftrag)?(?:released|approved|readyto(?:ship|pick)|readyfor(?:shipping|shipment|picking)|pickable|shippable|freigegeben|genehmigt|lieferbar|versandbereit|pickbar|validee?|approuvee?|pretea?expedier|preta?expedier|aprobad[oa]|liberad[oa]|listopara(?:enviar|preparar)|approvat[oa]|vrijgegeven|goedgekeurd|zatwierdzone|zwolnione)$/;

/** Whether a no in the column means that the order is not released yet. */
export function saysReleased(name: string): boolean {
  return RELEASED.test(columnKey(plainOf(name)));
}

/** Names of columns in which a yes means that the order is only a test, by `columnKey`. */
const TESTS =
  /^(?:is)?test(?:order|orders|mode|modus|bestellung|auftrag|bestelling|purchase|transaction|flag)?$|^(?:order)?istest(?:order|bestellung|auftrag)?$|^(?:commande|achat)(?:de)?test$|^pedidode(?:prueba|test)$|^(?:ordine|ordini)di(?:prova|test)$|^zamowienietestowe$|^(?:probe|demo)(?:bestellung|auftrag|order)$/;

/** Names of columns in which a yes means that goods are missing, by `columnKey`. */
const MISSING =
  /^(?:is|has|on|item|order|line)*(?:backorder|backordered|backorders|preorder|preordered|outofstock|imruckstand|ruckstand|ruckstandig|vorbestellung|vorbestellt|ausverkauft|nichtvorratig|enrupture|enrupturedestock|precommande|reliquat|sinstock|agotado|preventa|reserva|nabestelling|inbackorder|uitverkocht|braktowaru|przedsprzedaz)$/;

/** Whether a yes in the column means that the order is only a test, or that its goods are missing. */
export function saysWaits(name: string): boolean {
  const key = columnKey(plainOf(name));
  return TESTS.test(key) || MISSING.test(key);
}

/** States of goods that are missing. The station does not know whether to pick such an order. */
const MISSING_GOODS = columnKeySet(
  `backorder; backordered; back ordered; on backorder; partially backordered; awaiting stock; out of stock; preorder; pre ordered; pre order; Rückstand; im Rückstand; nicht auf Lager; ausverkauft; Vorbestellung; en rupture; en rupture de stock; en attente de réapprovisionnement; en attente de réapprovisionnement (payé); on backorder (paid); nicht vorrätig (bezahlt); pendiente por falta de stock (pagado); in attesa di rifornimento (pagato); in backorder (betaald); précommande;
    sin stock; agotado; preventa; esaurito; preordine; nabestelling; in backorder; uitverkocht; niet op voorraad; brak towaru; brak na stanie; przedsprzedaż`,
);
const TEST_ORDERS = columnKeySet(
  'test; test order; Testbestellung; Testauftrag; commande test; commande de test; pedido de prueba; ordine di prova; testbestelling; zamówienie testowe',
);
const TYPES = /type$|typ$|art$|tipo|soort|rodzaj|kind$/;

/** Whether a text in a column with this name says that goods are missing, or that the order is a test. */
export function namesWaiting(name: string, text: string): boolean {
  const key = columnKey(text);
  return MISSING_GOODS.has(key) || (TEST_ORDERS.has(key) && TYPES.test(columnKey(name)));
}

function stateOf(text: string): WordState | undefined {
  return pickStateOf(text) ?? pickStateOf(`${text}e`);
}

/** Whether the column has dates on which goods leave, planned or past, such as `Ship Date` or `Versanddatum`. */
export function isEventDate(name: string): boolean {
  const words = wordsOf(name);
  const rest = words.filter(isMeaningful);
  return rest.length > 0 && words.some((word) => isIn(DATES, word)) && rest.every((word) => isIn(EVENTS, word));
}

/** Whether the column has delivery dates. Unlike shipping dates, these are often promised, and all of them can be overdue. */
export function isDeliveryDate(name: string): boolean {
  return /deliver|liefer|livraison|entrega|consegna|lever|bezorg|dostaw/.test(columnKey(name));
}

/** Splits a name into words. Keeps their spelling, which the search for states needs. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ')
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [, first, last] = COMPOUND.exec(plainOf(word)) ?? [];
      return first === undefined || last === undefined ? [word] : [first, last];
    });
}

const isIn = (words: ReadonlySet<string>, word: string): boolean => words.has(plainOf(word));
const isMeaningful = (word: string): boolean => !isIn(DATES, word) && !isIn(FILLERS, word);

const DOCUMENTS =
  /^(?:document|doc|dokument|beleg|voucher|transaction|vorgangs?)s?(?:type|art|typ|kind)$|^type(?:de|du)?(?:document|piece)$|^tipo(?:de|di)?(?:document[oi]|comprobante)$|^(?:rodzaj|typ)dokumentu$/;
const NO_ORDERS =
  /credit|gutschrift|avoir|abono|rectificativ|return|retour|retoure|ruckgabe|rma|devolucion|zwrot|korekta|storno|cancel|quot|offer|angebot|devis|presupuesto|preventivo|offert|oferta|proforma|estimate|voranschlag/;

/** Whether the column has types of documents, and some are not orders, such as credit notes and quotes. */
export function namesOtherDocuments(name: string, values: readonly string[]): boolean {
  return DOCUMENTS.test(plainKey(name)) && values.some((text) => NO_ORDERS.test(plainKey(text)));
}

const plainKey = (text: string): string => columnKey(plainOf(text));
