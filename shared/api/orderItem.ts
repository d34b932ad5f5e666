import { z } from 'zod';
import { MAX_ORDERED, MAX_TEXT } from '../lib/orders/orderLimits.ts';
import { givenDeviceIdSchema } from './device.ts';
import { isObject, named, textUpTo, waitedFields, whole, withoutControl } from './fields.ts';

const name = textUpTo(MAX_TEXT);
const code = withoutControl(name);
const given = (what: string) => name.optional().describe(what);
const givenCode = (what: string) => code.optional().describe(what);

export const ONE_NAME = 'An item needs at least one of name, SKU and UPC.';

/** Fields of an item. See the specification, Order; the contract, section 8. */
const itemFields = {
  name: given('Name that workers see. An item needs a name, a SKU or a UPC.'),
  SKU: givenCode('Also identifies the place if neither deviceid nor warehouse_location does.'),
  UPC: givenCode('Shown as a barcode if it fits.'),
  description: given('Details that distinguish the article. Shown in the second line of the display.'),
  ordered_quantity: whole(0, MAX_ORDERED).describe(
    'Number of pieces to pick, a whole number. An item with 0 is done immediately and never lit, with a warning.',
  ),
  quantity_fulfilled: whole(0, MAX_ORDERED).optional().describe('Number of pieces already picked. Defaults to 0.'),
  warehouse_location: givenCode(
    'The place: an alias, label or DeviceID, ignoring case. Otherwise an alias or label that contains the text, but not in the middle of a word or number, if only one device matches; `warnings` then names it.',
  ),
  deviceid: givenDeviceIdSchema.nullable().optional().describe('The device. Null or omitted if not given.'),
  callback_nonce: given(
    'Your reference, returned as `nonce` in callbacks about the item. With a nonce, a timeout is also reported, as a simple nack.',
  ),
};

/** Whether a naming field of an item has a value. A value that is not a text counts too, because it is reported as its own error. */
function isGiven(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'string' || value.trim() !== '');
}

/** Refinement of items: one of the fields that name the article is required. */
const HAS_NAME = [
  (item: { name?: unknown; SKU?: unknown; UPC?: unknown }) => [item.name, item.SKU, item.UPC].some(isGiven),
  { error: ONE_NAME, when: isObject },
] as const;

export const newItemSchema = z
  .object(itemFields)
  .refine(...HAS_NAME)
  .meta({ id: 'NewItem' });
export type NewItem = z.infer<typeof newItemSchema>;

export const correctionSchema = named('Correction', {
  quantity_fulfilled: whole(0, MAX_ORDERED).describe('Corrected number of pieces picked.'),
  reason: textUpTo(200).optional().describe('Reason, such as short or damaged; stored only in history.'),
  ...waitedFields,
});
export type Correction = z.infer<typeof correctionSchema>;

/** A line to add to an order. */
export const newLineSchema = z
  .object({
    ...itemFields,
    shipment_number: code
      .optional()
      .describe('The shipment that gets the line. Required if the order has several shipments.'),
  })
  .refine(...HAS_NAME)
  .meta({ id: 'NewLine' });
export type NewLine = z.infer<typeof newLineSchema>;

/** A change to an item: what it asks for, or what was picked. */
export const changedItemSchema = z
  .object({
    ordered_quantity: whole(0, MAX_ORDERED)
      .optional()
      .describe('The new number of pieces to pick, at least those that are picked.'),
    name: name.nullable().optional().describe('New name; null or empty for none.'),
    SKU: code.nullable().optional().describe('New SKU; null or empty for none.'),
    UPC: code.nullable().optional().describe('New UPC; null or empty for none.'),
    description: name.nullable().optional().describe('New details; null or empty for none.'),
    warehouse_location: code.nullable().optional().describe('New place; null or empty for none.'),
    deviceid: givenDeviceIdSchema.nullable().optional().describe('New device; null for none.'),
    callback_nonce: name.nullable().optional().describe('New reference for callbacks; null for that of the settings.'),
    ...correctionSchema.shape,
    quantity_fulfilled: correctionSchema.shape.quantity_fulfilled.optional(),
  })
  .refine((change) => change.quantity_fulfilled !== undefined || isLineChange(change), {
    error: 'The request changes nothing. Send quantity_fulfilled, ordered_quantity or another field of the item.',
    path: ['quantity_fulfilled'],
    when: isObject,
  })
  .meta({ id: 'ChangedItem' });
export type ChangedItem = z.infer<typeof changedItemSchema>;

/** Whether the change affects what the item asks for, and not only what was picked. */
export function isLineChange({
  quantity_fulfilled: _fulfilled,
  reason: _reason,
  ...change
}: Readonly<Record<string, unknown>>): boolean {
  const { confirmed_at: _at, seen: _seen, ...asked } = change;
  return Object.values(asked).some((value) => value !== undefined);
}
