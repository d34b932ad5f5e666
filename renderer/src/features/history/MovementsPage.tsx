import { useDeferredValue, useState } from 'react';
import { MOVEMENT_KINDS, type MovementKind } from '#shared/lib/articles/movementKinds.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useDayStart } from '../../station/time.ts';
import { shopClock } from '../../words/shopClock.ts';
import { useFoundArticles } from '../../station/foundArticles.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { PlaceField } from '../../shop/place/PlaceField.tsx';
import { ArticleField } from '../../shop/stock/ArticleField.tsx';
import { MovementTable } from '../../shop/stock/MovementTable.tsx';
import * as texts from '../../words/texts.ts';
import styles from './HistoryPage.module.css';
import filters from './Movements.module.css';

const words = texts.history.movements;
const DAYS = ['1', '7', '30'] as const;
type Days = (typeof DAYS)[number];
const DAY_CHOICES = DAYS.map((id) => ({ id, text: words.days[id] }));
type Kind = MovementKind | 'any';
const KIND_CHOICES = [
  { id: 'any' as const, text: words.anyKind },
  ...MOVEMENT_KINDS.map((id) => ({ id, text: texts.articles.one.kinds[id] })),
];

/** Lists stock movements, filtered by article, place, kind and time. */
export function MovementsPage() {
  const { api } = useStationContext();
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const [article, setArticle] = useState('');
  const found = useFoundArticles(article);
  const [location, setLocation] = useState('');
  const [kind, setKind] = useState<Kind>('any');
  const [days, setDays] = useState<Days>('7');
  const today = useDayStart();
  const from = new Date(shopClock().startOfDay(today, 1 - Number(days))).toISOString();
  const asked = useDeferredValue(
    JSON.stringify({ sku: found.meant?.sku ?? article.trim(), location: location.trim(), kind, from }),
  );
  const movements = useStationQuery(['movements', 'all', asked], () => {
    const wanted = JSON.parse(asked) as { sku: string; location: string; kind: Kind; from: string };
    return api.loadMovements({
      from: wanted.from,
      ...(wanted.sku === '' ? {} : { sku: wanted.sku }),
      ...(wanted.location === '' ? {} : { location: wanted.location }),
      ...(wanted.kind === 'any' ? {} : { kind: wanted.kind }),
    });
  });
  const { status, value } = movements;
  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <PageHeader title={words.title} note={<span role="status">{value && words.some(value.length)}</span>}>
        <BackButton words={texts.history.title} to="/history" />
      </PageHeader>
      <main className={styles.body}>
        <div className={styles.content}>
          <section className={filters.filters} aria-label={texts.history.filters}>
            <ArticleField
              name="sku"
              label={words.article}
              value={article}
              found={found}
              onChange={setArticle}
              onChoose={({ sku }) => setArticle(sku)}
            />
            <PlaceField
              chooses="place"
              name="location"
              label={words.location}
              value={location}
              onChange={setLocation}
            />
            <ChoiceField
              name="kind"
              label={words.kind}
              choices={KIND_CHOICES}
              value={kind}
              onChange={(id) => setKind(id)}
            />
            <ChoiceField
              name="days"
              label={words.time}
              choices={DAY_CHOICES}
              value={days}
              onChange={(id) => setDays(id)}
            />
          </section>
          <Failure>{movements.status === 'failed' && `${words.failed} ${movements.failure}`}</Failure>
          {status === 'waiting' && <p className={parts.quiet}>{texts.frame.loading}</p>}
          {value?.length === 0 && <p className={parts.quiet}>{words.none}</p>}
          {value !== undefined && value.length > 0 && <MovementTable movements={value} ofMany />}
        </div>
      </main>
    </div>
  );
}
