import { Check, PackageOpen, Printer, ScanBarcode } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Api } from '../../station/calls/api.ts';
import type { Article } from '#shared/api/article.ts';
import type { Item, Order } from '#shared/api/order.ts';
import { Button } from '../../kit/button/Button.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import parts from '../../kit/parts.module.css';
import { ledTone } from '../../shop/device/ledTone.ts';
import { itemName } from '../../shop/order/itemName.ts';
import { addressLines } from '../../shop/order/slipParts.ts';
import { useServices } from '../../shop/toasts.ts';
import { orderAddress } from '../../station/addresses.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { pack as words } from '../../words/pack.ts';
import styles from './Pack.module.css';
import { codesOf, countOf, uncheckedOf } from './packCheck.ts';
import { type PackSlot, contentKey, missingIn, type PackLine, packLines, shipmentIn } from './packSlots.ts';
import type { PackCheck } from './usePackCheck.ts';

const GREEN = ledTone('#00ff00').tone;

type Goods = { order: Order | undefined; articles: readonly Article[] };

type Props = {
  slot: PackSlot;
  /** Why the slot's light may fail, or undefined if no problem is known. */
  trouble: string | undefined;
  /** The check of the slot's pieces, or undefined if pieces are not checked. */
  check: PackCheck | undefined;
  isPrinting: boolean;
  isEmptying: boolean;
  print(): void;
  empty(): void;
};

/** A complete slot that can be packed: its order, its shipment and its articles. */
export function CompleteSlot({ slot, trouble, check, isPrinting, isEmptying, print, empty }: Props) {
  const { slot: name, order_number: number, shipment_number: shipment, tote } = slot;
  const goods = useGoods(slot);
  const lines = packLines(slot);
  const missing = missingIn(lines);
  const items = new Map(goods?.order?.shipments.flatMap((each) => each.items.map((item) => [item.id, item] as const)));
  const articles = new Map(goods?.articles.map((article) => [article.sku, article]));
  useKnownLines(check, slot, lines, { items, articles, isKnown: goods !== undefined });
  const pictures = new Map(
    lines.map(({ itemId }) => [itemId, articles.get(items.get(itemId)?.SKU ?? '')?.picture ?? null]),
  );
  const hasPictures = [...pictures.values()].some((picture) => picture !== null);
  const counted = check?.countedOf(slot);
  const unchecked = counted === undefined ? 0 : uncheckedOf(lines, counted);
  const all = lines.reduce((sum, { put }) => sum + put, 0);
  const isChecking = check?.active === contentKey(slot);
  const { note = '' } = goods?.order ?? {};
  const to = addressLines(goods?.order ?? {}).join(', ');

  return (
    <li
      className={styles.card}
      data-short={missing > 0 || undefined}
      data-checking={isChecking || undefined}
      style={missing > 0 ? undefined : { borderTopColor: GREEN }}
      aria-label={words.slot(name)}
    >
      <header className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <div className={styles.of}>
          <StateTag
            tone={missing > 0 ? 'care' : 'done'}
            words={missing > 0 ? words.isShort(missing) : words.isComplete}
            wraps
          />
          {trouble !== undefined && <StateTag tone="care" words={trouble} wraps />}
          {number !== null && (
            <Link href={orderAddress(number)} className={styles.number}>
              {number}
            </Link>
          )}
          {to !== '' && <span className={styles.customer}>{to}</span>}
          {shipment !== null && shipment !== number && <span className={parts.quiet}>{words.shipment(shipment)}</span>}
          {tote !== null && <span className={parts.quiet}>{words.tote(tote)}</span>}
        </div>
      </header>
      {note !== '' && <p className={styles.note}>{note}</p>}
      <ul className={styles.items} aria-label={words.items(name)}>
        {lines.map((line) => (
          <Line
            key={line.itemId}
            line={line}
            item={items.get(line.itemId)}
            picture={hasPictures ? (pictures.get(line.itemId) ?? null) : undefined}
            isLoading={goods === undefined}
            counted={counted && countOf(counted, line)}
          />
        ))}
      </ul>
      {check !== undefined && (
        <div className={styles.check}>
          {unchecked === 0 ? (
            <StateTag tone="done" words={words.check.done} />
          ) : (
            <span className={parts.figures}>{words.check.counted(all - unchecked, all)}</span>
          )}
          {isChecking
            ? unchecked > 0 && <StateTag tone="lit" words={words.check.here} />
            : unchecked > 0 && (
                <Button
                  icon={ScanBarcode}
                  words={words.check.start}
                  aria-label={words.check.startOf(name)}
                  onPress={() => check.begin(slot)}
                />
              )}
        </div>
      )}
      <div className={styles.actions}>
        <Button
          icon={Printer}
          look="primary"
          words={words.print}
          aria-label={words.printOf(name)}
          busy={isPrinting}
          onPress={print}
        />
        <Button
          icon={check === undefined ? PackageOpen : Check}
          words={check === undefined ? words.empty : words.packed}
          aria-label={check === undefined ? words.emptyOf(name) : words.packedOf(name)}
          busy={isEmptying}
          onPress={empty}
        />
      </div>
    </li>
  );
}

type LineProps = {
  line: PackLine;
  item: Item | undefined;
  /**
   * The picture of the article, or null if it has none. Undefined if no article in the slot has one, so that no space
   * is needed.
   */
  picture: string | null | undefined;
  isLoading: boolean;
  /** Number of checked pieces, or undefined if pieces are not checked. */
  counted: number | undefined;
};

function Line({ line: { put, ordered, missing }, item, picture, isLoading, counted }: LineProps) {
  const name = item === undefined ? '' : itemName(item);
  const { SKU = '', description = '' } = item ?? {};
  const further = [SKU === name ? '' : SKU, description].filter((text) => text !== '').join(' · ');
  return (
    <li className={styles.item} data-short={missing > 0 || undefined}>
      <span className={styles.count}>{words.count(put, ordered)}</span>
      {picture === null && <span className={styles.picture} aria-hidden="true" />}
      {typeof picture === 'string' && (
        <img className={styles.picture} src={`${picture}&size=96`} alt="" width={48} height={48} />
      )}
      <span className={styles.what}>
        <span className={styles.article}>{name === '' ? (isLoading ? words.loading : words.unnamed) : name}</span>
        {further !== '' && <span className={parts.quiet}>{further}</span>}
        {missing > 0 && <span className={parts.careStrong}>{words.missing(missing)}</span>}
      </span>
      {counted !== undefined && (
        <span className={styles.counted} data-done={counted >= put || undefined}>
          {words.check.counted(counted, put)}
        </span>
      )}
    </li>
  );
}

/** Loads the order in a slot and the articles of its items with their pictures and barcodes. */
function useGoods({ order_number: number, shipment_number }: PackSlot): Goods | undefined {
  const { api } = useServices();
  const { value } = useStationQuery(
    ['packGoods', number ?? '', shipment_number ?? ''],
    async (): Promise<Goods> => {
      const order = shipmentIn(await api.getOrder({ path: { order_number: number ?? '' } }), { shipment_number });
      const skus = new Set(order.shipments.flatMap(({ items }) => items.flatMap(({ SKU = '' }) => SKU || [])));
      const articles = await Promise.all([...skus].map((sku) => findArticle(api, sku)));
      return { order, articles: articles.filter((article) => article !== undefined) };
    },
    { isOn: number !== null },
  );
  return value;
}

const MATCHES = 100;

/**
 * Returns the article with this SKU, or undefined if there is none. Searches first, because the browser's console shows
 * each 404 as an error.
 */
async function findArticle(api: Api, sku: string): Promise<Article | undefined> {
  const found = await api.listArticles({ query: { q: sku, active: 'all', limit: MATCHES } });
  const exact = found.find((article) => nameKey(article.sku) === nameKey(sku));
  return exact ?? (found.length < MATCHES ? undefined : api.getArticle({ path: { sku } }).catch(() => undefined));
}

/** Passes the codes of the pieces in this slot to the check. */
function useKnownLines(
  check: PackCheck | undefined,
  slot: PackSlot,
  lines: readonly PackLine[],
  {
    items,
    articles,
    isKnown,
  }: { items: ReadonlyMap<number, Item>; articles: ReadonlyMap<string, Article>; isKnown: boolean },
): void {
  const key = contentKey(slot);
  const lineUp = check?.lineUp;
  useEffect(() => {
    if (lineUp === undefined || !isKnown) return;
    const known = lines.map(({ itemId, put }) => {
      const item = items.get(itemId);
      const name = item === undefined ? words.unnamed : itemName(item);
      const barcodes = articles.get(item?.SKU ?? '')?.barcodes ?? [];
      return { itemId, put, name, codes: codesOf(item ?? {}, barcodes) };
    });
    lineUp(key, known);
  });
}
