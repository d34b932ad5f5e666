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

/** Calls about articles, their stock and stock tasks. */
export const ARTICLE_CALLS = {
  changeArticle: {
    given: [{ sku: ODD, change: { unit: 'pcs' }, seen: ARTICLE }],
    answer: JSON.stringify(ARTICLE),
    reads: `GET /api/articles/${ODD_PATH}/`,
    sent: `PATCH /api/articles/${ODD_PATH}/`,
    body: { unit: 'pcs' },
  },
  loadStock: { given: [{ below_minimum: '1' }], sent: 'GET /api/stock/?below_minimum=1' },
  move: {
    given: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }],
    sent: 'POST /api/stock/',
    body: { movements: [{ sku: ODD, location: 'A-1', count: 3, was: null, key: 'k' }] },
  },
  loadMovements: {
    given: [{ sku: ODD, from: '2026-11-20T08:00:00.000Z' }],
    sent: 'GET /api/movements/?sku=A%2F1+%C3%A4%3F&from=2026-11-20T08%3A00%3A00.000Z&limit=1000',
  },
  setArticlePicture: {
    given: [{ path: { sku: ODD }, body: new Blob(['x']) }],
    answer: '{"picture":null}',
    sent: `PUT /api/articles/${ODD_PATH}/picture/`,
    body: expect.any(Blob),
  },
} satisfies Partial<PageCalls>;
