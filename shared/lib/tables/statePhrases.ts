import { isNo, isYes } from './cells/flags.ts';
import { MONTH_NAMES } from './cells/months.ts';
import { withoutAccents } from './nameWords.ts';

/** What a state means for picking. `unclear` means that the remaining quantity is unknown. */
export type WordState =
  | 'open'
  | 'shipped'
  | 'canceled'
  | 'refunded'
  | 'cancel_requested'
  | 'on_hold'
  | 'unpaid'
  | 'unclear';

/** Maximum number of characters of a state. Longer texts are remarks. */
const MAX_STATE = 80;

const listOf = (text: string): string[] => text.split(';').map((each) => plainOf(each));
/** Returns the texts that are separated by semicolons, as `plainOf` writes them. */
export const plainSet = (text: string): ReadonlySet<string> => new Set(listOf(text));

/** Words before a state that do not change it: `Order canceled`, `wurde storniert`, `already shipped`. */
const LEADERS =
  plainSet(`order; orders; item; items; line; status; state; shipment; delivery; package; parcel; fulfillment; fulfilment; goods; is; are; was; were; has; have; been; be; being;
  already; fully; completely; successfully; the; all; now; it; auto; automatically; manually; already been; just; finally;
  bestellung; auftrag; artikel; position; lieferung; sendung; paket; ware; versand; ist; sind; wurde; wurden; wird; bereits; schon; vollstandig; komplett; ganz; alles; erfolgreich;
  commande; article; ligne; colis; livraison; statut; etat; est; sont; a; ete; ont; deja; entierement; completement; totalement; tout; la; le;
  pedido; linea; envio; paquete; estado; ha; han; sido; fue; esta; ya; completamente; el; ordine; articolo; spedizione; stato; e; stata; stato; gia;
  bestelling; artikel; zending; pakket; werd; reeds; volledig; al; zamowienie; przesylka; zostalo; zostala; juz; calkowicie`);
/** Words after a state before a date, a time or a carrier: `versendet am 12.11.`, `shipped via DHL`. */
const PREPOSITIONS =
  plainSet(`on; at; since; via; with; by; per; in full; am; um; seit; mit; durch; uber; le; a; depuis; par; avec; chez; el; al; desde; por; con; il; su; da; dal; op; om; met; door;
  sinds; dnia; od; z; przez`);
/** Times, carriers and services, which can follow a state directly: `shipped today`, `versendet DHL express`. */
const DETAILS =
  plainSet(`today; yesterday; manually; automatically; heute; gestern; manuell; automatisch; hier; hoy; ayer; oggi; ieri; vandaag; gisteren; dzis; wczoraj; aujourd; hui;
  dhl; ups; usps; fedex; dpd; gls; hermes; tnt; postnl; bpost; post; posta; poste; postal; royal; mail; evri; yodel; colissimo; chronopost; mondial; seur; correos; brt; inpost; dachser; schenker;
  express; standard; priority; tracked; ground; courier; carrier; kurier; spedition; transporteur; mensajero; corriere; koerier; kurierem; paket; parcel`);
/** Words between a state and who or what caused it: `canceled by the customer`, `storniert wegen Verzug`. */
const CAUSES =
  listOf(`by; because of; because; due to; via; per; on request; at the request; durch; von; vom; wegen; aufgrund; auf; laut; per; par; pour; suite; a la demande; sur demande;
  por; a peticion; debido; per; da; dal; dalla; su richiesta; door; wegens; vanwege; op verzoek; przez; z powodu; na zyczenie`);
/** Parts of a text that explain why something is canceled, returned or held. */
const REASONS =
  plainSet(`customer; buyer; seller; merchant; admin; system; user; customer request; out of stock; no stock; duplicate; duplicate order; kunde; kaufer; kundenwunsch; kein bestand; doppelt; client; acheteur;
  rupture de stock; cliente; comprador; sin stock; acquirente; klant; koper; klient; kupujacy`);
/** Words that make doubtful whether a state applies at all. */
const DOUBTS =
  plainSet(`mistake; error; accident; nobody; noone; anyone; please; but; still; irrtum; versehen; fehler; niemand; niemandem; bitte; aber; erreur; personne; mais; error; nadie; pero; errore; nessuno; ma;
  vergissing; niemand; maar; pomylka; pomylki; pomylke; nikogo; nikt; ale`);
/** Words that order something or name it, so that a date after them is not when it was done: `Cancel by 2026-12-24`. */
const ORDERS = plainSet(
  `cancel; cancellation; refund; return; hold; stop; review; void; trash; dispute; annuler; cancelar; do not ship; hold shipment; ready for pickup; awaiting pickup; available for pickup`,
);
/** Words that deny only that all pieces are in a state: `not fully shipped`. */
const FULLY =
  plainSet(`fully; completely; entirely; all; everything; vollstandig; komplett; ganz; alles; alle; entierement; completement; totalement; tout; toute; completamente; totalmente; todo; tutto; volledig;
  calkowicie; wszystko`);
/** Open states that do not contradict the end of an order, such as `Confirmed, shipped`. */
const NEUTRAL =
  plainSet(`invoiced; billed; confirmed; approved; accepted; authorized; captured; berechnet; bestatigt; freigegeben; confirmee; validee; acceptee; confirmado; confirmada; aceptado; confermato; confermata;
  bevestigd; potwierdzone`);
/** Words that deny that something is shipped. */
const UNDONE = plainSet(
  `unfulfilled; unshipped; undelivered; unversendet; ungeliefert; nicht geliefert; non livree; sin enviar`,
);
const NEGATIONS =
  listOf(`not yet; has not been; have not been; not been; is not; was not; not; non; never; noch nicht; bisher nicht; wurde nicht; nicht; noch un; kein; keine; ohne;
  pas encore; pas; n est pas; aun no; todavia no; no; sin; nog niet; niet; non ancora; jeszcze nie; nie; un; without`);
const FUTURES = listOf(
  `to be; will be; should be; must be; ready to be; needs to be; wird; soll; muss; sera; doit etre; sera; debe ser; verra; da; wordt; moet worden; zu be; awaiting; waiting to be; wird noch`,
);
const PARTS = listOf(
  `partially; partly; partial; in part; teilweise; zum teil; teil; partiellement; en partie; parcialmente; en parte; parzialmente; in parte; gedeeltelijk; deels; czesciowo`,
);
const PAID = plainSet(
  `paid; overpaid; captured; settled; bezahlt; gezahlt; beglichen; ausgeglichen; payee; paye; reglee; regle; acquittee; acquitte; encaissee; encaisse; pagado; pagada; cobrado; cobrada; pagato; pagata; saldato; saldata; incassato; incassata;
  betaald; voldaan; oplacone; zaplacone; oplacono; zaplacono; oplacona; zaplacona; zaksiegowane`,
);
const PAYMENT =
  plainSet(`payment; payments; paypal; zahlung; zahlungseingang; bezahlung; vorkasse; uberweisung; vorauskasse; geldeingang; paiement; virement; cheque; reglement; pago; transferencia; pagamento; bonifico; betaling;
  overboeking; platnosc; platnosci; przelew; wplate; wplata; invoice payment; wire; deposit; prepayment; prepago`);
const WAITS =
  plainSet(`awaiting; waiting; await; pending; waits; wait; outstanding; missing; wartet; warten; warte; erwarte; erwartet; ausstehend; offen; offene; fehlt; steht aus; aussteht; attente; attend; attendre; espera; esperando;
  pendiente; falta; attesa; afwachting; wacht; wachten; oczekuje; oczekiwanie; oczekujace; brak`);
const FAILS =
  plainSet(`error; failed; failure; declined; rejected; refused; denied; fehler; fehlgeschlagen; abgelehnt; gescheitert; erreur; echec; echoue; refuse; rechazado; fallido; errore; fallito; rifiutato;
  mislukt; geweigerd; blad; odrzucona; nieudana`);
const RECEIVES =
  plainSet(`accepted; received; complete; completed; confirmed; approved; successful; succeeded; authorized; captured; eingegangen; erhalten; bestatigt; erfolgt; akzeptiert; autorisiert; accepte; recu; confirme; effectue; valide;
  aceptado; recibido; confirmado; completado; accettato; ricevuto; confermato; ontvangen; geslaagd; przyjeta; otrzymana; zaksiegowana`);

/** Precedence of the meanings in a text with several states, such as `paid, not shipped`. */
const PRECEDENCE: readonly WordState[] = [
  'canceled',
  'refunded',
  'shipped',
  'cancel_requested',
  'on_hold',
  'unclear',
  'unpaid',
  'open',
];

/** Returns a text in lower case and without accents, a leading number or prefix such as `[8]` or `wc-`, and underscores. */
export function plainOf(text: string): string {
  if (text.length > MAX_STATE) return '';
  return withoutAccents(text.replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' '))
    .replaceAll(/[_\u00a0]/g, ' ')
    .replace(/^\s*(?:wc-|\[[\d.]+\]|[\d.]+(?:\s+[-–]\s|[:)]))\s*/, '')
    .trim();
}

const FIRST_WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}+/u;

/** Returns the first word of a text, as `plainOf` writes it. */
export function firstWordOf(text: string): string {
  return plainOf(FIRST_WORD.exec(text.slice(0, MAX_STATE))?.[0] ?? '');
}

const BEGINNINGS: ReadonlySet<string> = new Set(
  ['wc', ...LEADERS, ...NEGATIONS, ...PARTS, ...FUTURES, ...PAYMENT, ...WAITS, ...FAILS, ...RECEIVES].map(
    (words) => words.split(' ')[0] ?? '',
  ),
);

/** Whether a phrase that contains a state can begin with this word. */
export function beginsPhrase(word: string): boolean {
  return BEGINNINGS.has(word);
}

/** Whether a text, as `plainOf` writes it, has a word for something paid, or for a payment. */
export function saysPaid(plain: string): boolean {
  return plain.split(/[^\p{L}\p{N}]+/u).some((word) => PAID.has(word) || PAYMENT.has(word));
}

type Find = (words: string) => WordState | undefined;

/** A part of a phrase: a state, and the state that it denies; an answer to the state before it; or a detail, such as a date or a reason. */
type Part =
  | { is: 'state'; means: WordState; denies: WordState | undefined; words: readonly string[] }
  | { is: 'yes' | 'no' | 'detail' | 'reason' };

const ENDS: ReadonlySet<WordState | undefined> = new Set(['canceled', 'refunded', 'shipped']);
/** States after which a cause may follow. What is shipped by somebody may be not shipped here at all. */
const CAUSED: ReadonlySet<WordState> = new Set(['canceled', 'refunded', 'cancel_requested', 'on_hold']);

/** A word in place of a date. */
const DATE = '0000';
const TIME = String.raw`(?:(?:[t,]|\s)\s*(?:um\s|at\s|a\s)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:[ap]\.?\s?m\.?|z|uhr|uur|h))?)?`;
const MONTHS = [...MONTH_NAMES.keys()].map(plainOf).join('|');
const DATES = new RegExp(
  String.raw`(?<![\d\p{L}])(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\.|(?<=\b(?:on|am|le|el|il|op|dnia)\s)\d{1,2}[-./]\d{1,2}|(?:${MONTHS})\.?\s\d{1,2},?\s(?:\d{4}|\d{2})|\d{1,2}\.?\s(?:de\s)?(?:${MONTHS})\.?\s(?:de\s)?(?:\d{4}|\d{2}))${TIME}(?![\d\p{L}])`,
  'gu',
);

/**
 * Reads a state within a phrase. `find` looks up words. Returns undefined unless every part of the phrase is understood and none contradicts
 * that the order ended.
 */
export function readPhrase(plain: string, find: Find): WordState | undefined {
  const parts = partsOf(plain).map((words, index) => readWhole(words, index, find));
  const states = parts.filter((part) => part?.is === 'state');
  const [first] = states;
  if (first === undefined || parts.includes(undefined)) return undefined;
  if (parts.some((part) => part?.is === 'no')) return states.length === 1 ? notState(first.words, find) : undefined;
  const means = PRECEDENCE.find((state) => states.some((each) => each.means === state)) ?? first.means;
  if (parts.some((part) => part?.is === 'reason') && !CAUSED.has(means)) return undefined;
  if (!ENDS.has(means)) return means;
  const ends = new Set(states.map((each) => each.means).filter((each) => ENDS.has(each)));
  const fits = ({ means: other, denies, words }: (typeof states)[number]): boolean =>
    ENDS.has(other) ||
    other === 'unpaid' ||
    (denies !== undefined && !ends.has(denies)) ||
    (other === 'open' && isNeutral(words));
  return states.every(fits) ? means : undefined;
}

/** Returns the meaning of a text that consists of one state, with a date or a cause at most. */
export function readRemark(plain: string, find: Find): WordState | undefined {
  const [words, ...others] = partsOf(plain);
  return words === undefined || others.length > 0 ? undefined : readPart(words, find);
}

function partsOf(plain: string): string[][] {
  return plain
    .replace(DATES, ` ${DATE} `)
    .split(/[/,;|+&()[\]:!.?]|\s[-–—>]+\s/)
    .filter((part) => !LEADERS.has(part.trim()))
    .map((part) => part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
}

function readWhole(words: readonly string[], index: number, find: Find): Part | undefined {
  const text = words.join(' ');
  const isAnswer = index > 0 && !/^\d/.test(text);
  if (isAnswer && isYes(text)) return { is: 'yes' };
  if (isAnswer && isNo(text)) return { is: 'no' };
  const means = readPart(words, find);
  if (means !== undefined) {
    const negated = restAfter(words, NEGATIONS);
    const denies = UNDONE.has(text) ? 'shipped' : negated && readPart(negated, find);
    return { is: 'state', means, denies, words };
  }
  if (isDetail(words)) return { is: 'detail' };
  return REASONS.has(text) || isCause(words) ? { is: 'reason' } : undefined;
}

/** Returns the words after one of these beginnings, or undefined if the text begins with none of them. */
function restAfter(words: readonly string[], beginnings: readonly string[]): readonly string[] | undefined {
  const text = ` ${words.join(' ')} `;
  const first = beginnings.find((each) => text.startsWith(` ${each} `));
  return first === undefined ? undefined : words.slice(first.split(' ').length);
}

function readPart(words: readonly string[], find: Find): WordState | undefined {
  const whole = find(words.join(' '));
  if (whole !== undefined) return whole;
  if (words[0] === DATE) return words.length > 1 ? readPart(words.slice(1), find) : undefined;
  const payment = paymentIn(words, find);
  if (payment !== undefined) return payment;
  const negated = restAfter(words, NEGATIONS);
  if (negated !== undefined) return notState(negated, find);
  const partly = restAfter(words, PARTS);
  if (partly !== undefined) return partState(partly, find);
  if (words.length > 1 && PARTS.includes(words.at(-1) ?? '')) return partState(words.slice(0, -1), find);
  const future = restAfter(words, FUTURES);
  const later = future && readPart(future, find);
  if (later === 'canceled') return 'cancel_requested';
  if (later === 'shipped') return 'open';
  const [first = '', ...others] = words;
  if (LEADERS.has(first) && others.length > 0) return readPart(others, find);
  return headState(words, find);
}

/** Reads the state at the beginning of a phrase if only a date, a carrier or a cause follows. */
function headState(words: readonly string[], find: Find): WordState | undefined {
  for (let count = Math.min(4, words.length - 1); count > 0; count -= 1) {
    const head = words.slice(0, count).join(' ');
    const meaning = find(head);
    if (meaning === undefined || ORDERS.has(head)) continue;
    const tail = words.slice(count);
    if (isDetail(tail) || (CAUSED.has(meaning) && isCause(tail))) return meaning;
  }
  return undefined;
}

/** Whether words only say when or by which carrier. A date after `by` is a deadline. */
function isDetail(words: readonly string[]): boolean {
  const isOne = (word: string): boolean => word === DATE || DETAILS.has(word) || /^(?=.*\d{6})[a-z\d]+$/.test(word);
  const isDeadline = words.some((word, index) => word === 'by' && words[index + 1] === DATE);
  return isOne(words.at(-1) ?? '') && !isDeadline && words.every((word) => isOne(word) || PREPOSITIONS.has(word));
}

/** Whether words say who or what caused a state. */
function isCause(words: readonly string[]): boolean {
  const cause = restAfter(words, CAUSES);
  if (cause === undefined || cause.length === 0 || cause[0] === DATE) return false;
  return !cause.some((word) => DOUBTS.has(word) || (NEGATIONS.includes(word) && word !== 'un'));
}

function isNeutral(words: readonly string[]): boolean {
  const text = words.join(' ');
  return PAID.has(text) || NEUTRAL.has(text) || RECEIVES.has(text) || words.some((word) => PAYMENT.has(word));
}

function notState(words: readonly string[], find: Find): WordState | undefined {
  if (PAID.has(words.filter((word) => !FULLY.has(word)).join(' '))) return 'unpaid';
  const meaning = readPart(words, find);
  if (meaning === undefined || meaning === 'open' || meaning === 'unclear') return undefined;
  return FULLY.has(words[0] ?? '') ? 'unclear' : 'open';
}

function partState(words: readonly string[], find: Find): WordState | undefined {
  if (PAID.has(words.join(' '))) return 'unpaid';
  const meaning = readPart(words, find);
  return meaning === 'open' ? undefined : meaning && 'unclear';
}

/** Reads a phrase about a payment, such as `Warten auf Zahlungseingang`. */
function paymentIn(words: readonly string[], find: Find): WordState | undefined {
  if (!words.some((word) => PAYMENT.has(word))) return undefined;
  const isNegated = words.some((word) => NEGATIONS.includes(word) && word !== 'un');
  if (isNegated) return words.some((word) => RECEIVES.has(word)) ? 'unpaid' : undefined;
  // A payment that was received does not matter if the order has ended.
  if (words.some((word) => !RECEIVES.has(word) && !FAILS.has(word) && ENDS.has(find(word)))) return undefined;
  if (words.some((word) => FAILS.has(word) || WAITS.has(word))) return 'unpaid';
  return words.some((word) => RECEIVES.has(word)) ? 'open' : undefined;
}
