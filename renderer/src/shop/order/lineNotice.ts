import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticlesOf } from '../../station/findArticles.ts';
import * as texts from '../../words/texts.ts';

const words = texts.orders.form.notice;

export type LineFacts = {
  /** The text in the field for the article. */
  typed: string;
  /** What this text finds. */
  found: Pick<ArticlesOf, 'meant' | 'named'>;
  /** The name of the place that the line gives; may be empty. */
  place: string;
  /** Whether the shop has articles at all. */
  hasArticles: boolean;
  /** Whether a device has this label, alias or DeviceID. */
  isLit(name: string): boolean;
};

/** Says what a line of a new order will not do: light a device, or change a stock. Returns an empty text if it does both. */
export function lineNotice({ typed, found: { meant, named }, place, hasArticles, isLit }: LineFacts): string {
  const name = typed.trim();
  if (name === '') return '';
  if (meant !== undefined) {
    const { sku, places } = meant;
    if (place !== '') {
      const isKept = places.some(({ location }) => nameKey(location) === nameKey(place));
      return [isLit(place) ? '' : words.noLight(place), isKept ? '' : words.notKept(sku, place)]
        .filter(Boolean)
        .join(' ');
    }
    if (places.some(({ location }) => isLit(location))) return '';
    if (places.length === 0) return isLit(sku) ? words.noStock(sku) : words.noPlace(sku);
    return words.unlit(places.map(({ location }) => location));
  }
  const light = place === '' ? name : place;
  const unlit = isLit(light) ? '' : place === '' ? words.nothing(name) : words.noLight(place);
  if (!hasArticles) return unlit;
  const choose = named > 1 ? words.several(named, name) : '';
  if (isLit(light)) return `${choose} ${words.onlyLit(name)}`.trim();
  return `${choose} ${words.neither(name)}`.trim();
}
