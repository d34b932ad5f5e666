import { z } from 'zod';
import * as api from '#shared/api/batch.ts';
import { slotNameSchema } from '#shared/api/carrier.ts';
import type { Caller } from '../../services/access/index.ts';
import type { Access } from '../../services/access/index.ts';
import type { Batches } from '../../services/batches/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';
import { actorOf } from '../signIn.ts';

const define = endpointsOf('batches');

const params = z.object({ id: z.coerce.number().int().min(1).describe('The id of the batch.').meta({ example: 1 }) });
const slotParams = params.extend({ slot: slotNameSchema });

const NO_BATCH = 'There is no such batch.';
const NO_SLOT = 'There is no such batch, or it has no such slot.';
const readActor = lenientFields({ picker: 'person', key: 'text' });
const ACTING = { body: api.batchActorSchema, bodyOptional: true, dialect: readActor } as const;
const example = (summary: string, value: object) => ({ example: { summary, value } });

/** Contract, section 21. */
export const batchEndpoints = ({
  batches,
  people,
}: {
  batches: Batches;
  people: Pick<Access['people'], 'nameOf'>;
}): Endpoint[] => {
  /** Who does it, and the person in whose name; a program that names nobody acts for nobody. */
  const doer = (caller: Caller, picker: string | undefined) => {
    const typed = actorOf(caller, picker);
    return { by: caller.name, picker: people.nameOf(typed) ?? picker };
  };
  return [
    define('listBatches', 'read', 'List the batches', {
      description: 'The newest first; at most 1,000 without a `limit`. The header `Link` has the next page.',
      namesRevision: true,
      query: api.batchQuerySchema,
      page: pageBy('id', 1_000),
      parameterExamples: { state: 'picking', limit: 100, after: '900' },
      tagged: [],
      answer: z.array(api.batchProgressSchema),
      handle: ({ query }) => batches.list(query),
    }),
    define('addBatch', 'work', 'Create a batch', {
      description: `Loads orders into the slots of a cart or a wall: one slot for each shipment with something to pick. At a wall, shipments that find no free slot wait for one. Nothing is lit before the launch. An order is in one batch at most, and while it is, its items are picked, closed and corrected there. An order in progress can join if nobody picks it; its own lights go off.`,
      body: api.newBatchSchema,
      examples: {
        orders: {
          summary: 'An order in a chosen slot',
          value: { mode: 'cart', cart: 1, slots: [{ slot: 'A1', order_number: 'SO-7001' }] },
        },
        wall: {
          summary: 'Sorted at a wall',
          value: { mode: 'wall', wall: 2, slots: [{ order_number: 'SO-7003' }] },
        },
      },
      status: 201,
      answer: api.newBatchResultSchema,
      refusals: {
        404: 'There is no such cart, wall or order.',
        409: 'The cart or wall is in another batch, an order is in another batch, fulfilled or picked by somebody, or no slot is free. Nothing was created.',
      },
      handle: ({ body, caller }) => batches.add(body, caller.name),
    }),
    define('getBatch', 'read', 'Get a batch with its slots and hands', {
      params,
      tagged: [],
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id } }) => batches.get(id),
    }),
    define('launchBatch', 'work', 'Launch a batch, or continue it', {
      description:
        'Lights each place once with the sum of what the orders need there, in the color of the picker. A press there books the sum for each item, and moves the pieces to the hand. Of fewer pieces, whole shares come first, by priority, due time and age; one that does not fit is skipped, and the rest goes to the first that was skipped. The lights stay on until they are picked or the batch pauses. After a pause, the lights go on for the person who launches it. At a wall without picking, scans light the slots instead.',
      params,
      body: api.batchLaunchSchema,
      bodyOptional: true,
      dialect: lenientFields({ color: 'text', picker: 'person', key: 'text' }),
      examples: example('For Paula', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch has no orders, or it is done.' },
      handle: ({ params: { id }, body, caller }) => batches.launch(id, body, doer(caller, body.picker)),
    }),
    define('pauseBatch', 'work', 'Pause a batch', {
      description: 'Turns off its lights. What is in hand stays there.',
      params,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch is neither picked nor sorted now.' },
      handle: ({ params: { id }, body, caller }) => batches.pause(id, doer(caller, body.picker)),
    }),
    define('leaveBatch', 'work', 'Leave a batch', {
      description:
        'The batch pauses and belongs to nobody: the next launch gives it to somebody. What is in hand stays in the hand of the person: `hand/` settles it.',
      params,
      ...ACTING,
      examples: example('Paula leaves', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The person does not pick it.' },
      handle: ({ params: { id }, body, caller }) => batches.leave(id, doer(caller, body.picker)),
    }),
    define('handOverBatch', 'work', 'Hand a batch over', {
      description:
        "Another person picks what is open, in that person's color; what is in hand stays in the hand. If that person picks something else, the batch waits, paused. A picker hands over only what that picker picks.",
      params,
      body: api.batchHandOverSchema,
      dialect: lenientFields({ picker: 'person', key: 'text' }),
      examples: example('To Paula', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch is done, or another person picks it.' },
      handle: ({ params: { id }, body, caller }) =>
        batches.handOver(id, { to: body.picker, by: caller.name, isPicker: caller.scope === 'picker' }),
    }),
    define('abortBatch', 'work', 'Abort a batch', {
      description:
        'Orders that are not complete leave it: they can be picked separately or in another batch. Slots that hold something of them are `stopped` and wait to be emptied; complete ones stay. Pieces in hand are to be put back: a task `put_back` for each item that has an article.',
      params,
      query: api.batchAbortQuerySchema,
      parameterExamples: { orders: 'abort' },
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id }, query, caller }) =>
        batches.abort(id, { abortsOrders: query.orders === 'abort', frees: false }, caller.name),
    }),
    define('removeBatch', 'work', 'End a batch', {
      description: 'Like its abort, and all slots are free at once: what stopped slots hold is to be put back too.',
      params,
      query: api.batchAbortQuerySchema,
      refusals: { 404: NO_BATCH },
      async handle({ params: { id }, query, caller }) {
        await batches.abort(id, { abortsOrders: query.orders === 'abort', frees: true }, caller.name);
      },
    }),
    define('addToBatch', 'work', 'Add an order to a batch', {
      description: 'At any time. In a batch that is picked, it lights at once, at each place behind what is lit there.',
      params,
      body: api.batchSlotAskSchema,
      dialect: lenientFields({ slot: 'text', order_number: 'text', tote: 'text' }),
      examples: example('Into the first free slot', { order_number: 'SO-7002' }),
      status: 201,
      answer: api.batchSchema,
      refusals: {
        404: 'There is no such batch or order.',
        409: 'The order is in a batch, fulfilled or picked by somebody, or no slot is free.',
      },
      handle: ({ params: { id }, body, caller }) => batches.addOrder(id, body, caller.name),
    }),
    define('removeFromBatch', 'work', 'Take an order out of a batch', {
      description: 'With all its slots. What is put stays counted, and its slot waits to be emptied.',
      params: slotParams,
      refusals: { 404: NO_SLOT, 409: 'The slot has no order, or pieces for it are in hand.' },
      async handle({ params: { id, slot }, caller }) {
        await batches.removeOrder(id, slot, { by: caller.name });
      },
    }),
    define('putIntoSlot', 'work', 'Put pieces of the hand into slots', {
      description: 'No callback, except that of a shipment or an order that is complete now.',
      params,
      body: api.putSchema,
      dialect: lenientFields({ slot: 'text', item_id: 'number', quantity: 'number', picker: 'person', key: 'text' }),
      examples: {
        slot: { summary: 'Into one slot', value: { slot: 'A1', key: 'tablet-3/90' } },
      },
      answer: api.putResultSchema,
      refusals: { 404: NO_SLOT, 409: 'Nothing is in hand (`nothing_in_hand`).' },
      handle: ({ params: { id }, body, caller }) => batches.put(id, body, doer(caller, body.picker)),
    }),
    define('undoPut', 'work', 'Take pieces out of a slot, into the hand', {
      description: 'Also of a complete slot. A completion that was sent is not sent again.',
      params,
      body: api.putUndoSchema,
      dialect: lenientFields({ slot: 'text', item_id: 'number', quantity: 'number', picker: 'person', key: 'text' }),
      examples: example('One piece', { slot: 'A1', item_id: 1, quantity: 1 }),
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot holds fewer pieces of the item.' },
      handle: ({ params: { id }, body, caller }) => batches.undoPut(id, body, doer(caller, body.picker)),
    }),
    define('reassignShares', 'work', 'Give the pieces of the last pick to other shares', {
      description:
        'Until the next confirmation. Sends `item_removed` and `item_added`, and no `device_ack`, since nobody pressed.',
      params,
      body: api.reassignSchema,
      dialect: lenientFields({ reason: 'text', picker: 'person', key: 'text' }),
      examples: example('All pieces for one share', { shares: [{ item_id: 1, quantity: 3 }], reason: 'missing' }),
      answer: api.batchSchema,
      refusals: {
        404: NO_BATCH,
        409: 'Not the shares and the sum of the last pick, or something was confirmed since.',
      },
      handle: ({ params: { id }, body, caller }) => batches.reassign(id, body, doer(caller, body.picker)),
    }),
    define('settleHand', 'work', 'Settle a hand that somebody left', {
      description:
        'missing: takes the pieces back (`item_removed`) and removes them from the stock, so that their shares are open again and lit. put_back: the pieces are in `put_back` and, if they have an article, a task `put_back`. Once it is done, or a correction of the item says that they are back, the share is open again, and the next launch lights it.',
      params,
      body: api.handSchema,
      dialect: lenientFields({ by: 'text', picker: 'person', key: 'text' }),
      examples: example('Have them', { by: 'Paula', do: 'take' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'This hand is empty.' },
      handle: ({ params: { id }, body, caller }) => batches.settleHand(id, body, doer(caller, body.picker)),
    }),
    define('moveSlot', 'work', 'Move what a slot holds to a free slot', {
      params: slotParams,
      body: api.moveSchema,
      dialect: lenientFields({ to: 'text', picker: 'person', key: 'text' }),
      examples: example('To B2', { to: 'B2' }),
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot is free, or the other one is not.' },
      handle: ({ params: { id, slot }, body, caller }) =>
        batches.moveSlot(id, { slot, to: body.to }, doer(caller, body.picker)),
    }),
    define('markSlotFull', 'work', 'Let a free slot take what follows', {
      description: 'Both slots belong to the shipment, and are complete together.',
      params: slotParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot is not open, or no slot is free.' },
      handle: ({ params: { id, slot }, body, caller }) => batches.fullSlot(id, slot, doer(caller, body.picker)),
    }),
    define('freeSlot', 'work', 'Free a slot that is complete or stopped', {
      description:
        'What a stopped slot holds is to be put back: a task `put_back` for each of its items that has an article, which `keep` leaves out. A fulfilled order leaves none.',
      params: slotParams,
      body: api.slotFreeSchema,
      bodyOptional: true,
      dialect: lenientFields({ picker: 'person', key: 'text' }),
      examples: example('Keep together', { keep: true }),
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot is open or free.' },
      handle: ({ params: { id, slot }, body, caller }) =>
        batches.freeSlot(id, slot, { ...doer(caller, body.picker), keeps: body.keep ?? false }),
    }),
    define('undoFreeSlot', 'work', 'Undo that a slot was freed', {
      description: 'Until it takes another order, at the earliest ten seconds after it was freed.',
      params: slotParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: {
        404: NO_SLOT,
        409: 'The slot holds something else, its cart is in another batch, or its order was changed since.',
      },
      handle: ({ params: { id, slot }, body, caller }) => batches.undoFree(id, slot, doer(caller, body.picker)),
    }),
    define('freeBatch', 'work', 'Free all complete slots', {
      description: 'The cart was emptied.',
      params,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id }, body, caller }) => batches.freeComplete(id, doer(caller, body.picker)),
    }),
  ];
};
