import { batchActsResultSchema, batchActsSchema } from '#shared/api/batchActs.ts';
import type { Access } from '../../services/access/index.ts';
import type { Picking } from '../../services/picking/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { problemOf } from '../problem.ts';
import { actorOf } from '../signIn.ts';
import { batchParams } from './batches.ts';

const define = endpointsOf('batches');

/** Endpoints for what people do in a batch (section 16 of the contract). */
export const batchActEndpoints = ({
  picking,
  people,
}: {
  picking: Picking;
  people: Pick<Access['people'], 'nameOf'>;
}): Endpoint[] => [
  define('actInBatch', 'work', 'Book what a person did in a batch', {
    description:
      'Books all acts in one commit, in their order. Each act is judged on its own: a refused one changes nothing and does not stop the next. Returns 200, or 207 if an act or a line of an act was refused. `pick` books the pieces of one place and article for all its orders. A light is acknowledged, with a `device_ack`, as by `POST /api/device/{DeviceID}/acknowledge/`; lines without a light are confirmed, as by the `confirm/` of each item. If fewer pieces were found, `lines` tells which order gets how many. Lines that have changed since the caller saw them are left out (`not_booked`), and the others are booked. Pieces that nobody needs are not booked: `left_over`. A repeated `key` gets its first outcome and books nothing; `change` always describes the present state.',
    params: batchParams,
    body: batchActsSchema,
    dialect: lenientFields({ picker: 'person' }),
    otherStatuses: [207],
    examples: {
      place: {
        summary: 'Two orders at one place',
        value: {
          acts: [
            {
              key: 'tablet-3/95',
              act: 'pick',
              lines: [
                { item_id: 1, quantity: 3, seen: 0 },
                { item_id: 2, quantity: 3, seen: 0 },
              ],
            },
          ],
          picker: 'Paula',
        },
      },
      changed: {
        summary: 'The item has changed since: returns 207',
        value: {
          acts: [{ key: 'tablet-3/96', act: 'pick', lines: [{ item_id: 1, quantity: 3, seen: 7 }] }],
          picker: 'Paula',
        },
      },
    },
    answer: batchActsResultSchema,
    refusals: {
      404: 'There is no such batch.',
      409: 'Several people hold pieces, and the caller is a program that names no picker.',
    },
    async handle({ params: { id }, body, caller, res }) {
      const name = people.nameOf(actorOf(caller, body.picker)) ?? body.picker;
      const isPerson = people.nameOf(caller.name) !== undefined;
      const result = await picking.actInBatch(id, body, { by: caller.name, picker: name, isPerson, problemOf });
      if (result.outcomes.some(({ status }) => status !== 200)) res.status(207);
      return result;
    },
  }),
];
