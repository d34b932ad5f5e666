import { Eye, EyeOff, MonitorSmartphone, Printer, PackagePlus, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Article, ArticlePlace } from '#shared/api/article.ts';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { articleAddress } from '../../station/addresses.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { useDayStart } from '../../station/time.ts';
import { shopClock } from '../../words/shopClock.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { Failure, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import { menuOf, MoreMenu } from '../../kit/menu/Menu.tsx';
import layout from '../../kit/page/Page.module.css';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { MovementTable } from '../../shop/stock/MovementTable.tsx';
import table from '../../shop/stock/StockTable.module.css';
import { useServices } from '../../shop/toasts.ts';
import * as texts from '../../words/texts.ts';
import { CountDialog, EditArticleDialog, PutAwayDialog, RemoveArticleDialog } from './ArticleDialogs.tsx';
import { STATE_TONES } from './ArticleList.tsx';
import { devicesAt, onHandOf, piecesOf, stateOf } from './articleRows.ts';
import { ArticlePicture } from './Pictures.tsx';
import styles from './ArticleView.module.css';

const words = texts.articles.one;
const MOVEMENT_DAYS = 30;

/** Shows one article: its places, its stock and its movements. */
export function ArticleView({ sku }: { sku: string }) {
  const { api } = useStationContext();
  const article = useStationQuery(['article', sku], () => api.getArticle({ path: { sku } }));
  if (article.value !== undefined) return <LoadedArticle article={article.value} />;
  return (
    <div className={layout.page}>
      <PageHeader title={sku}>
        <BackButton words={words.back} to={pageAddress('articles')} />
      </PageHeader>
      <main>
        <NotLoaded
          of={article}
          title={words.gone}
          action={<ButtonLink words={words.back} to={pageAddress('articles')} look="plain" />}
        />
      </main>
    </div>
  );
}

type Asked = { kind: 'edit' } | { kind: 'put' } | { kind: 'remove' } | { kind: 'count'; place: ArticlePlace };

function LoadedArticle({ article }: { article: Article }) {
  const { sku, name, active, places } = article;
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const mayEdit = useRight('edit_stock');
  const station = useStationState((state) => state.station);
  const devices = useMemo(() => devicesAt(places, station), [places, station]);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);

  function setActive(next: boolean): void {
    void toasts.attempt(texts.articles.hideFailed, () =>
      api.changeArticle({ sku, change: { active: next }, seen: article }),
    );
  }

  async function fillScreens(): Promise<void> {
    // oxlint-disable-next-line react/hooks -- an API operation, not a hook
    for (const id of devices) await api.useScreenTemplate({ path: { DeviceID: id } });
    toasts.show(words.templateUsed(devices.length));
  }

  const menu = menuOf([
    {
      id: 'labels',
      words: words.printLabels,
      icon: Printer,
      run: () => navigate(`${articleAddress(sku)}?view=labels`),
    },
    devices.length > 0 && {
      id: 'template',
      words: words.fillScreens,
      icon: MonitorSmartphone,
      needs: 'edit_labels',
      run: () => void toasts.attempt(words.templateFailed, fillScreens),
    },
    active
      ? { id: 'hide', words: words.hide, icon: EyeOff, run: () => setActive(false) }
      : { id: 'show', words: words.show, icon: Eye, run: () => setActive(true) },
    { id: 'remove', words: words.remove, icon: Trash2, run: () => setAsked({ kind: 'remove' }) },
  ]);
  return (
    <div className={layout.page} data-stale={stale || undefined}>
      <PageHeader
        title={name ?? sku}
        note={
          <span role="status" data-whole>
            {active ? name === null ? '' : sku : <StateTag tone="open" words={words.hidden} />}
          </span>
        }
      >
        <BackButton words={words.back} to={pageAddress('articles')} />
        <Button icon={PackagePlus} words={words.putAway} needs="work" onPress={() => setAsked({ kind: 'put' })} />
        <Button icon={Pencil} words={words.edit} needs="edit_stock" onPress={() => setAsked({ kind: 'edit' })} />
        {mayEdit && <MoreMenu label={texts.articles.of(sku)} groups={menu} />}
      </PageHeader>
      <main className={styles.content}>
        <ArticlePicture article={article} />
        <Facts article={article} />
        <section className={parts.stack2} aria-label={words.places}>
          <h2 className={parts.title}>{words.places}</h2>
          {places.length === 0 ? (
            <p className={parts.quiet}>{words.noPlaces}</p>
          ) : (
            <Places places={places} count={mayEdit ? (place) => setAsked({ kind: 'count', place }) : undefined} />
          )}
        </section>
        <Movements sku={sku} />
      </main>
      {asked?.kind === 'edit' && (
        <EditArticleDialog
          article={article}
          close={close}
          saved={(now) => {
            close();
            if (now !== sku) navigate(articleAddress(now), { replace: true });
          }}
        />
      )}
      {asked?.kind === 'remove' && (
        <RemoveArticleDialog sku={sku} close={close} removed={() => navigate(pageAddress('articles'))} />
      )}
      {asked?.kind === 'put' && <PutAwayDialog sku={sku} close={close} />}
      {asked?.kind === 'count' && <CountDialog sku={sku} place={asked.place} close={close} />}
    </div>
  );
}

function Facts({ article: { description, barcodes, unit, note, places, wanted = 0 } }: { article: Article }) {
  const onHand = onHandOf(places);
  const inUnits = (pieces: number): string => `${piecesOf(pieces)} ${unit ?? ''}`;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.there, onHand === null ? '' : inUnits(onHand)],
    [words.ordered, onHand === null && wanted === 0 ? '' : inUnits(wanted)],
    [words.free, onHand === null ? '' : inUnits(onHand - wanted)],
    [words.description, description ?? ''],
    [words.barcodes, barcodes.map(({ code, quantity }) => words.pack(code, quantity)).join(', ')],
    [words.note, note ?? ''],
  ];
  const known = facts.filter(([, value]) => value !== '');
  if (known.length === 0) return null;
  return (
    <dl className={`${parts.card} ${styles.facts}`}>
      {known.map(([fact, value]) => (
        <div key={fact}>
          <dt className={parts.small}>{fact}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type PlacesProps = { places: readonly ArticlePlace[]; count: ((place: ArticlePlace) => void) | undefined };

const FIGURES = ['allocated', 'available', 'minimum', 'maximum'] as const;

function Places({ places, count }: PlacesProps) {
  return (
    <div className={`${parts.card} ${table.scroll}`}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{words.columns.location}</th>
            <th scope="col">{words.columns.onHand}</th>
            {FIGURES.map((figure) => (
              <th key={figure} scope="col">
                {words.columns[figure]}
              </th>
            ))}
            <th scope="col">
              <span className="visuallyHidden">{words.columns.end}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <PlaceRow key={place.location} place={place} count={count} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PlaceRow({ place, count }: { place: ArticlePlace; count: PlacesProps['count'] }) {
  const { location, on_hand: pieces } = place;
  const state = stateOf(place);
  return (
    <tr>
      <th scope="row">
        <span className={parts.middle2}>
          {location}
          {state !== undefined && <StateTag tone={STATE_TONES[state]} words={texts.articles.state[state]} />}
        </span>
      </th>
      <td>{pieces === null ? <span className={parts.quiet}>{texts.articles.notCounted}</span> : pieces}</td>
      {FIGURES.map((figure) => (
        <td key={figure}>{place[figure] ?? <span className={parts.quiet}>{words.unknown}</span>}</td>
      ))}
      <td>
        {count !== undefined && (
          <Button words={words.count} aria-label={words.countAt(location)} onPress={() => count(place)} />
        )}
      </td>
    </tr>
  );
}

function Movements({ sku }: { sku: string }) {
  const { api } = useStationContext();
  const today = useDayStart();
  const from = new Date(shopClock().startOfDay(today, -MOVEMENT_DAYS)).toISOString();
  const movements = useStationQuery(['movements', sku, from], () => api.loadMovements({ sku, from }));
  const { status, value } = movements;
  return (
    <section className={parts.stack2} aria-label={words.movements}>
      <h2 className={parts.title}>{words.movements}</h2>
      {status === 'waiting' && <p className={parts.quiet}>{texts.frame.loading}</p>}
      <Failure>{movements.status === 'failed' && `${words.notRead} ${movements.failure}`}</Failure>
      {value?.length === 0 && <p className={parts.quiet}>{words.noMovements}</p>}
      {value !== undefined && value.length > 0 && <MovementTable movements={value} />}
    </section>
  );
}
