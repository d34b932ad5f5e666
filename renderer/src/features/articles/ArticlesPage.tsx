import { lazy, useState } from 'react';
import { useSearchParams } from 'wouter';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { articleAddress, useRouteId } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';
import { ArticleList } from './ArticleList.tsx';
import { ArticleView } from './ArticleView.tsx';

const LabelsView = lazy(async () => {
  const { LabelsView: component } = await import('../../shop/labels/LabelsView.tsx');
  return { default: component };
});

/** The label templates: one label for an article, for example on a box, or one for each of its places. */
const LABELS = ['article', 'both'] as const;

/** The Articles page, which shows articles with their places and stock. */
export function ArticlesPage() {
  const sku = useRouteId();
  const [params] = useSearchParams();
  /** Keys of the rows to print, or undefined for the whole list. */
  const [printed, setPrinted] = useState<readonly string[]>();
  if (params.get('view') === 'labels') {
    const q = params.get('q') ?? '';
    const show = params.get('show') ?? '';
    const kept = new URLSearchParams([...params].filter(([name]) => name === 'q' || name === 'show')).toString();
    const list = kept === '' ? pageAddress('articles') : `${pageAddress('articles')}?${kept}`;
    const back =
      sku === undefined
        ? { words: texts.articles.one.backToList, to: list }
        : { words: texts.articles.one.backToOne(sku), to: articleAddress(sku) };
    return (
      <LabelsView articles={sku === undefined ? { q, show, keys: printed } : { sku }} templates={LABELS} back={back} />
    );
  }
  if (sku !== undefined) return <ArticleView key={sku} sku={sku} />;
  return <ArticleList print={setPrinted} />;
}
