import { isFlag, isYes } from './cells/flags.ts';
import { columnKey, columnKeys, columnKeySet } from './columnKey.ts';
import type { PickRule } from './pickRules.ts';
import type { LeaveOutReason } from './states.ts';

/** Names of columns with the type of a row or of its article, by `columnKey`. */
const TYPES =
  /^(?:order|auftrags?)?(?:line|lineitem|item|position|product|article|artikel|produkt|row|record)s?(?:type|typ|art|kind)$|^(?:zeile|eintrag)n?s?(?:typ|art)$|^(?:regel|artikel)(?:type|soort)$|^(?:typ|rodzaj)(?:pozycji|towaru|produktu|wiersza)$|^(?:type|tipo)(?:de|d|di)?(?:ligne|article|produit|linea|articulo|producto|riga|articolo|prodotto)$/;
/** Names that also mean the type of an order, such as delivery or pickup. */
const WEAK_TYPES = columnKeySet('type; typ; tipo; kind; Art; soort; rodzaj');
/** Types of goods. A column with one of them has types of rows. */
const GOODS = columnKeySet(
  `item; items; product; article; goods; stock; stock item; inventory; inventory item; physical; material; line item; variation; simple; simple product; variable;
  Artikel; Ware; Produkt; Lagerartikel; Material; article stocké; produit; marchandise; artículo; producto; articolo; prodotto; voorraadartikel; towar; towary; artykuł`,
);
/** Types of rows without goods, and of goods that are not picked. */
const NO_GOODS = `shipping; shipping line; shipping fee; shipping cost; shipping costs; freight; delivery; carriage; postage; handling; discount; discount line; coupon; coupon line; voucher; promotion;
  fee; fee line; tax; tax line; surcharge; tip; comment; text; text line; note; remark; G/L Account; account; resource; charge; charge (item); service; services; digital; digital goods;
  digital product; download; downloadable; virtual; gift card; subtotal; total; transaction; payment;
  Versand; Versandposition; Versandkosten; Porto; Fracht; Lieferung; Rabatt; Rabattposition; Gutschein; Gutscheinposition; Gebühr; Steuer; Zuschlag; Kommentar; Freitext; Freiposition; Textposition; Texteintrag;
  Bemerkung; Sachkonto; Ressource; Zu-/Abschlag (Artikel); Dienstleistung; Leistung; digitaler Artikel; digitales Produkt; virtuell; Geschenkgutschein; Zwischensumme; Summe; Zahlung;
  port; frais de port; livraison; transport; remise; bon de réduction; frais; taxe; commentaire; texte; compte général; ressource; prestation; numérique; virtuel; carte cadeau; sous-total;
  envío; gastos de envío; portes; transporte; descuento; cupón; impuesto; comentario; texto; cuenta; recurso; servicio; digital; tarjeta regalo;
  verzending; verzendkosten; korting; bon; cadeaubon; toeslag; opmerking; tekst; tekstregel; dienst; betaling; subtotaal; totaal;
  wysyłka; dostawa; koszt wysyłki; koszty wysyłki; przesyłka; rabat; kupon; opłata; podatek; komentarz; uwaga; usługa; usługi; cyfrowy; karta podarunkowa; suma; płatność`;
const NO_GOODS_WORDS: Readonly<Record<string, LeaveOutReason>> = Object.fromEntries(
  columnKeys(NO_GOODS).map((key) => [key, 'not_shippable']),
);

/** Names of columns with a yes for rows that are not shipped, or that others ship. */
const FLAGS: readonly { has: RegExp; reason: LeaveOutReason }[] = [
  {
    has: /^(?:is)?(?:virtual|digital|downloadable|nonphysical|virtuell|virtuel)(?:item|product|goods|article|artikel)?$/,
    reason: 'not_shippable',
  },
  {
    has: /^(?:is)?(?:dropship(?:ping|ped|ment)?|streckengeschaft|streckenauftrag|streckenlieferung)(?:item|product|order|line)?$/,
    reason: 'shipped_by_others',
  },
];
const SHIPPERS = /^(?:fulfil{1,2}(?:ment|ed)(?:channel|by|type|service|method)|versanddurch)$/;
/** Warehouses of marketplaces. */
const WAREHOUSES: Readonly<Record<string, LeaveOutReason>> = Object.fromEntries(
  columnKeys(
    `amazon; afn; fba; fulfillment by amazon; fulfilled by amazon; Versand durch Amazon; wfs; walmart fulfilled; fulfilled by walmart; fbt; fulfillment by tiktok; fulfillment by tiktok shop;
    fbl; fulfilled by lazada; sbs; fulfilled by shopee; zfs; lvb; logistiek via bol`,
  ).map((key) => [key, 'shipped_by_others']),
);

/**
 * Returns the rules of a column whose values say which rows are not goods of this warehouse, or undefined for any other column. `values`
 * are the different values of the column.
 */
export function kindRules(name: string, values: readonly string[]): readonly PickRule[] | undefined {
  const key = columnKey(name);
  const rule = { field: 'line_status', of: 'line' } as const;
  const flag = FLAGS.find(({ has }) => has.test(key));
  const isWeak = WEAK_TYPES.has(key);
  const words = SHIPPERS.test(key) ? WAREHOUSES : isWeak || TYPES.test(key) ? NO_GOODS_WORDS : undefined;
  if (flag === undefined && words === undefined) return undefined;
  if (flag !== undefined)
    return values.every(isFlag) && values.some(isYes) ? [{ ...rule, when: 'filled', reason: flag.reason }] : undefined;
  if (words === undefined || (isWeak && !values.some((text) => GOODS.has(columnKey(text))))) return undefined;
  return values.some((text) => Object.hasOwn(words, columnKey(text))) ? [{ ...rule, when: 'words', words }] : undefined;
}

/** Names of rows that are costs or discounts. */
const COSTS = columnKeySet(
  `shipping; shipping cost; shipping costs; shipping fee; shipping charge; shipping charges; shipping & handling; shipping and handling; delivery fee; delivery charge; postage; postage & packing; freight;
  carriage; handling fee; discount; order discount; sales tax; vat; tip; rounding;
  Versandkosten; Versand; Versandkostenpauschale; Versandpauschale; Versand und Verpackung; Lieferkosten; Porto; Portokosten; Porto und Verpackung; Frachtkosten; Rabatt; Nachlass; Skonto; MwSt; Mehrwertsteuer; Nachnahmegebühr;
  Mindermengenzuschlag; frais de port; frais de livraison; frais d'expédition; frais d'envoi; port; remise; TVA; gastos de envío; coste de envío; costes de envío; portes; gastos de transporte; descuento; IVA;
  spese di spedizione; sconto; verzendkosten; bezorgkosten; portokosten; administratiekosten; behandelingskosten; korting; btw;
  koszt wysyłki; koszty wysyłki; koszt dostawy; koszty dostawy; koszty przesyłki; wysyłka; dostawa; przesyłka; przesyłka kurierska; opłata za wysyłkę; opłata manipulacyjna; rabat; zniżka`,
);
/** An amount after a word, as in `Rabatt 10%`. */
const AMOUNT = /^[\d\s.,%€$£()]*(?:EUR|USD)?$/;
/** Maximum number of characters in a text to look up, more than any entry has. */
const MAX_CHARACTERS = 40;

/** Whether the name of a row without a code is that of costs or a discount. */
export function isCost(name: string): boolean {
  if (name.length > MAX_CHARACTERS) return false;
  const at = name.search(/\d/);
  return at < 0 ? COSTS.has(columnKey(name)) : AMOUNT.test(name.slice(at)) && COSTS.has(columnKey(name.slice(0, at)));
}
