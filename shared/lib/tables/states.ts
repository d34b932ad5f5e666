import { columnKey } from './columnKey.ts';

/** Why a row is not picked. */
export const LEAVE_OUT_REASONS = ['shipped', 'canceled', 'refunded', 'not_shippable', 'shipped_by_others'] as const;
export type LeaveOutReason = (typeof LEAVE_OUT_REASONS)[number];

/** Each reason as a sentence. */
export const LEAVE_OUT_SENTENCES: Readonly<Record<LeaveOutReason, string>> = {
  shipped: 'It is already shipped.',
  canceled: 'It is canceled.',
  refunded: 'It is refunded.',
  not_shippable: 'It is not shipped, such as a gift card or a service.',
  shipped_by_others: 'Another warehouse ships it.',
};

/** States of orders and lines in shop exports, grouped by their meaning for picking. */
const WORDS: Readonly<Record<'open' | 'shipped' | 'canceled' | 'refunded' | 'unclear', string>> = {
  open: `open; new; pending; processing; in process; in progress; on hold; hold; paid; partially paid; unpaid; expired; confirmed; approved; awaiting shipment; none; not fulfilled;
    awaiting payment; awaiting fulfillment; pending payment; unfulfilled; unshipped; not shipped; ready; ready to ship; ready to pick;
    to do; to pick; to deliver; to deliver and bill; draft; quotation; sale; sales order; waiting; waiting another move; waiting for availability;
    available; assigned; partially available; submitted; scheduled; released; authorized; due; backorder; backordered;
    offen; neu; in Bearbeitung; bezahlt; unbezahlt; in Wartestellung; Zahlung ausstehend; bestätigt; freigegeben; wartend; versandbereit;
    nicht versendet; nicht geliefert; zu liefern; Entwurf; bereit;
    en cours; nouvelle; nouveau; en attente; en attente de paiement; payée; payé; confirmée; à préparer; à expédier; à livrer; brouillon;
    en préparation; ouvert; ouverte;
    abierto; nuevo; procesando; en espera; pendiente; pendiente de pago; pagado; confirmado; por enviar; en proceso; borrador; preparado`,
  shipped: `shipped; fulfilled; delivered; completed; complete; done; closed; dispatched;
    versendet; verschickt; geliefert; ausgeliefert; abgeschlossen; fertiggestellt; erledigt; versandt; zugestellt;
    expédiée; expédié; livrée; livré; terminée; terminé; envoyée; envoyé; clôturée;
    enviado; entregado; completado; terminado; cerrado; finalizado`,
  canceled: `canceled; cancelled; void; voided; cancel; failed; trash; rejected; restocked; deleted;
    storniert; abgebrochen; fehlgeschlagen; gelöscht; annulliert;
    annulée; annulé; échouée; échoué; refusée;
    cancelado; anulado; fallido; rechazado`,
  refunded: `refunded; returned; return; erstattet; rückerstattet; zurückerstattet; retourniert; Rückgabe; remboursée; remboursé; retournée;
    reembolsado; devuelto`,
  unclear: `partial; partially; partially shipped; partially fulfilled; partially refunded; partially delivered; partly shipped; teilweise geliefert;
    teilweise versendet; teilweise erstattet; partiellement expédiée; partiellement livrée; parcialmente enviado; parcialmente entregado`,
};

/** What a state means for picking. `unclear` means that the remaining quantity is unknown. */
export type WordState = keyof typeof WORDS;

const STATES: ReadonlyMap<string, WordState> = new Map(
  Object.entries(WORDS).flatMap(([state, words]) =>
    words.split(';').map((word) => [columnKey(word), state as WordState] as const),
  ),
);

/** Returns the meaning of a state, or undefined if the word is unknown. */
export function pickStateOf(text: string): WordState | undefined {
  return STATES.get(columnKey(text));
}
