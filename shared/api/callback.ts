import { z } from 'zod';
import { CALLBACK_FAMILIES } from './settings.ts';

/** Body of the simple device callback. Specification, Events. */
export const simpleCallbackSchema = z
  .object({
    acknack: z.enum(['ack', 'nack', 'call', 'call_up', 'call_down']),
    deviceid: z.string(),
    location: z.string(),
    nonce: z.string(),
    qty: z.int(),
  })
  .meta({ id: 'SimpleCallback' });
export type SimpleCallback = z.infer<typeof simpleCallbackSchema>;

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One delivery of one callback. */
export const deliverySchema = z
  .object({
    id: z.string().describe('The webhook-id header, equal over all attempts.'),
    state: z.enum(DELIVERY_STATES),
    family: z.enum(CALLBACK_FAMILIES),
    payload: z.record(z.string(), z.unknown()),
    url: z.string().nullable().describe('Where the last attempt went.'),
    attempts: z.int(),
    next_attempt: z.iso.datetime().nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created: z.iso.datetime(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof deliverySchema>;

export const replaySchema = z.object({ state: z.literal('dead') }).meta({ id: 'Replay' });
export const replayResultSchema = z.object({ replayed: z.int() }).meta({ id: 'ReplayResult' });
