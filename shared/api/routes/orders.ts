import type { z } from 'zod';
import type * as order from '../order.ts';
import type * as orderItem from '../orderItem.ts';
import type * as picking from '../picking.ts';
import type * as sequence from '../sequence.ts';
import type { ShortReason } from '../../lib/orders/shortReasons.ts';
import { del, get, patch, post, put, type WithBody } from './route.ts';

/** Orders, their picking, and sequences. */
export const ORDER_ROUTES = {
  // Orders
  listOrders: get('/api/orders/')<{ query: order.OrderQuery; answer: order.Order[] }>(),
  addOrder: post('/api/orders/')<WithBody<typeof order.newOrderSchema, order.OrderResult>>(),
  removeEndedOrders: del('/api/orders/')<{
    query: z.input<typeof order.endedOrdersQuerySchema>;
    answer: order.DeletedOrders;
  }>(),
  listOrderProgress: get('/api/order-progress/')<{ query: order.OrderQuery; answer: order.OrderProgress[] }>(),
  getOrder: get('/api/orders/{order_number}/')<{ answer: order.Order }>(),
  launchOrder: post('/api/orders/{order_number}/launch/')<{ body?: order.Launch; answer: order.Order }>(),
  abortOrder: post('/api/orders/{order_number}/abort/')<{ answer: order.Order }>(),
  removeOrder: del('/api/orders/{order_number}/')(),
  replaceOrder: put('/api/orders/{order_number}/')<WithBody<typeof order.replacedOrderSchema, order.OrderResult>>(),
  changeOrder: patch('/api/orders/{order_number}/')<{ body: order.OrderChange; answer: order.Order }>(),
  getItem: get('/api/orders/{order_number}/items/{id}/')<{ answer: order.ItemWithPlaces }>(),
  addItem: post('/api/orders/{order_number}/items/')<WithBody<typeof orderItem.newLineSchema, order.Item>>(),
  correctItem: patch('/api/orders/{order_number}/items/{id}/')<
    WithBody<typeof orderItem.changedItemSchema, order.Item>
  >(),
  removeItem: del('/api/orders/{order_number}/items/{id}/')(),
  closeItemShort: post('/api/orders/{order_number}/items/{id}/short/')<
    WithBody<typeof order.shortSchema, order.ShortResult>
  >(),
  confirmItem: post('/api/orders/{order_number}/items/{id}/confirm/')<{
    body?: order.Confirm;
    answer: order.Item;
  }>(),
  recordReturned: post('/api/orders/{order_number}/returned/')<{ body: order.Returned }>(),
  dismissItem: post('/api/orders/{order_number}/items/{id}/dismiss/')<{
    body?: order.Dismiss;
    answer: order.Item;
  }>(),
  verifyItem: post('/api/orders/{order_number}/items/{id}/verify/')<{
    body?: order.Verify;
    answer: order.Item;
  }>(),
  lightItem: post('/api/orders/{order_number}/items/{id}/light/')<{ answer: order.Item }>(),
  reopenItem: post('/api/orders/{order_number}/items/{id}/reopen/')<{ body?: order.Reopen; answer: order.Item }>(),
  joinOrder: post('/api/orders/{order_number}/join/')<{ body?: order.Launch; answer: order.Order }>(),
  leaveOrder: post('/api/orders/{order_number}/leave/')<{ body?: order.ActingPicker; answer: order.Order }>(),
  pauseOrder: post('/api/orders/{order_number}/pause/')<{ body?: order.ActingPicker; answer: order.Order }>(),
  handOverOrder: post('/api/orders/{order_number}/handover/')<WithBody<typeof order.handoverSchema, order.Order>>(),
  // Picking
  listWork: get('/api/work/')<{ query: picking.WorkQuery; answer: picking.WorkLine[] }>(),
  getNextOrder: get('/api/work/next/')<{ answer: picking.NextOrder }>(),
  listPickers: get('/api/pickers/')<{ answer: picking.Picker[] }>(),
  listShortReasons: get('/api/short-reasons/')<{ answer: ShortReason[] }>(),
  getShortNumbers: get('/api/scan/short-numbers/')<{ answer: picking.ShortNumbers }>(),
  setOwnColor: patch('/api/user/')<WithBody<typeof picking.ownColorSchema, picking.OwnProfile>>(),
  setCurrentLine: put('/api/user/current/')<WithBody<typeof picking.currentLineSchema, picking.WorkLine | undefined>>(),
  scan: post('/api/scan/')<WithBody<typeof picking.scanSchema, picking.ScanResult>>(),
  // Sequences
  listSequences: get('/api/sequence/')<{ query: sequence.SequenceQuery; answer: sequence.Sequence[] }>(),
  addSequence: post('/api/sequence/')<WithBody<typeof sequence.newSequenceSchema, sequence.SequenceResult>>(),
  getSequence: get('/api/sequence/{seqID}/')<{ answer: sequence.Sequence }>(),
  replaceSequence:
    put('/api/sequence/{seqID}/')<WithBody<typeof sequence.changedSequenceSchema, sequence.SequenceResult>>(),
  removeSequence: del('/api/sequence/{seqID}/')(),
  launchSequence: get('/api/launchsequence/{seqID}/')<{
    query: z.output<typeof sequence.launchSequenceQuerySchema>;
    answer: sequence.SequenceResult;
  }>(),
  listSequenceProgress: get('/api/sequence-progress/')<{
    query: sequence.SequenceQuery;
    answer: sequence.SequenceProgress[];
  }>(),
} as const;
