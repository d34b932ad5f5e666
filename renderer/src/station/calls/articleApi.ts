import type { Article, ArticleChange } from '#shared/api/article.ts';
import type { Movement, MovementQuery, MovementResult, StockQuery, StockRow } from '#shared/api/stock.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, type TagOf } from './call.ts';

/** Number of rows per request, the maximum that the station supports. */
const PAGE = 1_000;

/** Content type of every uploaded picture, because the station detects the type from the content. */
const ANY_TYPE = 'application/octet-stream';

type ArticleFields = Omit<ArticleChange, 'id' | 'picture' | 'updated'>;

/** Returns the calls for articles and stock. */
export function articleApi(call: ApiCall, tagOf: TagOf) {
  return {
    /**
     * Changes an article. `seen` is the state that the person saw. Rejects with `changed` if somebody else has since
     * changed one of the fields.
     */
    async changeArticle({ sku, change, seen }: { sku: string; change: ArticleFields; seen: Article }) {
      const ifMatch = await tagOf<Article>(change, seen, (options) => call('getArticle', { path: { sku } }, options));
      return call('changeArticle', { path: { sku }, body: change }, { ifMatch });
    },
    /** Uploads a picture. Rejects with `unsupported_media_type` if the file is not a usable picture. */
    setArticlePicture({ path, body: file }: InputOf<'setArticlePicture'>) {
      return call('setArticlePicture', { path, body: file.slice(0, file.size, ANY_TYPE) });
    },
    /** Loads the stock. Without a limit, loads every row, with several requests if necessary. */
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
    /** Sends one movement and returns its result. The station can also refuse the movement, which is a result as well. */
    async move(movement: InputOf<'changeStock'>['body']['movements'][number]): Promise<MovementResult | undefined> {
      const [result] = await call('changeStock', { body: { movements: [movement] } });
      return result;
    },
    /** Loads all movements that match the filter, newest first. */
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
