import type { z } from 'zod';
import type * as article from '../article.ts';
import type * as stock from '../stock.ts';
import type * as task from '../task.ts';
import { del, get, patch, post, put, type WithBody, type Download } from './route.ts';

/** Articles, their stock, and stock tasks. */
export const ARTICLE_ROUTES = {
  // Articles
  listArticles: get('/api/articles/')<{ query: article.ArticleQuery; answer: article.Article[] }>(),
  addArticle: post('/api/articles/')<WithBody<typeof article.newArticleSchema, article.ArticleResult>>(),
  replaceArticles: put('/api/articles/')<{
    body: z.input<typeof article.newArticleSchema>[];
    answer: article.ArticleBulkResult[];
  }>(),
  changeArticles: patch('/api/articles/')<{
    body: (z.input<typeof article.articleChangeSchema> & { sku: string })[];
    answer: article.ArticleBulkResult[];
  }>(),
  getArticle: get('/api/articles/{sku}/')<{ answer: article.Article }>(),
  replaceArticle:
    put('/api/articles/{sku}/')<WithBody<typeof article.articleReplacementSchema, article.ArticleResult>>(),
  changeArticle: patch('/api/articles/{sku}/')<WithBody<typeof article.articleChangeSchema, article.ArticleResult>>(),
  getArticlePicture: get('/api/articles/{sku}/picture/')<{
    query: z.input<typeof article.pictureQuerySchema>;
    answer: Download;
  }>(),
  setArticlePicture: put('/api/articles/{sku}/picture/')<{ body: Blob; answer: article.ArticlePicture }>(),
  removeArticlePicture: del('/api/articles/{sku}/picture/')(),
  removeArticle: del('/api/articles/{sku}/')<{ query: z.input<typeof article.articleRemovalQuerySchema> }>(),
  // Stock
  listStock: get('/api/stock/')<{ query: stock.StockQuery; answer: stock.StockRow[] }>(),
  changeStock: post('/api/stock/')<WithBody<typeof stock.documentedStockChangeSchema, stock.MovementResult[]>>(),
  showStock: post('/api/stock/show/')<WithBody<typeof stock.stockShowSchema, stock.StockShown>>(),
  sayWhatIsLeft: post('/api/stock/left/')<WithBody<typeof stock.leftSchema, stock.StockRow>>(),
  listMovements: get('/api/movements/')<{ query: stock.MovementQuery; answer: stock.Movement[] }>(),
  // Tasks
  listTasks: get('/api/tasks/')<{ query: task.TaskQuery; answer: task.Task[] }>(),
  finishTask: post('/api/tasks/{id}/done/')<WithBody<typeof task.taskDoneSchema, task.Task>>(),
  dismissTask: post('/api/tasks/{id}/dismiss/')<{ answer: task.Task }>(),
} as const;
