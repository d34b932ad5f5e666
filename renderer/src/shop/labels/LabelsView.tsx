import { Printer } from 'lucide-react';
import { type CSSProperties, type ComponentProps, useMemo, useState } from 'react';
import type { Article, ArticleQuery } from '#shared/api/article.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { byUrgency } from '#shared/lib/articles/stockLevels.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { useChoiceParam } from '../../kit/list/useListParams.ts';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { type LabelCode, labelCode } from '../../kit/print/labelCode.ts';
import { PrintChoice } from '../../kit/print/PrintChoice.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import { useStationContext, useStationState } from '../../station/context.ts';
import type { Key } from '../../station/queries.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { browserStorage } from '../../storage.ts';
import * as texts from '../../words/texts.ts';
import { PrinterField } from '../PrinterField.tsx';
import { printPage, usePrinters } from '../printers.ts';
import { useServices } from '../toasts.ts';
import {
  type CodeOf,
  CODES,
  type LabelContent,
  listContents,
  listPlaceLabels,
  slotContents,
  type Template,
} from './labelContents.ts';
import * as labelSheets from './labelSheets.ts';
import styles from './LabelsView.module.css';
import { PaperLabel } from './PaperLabel.tsx';

/** Storage key of the chosen paper. */
const PAPER = 'pickstation.labels.paper';
/** Maximum number of labels. More labels are slow to draw, and take hours to cut. */
const MAX = 1_000;
const BEYOND_ASCII = /[^\0-\u007F]/;
const NO_ALIASES: readonly never[] = [];
const NOTHING: Loaded = { articles: [] };
/** Number of articles per request. */
const PAGE = 1_000;

type Props = {
  /** Keys of the places to print, or undefined for every place with a name. */
  keys?: readonly string[] | undefined;
  /** Articles to print, or undefined for all articles. */
  articles?: Articles;
  /** The cart or wall for the template `slot`. */
  carrier?: WantedCarrier;
  /** The templates to choose from; the first is the default. */
  templates: readonly Template[];
  /** The link to the previous page. */
  back: ComponentProps<typeof BackButton>;
};

/**
 * One article, or the articles of the list with this search and filter (`show`). If `keys` is set, only these rows of
 * the list. A key is the SKU, or the SKU, a line break and the place.
 */
type Articles = { sku: string } | { q: string; show: string; keys?: readonly string[] | undefined };
type WantedCarrier = { kind: CarrierKind; id: number };
type Loaded = { articles: readonly Article[]; carrier?: Carrier };

/** Sheets of labels for shelves and boxes. The query parameter `label` selects the template. */
export function LabelsView({ keys, articles, carrier, templates, back }: Props) {
  const [template, setTemplate] = useChoiceParam('label', templates);
  const [columns, setColumns] = useState<labelSheets.Columns>(2);
  const [storage] = useState(() => browserStorage());
  const [paper, setPaper] = useState(() => labelSheets.PAPERS.find((each) => each === storage.get(PAPER)) ?? 'a4');
  const [chosen, setCode] = useState<CodeOf>();
  const words = texts.locations.printing;
  const { toasts } = useServices();
  const printers = usePrinters('labels');
  const [isPrinting, setPrinting] = useState(false);

  const codeOf = CODES[template].find((each) => each === chosen) ?? CODES[template][0] ?? 'none';
  const { contents, pending } = useContents(template, { keys, articles, carrier });
  const rows = useMemo(() => contents.slice(0, MAX), [contents]);
  const format = useMemo(() => labelSheets.formatOf(paper, columns), [paper, columns]);
  const labels = useMemo(
    () =>
      rows.map((content) => {
        const codeText = content.codes[codeOf] ?? '';
        return { content, codeText, code: codeText === '' ? undefined : labelCode(codeText, format) };
      }),
    [rows, codeOf, format],
  );
  const sheets = labelSheets.intoSheets(labels, format);
  async function go(): Promise<void> {
    setPrinting(true);
    const isPrinted = await printPage(printers, format.page, (reason) => toasts.fail(reason));
    setPrinting(false);
    if (isPrinted) toasts.show(words.printed(rows.length));
  }
  const count = (kind: LabelCode['kind']) => labels.filter((label) => label.code?.kind === kind).length;
  const without = count('problem');
  const lettered = labels.filter(({ code, codeText }) => code?.kind === 'qrcode' && BEYOND_ASCII.test(codeText)).length;
  const square = count('qrcode') - lettered;

  return (
    <div className={print.page}>
      <PageHeader
        title={words.title}
        note={rows.length === 0 ? '' : words.note(rows.length, format.isRoll ? undefined : sheets.length)}
      >
        <BackButton {...back} />
        <Button
          icon={Printer}
          look="primary"
          busy={isPrinting}
          isDisabled={rows.length === 0}
          onPress={() => void go()}
        >
          {words.go}
        </Button>
      </PageHeader>
      <main className={styles.content}>
        <div className={print.choices}>
          {templates.length > 1 && (
            <PrintChoice
              label={words.template}
              value={template}
              onChange={setTemplate}
              choices={templates.map((id) => ({ id, words: words.templates[id] }))}
            />
          )}
          <PrintChoice
            label={words.paper}
            value={paper}
            onChange={(id) => {
              setPaper(id);
              storage.set(PAPER, id);
            }}
            choices={labelSheets.PAPERS.map((id) => ({ id, words: words.papers[id] }))}
          />
          {!format.isRoll && (
            <PrintChoice
              label={words.columns}
              value={String(columns)}
              onChange={(id) => setColumns(labelSheets.COLUMNS.find((each) => String(each) === id) ?? 2)}
              choices={labelSheets.COLUMNS.map((each) => ({ id: String(each), words: words.columnChoices[each] }))}
            />
          )}
          <PrintChoice
            label={words.code}
            value={codeOf}
            onChange={setCode}
            choices={CODES[template].map((id) => ({ id, words: words.codes[id] }))}
          />
          {printers !== undefined && <PrinterField {...printers} />}
        </div>
        {pending !== undefined ? (
          <NotLoaded of={pending} title={carrier === undefined ? texts.articles.notLoaded : words.noSlots} />
        ) : (
          rows.length === 0 && <EmptyState {...words.nothing[template]} />
        )}
        {rows.length > 0 && (
          <>
            <div role="status" className={`${parts.careStrong} ${styles.care}`}>
              {contents.length > MAX && <p>{words.tooMany(MAX)}</p>}
              {square > 0 && <p>{words.square(square)}</p>}
              {lettered > 0 && <p>{words.squareLetters(lettered)}</p>}
              {without > 0 && <p>{words.without(without)}</p>}
            </div>
            <Sheets sheets={sheets} paper={paper} format={format} />
          </>
        )}
      </main>
    </div>
  );
}

type Label = ComponentProps<typeof PaperLabel>;
type SheetsProps = {
  sheets: readonly (readonly Omit<Label, 'format'>[])[];
  paper: labelSheets.PaperSize;
  format: labelSheets.Format;
};

function Sheets({ sheets, paper, format }: SheetsProps) {
  const words = texts.locations.printing;
  return (
    <Printed className={styles.sheets}>
      {sheets.map((sheet, index) => (
        <section
          key={sheet[0]?.content.key}
          className={styles.sheet}
          aria-label={words.sheet(index + 1)}
          data-paper={paper}
          data-roll={format.isRoll || undefined}
          style={sheetStyle(format)}
        >
          {sheet.map((label) => (
            <PaperLabel key={label.content.key} {...label} format={format} />
          ))}
        </section>
      ))}
    </Printed>
  );
}

/** The places of the listed articles, by article key, in the order of the list. `all` stands for all places of an article. */
type ListedPlaces = Map<string, Set<string> | 'all'>;

function listedPlaces(rows: readonly { sku: string; location?: string | undefined }[]): ListedPlaces {
  const listed: ListedPlaces = new Map();
  for (const { sku, location } of rows) {
    const key = nameKey(sku);
    const known = listed.get(key);
    if (location === undefined || known === 'all') listed.set(key, 'all');
    else listed.set(key, (known ?? new Set()).add(nameKey(location)));
  }
  return listed;
}

/** Returns the listed articles with those of their places that are listed, in the order of the list. */
function onlyListed(articles: readonly Article[], listed: ListedPlaces): Article[] {
  const bySku = new Map(articles.map((article) => [nameKey(article.sku), article]));
  return [...listed].flatMap(([key, keys]) => {
    const article = bySku.get(key);
    if (article === undefined) return [];
    const places = article.places.filter(({ location }) => keys === 'all' || keys.has(nameKey(location)));
    return [{ ...article, places }];
  });
}

const LISTED = new Map(
  Object.entries<{ to_reorder: '1' } | { negative: '1' }>({
    low: { to_reorder: '1' },
    negative: { negative: '1' },
  }),
);

/** Loads the contents of the labels: places and articles, or a cart or wall. */
function useContents(
  template: Template,
  { keys, articles: wanted = { q: '', show: '' }, carrier }: Pick<Props, 'keys' | 'articles' | 'carrier'>,
) {
  const { api } = useStationContext();
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);

  async function load(): Promise<Loaded> {
    if (carrier !== undefined) return { articles: [], carrier: await api.loadCarrier(carrier.kind, carrier.id) };
    if ('sku' in wanted) return { articles: [await api.getArticle({ path: { sku: wanted.sku } })] };
    const { q, show, keys: chosen } = wanted;
    const found = q === '' ? {} : { q };
    if (chosen !== undefined) {
      const rows = chosen.map((key) => {
        const [sku = '', location] = key.split('\n');
        return { sku, location };
      });
      return { articles: onlyListed(await loadAll({ active: 'all' }), listedPlaces(rows)) };
    }
    const stock = LISTED.get(show);
    if (stock === undefined) return { articles: await loadAll({ ...found, active: show === 'hidden' ? '0' : '1' }) };
    const rows = await api.loadStock({ ...found, ...stock });
    return { articles: onlyListed(await loadAll(found), listedPlaces(byUrgency(rows))) };
  }

  async function loadAll(query: ArticleQuery): Promise<Article[]> {
    const articles: Article[] = [];
    for (let after: string | undefined; ;) {
      const page = await api.listArticles({
        query: { limit: PAGE, ...query, ...(after === undefined ? {} : { after }) },
      });
      articles.push(...page);
      if (page.length < PAGE) return articles;
      after = page.at(-1)?.sku;
    }
  }
  const isOn = template !== 'place';
  const query: Key =
    carrier === undefined
      ? ['articles', 'labels', JSON.stringify(wanted)]
      : ['carriers', 'labels', carrier.kind, String(carrier.id)];
  const read = useStationQuery(query, load, { isOn });
  const { value } = read;

  const contents = useMemo((): readonly LabelContent[] => {
    const { articles, carrier: loaded } = value ?? NOTHING;
    if (template === 'slot') return loaded === undefined ? [] : slotContents(loaded);
    const named = listPlaceLabels(places, aliases, keys === undefined ? undefined : new Set(keys));
    return listContents(template, named, articles, keys === undefined);
  }, [template, places, aliases, keys, value]);
  return { contents, pending: isOn && value === undefined ? read : undefined };
}

function sheetStyle({ page, margin, rows, columns }: labelSheets.Format): CSSProperties {
  return {
    width: `${page.width}mm`,
    height: `${page.height}mm`,
    padding: `${margin}mm`,
    gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))`,
    containIntrinsicSize: `${page.width}mm ${page.height}mm`,
  };
}
