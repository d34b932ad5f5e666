import { useMemo, useState } from 'react';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { useStationContext } from './context.ts';
import { type ArticlesOf, findArticles, NOTHING } from './findArticles.ts';
import { useSettled } from './useSettled.ts';
import { useStationQuery } from './useStationQuery.ts';

/** What a typed text finds. `isKnown` tells whether the station has answered for this text. */
export type FoundArticles = ArticlesOf & { text: string; isKnown: boolean };

/** Returns the articles that a typed text finds. While an answer is pending, returns the previous matches that also contain the text. */
export function useFoundArticles(typed: string): FoundArticles {
  const { api } = useStationContext();
  const text = typed.trim();
  const settled = useSettled(text);
  const { status, value } = useStationQuery(['articlesFound', settled], () => findArticles(api, settled), {
    isOn: settled === text,
  });
  const [last, setLast] = useState(NOTHING);
  if (value !== undefined && value !== last) setLast(value);
  return useMemo(() => {
    if (settled === text && status === 'loaded') return { ...value, text, isKnown: true };
    const articles = last.articles.filter(({ sku, name }) => [sku, name ?? ''].some((each) => contains(each, text)));
    const meant = articles.find(({ sku }) => nameKey(sku) === nameKey(text));
    return { meant, pieces: 1, named: 0, articles, text, isKnown: meant !== undefined };
  }, [settled, text, status, value, last]);
}

const contains = (whole: string, part: string): boolean => nameKey(whole).includes(nameKey(part));

/** Whether the shop has articles. Undefined until the station has answered. */
export function useHasArticles(): boolean | undefined {
  const { api } = useStationContext();
  const { value } = useStationQuery(['articles', 'first'], () => api.listArticles({ query: { limit: 1 } }));
  return value && value.length > 0;
}
