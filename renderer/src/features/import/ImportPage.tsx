import type { ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useDenied } from '../../kit/denied.ts';
import { Segments } from '../../kit/field/Segments.tsx';
import { Denied } from '../../kit/page/PageHeader.tsx';
import { ARTICLE_FILES } from '../../import/articleImport.tsx';
import { ImportSteps } from '../../import/ImportSteps.tsx';
import { ORDER_FILES } from '../../import/orderImport.tsx';
import { PLACE_FILES } from '../../import/placeImport.tsx';
import { IMPORTS, importAddress, type ImportWhat } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';

const words = texts.importing.what;

/** The page that imports orders, articles or places, depending on the address. */
export function ImportPage() {
  const [params] = useSearchParams();
  const what = IMPORTS.find((each) => each === params.get('what')) ?? 'orders';
  // Use a separate component per kind, so that each kind keeps the state of its import.
  const Page = PAGES[what];
  return <Page />;
}

function ImportOrders() {
  const denied = useDenied('import_orders');
  const [, navigate] = useLocation();
  if (denied !== undefined) return <Denied title={texts.orderImport.title} denied={denied} />;
  return <ImportSteps kind={ORDER_FILES} choice={<WhatChoice what="orders" />} finish={() => navigate('/orders')} />;
}

function ImportArticles() {
  const denied = useDenied('edit_stock');
  const [, navigate] = useLocation();
  if (denied !== undefined) return <Denied title={texts.articles.importing.title} denied={denied} />;
  return (
    <ImportSteps kind={ARTICLE_FILES} choice={<WhatChoice what="articles" />} finish={() => navigate('/articles')} />
  );
}

function ImportPlaces() {
  const denied = useDenied('import_locations');
  const [, navigate] = useLocation();
  if (denied !== undefined) return <Denied title={texts.locations.importing.title} denied={denied} />;
  return <ImportSteps kind={PLACE_FILES} choice={<WhatChoice what="places" />} finish={() => navigate('/places')} />;
}

const PAGES = { orders: ImportOrders, articles: ImportArticles, places: ImportPlaces } as const satisfies Record<
  ImportWhat,
  () => ReactNode
>;

function WhatChoice({ what }: { what: ImportWhat }) {
  const [, navigate] = useLocation();
  return (
    <Segments
      label={words.label}
      value={what}
      onChange={(next) => navigate(importAddress(next), { replace: true })}
      choices={IMPORTS.map((id) => ({ id, words: words.choices[id] }))}
    />
  );
}
