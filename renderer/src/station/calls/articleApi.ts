import type { Article, ArticleChange, ArticleQuery, NewArticle } from '#shared/api/article.ts';
import type { Left, Movement, MovementQuery, MovementResult, StockQuery, StockRow } from '#shared/api/stock.ts';
import type { Task, TaskDone, TaskQuery } from '#shared/api/task.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, type CallOptions, done, type TagOf } from './call.ts';

/** The largest page that the station supports. */
const PAGE = 1_000;

/** The station detects the type of a picture by its content. */
const ANY_TYPE = 'application/octet-stream';
type ArticleFields = Omit<ArticleChange, 'id' | 'picture' | 'updated'>;

/** Articles and stock. */
export function articleApi(call: ApiCall, tagOf: TagOf) {
  const getArticle = (sku: string, options: CallOptions = {}): Promise<Article> =>
    call('getArticle', { path: { sku } }, options);
  return {
    listArticles: (query: ArticleQuery): Promise<readonly Article[]> => call('listArticles', { query }),
    /** Rejects with `not_found` for an unknown SKU. */
    getArticle,
    /** Rejects with `conflict` if the SKU or a barcode is taken. */
    addArticle: (article: NewArticle) => call('addArticle', { body: article }),
    /** `seen`: the state that the person changes. Rejects with `changed` if somebody else has changed one of these fields since. */
    async changeArticle({ sku, change, seen }: { sku: string; change: ArticleFields; seen: Article }) {
      const ifMatch = await tagOf<Article>(change, seen, (options) => getArticle(sku, options));
      return call('changeArticle', { path: { sku }, body: change }, { ifMatch });
    },
    /** Rejects with `in_use` if it has stock or open lines, unless `force`. */
    removeArticle: (sku: string, force: boolean) =>
      done(call('removeArticle', { path: { sku }, query: force ? { force: '1' } : {} })),
    /** Rejects with `unsupported_media_type` if the file cannot be used. */
    setArticlePicture: (sku: string, file: Blob) =>
      call('setArticlePicture', { path: { sku }, body: file.slice(0, file.size, ANY_TYPE) }),
    removeArticlePicture: (sku: string) => done(call('removeArticlePicture', { path: { sku } })),
    /** Without a limit, every row, in several requests if necessary. */
    async loadStock(query: Omit<StockQuery, 'after'>): Promise<readonly StockRow[]> {
      const rows: StockRow[] = [];
      for (;;) {
        const last = rows.at(-1);
        const after = last === undefined ? {} : { after: `${last.sku}\t${last.location}` };
        const page = await call('listStock', { query: { ...query, ...after } });
        rows.push(...page);
        if (query.limit !== undefined || page.length < PAGE) return rows;
      }
    },
    /** Sends one movement, and returns its result, which can be a refusal. */
    async move(movement: InputOf<'changeStock'>['body']['movements'][number]): Promise<MovementResult | undefined> {
      const [result] = await call('changeStock', { body: { movements: [movement] } });
      return result;
    },
    /** Lights idle devices by the stock of their places, with their LEDs. */
    showStock: () => call('showStock', { body: {} }),
    /** Rejects with `outdated` if the stock there has moved since. */
    sayWhatIsLeft: (left: Left) => call('sayWhatIsLeft', { body: left }),
    listTasks: (query: TaskQuery): Promise<readonly Task[]> => call('listTasks', { query }),
    /** Rejects with `conflict` if the task has ended. */
    finishTask: (id: number, body: TaskDone) => call('finishTask', { path: { id: String(id) }, body }),
    dismissTask: (id: number) => call('dismissTask', { path: { id: String(id) } }),
    /** All movements of a filter, newest first. */
    async loadMovements(query: MovementQuery): Promise<readonly Movement[]> {
      const movements: Movement[] = [];
      for (;;) {
        const after = movements.at(-1)?.movement_id;
        const page = await call('listMovements', {
          query: { ...query, limit: PAGE, ...(after === undefined ? {} : { after: String(after) }) },
        });
        movements.push(...page);
        if (page.length < PAGE) return movements.toReversed();
      }
    },
  };
}
