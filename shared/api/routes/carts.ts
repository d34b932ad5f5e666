import type { z } from 'zod';
import type * as batch from '../batch.ts';
import type * as acts from '../batchActs.ts';
import type * as carrier from '../carrier.ts';
import type { Warned } from '../fields.ts';
import { del, get, post, put, type WithBody } from './route.ts';

/** A change to a batch on behalf of a person. */
type Acted = { body?: z.input<typeof batch.batchActorSchema>; answer: batch.Batch };

type Freed = { body?: z.input<typeof batch.slotFreeSchema>; answer: batch.Batch };

/** Carts, walls and their batches. */
export const CART_ROUTES = {
  // Carts and walls
  listCarts: get('/api/carts/')<{ answer: carrier.Carrier[] }>(),
  addCart: post('/api/carts/')<WithBody<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  getCart: get('/api/carts/{id}/')<{ answer: carrier.Carrier }>(),
  replaceCart: put('/api/carts/{id}/')<WithBody<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  removeCart: del('/api/carts/{id}/')(),
  listWalls: get('/api/walls/')<{ answer: carrier.Carrier[] }>(),
  addWall: post('/api/walls/')<WithBody<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  getWall: get('/api/walls/{id}/')<{ answer: carrier.Carrier }>(),
  replaceWall: put('/api/walls/{id}/')<WithBody<typeof carrier.newCarrierSchema, carrier.CarrierResult>>(),
  removeWall: del('/api/walls/{id}/')(),
  // Batches
  listBatches: get('/api/batches/')<{ query: batch.BatchQuery; answer: batch.BatchProgress[] }>(),
  addBatch: post('/api/batches/')<WithBody<typeof batch.newBatchSchema, batch.NewBatchResult>>(),
  getBatch: get('/api/batches/{id}/')<{ answer: batch.Batch }>(),
  removeBatch: del('/api/batches/{id}/')<{ query: batch.BatchAbortQuery }>(),
  launchBatch: post('/api/batches/{id}/launch/')<{ body?: batch.BatchLaunch; answer: batch.Batch }>(),
  pauseBatch: post('/api/batches/{id}/pause/')<Acted>(),
  joinBatch: post('/api/batches/{id}/join/')<Acted & { answer: Warned<batch.Batch> }>(),
  leaveBatch: post('/api/batches/{id}/leave/')<Acted>(),
  handOverBatch: post('/api/batches/{id}/handover/')<WithBody<typeof batch.batchHandOverSchema, batch.Batch>>(),
  abortBatch: post('/api/batches/{id}/abort/')<Acted & { query: batch.BatchAbortQuery }>(),
  freeBatch: post('/api/batches/{id}/free/')<Acted>(),
  addToBatch: post('/api/batches/{id}/slots/')<WithBody<typeof batch.batchSlotAskSchema, batch.Batch>>(),
  removeFromBatch: del('/api/batches/{id}/slots/{slot}/')(),
  removeOrderFromBatch: del('/api/batches/{id}/orders/{order_number}/')(),
  moveSlot: post('/api/batches/{id}/slots/{slot}/move/')<WithBody<typeof batch.moveSchema, batch.Batch>>(),
  markSlotFull: post('/api/batches/{id}/slots/{slot}/full/')<Acted>(),
  freeSlot: post('/api/batches/{id}/slots/{slot}/free/')<Freed>(),
  undoFreeSlot: post('/api/batches/{id}/slots/{slot}/free/undo/')<Acted>(),
  actInBatch: post('/api/batches/{id}/acts/')<WithBody<typeof acts.batchActsSchema, acts.BatchActsResult>>(),
  putIntoSlot: post('/api/batches/{id}/put/')<WithBody<typeof batch.putSchema, batch.PutResult>>(),
  undoPut: post('/api/batches/{id}/put/undo/')<WithBody<typeof batch.putUndoSchema, batch.Batch>>(),
  reassignShares: post('/api/batches/{id}/shares/')<WithBody<typeof batch.reassignSchema, batch.Batch>>(),
  closeBatchItemsShort: post('/api/batches/{id}/short/')<WithBody<typeof batch.batchShortSchema, batch.Batch>>(),
  settleHand: post('/api/batches/{id}/hand/')<WithBody<typeof batch.handSchema, batch.Batch>>(),
} as const;
