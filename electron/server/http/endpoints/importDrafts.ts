import { z } from 'zod';
import * as api from '#shared/api/importDrafts.ts';
import type { Imports } from '../../services/imports/index.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('orders');

const params = z.object({ id: z.coerce.number().int().min(1).describe('The id of the draft.') });
const parameterExamples = { id: 2 };
const tagged = Object.keys(api.draftCorrectionSchema.shape);
const NO_DRAFT = 'There is no such draft. Its order may have been created, or it was discarded or has expired.';

/** Endpoints for drafts, which are orders from files that could not be created yet. */
export const importDraftEndpoints = ({ imports }: { imports: Imports }): Endpoint[] => [
  define('listImportDrafts', 'read', 'List drafts', {
    description:
      'Drafts are orders that were refused or set aside when their files were imported. Newest first. A draft is not an order: it is never lit, and expires after 30 days.',
    query: api.draftsQuerySchema,
    page: pageBy('id', 200),
    parameterExamples: { after: 7, limit: 200 },
    answer: z.array(api.draftEntrySchema),
    handle: ({ query }) => imports.listDrafts(query),
  }),
  define('getImportDraft', 'read', 'Get a draft with its rows', {
    params,
    parameterExamples,
    tagged,
    answer: api.draftSchema,
    refusals: { 404: NO_DRAFT },
    handle: ({ params: { id } }) => imports.getDraft(id),
  }),
  define('correctImportDraft', 'import_orders', 'Correct rows of a draft', {
    description: 'Changes the text of cells. A new order number applies to all rows of the draft.',
    params,
    parameterExamples,
    body: api.draftCorrectionSchema,
    tagged,
    examples: {
      quantity: {
        summary: 'Another quantity',
        value: { rows: [{ line: 4, cells: { ordered_quantity: '5' } }] },
      },
    },
    answer: api.draftSchema,
    refusals: { 404: NO_DRAFT },
    handle: (call) => imports.correctDraft(call.params.id, call.body.rows, (current) => call.refuseChanged(current)),
  }),
  define('createOrderFromDraft', 'import_orders', 'Create the order of a draft', {
    description:
      'Creates the order and removes the draft. Nothing is lit until the order is launched. Undoing the import of the file also removes the order.',
    params,
    parameterExamples,
    tagged,
    status: 201,
    answer: api.draftCreatedSchema,
    refusals: { 404: NO_DRAFT, 409: 'An order with this number exists or was deleted. Nothing has changed.' },
    handle: (call) => imports.createFromDraft(call.params.id, call.by, (current) => call.refuseChanged(current)),
  }),
  define('discardImportDraft', 'import_orders', 'Discard a draft', {
    isFinal: true,
    params,
    parameterExamples: { id: 1 },
    tagged,
    refusals: { 404: NO_DRAFT },
    handle: (call) => imports.discardDraft(call.params.id, (current) => call.refuseChanged(current)),
  }),
];
