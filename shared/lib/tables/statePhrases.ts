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

const listOf = (text: string): string[] => text.split(';').map((each) => plainOf(each).trim());
const setOf = (text: string): ReadonlySet<string> => new Set(listOf(text));

/** Words before a state that do not change it: `Order canceled`, `wurde storniert`, `already shipped`. */
const LEADERS =
  setOf(`order; orders; item; items; line; status; state; shipment; delivery; package; parcel; fulfillment; fulfilment; goods; is; are; was; were; has; have; been; be; being;
  already; fully; completely; successfully; the; all; now; it; auto; automatically; manually; already been; just; finally; probably;
  bestellung; auftrag; artikel; position; lieferung; sendung; paket; ware; versand; ist; sind; wurde; wurden; wird; bereits; schon; vollstandig; komplett; ganz; alles; erfolgreich;
  commande; article; ligne; colis; livraison; statut; etat; est; sont; a; ete; ont; deja; entierement; completement; totalement; tout; la; le;
  pedido; linea; envio; paquete; estado; ha; han; sido; fue; esta; ya; completamente; el; ordine; articolo; spedizione; stato; e; stata; stato; gia;
  bestelling; artikel; zending; pakket; werd; reeds; volledig; al; zamowienie; przesylka; zostalo; zostala; juz; calkowicie`);
/** Words after a state that do not change it: `canceled by the customer`, `versendet am 12.11.`. */
const FOLLOWERS =
  setOf(`by; due; on; at; since; via; with; from; per; as; for; because; to; order; item; orders; in full; today; yesterday; manually; automatically;
  am; durch; von; vom; wegen; mit; auf; seit; uber; heute; gestern; laut; um; an; nach; zum; bestellung; auftrag; fur;
  par; le; chez; pour; avec; depuis; du; de; des; sur; hier; a; au;
  por; el; con; desde; hoy; ayer; al; en; del; para; da; dal; dalla; il; su; per; door; op; met; wegens; przez; dnia; z; w`);
const NEGATIONS =
  listOf(`not yet; has not been; have not been; not been; is not; was not; not; non; never; noch nicht; bisher nicht; wurde nicht; nicht; noch un; kein; keine; ohne;
  pas encore; pas; n est pas; aun no; todavia no; no; sin; nog niet; niet; non ancora; jeszcze nie; nie; un; without`);
const FUTURES = listOf(
  `to be; will be; should be; must be; ready to be; needs to be; wird; soll; muss; sera; doit etre; sera; debe ser; verra; da; wordt; moet worden; zu be; awaiting; waiting to be; wird noch`,
);
const PARTS = listOf(
  `partially; partly; partial; in part; teilweise; zum teil; teil; partiellement; en partie; parcialmente; en parte; parzialmente; in parte; gedeeltelijk; deels; czesciowo`,
);
const PAID = setOf(
  `paid; bezahlt; gezahlt; beglichen; payee; paye; reglee; regle; pagado; pagada; pagato; pagata; saldato; betaald; oplacone; zaplacone; oplacono`,
);
const PAYMENT =
  setOf(`payment; payments; paypal; zahlung; zahlungseingang; bezahlung; vorkasse; uberweisung; vorauskasse; geldeingang; paiement; virement; cheque; reglement; pago; transferencia; pagamento; bonifico; betaling;
  overboeking; platnosc; platnosci; przelew; wplate; wplata; invoice payment; wire; deposit; prepayment; prepago`);
const WAITS =
  setOf(`awaiting; waiting; await; pending; waits; wait; outstanding; missing; wartet; warten; warte; erwarte; erwartet; ausstehend; offen; offene; fehlt; steht aus; aussteht; attente; attend; attendre; espera; esperando;
  pendiente; falta; attesa; afwachting; wacht; wachten; oczekuje; oczekiwanie; oczekujace; brak`);
const FAILS =
  setOf(`error; failed; failure; declined; rejected; refused; denied; fehler; fehlgeschlagen; abgelehnt; gescheitert; erreur; echec; echoue; refuse; rechazado; fallido; errore; fallito; rifiutato;
  mislukt; geweigerd; blad; odrzucona; nieudana`);
const RECEIVES =
  setOf(`accepted; received; complete; completed; confirmed; approved; successful; succeeded; authorized; captured; eingegangen; erhalten; bestatigt; erfolgt; akzeptiert; autorisiert; accepte; recu; confirme; effectue; valide;
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
  return text
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[_\u00a0]/g, ' ')
    .replace(/^\s*(?:wc-|\[[\d.]+\]|[\d.]+\s*[-–:)]|[\d.]+\s)\s*/, '')
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

type Find = (words: string) => WordState | undefined;

/** Reads a state within a phrase. `find` looks up words. Returns undefined unless every part of the phrase is understood. */
export function readPhrase(plain: string, find: Find): WordState | undefined {
  const parts = plain
    .split(/[/,;|+&()[\]:!.?]|\s[-–—>]+\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !LEADERS.has(part));
  const meanings = parts.map((part) => readPart(wordsOf(part), find));
  const [first] = meanings;
  if (meanings.every((each) => each !== undefined)) return PRECEDENCE.find((state) => meanings.includes(state));
  // What follows a state that is not open explains it: `Shipped - returned by the carrier`.
  return first === 'open' ? undefined : first;
}

function wordsOf(part: string): string[] {
  return part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function readPart(words: readonly string[], find: Find): WordState | undefined {
  const whole = find(words.join(' '));
  if (whole !== undefined) return whole;
  const payment = paymentIn(words);
  if (payment !== undefined) return payment;
  const rest = (of: readonly string[]): { rest: readonly string[] } | undefined => {
    const first = of.find((each) => ` ${words.join(' ')} `.startsWith(` ${each} `));
    return first === undefined ? undefined : { rest: words.slice(first.split(' ').length) };
  };
  const negated = rest(NEGATIONS);
  if (negated !== undefined) return notState(negated.rest, find);
  const partly = rest(PARTS);
  if (partly !== undefined) return partState(partly.rest, find);
  if (words.length > 1 && PARTS.includes(words.at(-1) ?? '')) return partState(words.slice(0, -1), find);
  const future = rest(FUTURES);
  const later = future && readPart(future.rest, find);
  if (later === 'canceled') return 'cancel_requested';
  if (later === 'shipped') return 'open';
  const [first = '', ...others] = words;
  if (LEADERS.has(first) && others.length > 0) return readPart(others, find);
  return headState(words, find);
}

/** Reads the state at the beginning of a phrase if only a reason, a date or the like follows. */
function headState(words: readonly string[], find: Find): WordState | undefined {
  for (let count = Math.min(4, words.length - 1); count > 0; count -= 1) {
    const meaning = find(words.slice(0, count).join(' '));
    const next = words[count] ?? '';
    if (meaning !== undefined && (FOLLOWERS.has(next) || /^\d/.test(next))) return meaning;
  }
  return undefined;
}

function notState(words: readonly string[], find: Find): WordState | undefined {
  if (PAID.has(words.join(' '))) return 'unpaid';
  const meaning = readPart(words, find);
  return meaning === 'open' || meaning === 'unclear' ? undefined : meaning && 'open';
}

function partState(words: readonly string[], find: Find): WordState | undefined {
  if (PAID.has(words.join(' '))) return 'unpaid';
  const meaning = readPart(words, find);
  return meaning === 'open' ? undefined : meaning && 'unclear';
}

/** Reads a phrase about a payment, such as `Warten auf Zahlungseingang`. */
function paymentIn(words: readonly string[]): WordState | undefined {
  if (!words.some((word) => PAYMENT.has(word))) return undefined;
  if (words.some((word) => FAILS.has(word))) return 'unpaid';
  if (words.some((word) => WAITS.has(word))) return 'unpaid';
  return words.some((word) => RECEIVES.has(word)) ? 'open' : undefined;
}
