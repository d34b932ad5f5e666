import { Boxes, Download, Lightbulb, LightbulbOff, Plus, Printer, Upload } from 'lucide-react';
import { useDeferredValue } from 'react';
import { Link, useLocation } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import { byUrgency } from '#shared/lib/articles/stockLevels.ts';
import { articleAddress, importAddress } from '../../station/addresses.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import type { Api } from '../../station/calls/api.ts';
import { usePagedList } from '../../station/usePagedList.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import { Cells, Grid, Heads, useTable } from '../../kit/list/Grid.tsx';
import { Older, useOlder } from '../../kit/list/Older.tsx';
import { useListParams, useListSearch } from '../../kit/list/useListParams.ts';
import { followLink } from '../../kit/download.ts';
import { BulkBar } from '../../kit/list/BulkBar.tsx';
import { useCheckboxes, useChosenRows } from '../../kit/list/DataTable.tsx';
import { Menu } from '../../kit/menu/Menu.tsx';
import parts from '../../kit/parts.module.css';
import { Thumb } from '../../shop/stock/Thumb.tsx';
import { useServices } from '../../shop/toasts.ts';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { NewArticleDialog } from './ArticleDialogs.tsx';
import { LastImportBar } from './LastImportBar.tsx';
import { AddPictures, PictureDrop } from './Pictures.tsx';
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
/** The parameter of the export address for each filter. */
const EXPORTED: Readonly<Partial<Record<Filter, string>>> = { low: '&to_reorder=1', negative: '&negative=1' };
const ROW_HEIGHT = 64;
const PAGE = 200;
/** More rows are loaded when at most this many remain below the visible ones. */
const AHEAD = 60;
/** Maximum number of places to name per row. */
const NAMED = 2;

export const STATE_TONES: Readonly<Record<StockState, Tone>> = { negative: 'halted', low: 'halted', empty: 'open' };

const checkOf = ({ sku, key, places: [place] }: ListedArticle): string =>
  key === sku ? words.select(sku) : words.selectAt(sku, place?.location ?? '');
/** State of bulk actions in which nothing runs, because printing has no progress. */
const NOTHING_RUNS = { running: undefined, outcome: undefined, forget: () => undefined, cancel: () => undefined };

/**
 * `print` is called before the labels view opens, with the keys of the rows to print, or undefined for the whole list.
 */
type Props = { print(keys: readonly string[] | undefined): void };

/**
 * The list of articles, or of the places where stock is low or negative. The station filters and sorts the articles.
 */
export function ArticleList({ print }: Props) {
  const mayEdit = useRight('edit_stock');
  const { filter, setFilter, view, open } = useListParams<Filter>(FILTERS, 'all');
  const search = useListSearch();
  const { newest, entries: rows, ...further } = useArticleRows(filter, useDeferredValue(search.typed.trim()));
  const table = useTable({ rows, by: 'id', rowHeight: ROW_HEIGHT, name: words.table });
  const { chosen, choose, clear } = useChosenRows(rows, rows);
  const keys = [...chosen];
  const shown = rows.reduce((count, { key }) => count + Number(chosen.has(key)), 0);
  const boxes = useCheckboxes(rows, { chosen, choose, checkOf, chooseAllWords: words.selectAll });
  useOlder(table, AHEAD, further);
  const add = () => open('new');
  const openLabels = (wanted: readonly string[] | undefined) => {
    print(wanted);
    open('labels');
  };
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
  const counts = useCounts();
  const isBare = newest.value !== undefined && rows.length === 0 && filter === 'all' && search.isEmpty;

  const isByPlace = filter === 'low' || filter === 'negative';
  const isTasks = filter === 'tasks';
  // Without any pictures, rows have no space for them.
  const hasPictures = rows.some(({ picture }) => picture !== null);
  return (
    <TablePage
      words={words}
      note={
        isBare || isTasks
          ? ''
          : isByPlace
            ? words.somePlaces(rows.length, rows.filter(({ places }) => onHandOf(places) === null).length)
            : words.some(rows.length, further.isEnd)
      }
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
      instead={
        newest.value === undefined ? (
          <NotLoaded of={newest} title={words.notLoaded} />
        ) : isBare ? (
          <NoArticles add={add} openImport={openImport} />
        ) : undefined
      }
      tools={<Tools filter={filter} q={search.typed.trim()} printAll={() => openLabels(undefined)} />}
      filter={{ filters: FILTERS, counts, value: filter, onChange: setFilter }}
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
                  head={
                    <>
                      {boxes.head}
                      <Heads look={styles} columns={COLUMNS} words={words.columns} end="" />
                    </>
                  }
                  renderLine={(row, isCurrent) => (
                    <>
                      {boxes.cellOf(row, isCurrent)}
                      <ArticleCells row={row} hasPictures={hasPictures} tab={isCurrent ? 0 : -1} />
                    </>
                  )}
                  marks={boxes.marks}
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
      <BulkBar said={words.bulk} many={keys.length} hidden={keys.length - shown} bulk={NOTHING_RUNS} clear={clear}>
        <Button icon={Printer} words={words.one.printLabels} onPress={() => openLabels(keys)} />
      </BulkBar>
      {view === 'new' && mayEdit && <NewArticleDialog close={() => open(null)} />}
    </TablePage>
  );
}

/** Whether the device shows its stock, also if another page or program has asked for it. */
const showsStock = ({ commands }: Device): boolean => commands.some(({ shows_stock: isStock }) => isStock === true);

type ToolsProps = { filter: Filter; q: string; printAll(): void };

/** Actions for the whole list: showing stock on the devices, exporting, printing and adding pictures. */
function Tools({ filter, q, printAll }: ToolsProps) {
  const { api, toasts } = useServices();
  const isShown = useStationState(({ station }) => station?.devices.some(showsStock) === true);
  const showStock = () =>
    void toasts.attempt(words.showFailed, async () => {
      toasts.show(words.shown(await api.showStock({ body: {} })));
    });
  const stop = () => void toasts.attempt(words.stopFailed, () => api.showStock({ body: { seconds: 0 } }));
  return (
    <>
      {isShown ? (
        <Button icon={LightbulbOff} words={words.stopStock} needs="work" onPress={stop} />
      ) : (
        <Button icon={Lightbulb} words={words.showStock} needs="work" onPress={showStock} />
      )}
      <Menu
        label={words.exporting.open}
        trigger={<Button icon={Download} words={words.exporting.open} />}
        groups={[
          {
            rows: EXPORTS.map((format) => ({
              id: format,
              words: words.exporting[format],
              run: () => followLink(exportAddress(format, filter, q), `articles.${format}`),
            })),
          },
        ]}
      />
      <Button icon={Printer} words={words.one.printLabels} onPress={printAll} />
      <AddPictures />
    </>
  );
}

/** Shown instead of the list while the shop has no articles. */
function NoArticles({ add, openImport }: { add(): void; openImport(): void }) {
  const mayEdit = useRight('edit_stock');
  return (
    <>
      <LastImportBar />
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
    </>
  );
}

function exportAddress(format: (typeof EXPORTS)[number], filter: Filter, q: string): string {
  const search = q === '' ? '' : `&q=${encodeURIComponent(q)}`;
  return `/api/article-export/?format=${format}${EXPORTED[filter] ?? ''}${search}`;
}

type CellsProps = { row: ListedArticle; hasPictures: boolean; tab: 0 | -1 };

function ArticleCells({ row, hasPictures, tab }: CellsProps) {
  const { sku, name, description, unit, picture, places } = row;
  const onHand = onHandOf(places);
  // In a list by place, show the minimum of the row's place.
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
          onHand: places.length > 0 && (
            <span className={styles.named}>
              {onHand === null ? (
                <span className={parts.quiet}>{words.notCounted}</span>
              ) : (
                <span>{unit === null ? piecesOf(onHand) : `${piecesOf(onHand)} ${unit}`}</span>
              )}{' '}
              {level !== undefined && <span className={parts.small}>{words.level(level)}</span>}
            </span>
          ),
          note: <Note row={row} isToCount={level !== undefined && onHand === null} />,
        }}
      />
      <div role="gridcell" />
    </>
  );
}

function Note({ row: { isHidden, places }, isToCount }: { row: ListedArticle; isToCount: boolean }) {
  const state = worstOf(places);
  if (isHidden) return <StateTag tone="open" words={words.state.hidden} />;
  if (state !== undefined) return <StateTag tone={STATE_TONES[state]} words={words.state[state]} />;
  return isToCount && <StateTag tone="open" words={words.state.toCount} />;
}

type Load = Pick<Api, 'listArticles' | 'loadStock'>;

async function loadRows(
  api: Load,
  { filter, q = '', after }: { filter: Filter; q?: string; after?: string | undefined },
): Promise<readonly ListedArticle[]> {
  const page = { limit: PAGE, ...(after === undefined ? {} : { after }) };
  if (filter === 'tasks') return [];
  const found = q === '' ? {} : { q };
  if (filter === 'all' || filter === 'hidden') {
    const query = { ...page, ...found, ...(filter === 'hidden' ? { active: '0' as const } : {}) };
    return (await api.listArticles({ query })).map(rowOfArticle);
  }
  const rows = await api.loadStock({ ...found, ...(filter === 'low' ? { to_reorder: '1' } : { negative: '1' }) });
  return byUrgency(rows).map(rowOfStock);
}

/** Loads the rows that match the filter and the search, page by page. */
function useArticleRows(filter: Filter, q: string) {
  const { api } = useStationContext();
  const load = (after?: string) => loadRows(api, { filter, q, after });
  const newest = useStationQuery(['articles', filter, q], () => load());
  const isByPlace = filter === 'low' || filter === 'negative';
  return usePagedList(newest, { of: `${filter} ${q}`, size: isByPlace ? Number.POSITIVE_INFINITY : PAGE, load });
}

/**
 * Returns the number of rows for each filter whose list is loaded completely. All other lists are loaded page by page.
 */
function useCounts(): Readonly<Partial<Record<Filter, number | undefined>>> {
  const { api } = useStationContext();
  const low = useStationQuery(['articles', 'low', ''], () => loadRows(api, { filter: 'low' }));
  const negative = useStationQuery(['articles', 'negative', ''], () => loadRows(api, { filter: 'negative' }));
  const tasks = useStationQuery(['tasks', 'open'], () => api.listTasks({ query: { state: 'open' } }));
  return { low: low.value?.length, negative: negative.value?.length, tasks: tasks.value?.length };
}
