import { z } from 'zod';
import * as api from '#shared/api/stock.ts';
import { StationError } from '../../errors.ts';
import type { MovementElement, StockService } from '../../services/articles/index.ts';
import { inWords } from '../../services/commands/index.ts';
import type { Picking } from '../../services/picking/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { lenientStockChange } from '../compat/lenientArticle.ts';
import { unknownFieldsOf } from '../compat/unknownFields.ts';
import { endpointsOf, pageBy, setMixedStatus, type Endpoint } from '../endpoint.ts';
import { BULK_LIMIT } from '../bodies/requestBody.ts';
import { validate } from '../validation.ts';

const define = endpointsOf('articles');

const PAGE = 1_000;
const unknownInMovement = unknownFieldsOf(api.newMovementSchema);

/** Parses each movement separately, so that one invalid movement does not cause the others to be refused. */
function elementsOf(movements: readonly unknown[]): MovementElement[] {
  return movements.map((sent): MovementElement => {
    const warnings = unknownInMovement(sent).map(inWords);
    try {
      return { wanted: validate(api.newMovementSchema, sent, 'body'), warnings };
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      return { error, warnings };
    }
  });
}

/** Endpoints for stock (section 20 of the contract). */
export const stockEndpoints = ({
  stock,
  picking,
}: {
  stock: StockService;
  picking: Pick<Picking, 'showStock'>;
}): Endpoint[] => [
  define('listStock', 'read', 'List the stock of each article at each place', {
    description:
      'Sorted by SKU and place; at most 1,000 without a `limit`. The header `Link` has the address of the next page.',
    namesRevision: true,
    query: api.stockQuerySchema,
    page: { limit: PAGE, after: (last) => stock.pageAfter(last as api.StockRow) },
    tagged: [],
    parameterExamples: {
      sku: 'CT-200',
      SKU: 'CT-200',
      q: 'tie',
      location: 'A-1-1',
      limit: 100,
      after: 'CT-200\tA-1-1',
    },
    answer: z.array(api.stockRowSchema),
    handle: ({ query }) => stock.list(query),
  }),
  define('changeStock', 'edit_stock', 'Post movements of stock', {
    description:
      'A movement has `delta` (kind `adjust`), `count`, or `from`, `to` and `quantity` (kind `transfer`). Returns an array with the result of each movement in the same order, with the status 200 if all movements succeeded, otherwise 207. A repeated movement with the same `key` never has an effect, even years later: the answer has `replayed`, the first `movement_id` and its time. The key with other content is refused with 409 `key_reused`. A key belongs to the program of this name, or to the person. If a place is not counted, only a count can set its stock.',
    body: api.stockChangeSchema,
    documentedBody: api.documentedStockChangeSchema,
    dialect: lenientStockChange,
    limit: BULK_LIMIT,
    examples: {
      three: {
        summary: 'A count, a correction and a transfer',
        value: {
          movements: [
            { sku: 'CT-200', location: 'A-1-1', count: 80, was: 75 },
            { sku: 'CT-200', location: 'A-1-1', delta: -2, reason: 'broken', key: 'breakage-2026-118/1' },
            { sku: 'CT-200', from: 'A-1-1', to: 'Reserve 4', quantity: 10, key: 'refill-2026-377/1' },
          ],
        },
      },
      mixed: {
        summary: 'The stock has changed since it was read: returns 207',
        value: {
          movements: [
            { sku: 'CT-200', location: 'A-1-1', count: 80, was: 75 },
            { sku: 'CT-200', location: 'Reserve 4', count: 400 },
          ],
        },
      },
      tasks: {
        summary: 'A place at its minimum, and one below 0: each gets a task',
        value: {
          movements: [
            { sku: 'CT-200', location: 'A-1-1', count: 12 },
            { sku: 'CT-200', location: 'Reserve 4', delta: -401, key: 'refill-2026-378/1' },
          ],
        },
      },
    },
    otherStatuses: [207],
    answer: z.array(api.movementResultSchema),
    async handle({ body, key, caller, res }) {
      const isRepeatable = key !== undefined;
      const results = await stock.post(elementsOf(body.movements), { by: caller.name, isRepeatable });
      setMixedStatus(res, results);
      return results;
    },
  }),
  define('showStock', 'work', 'Show the stock of all places with their lights', {
    actsOutside: true,
    description:
      'Lights each idle device that serves counted places: red if one of them is empty, yellow if one is at or below its minimum, otherwise green. Only the LED is used; the screen stays unchanged. A short press turns off one light and sends no callback; a long press is a call for help. Devices that are lit for work are left out, and new work replaces this light. A second request replaces the first.',
    body: api.stockShowSchema,
    dialect: lenientFields({ seconds: 'number' }),
    examples: { show: { summary: 'For a minute', value: { seconds: 60 } } },
    answer: api.stockShownSchema,
    handle: ({ body, caller }) => picking.showStock(body, caller.name),
  }),
  define('listMovements', 'read', 'List the movements of stock', {
    description:
      'Sorted by ascending `movement_id`; at most 1,000 without a `limit`. To follow new movements, send the last `movement_id` as `after`.',
    query: api.movementQuerySchema,
    page: pageBy('movement_id', PAGE),
    tagged: [],
    parameterExamples: {
      sku: 'CT-200',
      SKU: 'CT-200',
      location: 'A-1-1',
      order_number: 'SO-1001',
      limit: 100,
      after: '0',
    },
    answer: z.array(api.movementSchema),
    handle: ({ query }) => stock.listMovements(query),
  }),
];
