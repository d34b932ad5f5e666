import { expect } from 'vitest';
import type { Draft } from '#shared/api/importDrafts.ts';
import { GIVEN_UP, type PageCalls } from './pageCall.ts';

const DRAFT: Draft = {
  id: 7,
  import_id: 5,
  name: 'monday.csv',
  by: 'Ann',
  at: '2026-11-20T08:00:00.000Z',
  expires_time: '2026-12-20T08:00:00.000Z',
  order_number: 'B',
  message: '',
  exists: false,
  fields: ['SKU'],
  rows: [],
};

/** Calls about imports of files and about drafts. */
export const IMPORT_CALLS = {
  previewImport: [
    {
      given: [
        { kind: 'locations', source: { file: new Blob(['a,b']), name: 'a.csv' }, options: { decimal: ',' } },
        GIVEN_UP,
      ],
      sent: 'POST /api/imports/',
      body: expect.any(FormData),
    },
    {
      given: [
        {
          kind: 'orders',
          source: { url: 'https://sheets.example/o', name: 'sheets.example' },
          options: { decimal: ',' },
        },
        GIVEN_UP,
      ],
      sent: 'POST /api/imports/',
      body: { kind: 'orders', url: 'https://sheets.example/o', decimal: ',', dry_run: true },
    },
  ],
  correctImportDraft: {
    given: [DRAFT, { line: 3, cells: { SKU: '00123' } }],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'PATCH /api/import-drafts/7/',
    body: { rows: [{ line: 3, cells: { SKU: '00123' } }] },
  },
  createOrderFromDraft: {
    given: [DRAFT],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'POST /api/import-drafts/7/create/',
  },
  discardImportDraft: {
    given: [DRAFT],
    answer: JSON.stringify(DRAFT),
    reads: 'GET /api/import-drafts/7/',
    sent: 'DELETE /api/import-drafts/7/',
  },
  undoImport: { given: [7], answer: '{"undone":1,"kept":[]}', sent: 'POST /api/imports/7/undo/' },
  loadUndoneImport: { given: ['orders', 'Ann'], sent: 'GET /api/imports/' },
  loadLastArticleImport: { given: [], sent: 'GET /api/imports/' },
  loadLastOrderImport: { given: ['Ann'], sent: 'GET /api/imports/' },
} satisfies Partial<PageCalls>;
