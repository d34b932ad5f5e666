import { z } from 'zod';
import { MAX_FIND_CHARACTERS, MIN_FIND_CHARACTERS } from '../lib/text/findLimits.ts';
import { deviceIdSchema } from './device.ts';
import { named, oneOf } from './fields.ts';

/** Kinds of search results. Equally good results are sorted in this order. */
export const FOUND_KINDS = [
  'device',
  'location',
  'article',
  'order',
  'batch',
  'cart',
  'wall',
  'sequence',
  'item',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const MATCHED_FIELDS = [
  'label',
  'deviceid',
  'static',
  'lit',
  'alias',
  'order_number',
  'sequence',
  'sku',
  'upc',
  'name',
  'description',
  'code',
  'batch',
  'tote',
] as const;

export const findQuerySchema = z.object({
  q: z.string().trim().min(MIN_FIND_CHARACTERS).max(MAX_FIND_CHARACTERS).describe('The text to find, in any case.'),
});

/** A search result, with the text that people see. */
export const foundSchema = named('FoundThing', {
  kind: oneOf(FOUND_KINDS),
  deviceid: deviceIdSchema
    .optional()
    .describe('The device itself, of the alias, or where the item is lit or has its place.'),
  location: z.string().optional().describe('The label of the device, the location alias, or the place of the item.'),
  order_number: z.string().optional().describe('Of an order and of an item.'),
  sequenceid: z.string().optional().describe('Of a sequence.'),
  sku: z.string().optional().describe('Of an article.'),
  cart: z.int().optional().describe('The id of the cart. Of a cart.'),
  wall: z.int().optional().describe('The id of the wall. Of a wall.'),
  batch: z.int().optional().describe('The id of a batch that has not ended. Of a batch.'),
  slot: z.string().optional().describe('The slot whose code or tote matches.'),
  text: z.string().describe('What a person reads. It contains the text that was found.'),
  matched: oneOf(MATCHED_FIELDS).describe(
    'Where the text was found. static: a line that the device shows while idle. lit: a line of an open command. code: the code of a cart, wall or slot.',
  ),
});
export type FindQuery = z.output<typeof findQuerySchema>;
export type FoundThing = z.infer<typeof foundSchema>;
export type MatchedField = FoundThing['matched'];
