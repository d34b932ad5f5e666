import { Boxes, Download, Lightbulb, Plus, Printer, Upload } from 'lucide-react';
import { useDeferredValue } from 'react';
import { Link, useLocation } from 'wouter';
import { articleAddress, importAddress } from '../../station/addresses.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { usePages, useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import { Cells, Grid, Heads, useTable } from '../../kit/list/Grid.tsx';
import { Older, useOlder } from '../../kit/list/Older.tsx';
import { useListParams, useListSearch } from '../../kit/list/useListParams.ts';
import { followLink } from '../../kit/download.ts';
import { Menu } from '../../kit/menu/Menu.tsx';
import parts from '../../kit/parts.module.css';
import { useServices } from '../../shop/toasts.ts';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { NewArticleDialog } from './ArticleDialogs.tsx';
import { LastImportBar } from './LastImportBar.tsx';
import { AddPictures, PictureDrop, Thumb } from './Pictures.tsx';
import styles from './ArticleList.module.css';
import { TaskList } from './TaskList.tsx';
import {
  type ListedArticle,
  onHandOf,
  piecesOf,
  rowOfArticle,
  rowOfStock,
  type StockState,
  worstOf,
} from './articleRows.ts';

const words = texts.articles;
const FILTERS = ['all', 'low', 'negative', 'tasks', 'hidden'] as const;
type Filter = (typeof FILTERS)[number];
const COLUMNS = ['article', 'places', 'onHand', 'note'] as const;
const EXPORTS = ['xlsx', 'csv'] as const;
/** The part of the export that a filter shows. */
const EXPORTED: Readonly<Partial<Record<Filter, string>>> = { low: '&below_minimum=1', negative: '&negative=1' };
const ROW_HEIGHT = 64;
const PAGE = 200;
/** Load more when at most this many rows remain below the visible ones. */
const AHEAD = 60;
/** Places to name per row. */
const NAMED = 2;

export const STATE_TONES: Readonly<Record<StockState, Tone>> = { negative: 'halted', low: 'halted', empty: 'open' };

/** The list of articles, searched and sorted by the station, with articles to reorder. */
export function ArticleList() {
  const mayEdit = useRight('edit_stock');
  const { filter, setFilter, view, open } = useListParams<Filter>(FILTERS, 'all');
  const search = useListSearch();
  const { newest, entries: rows, ...further } = useArticleRows(filter, useDeferredValue(search.typed.trim()));
  const table = useTable({ rows, by: 'id', rowHeight: ROW_HEIGHT, name: words.table });
  useOlder(table, AHEAD, further);
  const add = () => open('new');
  const { api, toasts } = useServices();
  const showStock = () =>
    void toasts.attempt(words.showFailed, async () => toasts.show(words.shown(await api.showStock())));
  const [, navigate] = useLocation();
  const openImport = () => navigate(importAddress('articles'));
  usePaletteActions(
    mayEdit
      ? [
          { id: 'articles.add', words: words.add, run: add },
          { id: 'articles.import', words: words.importing.title, run: openImport },
        ]
      : [],
  );
  const isBare = newest.value !== undefined && rows.length === 0 && filter === 'all' && search.isEmpty;

  function instead() {
    if (newest.value === undefined) return <NotLoaded of={newest} title={words.notLoaded} />;
    if (!isBare) return undefined;
    return (
      <EmptyState
        picture={<Boxes size={40} strokeWidth={1.6} />}
        {...words.none}
        action={
          mayEdit && (
            <>
              <Button icon={Upload} words={words.importing.title} look="primary" onPress={openImport} />
              <Button words={words.add} onPress={add} />
            </>
          )
        }
      />
    );
  }

  const isByPlace = filter === 'low' || filter === 'negative';
  const isTasks = filter === 'tasks';
  // If no article has a picture, the rows have no space for one.
  const hasPictures = rows.some(({ picture }) => picture !== null);
  return (
    <TablePage
      words={words}
      note={isBare || isTasks ? '' : isByPlace ? words.somePlaces(rows.length) : words.some(rows.length, further.isEnd)}
      search={search}
      hasSearch={!isBare && !isTasks}
      buttons={
        !isBare && (
          <>
            <Button icon={Upload} words={words.importing.open} needs="edit_stock" onPress={openImport} />
            <Button icon={Plus} words={words.add} look="primary" needs="edit_stock" onPress={add} />
          </>
        )
      }
      above={<LastImportBar />}
      instead={instead()}
      tools={
        <>
          <Button icon={Lightbulb} words={words.showStock} needs="work" onPress={showStock} />
          <Menu
            label={words.exporting.open}
            trigger={<Button icon={Download} words={words.exporting.open} />}
            groups={[
              {
                rows: EXPORTS.map((format) => ({
                  id: format,
                  words: words.exporting[format],
                  run: () =>
                    followLink(`/api/article-export/?format=${format}${EXPORTED[filter] ?? ''}`, `articles.${format}`),
                })),
              },
            ]}
          />
          <Button icon={Printer} words={words.one.printLabels} onPress={() => open('labels')} />
          <AddPictures />
        </>
      }
      filter={{ filters: FILTERS, value: filter, onChange: setFilter }}
      table={
        isTasks ? (
          <TaskList />
        ) : (
          rows.length > 0 && (
            <PictureDrop>
              <div className={styles.frame}>
                <Grid
                  table={table}
                  label={words.table}
                  look={styles}
                  className={parts.card}
                  head={<Heads look={styles} columns={COLUMNS} words={words.columns} end="" />}
                  renderLine={(row, isCurrent) => (
                    <ArticleCells row={row} hasPictures={hasPictures} tab={isCurrent ? 0 : -1} />
                  )}
                  isWhole={further.isEnd}
                  isExplained
                />
                {further.failure !== '' && <Older pages={further} failed={words.moreFailed} />}
              </div>
            </PictureDrop>
          )
        )
      }
    >
      {view === 'new' && mayEdit && <NewArticleDialog close={() => open(null)} />}
    </TablePage>
  );
}

type CellsProps = { row: ListedArticle; hasPictures: boolean; tab: 0 | -1 };

function ArticleCells({ row, hasPictures, tab }: CellsProps) {
  const { sku, name, description, unit, picture, places, isHidden } = row;
  const onHand = onHandOf(places);
  const state = worstOf(places);
  // Of a row for one place.
  const level = row.id === sku ? undefined : (places[0]?.minimum ?? undefined);
  const rest = places.length - NAMED;
  return (
    <>
      <Cells
        look={styles}
        of={{
          article: (
            <Link href={articleAddress(sku)} className={styles.link ?? ''} tabIndex={tab} data-control="open">
              {hasPictures && <Thumb picture={picture} />}
              <span className={styles.named}>
                <span className={`${parts.strong} ${parts.clip}`}>{name ?? sku}</span>
                <span className={`${parts.small} ${parts.clip}`}>
                  {[name === null ? null : sku, description].filter((each) => each !== null).join(' · ')}
                </span>
              </span>
            </Link>
          ),
          places:
            places.length === 0 ? (
              <span className={parts.quiet}>{words.noPlace}</span>
            ) : (
              <span className={parts.clip}>
                {places
                  .slice(0, NAMED)
                  .map(({ location }) => location)
                  .join(', ')}{' '}
                {rest > 0 && <span className={parts.small}>{words.more(rest)}</span>}
              </span>
            ),
          onHand:
            onHand === null ? (
              <span className={parts.quiet}>{places.length > 0 && words.notCounted}</span>
            ) : (
              <span className={styles.named}>
                <span>{unit === null ? piecesOf(onHand) : `${piecesOf(onHand)} ${unit}`}</span>{' '}
                {level !== undefined && <span className={parts.small}>{words.level(level)}</span>}
              </span>
            ),
          note: isHidden ? (
            <StateTag tone="open" words={words.state.hidden} />
          ) : (
            state !== undefined && <StateTag tone={STATE_TONES[state]} words={words.state[state]} />
          ),
        }}
      />
      <div role="gridcell" />
    </>
  );
}

/** The rows of a filter that match the search, loaded page by page. */
function useArticleRows(filter: Filter, q: string) {
  const { api } = useStationContext();
  async function load(after?: string): Promise<readonly ListedArticle[]> {
    const page = { limit: PAGE, ...(after === undefined ? {} : { after }) };
    if (filter === 'tasks') return [];
    if (filter === 'all' || filter === 'hidden') {
      const query = { ...page, ...(q === '' ? {} : { q }), ...(filter === 'hidden' ? { active: '0' as const } : {}) };
      return (await api.listArticles(query)).map(rowOfArticle);
    }
    // The API cannot search stock by name.
    const rows = await api.listStock(filter === 'low' ? { below_minimum: '1' } : { negative: '1' });
    return rows.map(rowOfStock).filter((row) => isFound(row, q));
  }
  const newest = useStationQuery(['articles', filter, q], () => load());
  const isByPlace = filter === 'low' || filter === 'negative';
  return usePages(newest, { size: isByPlace ? Number.POSITIVE_INFINITY : PAGE, load });
}

function isFound({ sku, name, places }: ListedArticle, q: string): boolean {
  const text = [sku, name, ...places.map(({ location }) => location)].join(' ').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
