import { expect } from 'vitest';
import type { Article } from '#shared/api/article.ts';
import { ODD, ODD_PATH, type PageCalls } from './pageCall.ts';

const ARTICLE: Article = {
  id: 7,
  sku: ODD,
  name: 'Cable tie',
  description: null,
  barcodes: [],
  unit: null,
  note: null,
  picture: null,
  active: true,
  places: [],
  updated: '2026-11-20T08:00:00.000Z',
};

/** Articles, their stock and the tasks about it. */
export const ARTICLE_CALLS = {
  listArticles: {
    given: [{ q: 'tie', limit: 200, after: ODD }],
    sent: 'GET /api/articles/?q=tie&limit=200&after=A%2F1+%C3%A4%3F',
  },
  getArticle: { given: [ODD], sent: `GET /api/articles/${ODD_PATH}/` },
  addArticle: { given: [{ sku: ODD }], sent: 'POST /api/articles/', body: { sku: ODD } },
  changeArticle: {
    given: [{ sku: ODD, change: { unit: 'pcs' }, seen: ARTICLE }],
    answer: JSON.stringify(ARTICLE),
    reads: `GET /api/articles/${ODD_PATH}/`,
    sent: `PATCH /api/articles/${ODD_PATH}/`,
    body: { unit: 'pcs' },
  },
  removeArticle: [
    { given: [ODD, false], sent: `DELETE /api/articles/${ODD_PATH}/` },
    { given: [ODD, true], sent: `DELETE /api/articles/${ODD_PATH}/?force=1` },
  ],
  setArticlePicture: {
    given: [ODD, new Blob(['x'])],
    answer: '{"picture":null}',
    sent: `PUT /api/articles/${ODD_PATH}/picture/`,
    body: expect.any(Blob),
  },
  removeArticlePicture: { given: [ODD], sent: `DELETE /api/articles/${ODD_PATH}/picture/` },
  sayWhatIsLeft: {
    given: [{ sku: ODD, location: 'A-1', count: 0, movement_id: 3 }],
    sent: 'POST /api/stock/left/',
    body: { sku: ODD, location: 'A-1', count: 0, movement_id: 3 },
  },
  listTasks: { given: [{ state: 'open' }], sent: 'GET /api/tasks/?state=open' },
  finishTask: { given: [7, { quantity: 2 }], sent: 'POST /api/tasks/7/done/', body: { quantity: 2 } },
  dismissTask: { given: [7], sent: 'POST /api/tasks/7/dismiss/' },
  loadStock: { given: [{ below_minimum: '1' }], sent: 'GET /api/stock/?below_minimum=1' },
  move: {
    given: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }],
    sent: 'POST /api/stock/',
    body: { movements: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }] },
  },
  showStock: { given: [], sent: 'POST /api/stock/show/', body: {} },
  loadMovements: {
    given: [{ sku: ODD, from: '2026-11-20T08:00:00.000Z' }],
    sent: 'GET /api/movements/?sku=A%2F1+%C3%A4%3F&from=2026-11-20T08%3A00%3A00.000Z&limit=1000',
  },
} satisfies Partial<PageCalls>;
