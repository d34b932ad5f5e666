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
  'customer',
  'note',
] as const;

export const findQuerySchema = z.object({
  q: z.string().trim().min(MIN_FIND_CHARACTERS).max(MAX_FIND_CHARACTERS).describe('The text to find, ignoring case.'),
});

/** A search result, with the text that people see. */
export const foundSchema = named('FoundThing', {
  kind: oneOf(FOUND_KINDS),
  deviceid: deviceIdSchema
    .optional()
    .describe(
      'The device that was found, the device of the alias, or the device where the item is lit or has its place.',
    ),
  location: z.string().optional().describe('The label of the device, the location alias, or the place of the item.'),
  order_number: z.string().optional().describe('Number of the order; for an order or an item.'),
  sequenceid: z.string().optional().describe('Id of the sequence; for a sequence.'),
  sku: z.string().optional().describe('SKU of the article; for an article.'),
  cart: z.int().optional().describe('Id of the cart; for a cart.'),
  wall: z.int().optional().describe('Id of the wall; for a wall.'),
  batch: z.int().optional().describe('Id of the batch; for a batch that has not ended.'),
  slot: z.string().optional().describe('The slot whose code or tote matches.'),
  text: z
    .string()
    .describe('Text for people, which contains the text that was found, except in `customer` and `note`.'),
  customer: z
    .string()
    .optional()
    .describe(
      'Customer and city of the order; only if one of them or the note was found. Never for keys with the scope read.',
    ),
  note: z.string().optional().describe('Note of the order; only if it was found. Never for keys with the scope read.'),
  matched: oneOf(MATCHED_FIELDS).describe(
    'Where the text was found. static: a line that the device shows while idle. lit: a line of an open command. code: the code of a cart, wall or slot.',
  ),
});
export type FindQuery = z.output<typeof findQuerySchema>;
export type FoundThing = z.infer<typeof foundSchema>;
export type MatchedField = FoundThing['matched'];
