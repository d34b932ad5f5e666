import { columnKey, columnKeys, columnKeySet } from './columnKey.ts';
import {
  beginsPhrase,
  firstWordOf,
  plainOf,
  readPhrase,
  readRemark,
  saysPaid,
  type WordState,
} from './statePhrases.ts';

/** Why a row is not picked. */
export const LEAVE_OUT_REASONS = [
  'shipped',
  'canceled',
  'refunded',
  'cancel_requested',
  'on_hold',
  'unpaid',
  'not_shippable',
  'shipped_by_others',
  'none_left',
] as const;
export type LeaveOutReason = (typeof LEAVE_OUT_REASONS)[number];

/** Each reason as a sentence. */
export const LEAVE_OUT_SENTENCES: Readonly<Record<LeaveOutReason, string>> = {
  shipped: 'It is already shipped.',
  canceled: 'It is canceled.',
  refunded: 'It is refunded.',
  cancel_requested: 'The buyer asked to cancel it.',
  on_hold: 'It is on hold.',
  unpaid: 'It is not paid.',
  not_shippable: 'It is not shipped, such as a gift card or a service.',
  shipped_by_others: 'Another warehouse ships it.',
  none_left: 'Nothing of it is left to ship.',
};

/** Reasons that end an order elsewhere, so that it is not to be picked here either. The first one that applies to a line names the order's. */
export const END_REASONS = ['shipped', 'canceled', 'refunded'] as const satisfies readonly LeaveOutReason[];
export type EndReason = (typeof END_REASONS)[number];

/** Whether a line with this reason is never shipped from here, so that it says nothing about the rest of its order. */
export function isNeverShipped(reason: LeaveOutReason): boolean {
  return reason === 'not_shippable' || reason === 'shipped_by_others';
}

/** Meanings that a person can give to a word that is not understood. */
export const STATE_MEANINGS = ['open', 'shipped', 'canceled', 'refunded', 'on_hold', 'unpaid'] as const;
export type StateMeaning = (typeof STATE_MEANINGS)[number];

/**
 * What a column of states is about. A word can have several meanings: a completed payment is not a completed order. In a column of
 * `work_and_payment`, some orders are paid, so orders that wait are not paid.
 */
export const STATE_ASPECTS = ['work', 'payment', 'work_and_payment', 'cancellation'] as const;
export type StateAspect = (typeof STATE_ASPECTS)[number];

type Words = Readonly<Partial<Record<WordState, string>>>;

/** States of orders, lines and deliveries in English, German, French, Spanish, Italian, Dutch and Polish. */
const WORK: Words = {
  open: `open; new; pending; processing; in process; in progress; paid; confirmed; approved; awaiting shipment; none; payment accepted;
    awaiting fulfillment; awaiting dispatch; unfulfilled; unshipped; undelivered; ready; ready to ship; ready for shipping;
    ready for shipment; ready to pick; ready for picking; to do; to pick; to ship; to deliver; to deliver and bill; to fulfill; sale;
    sales order; waiting; waiting another move; waiting another operation; waiting for availability; waiting for shipment; available; assigned; not applicable; nothing to deliver;
    partially available; submitted; scheduled; released; authorized; due; in stock; auf Lager; lieferbar; vorrätig; en stock; disponible; in magazzino; op voorraad; na stanie; pending fulfillment; awaiting processing; processing awaiting shipment;
    pending shipment; preparing; preparation in progress; processing in progress; in preparation; accepted; received; order received; placed;
    ordered; created; imported; active; queued; started; acknowledged; allocated; picking; in picking; no label; remote payment accepted; invoiced; fulfilled by merchant; fulfilled by seller; merchant fulfilled;
    offen; neu; in Bearbeitung; wird bearbeitet; Bearbeitung in Gange; bezahlt; bestätigt; bestellt; freigegeben; wartend; versandbereit; bereit; bereit zum Versand;
    versandfertig; lieferbereit; nicht geliefert; zu liefern; zu versenden; ausstehend; eingegangen; Bestellung eingegangen; angelegt;
    angenommen; beauftragt; Zahlung eingegangen; Zahlung erhalten; in Vorbereitung; in Kommissionierung; unbearbeitet; Freigabe Versand; aktiv; Verkaufsauftrag; unversendet; ungeliefert; begonnen;
    en cours; en cours de traitement; en cours de préparation; nouvelle; nouveau; en attente; payée; payé; confirmée; à préparer; à expédier;
    à livrer; en préparation; ouvert; ouverte; en traitement; paiement accepté; paiement à distance accepté; acceptée; reçue; validée; bon de commande;
    à traiter; prête; prêt; prêt à expédier; en attente d'expédition; en attente de traitement; préparation en cours;
    abierto; abierta; nuevo; nueva; procesando; pendiente; pagado; pagada; confirmado; confirmada; por enviar; en proceso; preparado;
    preparando; en preparación; preparación en curso; pago aceptado; pendiente de envío; aceptado; recibido; recibida; por preparar; listo;
    listo para enviar; sin enviar; pedido de venta; activo;
    aperto; aperta; nuovo; nuova; in elaborazione; in lavorazione; in attesa; pagato; pagata; confermato; confermata; da spedire; da evadere;
    in preparazione; pagamento accettato; in corso; pronto; ricevuto; ordine di vendita; in sospeso;
    nieuw; openstaand; in behandeling; in verwerking; betaald; bevestigd; te verzenden; te leveren; klaar voor verzending; ontvangen;
    wachtend; in voorbereiding; betaling ontvangen;
    nowe; nowy; w realizacji; w trakcie realizacji; w toku; opłacone; zapłacone; potwierdzone; do wysyłki; do wysłania; przyjęte; oczekujące;
    w przygotowaniu; w trakcie przygotowania; gotowe do wysyłki; otwarte; otwarty; przyjęty; potwierdzony; opłacony; zapłacony; do realizacji; do spakowania; nowa; oczekujący`,
  shipped: `shipped; fulfilled; delivered; completed; complete; done; closed; dispatched; despatched; sent; in transit; out for delivery;
    finished; shipment complete; picked up; collected; delivery complete; on its way; outgoing items booked; archived; ready for pickup;
    awaiting pickup; available for pickup; processing awaiting pickup; processing ready for pickup; completed shipped; completed picked up; processed and shipped; delivered to buyer; delivered to customer; rejected by buyer; returning to seller;
    lost in transit; shipped - damaged; shipped - undeliverable;
    versendet; verschickt; geliefert; ausgeliefert; abgeschlossen; fertiggestellt; erledigt; versandt; zugestellt; unterwegs; in Zustellung;
    Warenausgang gebucht; abgeholt; fertig; übergeben; an den Versand übergeben; archiviert; beendet; abholbereit; komplett; Versand erfolgt; Lieferung erfolgt;
    erfolgreich abgeschlossen; ausgeführt; vollständig; geschlossen; gesendet;
    expédiée; expédié; livrée; livré; terminée; terminé; envoyée; envoyé; clôturée; clôturé; en transit; en cours de livraison;
    en livraison; complète; achevée; remise au transporteur; archivée; fermée; finalisée; expédition terminée;
    enviado; enviada; entregado; entregada; completado; completada; terminado; terminada; cerrado; cerrada; finalizado; finalizada; en tránsito;
    en reparto; despachado; despachada; expedido; servido; servida; archivado; completo;
    spedito; spedita; consegnato; consegnata; evaso; evasa; completata; inviato; inviata; in transito; in consegna; chiuso; chiusa;
    concluso; conclusa; terminata;
    verzonden; verstuurd; geleverd; bezorgd; voltooid; afgerond; afgehandeld; onderweg; gesloten; opgehaald;
    wysłane; wysłano; wysłany; wysłana; dostarczone; doręczone; dostarczono; zrealizowane; zrealizowano; zakończone; zakończono; w drodze; odebrane; zamknięte; zrealizowany; zrealizowana; dostarczony; dostarczona; zakończony; zakończona; zamknięty; odebrany`,
  canceled: `canceled; cancelled; void; voided; cancel; cancellation; failed; trash; rejected; restocked; deleted; declined; aborted; order canceled;
    unfulfillable; revoked; withdrawn; refused; denied; removed; will not deliver;
    storniert; Storno; Stornierung; storno erledigt; abgebrochen; Abbruch; fehlgeschlagen; gelöscht; annulliert; abgelehnt; widerrufen; gekündigt; verworfen; zurückgezogen; nicht lieferbar;
    annulée; annulé; annuler; annulation; échouée; échoué; refusée; refusé; abandonnée; supprimée; rejetée;
    cancelado; cancelada; anulado; anulada; fallido; rechazado; rechazada; cancelar; cancelación; anulación; eliminado; denegado;
    annullato; annullata; cancellato; cancellata; fallito; rifiutato; stornato; eliminato;
    geannuleerd; annulering; afgebroken; mislukt; geweigerd; verwijderd; afgewezen;
    anulowane; anulowano; anulowany; anulowana; anulowanie; odrzucone; nieudane; usunięte; wycofane; odrzucony; usunięty`,
  refunded: `refunded; returned; return; refund; returned to seller; returned to sender; reversed; credited; chargeback;
    erstattet; rückerstattet; zurückerstattet; retourniert; Rückgabe; Retoure; Retour; zurückgesendet; zurückgeschickt; gutgeschrieben; Gutschrift; Rückbuchung; Erstattung;
    remboursée; remboursé; remboursement; retournée; retourné; renvoyée; crédité;
    reembolsado; reembolsada; reembolso; devuelto; devuelta; devolución; abonado;
    rimborsato; rimborsata; rimborso; reso; restituito;
    terugbetaald; geretourneerd; gecrediteerd; retour ontvangen;
    zwrócone; zwrot; zwrócono; zrefundowane; zwrócony; zwrot pieniędzy`,
  cancel_requested: `cancel requested; cancelation requested; cancellation requested; cancellation request; cancel request; cancellation pending; pending cancellation;
    cancel pending; canceling; cancelling; buyer requested cancellation; request to cancel; cancellation in progress;
    Stornierung angefragt; Storno angefragt; Stornierung beantragt; Stornoanfrage; Stornierungsanfrage; Stornowunsch; Stornierung gewünscht;
    Stornierung läuft; Stornierungswunsch; wird storniert;
    demande d'annulation; annulation demandée; annulation en cours; en cours d'annulation; annulation en attente;
    cancelación solicitada; solicitud de cancelación; anulación solicitada; solicitud de anulación; cancelación pendiente;
    annullamento richiesto; richiesta di annullamento; annulering aangevraagd; annuleringsverzoek; prośba o anulowanie; żądanie anulowania`,
  on_hold: `on hold; hold; holded; held; suspended; blocked; paused; payment review; suspected fraud; fraud; disputed; dispute; in dispute;
    manual verification required; under review; review; in review; do not ship; stop; stopped; hold shipment; credit hold; parked; frozen; quarantine; postponed; deferred;
    awaiting acceptance; waiting acceptance; waiting for acceptance; pending acceptance; awaiting approval; pending approval; waiting for approval;
    wartet auf Annahme; Annahme ausstehend; wartet auf Freigabe; Freigabe ausstehend; en attente d'acceptation; en attente d'approbation; en attente de validation; à accepter; pendiente de aceptación; por aceptar; pendiente de aprobación;
    in attesa di accettazione; in attesa di approvazione; in afwachting van acceptatie; wacht op goedkeuring; oczekuje na akceptację; oczekuje na potwierdzenie;
    in Wartestellung; zurückgestellt; angehalten; gesperrt; blockiert; pausiert; gestoppt; Liefersperre; Versandsperre; Auftragssperre; Sperre; Mahnsperre;
    nicht versenden; geparkt; in Prüfung; in Klärung; Klärung; reklamiert; Reklamation; ausgesetzt; Betrugsverdacht; wird geprüft; bitte warten;
    suspendue; suspendu; bloquée; bloqué; mise en attente; en suspens; retenue; retenu; en pause; ne pas expédier; en litige; litige; à vérifier; gelée;
    en espera; retenido; retenida; bloqueado; bloqueada; suspendido; suspendida; en pausa; no enviar; en disputa; en revisión; detenido; aplazado;
    sospeso; sospesa; bloccato; bloccata; trattenuto; in pausa; non spedire; in verifica;
    in de wacht; geblokkeerd; opgeschort; aangehouden; gepauzeerd; niet verzenden;
    wstrzymane; wstrzymano; zablokowane; zawieszone; nie wysyłać; wstrzymany; zablokowany; zawieszony`,
  unpaid: `unpaid; awaiting payment; processing awaiting payment; pending payment; waiting for payment; waiting debit; waiting debit payment; awaiting debit; en attente de débit; en attente de prélèvement; incomplete; payment error; payment failed; payment pending; payment due;
    partially paid; partly paid; awaiting bank wire payment; awaiting check payment; awaiting cheque payment; payment declined; no payment;
    on backorder (not paid);
    unbezahlt; Zahlung ausstehend; Zahlung offen; offene Zahlung; Zahlung erwartet; Zahlungsfehler; Zahlung fehlgeschlagen; teilweise bezahlt; teilbezahlt; Fehler bei der Bezahlung; Zahlung abgelehnt;
    warte auf Zahlung; wartet auf Zahlung; warten auf Zahlung; warten auf Zahlungseingang; wartet auf Zahlungseingang; erwarte Zahlung;
    en attente de paiement; en attente du paiement; attente paiement; paiement en attente; impayée; impayé; erreur de paiement; paiement échoué; partiellement payée;
    partiellement payé; à payer; paiement refusé;
    pendiente de pago; pago pendiente; esperando pago; en espera de pago; impagado; impagada; sin pagar; error en el pago; pago fallido; pago rechazado; parcialmente pagado; por pagar;
    in attesa di pagamento; in attesa del pagamento; da pagare; pagamento in sospeso; errore di pagamento; parzialmente pagato;
    onbetaald; wacht op betaling; wachten op betaling; in afwachting van betaling; gedeeltelijk betaald; betaling mislukt; te betalen;
    nieopłacone; niezapłacone; oczekuje na płatność; oczekiwanie na płatność; oczekujące na płatność; do zapłaty; częściowo opłacone; błąd płatności`,
  unclear: `partial; partially; partly; in part; teilweise; Teillieferung; teilgeliefert; teilversendet; teilversandt; Teilversand; Teilretour; Teilerstattung; teilstorniert;
    partielle; partiel; partiellement; parcial; parcialmente; parziale; parzialmente; gedeeltelijk; deellevering; częściowo; częściowe`,
};

/** States of payments. Words that are missing here mean the same as for orders, unless they end an order. */
const PAYMENT: Words = {
  open: `paid; completed; complete; done; closed; captured; settled; authorized; authorised; succeeded; success; successful; approved; processed; accepted; cleared; paid in full;
    fully paid; in payment; overpaid; free; none; not required; cash on delivery; cod; confirmed; received; credit; deposited; transferred; payment received; payment accepted; payment completed; processing; in process; in progress;
    bezahlt; gezahlt; beglichen; abgeschlossen; autorisiert; erledigt; komplett bezahlt; ausgeglichen; eingegangen; verbucht; erfolgreich; Nachnahme; in Bearbeitung; bestätigt; erhalten; vollständig; überzahlt;
    payée; payé; réglée; réglé; acquittée; acquitté; soldée; soldé; encaissé; encaissée; autorisé; autorisée; réussi; accepté; acceptée; terminé; reçu; validé;
    pagado; pagada; cobrado; cobrada; completado; autorizado; aceptado; liquidado; saldado; abonado; recibido; contra reembolso;
    pagato; pagata; saldato; saldata; incassato; autorizzato; completato; riuscito; ricevuto;
    betaald; voldaan; voltooid; geautoriseerd; ontvangen; rembours;
    opłacone; zapłacone; zaksięgowane; opłacono; zapłacono; opłacona; zapłacona; pobranie; za pobraniem; zakończone`,
  unpaid: `unpaid; pending; open; new; awaiting; awaiting payment; due; overdue; outstanding; failed; declined; expired; rejected; denied; error; reminded; incomplete; unconfirmed; created; waiting; scheduled; past due; pending capture; invoiced; unsettled; partial; partially; draft; action required;
    offen; unbezahlt; ausstehend; steht aus; nicht eingegangen; noch nicht eingegangen; fällig; überfällig; fehlgeschlagen; abgelehnt; erinnert; angemahnt; gemahnt; unbestätigt; wartend; neu; erwartet; Vorkasse offen; teilweise; teilzahlung; angezahlt; Anzahlung;
    en attente; impayée; impayé; échoué; échouée; refusé; refusée; due; dû; en retard; expiré; expirée; à régler; partiel; partielle; acompte versé; erreur;
    pendiente; impagado; impagada; fallido; fallida; rechazado; vencido; vencida; caducado; adeudado; parcial;
    in attesa; non riuscito; fallito; scaduto; insoluto; parziale;
    onbetaald; openstaand; mislukt; verlopen; achterstallig;
    nieopłacone; niezapłacone; oczekujące; nieopłacona; niezapłacona; zaległe; nieudane`,
  on_hold:
    'chargeback; disputed; dispute; in dispute; payment review; fraud; suspected fraud; Rückbuchung; under review; in review; review; in Prüfung; litige; en litige; en disputa',
};

/** States of cancellations. */
const CANCELLATION: Words = {
  open: `none; denied; rejected; declined; refused; not requested; withdrawn; no cancellation; not canceled; not cancelled; active; keine; abgelehnt; zurückgezogen; aucune; refusée; refusé;
    ninguna; rechazada; rechazado; denegada; nessuna; rifiutata; geen; geweigerd; brak; odrzucone; open order`,
  canceled: `completed; complete; done; approved; confirmed; accepted; granted; closed; successful; processed; full; genehmigt; bestätigt; erledigt; akzeptiert; abgeschlossen; angenommen; durchgeführt;
    acceptée; accepté; confirmée; approuvée; terminée; effectuée; aceptada; aprobada; confirmada; completada; realizada; accettata; confermata; completata; bevestigd; goedgekeurd; zaakceptowane; potwierdzone`,
  cancel_requested: `requested; pending; open; new; in progress; in review; under review; waiting; request; angefragt; beantragt; offen; ausstehend; in Bearbeitung; gewünscht; in Prüfung; angefordert;
    demandée; demandé; en attente; en cours; solicitada; solicitado; pendiente; en curso; richiesta; richiesto; in attesa; aangevraagd; zgłoszone; oczekujące`,
  unclear: 'partial; partially; teilweise; partielle; partielle; parcial; parziale; gedeeltelijk; częściowe',
};

function tableOf(...groups: readonly Words[]): ReadonlyMap<string, WordState> {
  const table = new Map<string, WordState>();
  for (const words of groups) {
    for (const [state, texts] of Object.entries(words)) {
      for (const key of columnKeys(texts)) {
        if (!table.has(key)) table.set(key, state as WordState);
      }
    }
  }
  return table;
}

const { canceled, refunded, unpaid } = WORK;
const work = tableOf(WORK);
/** Words for an order that waits, which can mean that it waits for its payment. */
const waiting = (PAYMENT.unpaid ?? '')
  .split(';')
  .filter((word) => (work.get(columnKey(word)) ?? 'open') === 'open')
  .join(';');
/** The first group that has a word decides. */
const TABLES: Readonly<Record<StateAspect, ReadonlyMap<string, WordState>>> = {
  work,
  work_and_payment: tableOf({ unpaid: waiting }, WORK, PAYMENT),
  payment: tableOf(PAYMENT, { canceled, refunded, unpaid }),
  cancellation: tableOf(CANCELLATION, WORK),
};

/** First words of all states. A phrase begins with one of them, or with a word that `beginsPhrase` knows. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  [WORK, PAYMENT, CANCELLATION].flatMap((words) =>
    Object.values(words).flatMap((texts) => texts.split(';').map((each) => firstWordOf(each))),
  ),
);

/** Returns the meaning of a state in any of our languages, also within a phrase, or undefined if it is not understood. */
export function pickStateOf(text: string, aspect: StateAspect = 'work'): WordState | undefined {
  const table = TABLES[aspect];
  const exact = table.get(columnKey(text));
  if (exact !== undefined) return exact;
  // Most texts are not states, and this is faster than reading them.
  const first = firstWordOf(text);
  if (!FIRST_WORDS.has(first) && !beginsPhrase(first)) return undefined;
  return readPhrase(plainOf(text), (words) => table.get(columnKey(words)));
}

const ENDS: ReadonlySet<WordState | undefined> = new Set(END_REASONS);

/**
 * Returns what a column with these values is about, according to its words for payments. A column with `completed` or `done` is also about
 * the work.
 */
export function aspectOf(values: readonly string[]): Exclude<StateAspect, 'cancellation'> {
  if (!values.some((text) => saysPaid(plainOf(text)) && pickStateOf(text, 'payment') === 'open')) return 'work';
  const isOfPayment = values.every((text) => {
    const state = pickStateOf(text, 'payment');
    return state !== undefined && !(state === 'open' && ENDS.has(pickStateOf(text)));
  });
  return isOfPayment ? 'payment' : 'work_and_payment';
}

/** States that also describe goods, deliveries and people, so that a column counts by them only if its name says so. */
const WEAK =
  columnKeySet(`complete; completed; finished; closed; done; partial; partially; return; returned; hold; held; stop; stopped; review; removed; sent; deleted; in part; parked; frozen; collected; picked up; archived; void; refused;
    komplett; fertig; vollständig; geschlossen; beendet; abgeschlossen; teilweise; Retour; Retoure; Rückgabe; Gutschrift; Klärung; übergeben; erledigt; gesperrt; Sperre;
    complète; terminé; terminée; fermée; partiel; partielle; completo; cerrado; cerrada; parcial; chiuso; chiusa; reso; gesloten; zwrot; zamknięte`);

export function isWeakState(text: string): boolean {
  return WEAK.has(columnKey(text));
}

/** Weak states that mean a hold if they are the whole remark. Others, such as `frozen` and `review`, describe the goods or the buyer. */
const HOLDS = columnKeySet('hold; held; stop; stopped; gesperrt; Sperre; Klärung');

/**
 * Returns the meaning of a remark that consists of a state, such as `storniert` or `already shipped`, or undefined for any other remark. A date
 * may follow. A cause may follow only a cancellation or a hold.
 */
export function remarkStateOf(text: string): WordState | undefined {
  if (isWeakState(text)) return HOLDS.has(columnKey(text)) ? 'on_hold' : undefined;
  const exact = TABLES.work.get(columnKey(text));
  if (exact !== undefined) return exact;
  const plain = plainOf(text);
  const find = (words: string) => (isWeakState(words) ? undefined : TABLES.work.get(columnKey(words)));
  const state = readRemark(plain, find);
  if (state === 'canceled' || state === 'cancel_requested' || state === 'on_hold') return state;
  if (state !== 'shipped' && state !== 'refunded') return undefined;
  // A carrier after the state can be a wish of the buyer.
  const words = plain.split(' ');
  const endsWithIt = words.some((_word, at) => find(words.slice(at).join(' ')) === state);
  return endsWithIt || /\d/.test(plain) ? state : undefined;
}
