import { z } from 'zod';
import * as api from '#shared/api/batch.ts';
import { slotNameSchema } from '#shared/api/carrier.ts';
import type { Caller, Access } from '../../services/access/index.ts';
import type { Batches } from '../../services/batches/index.ts';
import { lenientFields } from '../compat/lenientFields.ts';
import { endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';
import { actorOf } from '../signIn.ts';

const define = endpointsOf('batches');

export const batchParams = z.object({
  id: z.coerce.number().int().min(1).describe('The id of the batch.').meta({ example: 1 }),
});
const orderParams = batchParams.extend({
  order_number: z.string().min(1).max(200).describe('The order number.').meta({ example: 'SO-7004' }),
});
const slotParams = batchParams.extend({ slot: slotNameSchema });

const NO_BATCH = 'There is no such batch.';
const NO_SLOT = 'There is no such batch, or it has no such slot.';
const readActor = lenientFields({ picker: 'person', key: 'text' });
const ACTING = { body: api.batchActorSchema, bodyOptional: true, dialect: readActor } as const;
const example = (summary: string, value: object) => ({ example: { summary, value } });

/** Endpoints for batches (section 21 of the contract). */
export const batchEndpoints = ({
  batches,
  people,
}: {
  batches: Batches;
  people: Pick<Access['people'], 'nameOf'>;
}): Endpoint[] => {
  /** Returns who acts, and on whose behalf. A program that names no picker acts on nobody's behalf. */
  const doer = (caller: Caller, picker: string | undefined) => {
    const typed = actorOf(caller, picker);
    return { by: caller.name, picker: people.nameOf(typed) ?? picker };
  };
  return [
    define('listBatches', 'read', 'List the batches', {
      description: 'Newest first; at most 1,000 without a `limit`. The header `Link` has the address of the next page.',
      namesRevision: true,
      query: api.batchQuerySchema,
      page: pageBy('id', 1_000),
      parameterExamples: { state: 'picking', limit: 100, after: '900' },
      tagged: [],
      answer: z.array(api.batchProgressSchema),
      handle: ({ query }) => batches.list(query),
    }),
    define('addBatch', 'work', 'Create a batch', {
      description: `Loads orders into the slots of a cart or wall. Each shipment with something to pick takes one slot. At a wall, shipments without a free slot wait for one. Nothing is lit before the launch. An order can be in only one batch at a time, and its items are then picked, closed and corrected in the batch. An order in progress can be added if nobody is picking it; its own lights turn off.`,
      body: api.newBatchSchema,
      examples: {
        orders: {
          summary: 'An order in a chosen slot',
          value: { mode: 'cart', cart: 1, slots: [{ slot: 'A1', order_number: 'SO-7001' }] },
        },
        wall: {
          summary: 'A batch for a wall',
          value: { mode: 'wall', wall: 2, slots: [{ order_number: 'SO-7003' }] },
        },
      },
      status: 201,
      answer: api.newBatchResultSchema,
      refusals: {
        404: 'There is no such cart, wall or order.',
        409: 'The cart or wall is in another batch; an order is in another batch, fulfilled or being picked; or no slot is free. Nothing was created.',
      },
      handle: ({ body, caller }) => batches.add(body, caller.name),
    }),
    define('getBatch', 'read', 'Get a batch with its slots and hands', {
      params: batchParams,
      tagged: [],
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id } }) => batches.get(id),
    }),
    define('launchBatch', 'work', 'Launch a batch, or continue it', {
      description:
        'Lights each place once, in the color of the picker, with the total quantity for all orders. A press books each item and moves the pieces to the hand. If there are too few pieces, they fill whole shares by priority, due time and age. A share that does not fit is skipped, and the first skipped share gets the remaining pieces. Missing pieces light at the next place of the article, which the setting `place_rule` selects; if the article has no other place, the share is short. Lights stay on until they are pressed or the batch is paused. After a pause, a launch lights them again for the person who launches. At a wall without a cart, the launch lights nothing; scans light the slots.',
      params: batchParams,
      body: api.batchLaunchSchema,
      bodyOptional: true,
      dialect: lenientFields({ color: 'text', picker: 'person', key: 'text' }),
      examples: example('For Paula', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch has no orders or is done.' },
      handle: ({ params: { id }, body, caller }) => batches.launch(id, body, doer(caller, body.picker)),
    }),
    define('pauseBatch', 'work', 'Pause a batch', {
      description:
        'Turns off the lights of the batch. Pieces in hand stay in hand. If `picker` or the caller picks the batch with others, only this person stops: the open lines of this person go to the others, and the batch is not paused.',
      params: batchParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch is not being picked or sorted.' },
      handle: ({ params: { id }, body, caller }) => batches.pause(id, doer(caller, body.picker)),
    }),
    define('joinBatch', 'work', 'Join a batch', {
      description:
        'The person gets whole racks, starting with the farthest, up to half of the open lines of the person who has the most. The lights there change to the color of the person, and presses there count for the person. A line that is not on a rack counts as one rack. If no rack fits, the person gets the second half of the lines. A person in the batch who has no open lines can join again and gets lines of the others. Any other order or batch that the person is picking is paused.',
      params: batchParams,
      ...ACTING,
      examples: example('Paula joins', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch is not being picked.' },
      handle: ({ params: { id }, body, caller }) => batches.join(id, doer(caller, body.picker)),
    }),
    define('leaveBatch', 'work', 'Leave a batch', {
      description:
        'The open lines of the person go to the others who pick the batch. Without others, the batch is paused and has no picker until the next launch. A batch without a picker continues. Pieces in hand stay in the hand of the person; `hand/` settles them.',
      params: batchParams,
      ...ACTING,
      examples: example('Paula leaves', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: {
        404: NO_BATCH,
        409: 'The person is not picking the batch and, if it has no picker, holds nothing there.',
      },
      handle: ({ params: { id }, body, caller }) => batches.leave(id, doer(caller, body.picker)),
    }),
    define('handOverBatch', 'work', 'Hand a batch over', {
      description:
        "Gives open lines to another person, in that person's color: the lines of the caller if the caller picks the batch with others, otherwise all lines. Pieces in hand stay with the person who holds them. If the other person is picking something else, the batch is paused; if others still pick the batch, returns 409 instead. A picker can hand over only lines of a batch that this picker is picking. `from` names another person whose lines to hand over, such as somebody who has left; a picker can only take these lines, not give them to others.",
      params: batchParams,
      body: api.batchHandOverSchema,
      dialect: lenientFields({ picker: 'person', from: 'person', key: 'text' }),
      examples: example('To Paula', { picker: 'Paula' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'The batch is done, or another person picks it.' },
      handle: ({ params: { id }, body, caller }) =>
        batches.handOver(id, {
          to: body.picker,
          from: body.from,
          by: caller.name,
          isPicker: caller.scope === 'picker',
        }),
    }),
    define('abortBatch', 'work', 'Abort a batch', {
      isFinal: true,
      description:
        'Incomplete orders leave the batch and can be picked separately or in another batch. Their slots that hold pieces are `stopped` until somebody empties them; complete slots stay complete. Pieces in hand have to be put back: each item with an article gets a task `put_back`.',
      params: batchParams,
      query: api.batchAbortQuerySchema,
      parameterExamples: { orders: 'abort' },
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id }, query, caller }) =>
        batches.abort(id, { abortsOrders: query.orders === 'abort', frees: false }, caller.name),
    }),
    define('removeBatch', 'work', 'End a batch', {
      description:
        'Aborts the batch and frees all slots immediately. Pieces in stopped slots also have to be put back.',
      params: batchParams,
      query: api.batchAbortQuerySchema,
      refusals: { 404: NO_BATCH },
      async handle({ params: { id }, query, caller }) {
        await batches.abort(id, { abortsOrders: query.orders === 'abort', frees: true }, caller.name);
      },
    }),
    define('addToBatch', 'work', 'Add an order to a batch', {
      description:
        'Possible at any time. If the batch is being picked, the order is lit immediately, after the work that is already lit at its places.',
      params: batchParams,
      body: api.batchSlotAskSchema,
      dialect: lenientFields({ slot: 'text', order_number: 'text', tote: 'text' }),
      examples: example('Into the first free slot', { order_number: 'SO-7002' }),
      status: 201,
      answer: api.batchSchema,
      refusals: {
        404: 'There is no such batch or order.',
        409: 'The order is in a batch, fulfilled or being picked, or no slot is free.',
      },
      handle: ({ params: { id }, body, caller }) => batches.addOrder(id, body, caller.name),
    }),
    define('removeFromBatch', 'work', 'Remove an order from a batch', {
      description:
        'Removes the order from all its slots. Pieces in a slot remain booked, and the slot is `stopped` until somebody empties it.',
      params: slotParams,
      refusals: { 404: NO_SLOT, 409: 'The slot has no order, or pieces for the order are in hand.' },
      async handle({ params: { id, slot }, caller }) {
        await batches.removeOrder(id, slot, { by: caller.name });
      },
    }),
    define('removeOrderFromBatch', 'work', 'Remove an order from a batch by its number', {
      description:
        'Like removing the order by its slot, but also works for an order that waits for a slot. Pieces in a slot stay booked, and the slot is `stopped` until somebody empties it.',
      params: orderParams,
      refusals: { 404: 'There is no such batch, or the order is not in it.', 409: 'Pieces for the order are in hand.' },
      async handle({ params: { id, order_number: number }, caller }) {
        await batches.removeOrderByNumber(id, number, { by: caller.name });
      },
    }),
    define('putIntoSlot', 'work', 'Put pieces from the hand into slots', {
      description:
        'Puts the pieces of the caller or of `picker`. A program that names nobody puts the pieces of nobody or, if there are none, those of the only hand. On a cart, the pick has already booked the pieces, so only the completion of a shipment or order sends a callback. At a wall without a cart, the put books the pieces and sends `device_ack` and `item_added`.',
      params: batchParams,
      body: api.putSchema,
      dialect: lenientFields({ slot: 'text', item_id: 'number', quantity: 'number', picker: 'person', key: 'text' }),
      examples: {
        slot: { summary: 'Into one slot', value: { slot: 'A1', key: 'tablet-3/90' } },
      },
      answer: api.putResultSchema,
      refusals: {
        404: NO_SLOT,
        409: 'Nothing is in the hand of this person (`nothing_in_hand`), or several people hold pieces and a program does not say whose it puts.',
      },
      handle: ({ params: { id }, body, caller }) => batches.put(id, body, doer(caller, body.picker)),
    }),
    define('undoPut', 'work', 'Undo a put: move pieces from a slot to the hand', {
      description:
        'Also works for a complete slot. A completion that was already sent is not sent again. Without `slot`, undoes the scan that sent the only piece of a shipment straight to packing: the order waits at the wall again, and its item sends `item_removed`, unless the piece was picked onto a cart before. This is possible until the wall is in another batch. With `instead`, exchanges what the last press at the slot put for the pieces of the caller, for which it was intended.',
      params: batchParams,
      body: api.putUndoSchema,
      dialect: lenientFields({ slot: 'text', item_id: 'number', quantity: 'number', picker: 'person', key: 'text' }),
      examples: example('One piece', { slot: 'A1', item_id: 1, quantity: 1 }),
      answer: api.batchSchema,
      refusals: {
        404: NO_SLOT,
        409: 'The slot holds fewer pieces of the item, the pieces of both people have been put, or the order has changed since it went straight to packing.',
      },
      handle: ({ params: { id }, body, caller }) => batches.undoPut(id, body, doer(caller, body.picker)),
    }),
    define('reassignShares', 'work', 'Assign the pieces of the last pick to other shares', {
      description:
        'Possible until the next confirmation. Sends `item_removed` and `item_added`, but no `device_ack`, because nobody pressed. Missing pieces of the shares light at the next place. The reason `missing` books the place of the pick as empty immediately.',
      params: batchParams,
      body: api.reassignSchema,
      dialect: lenientFields({ reason: 'text', picker: 'person', key: 'text' }),
      examples: example('All pieces for one share', { shares: [{ item_id: 1, quantity: 3 }], reason: 'missing' }),
      answer: api.batchSchema,
      refusals: {
        404: NO_BATCH,
        409: 'The shares or their sum do not match the last pick, or something has been confirmed since.',
      },
      handle: ({ params: { id }, body, caller }) => batches.reassign(id, body, doer(caller, body.picker)),
    }),
    define('closeBatchItemsShort', 'work', 'Close items of a batch with fewer pieces', {
      description:
        'Closes all the items or, if one is not in the batch, none. Each item is closed as by its own `short/`: without a `device_ack`, but with the completion callbacks. Items that have all their pieces or are already closed stay unchanged; `warnings` names them.',
      params: batchParams,
      body: api.batchShortSchema,
      dialect: lenientFields({ reason: 'text', picker: 'person', key: 'text' }),
      examples: example('Two items that were not found', { items: [1, 2], reason: 'missing' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id }, body, caller }) => batches.closeShort(id, body, doer(caller, body.picker)),
    }),
    define('settleHand', 'work', 'Settle the pieces in the hand of a person', {
      description:
        '`take`: the caller takes over the pieces. `missing`: unbooks the pieces (`item_removed`) and removes them from the stock; their shares are open again and lit. `put_back`: lists the pieces in `put_back` and, if they have an article, opens a task `put_back`. Once the task is done or the item is corrected, the share is open again, and the next launch lights it. `set_aside`: at a wall, ends the scans of the person without a put. `all` settles the hands of all people together; if no pieces are in hand, `warnings` says so.',
      params: batchParams,
      body: api.handSchema,
      dialect: lenientFields({ by: 'text', picker: 'person', key: 'text' }),
      examples: example('The caller has the pieces', { by: 'Paula', do: 'take' }),
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH, 409: 'This hand is empty.' },
      handle: ({ params: { id }, body, caller }) => batches.settleHand(id, body, doer(caller, body.picker)),
    }),
    define('moveSlot', 'work', 'Move the contents of a slot to a free slot', {
      params: slotParams,
      body: api.moveSchema,
      dialect: lenientFields({ to: 'text', picker: 'person', key: 'text' }),
      examples: example('To B2', { to: 'B2' }),
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot has nothing to move, or the other slot is not free.' },
      handle: ({ params: { id, slot }, body, caller }) =>
        batches.moveSlot(id, { slot, to: body.to }, doer(caller, body.picker)),
    }),
    define('markSlotFull', 'work', 'Mark a slot as full and put the rest into a free slot', {
      description: 'The shipment then has both slots, which become complete together.',
      params: slotParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_SLOT, 409: 'The slot is not open, or no slot is free.' },
      handle: ({ params: { id, slot }, body, caller }) => batches.fullSlot(id, slot, doer(caller, body.picker)),
    }),
    define('freeSlot', 'work', 'Free a slot that is complete or stopped', {
      description:
        'Pieces in a stopped slot have to be put back: each item with an article gets a task `put_back`. With `keep`, the pieces stay together and get no task. A fulfilled order gets no task.',
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
    define('undoFreeSlot', 'work', 'Undo the freeing of a slot', {
      description:
        'Possible until the slot takes another order, which it does ten seconds after it was freed at the earliest.',
      params: slotParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: {
        404: NO_SLOT,
        409: 'The slot was not freed or now holds something else, its cart is in another batch, or its order has changed since.',
      },
      handle: ({ params: { id, slot }, body, caller }) => batches.undoFree(id, slot, doer(caller, body.picker)),
    }),
    define('freeBatch', 'work', 'Free all complete slots', {
      description: 'Send this when the cart or wall was emptied. Stopped slots stay stopped.',
      params: batchParams,
      ...ACTING,
      answer: api.batchSchema,
      refusals: { 404: NO_BATCH },
      handle: ({ params: { id }, body, caller }) => batches.freeComplete(id, doer(caller, body.picker)),
    }),
  ];
};
