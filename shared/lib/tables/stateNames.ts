import { columnKey } from './columnKey.ts';
import type { HelperField } from './fields.ts';

/** Fields that say whether a row is to be picked. A file can have several columns of one of them, and all of them count. */
export const STATE_FIELDS = [
  'order_status',
  'line_status',
  'shipping_status',
  'payment_status',
  'canceled_at',
  'cancel_requested',
  'on_hold',
  'shipped_at',
  'refunded_at',
  'is_paid',
] as const satisfies readonly HelperField[];
export type StateField = (typeof STATE_FIELDS)[number];

export function isStateField(field: string | undefined): field is StateField {
  return STATE_FIELDS.some((each) => each === field);
}

/**
 * What the name of a column says. `remark` is free text. `other` is never the state of an order, and `unnamed` is one if its values are.
 * `payment` and `invoice` say whether the order is paid if their values do.
 */
export type NamedState = StateField | 'remark' | 'other' | 'unnamed' | 'payment' | 'invoice';

/** Whether the name contains these parts, by `columnKey`. */
const ROWS: readonly { means: NamedState; has: RegExp; with?: RegExp; not?: RegExp }[] = [
  // Amounts and quantities, and the states of addresses, invoices and people.
  {
    means: 'other',
    has: /amount|betrag|total|price|preis|montant|importe|prix|precio|fee$|gebuhr|tax|steuer|cost|kosten|summe|value|wert$|menge|qty|quantit|cantidad|anzahl|stuck|count$|qte|pieces|pcs|ilosc|aantal|balance/,
  },
  {
    means: 'other',
    has: /verge|taxable|marketing|newsletter|subscri|statecode|stateprovince|province|address|adresse|country|warranty|discount|coupon|gift/,
  },
  {
    means: 'is_paid',
    has: /^(?:invoice|rechnung|facture|factura|fattura|factuur|faktura)(?:is|ist|est|esta|e)?(?:paid|bezahlt|beglichen|payee?|reglee?|pagad[ao]|pagat[ao]|betaald|oplacon[ao]|zaplacon[ao])$/,
  },
  { means: 'invoice', has: /invoic|rechnung|factur|fattur|faktur|billing|billed/ },
  {
    means: 'other',
    has: /cancel/,
    with: /cancel(?:ation|lation)?(?:by|before|after|until|if|unless|window|deadline|polic|terms|possible|allowed|notafter|nolater|notlater)|cancel{1,2}able|(?:last|latest|auto|scheduled|planned|expected|free)(?:date)?cancel/,
    not: /cancel{1,2}edby/,
  },
  { means: 'other', has: /storn/, with: /bar$|frist|bis$|moglich|erlaubt|gebuhr/ },
  { means: 'other', has: /storn|annul|anul/, with: /possib|posibl|mogelijk|mozliw/ },
  { means: 'other', has: /annulable|annullierbar|cancelable|anulable|annullabile/ },
  {
    means: 'other',
    has: /cancel|annul|anul/,
    with: /limit|avant|jusqu|antes|hasta|entro|primadi|uiterlijk|voor$|tot$|przed/,
  },
  {
    means: 'cancel_requested',
    has: /cancel|storn|annul|anul/,
    with: /request|anfrage|angefragt|wunsch|gewunsch|beantrag|antrag|demande|solicit|richiest|verzoek|aangevraagd|prosba|zadanie|wniosek/,
  },
  {
    means: 'canceled_at',
    has: /cancel|storn|annul(?:e|a|i|l)|anulad|anulow|anulaci|^void|voided|isvoid|geannuleerd|gekundigt|abgebrochen/,
  },
  {
    means: 'canceled_at',
    has: /reject|absage|ablehn|rejet|refus|rechaz|rifiut|odrzuc|afwijz/,
    with: /reason|grund|motif|motiv|raison|powod|reden/,
    not: /payment|zahl|paiement|pago/,
  },
  {
    means: 'on_hold',
    has: /onhold|^(?:is|order|line|item|shipping|shipment|credit)?hold(?:status|reason|flag|until|date|yn)?$|holdreason|gesperrt|^sperre|sperre$|sperrgrund|zuruckgestellt|angehalten|^(?:is|order|delivery)?block(?:ed)?$|deliveryblock|^bloque|bloquead|bloccat|retenid|suspend|enespera|^enpause|pausiert|^paused|donotship|nichtversenden|nepasexpedier|noenviar|wstrzyman|geblokkeerd|zablokowan/,
  },
  {
    means: 'payment_status',
    has: /payment|paystat|financial|zahlung|zahlstat|bezahlstat|bezahlungsstat|paiement|estado(?:de|del)?pago|pagamento|betaling|betaalstat|platnosc/,
    with: /stat|zustand|stand$|etat|estado|state|paymentcondition/,
  },
  {
    means: 'payment',
    has: /^(?:order)?(?:payments?|zahlung(?:en)?|bezahlung|paiements?|reglements?|pagos?|pagament[oi]|betaling(?:en)?|platnosci?|financial)$/,
  },
  {
    means: 'is_paid',
    has: /^(?:is|order|already|fully)?paid(?:flag|yn)?$|^(?:ist|schon)?bezahlt$|^(?:est)?payee?$|^reglee?$|^pagad[oa]$|^pagat[oa]$|^betaald$|^oplacone$|^zaplacone$|^zahlungerhalten$|^paymentreceived$|^zahlungseingang$|^paiementrecu$|^pagorecibido$/,
  },
  {
    means: 'shipped_at',
    has: /^(?:is|already|order|line|item)?(?:shipped|fulfilled|delivered|dispatched|despatched)(?:at|on|flag|yn)?$|^(?:ist|schon|bereits)?(?:versendet|versandt|verschickt|geliefert|ausgeliefert|zugestellt|erledigt)(?:am)?$|^(?:est)?(?:expedie|livre|envoye|cloture)e?(?:le)?$|^(?:enviad|entregad|servid|despachad)[oa](?:el)?$|^(?:spedit|consegnat|evas)[oa](?:il)?$|^(?:verzonden|geleverd|bezorgd|verstuurd)(?:op)?$|^(?:wysla|dostarczo|zrealizowa)n[eoay]$/,
  },
  {
    means: 'refunded_at',
    has: /^(?:is|order)?(?:refunded|returned)(?:at|on|flag|yn)?$|^(?:zu)?(?:ruck)?erstattet(?:am)?$|^retourniert(?:am)?$|^zuruckgesendet(?:am)?$|^remboursee?$|^remboursele|^retournee?$|^reembolsad[oa]$|^devuelt[oa]$|^rimborsat[oa]$|^terugbetaald$|^geretourneerd$|^zwrocon[eoay]$/,
  },
  {
    means: 'other',
    has: /email|mail$|print|druck|fraud|risk|review|subscription|sync|import|export|campaign|label|etikett/,
    with: /stat|zustand|etat|estado|stage/,
  },
  {
    means: 'unnamed',
    has: /customer|kunde|client|cliente|account|konto|cuenta|membership|mitglied|^stores?stat|stock|lager|bestand|inventory|product|produkt|producto|supplier|lieferant|tracking|condition/,
    with: /stat|zustand|etat|estado|stage/,
  },
  { means: 'line_status', has: /lineitem|^line|^item|position|ligne|linea|artikel/, with: /stat|zustand|etat|estado/ },
  {
    means: 'shipping_status',
    has: /fulfil|shipping|shipment|delivery|dispatch|versand|liefer|expedition|livraison|envio|entrega|spedizion|consegna|verzend|lever|wysylk|dostaw|logisti/,
    with: /status|zustand|statut|etat|estado|stato$|statod|^stan|stand$/,
  },
  {
    means: 'order_status',
    has: /status|statut|^etat|^estado|zustand|^stato|^stan(?:zamowienia)?$|orderstate|orderstage|^stage$|^phase$|^fortschritt$|^progress$|bearbeitungsstand|workflowstate/,
  },
  {
    means: 'remark',
    has: /note|notiz|nota|comment|komment|coment|remark|remarque|bemerk|hinweis|anmerk|observ|memo|opmerking|uwag|^info$|^text/,
  },
];

const OTHER_THINGS: readonly RegExp[] = [
  // Messages and labels.
  /mail|sms$|^sms|whatsapp|^fax|notifi|benachrichtig|bestatigung|confirmation|conferma|powiadom|label|etikett|etiquet|etichett|etykiet/,
  // Accounts, contracts, people and shops.
  /member|mitglied|adherent|miembro|abonnement|^abo(?:s|stat|gekundigt|$)|account|(?<!s)konto|cuenta|vertrag|contract|contrat|^stores?(?:stat|$)/,
  /supplier|lieferanten|fournisseur|proveedor|fornitore|leverancier|dostawc/,
  /(?:customer|kunden|client|klant)s?stat|(?:statut|estado|stato)(?:du|del|de)?client/,
  // Other orders, and returns.
  /^previous|^vorherig|^letzte[rs]?(?:bestell|auftrag)|^lastorder|^(?:return|rma|retour|retouren)s?stat/,
  /incoterm/,
];
const WAY = /type|typ$|tipo|terms|condition|bedingung|mode|modus|modalit|modo|method|wijze|sposob|art$/;
const OF_DELIVERY =
  /ship|deliver|dispatch|versand|liefer|livraison|expedition|envio|entrega|spedizion|consegna|verzend|lever|wysylk|dostaw/;

/** Whether the column is not about the order itself, but about mails, an account, or the way of delivery, for example. */
export function isAboutOther(name: string): boolean {
  const key = columnKey(name);
  return OTHER_THINGS.some((each) => each.test(key)) || (OF_DELIVERY.test(key) && WAY.test(key));
}

const CANCEL_IMPERATIVE = /cancel{1,2}(?![aeil])/;
const DATE_NAME = /date|datum|fecha|^data|data$/;
const NOT_BEFORE = /before|vor(?:dem)?$|avant|antes|primadi|voor$|przed/;
const HELD_UNTIL = /until|bis(?:zum|zu)?$|jusqu|hasta|finoa|tot$|nedo$/;

/** Returns whether dates in this column hold an order until their day begins or ends. Undefined for other columns. */
export function heldUntil(name: string): 'begin' | 'end' | undefined {
  const key = columnKey(name);
  if (HELD_UNTIL.test(key)) return 'end';
  return NOT_BEFORE.test(key) ? 'begin' : undefined;
}

/**
 * Whether dates in the column with this name can be deadlines, such as the `Cancel Date` of a purchase order. `fillsAll` tells whether every
 * order has a date.
 */
export function mayBeDeadline(field: StateField, name: string, fillsAll: boolean): boolean {
  const key = columnKey(name);
  if (field === 'on_hold') return heldUntil(name) !== undefined || /date|datum/.test(key);
  return field === 'canceled_at' && (CANCEL_IMPERATIVE.test(key) || (fillsAll && DATE_NAME.test(key)));
}

/** Returns what the name of a column says about states, or undefined if it says nothing. */
export function namedState(name: string): NamedState | undefined {
  const key = columnKey(name);
  return ROWS.find(({ has, with: also, not }) => has.test(key) && (also?.test(key) ?? true) && not?.test(key) !== true)
    ?.means;
}
