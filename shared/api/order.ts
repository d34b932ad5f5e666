import { z } from 'zod';
import { colorProblem } from '../lib/requests/deviceRequest.ts';
import { parseColor } from '../led/color.ts';
import { ATTENTION } from '../lib/orders/attention.ts';
import {
  MAX_CUSTOMER,
  MAX_ITEMS,
  MAX_NOTE,
  MAX_ORDERED,
  MAX_PRIORITY,
  MAX_TEXT,
  TOO_MANY_ITEMS,
} from '../lib/orders/orderLimits.ts';
import { deviceIdSchema, deviceRequestSchema, elsewhereSchema, givenDeviceIdSchema } from './device.ts';
import {
  confirmationKey,
  waitedFields,
  momentSchema,
  inPath,
  named,
  oneOf,
  personName,
  textOrNull,
  textUpTo,
  timestamp,
  timestampOrNull,
  whole,
  withoutControl,
} from './fields.ts';

const name = textUpTo(MAX_TEXT);
const code = withoutControl(name);
const given = (what: string) => name.optional().describe(what);
const givenCode = (what: string) => code.optional().describe(what);

const NEVER_ELSEWHERE = 'Shown on the page; never on devices, over MQTT or in logs.';

const ONE_NAME = 'An item needs at least one of name, SKU and UPC.';

/** Fields of an item. See the specification, Order; the contract, section 8. */
const itemFields = {
  name: given('What a worker reads. An item needs a name, a SKU or a UPC.'),
  SKU: givenCode('Also finds the place if neither deviceid nor warehouse_location does.'),
  UPC: givenCode('Drawn as a barcode if it fits.'),
  description: given('What distinguishes the article; the second line of the display.'),
  ordered_quantity: whole(0, MAX_ORDERED).describe(
    'Pieces to pick, a whole number. An item of 0 is done at once and never lit; a warning names it.',
  ),
  quantity_fulfilled: whole(0, MAX_ORDERED).optional().describe('Default: 0.'),
  warehouse_location: givenCode(
    'The place: alias, label or DeviceID in any case. Otherwise an alias or label that contains the text, not in the middle of a word or number, if it can be only one device; `warnings` name it.',
  ),
  deviceid: givenDeviceIdSchema.nullable().optional().describe('The device; null or left out: not given.'),
  callback_nonce: given(
    'Your tag, `nonce` of its callbacks. With a nonce, a timeout is also reported, as a simple nack.',
  ),
};

/** Whether the value is an object. Checks with this condition also run if a field is invalid, so that one answer lists all errors. */
function isObject({ value }: { value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether a naming field of an item has a value. A value that is not a text counts too, because it is reported as its own error. */
function isGiven(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'string' || value.trim() !== '');
}

export const newItemSchema = z
  .object(itemFields)
  .refine(({ name: named, SKU, UPC }) => [named, SKU, UPC].some(isGiven), { error: ONE_NAME, when: isObject })
  .meta({ id: 'NewItem' });
export type NewItem = z.infer<typeof newItemSchema>;

export const newShipmentSchema = named('NewShipment', {
  shipment_number: code.min(1).describe('Your number, unique in the order.'),
  shipmentnonce: given(
    '`nonce` of shipment_fulfilled; blank: no such callback. Default: the template of the settings.',
  ),
  items: z.array(newItemSchema).max(MAX_ITEMS, TOO_MANY_ITEMS).describe('Items to pick for it; may be empty.'),
});

export const newOrderSchema = z
  .object({
    order_number: inPath(code.min(1))
      .refine(
        (number) => !/^id:\d+$/.test(number.trim()),
        'In a path, a number of this form means the order with that id. Choose another number.',
      )
      .describe('Your number, unique among orders. Also its name in the path.'),
    shipments: z
      .array(newShipmentSchema)
      .max(MAX_ITEMS)
      .optional()
      .describe('Shipments with their items. An order has this or items.'),
    items: z
      .array(newItemSchema)
      .max(MAX_ITEMS, TOO_MANY_ITEMS)
      .optional()
      .describe('Instead of shipments: the items of one shipment, named after the order.'),
    ordernonce: given('`nonce` of order_fulfilled; blank: no such callback. Default: the template of the settings.'),
    color: deviceRequestSchema.shape.color.refine((color) => color === undefined || parseColor(color) !== undefined, {
      error: ({ input }) => colorProblem(String(input)),
    }),
    seconds: deviceRequestSchema.shape.seconds,
    sound: deviceRequestSchema.shape.sound,
    priority: whole(-MAX_PRIORITY, MAX_PRIORITY)
      .optional()
      .describe('The higher, the sooner it is to be picked. Default: 0.'),
    due_time: momentSchema
      .optional()
      .describe('When it has to be ready. Sorts the work; nothing happens at that time.'),
    customer: textUpTo(MAX_CUSTOMER).optional().describe(`For whom it is. ${NEVER_ELSEWHERE}`),
    note: textUpTo(MAX_NOTE).optional().describe(`What people should know. ${NEVER_ELSEWHERE}`),
    scan_required: z
      .boolean()
      .optional()
      .describe(
        'Whether the order is complete only after each picked article was scanned. Default: the setting of that name.',
      ),
  })
  .refine(({ shipments, items }) => (shipments === undefined) !== (items === undefined), {
    error: 'Give either shipments or items.',
    when: isObject,
  })
  .refine(({ shipments = [] }) => {
    const numbers = shipments.map(({ shipment_number: number }) => number);
    return new Set(numbers).size === numbers.length;
  }, 'Two shipments of one order cannot have the same shipment_number.')
  .refine(
    ({ shipments = [] }) => shipments.reduce((count, { items }) => count + items.length, 0) <= MAX_ITEMS,
    TOO_MANY_ITEMS,
  )
  .meta({ id: 'NewOrder' });
export type NewOrder = z.infer<typeof newOrderSchema>;

export const ORDER_STATES = ['open', 'in_progress', 'fulfilled', 'aborted'] as const;
export type OrderState = (typeof ORDER_STATES)[number];
export const ITEM_STATES = ['open', 'active', 'done', 'short', 'cancelled'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const itemSchema = named('Item', {
  id: z.int().describe('Assigned by the station. PATCH /api/orders/{order_number}/items/{id}/ corrects the item.'),
  name: z.string().optional(),
  SKU: z.string().optional(),
  UPC: z.string().optional(),
  description: z.string().optional(),
  ordered_quantity: z.int().describe('Pieces to pick.'),
  quantity_fulfilled: z.int().describe('Number of pieces picked so far.'),
  quantity_remaining: z.int().describe('Never below 0.'),
  warehouse_location: z.string().optional(),
  deviceid: deviceIdSchema
    .nullable()
    .describe('The device where it is or was last lit, otherwise the given one; null: none.'),
  callback_nonce: z.string().optional(),
  state: oneOf(ITEM_STATES).describe(
    'active: lit, waiting behind other work of its device, or work of a picker without a light. short: acknowledged or closed with less than ordered. cancelled: turned off by abort, or dismissed. open: every other unfinished item.',
  ),
  command_id: textOrNull.describe('The open command while the item is active; null also while it has no light.'),
  timed_out: z.boolean().describe('Its light went out without a press, and was not lit again.'),
  picker: textOrNull.describe('The person whose line it is, or who finished it; null: nobody in particular.'),
  verified: z.boolean().describe('A scan of the article confirmed it.'),
  awaits_scan: z
    .boolean()
    .describe(
      'It was picked, and the order is not complete before a scan of its article or POST /api/orders/{order_number}/items/{id}/verify/.',
    ),
  no_stock: z
    .boolean()
    .describe('When it was lit, no place of its article had any pieces: the first place is lit anyway.'),
  guessed: z
    .boolean()
    .describe(
      'Its place was guessed when it was created or last launched: the warehouse_location is only a part of a name, or several devices have the label.',
    ),
});
export type Item = z.infer<typeof itemSchema>;

const attention = z
  .array(oneOf(ATTENTION))
  .describe(
    'Why the order needs attention. Empty once it is aborted; a fulfilled order keeps only unassigned. timed_out: an item went dark without a press. unassigned: the last launch found no device for an item. unreachable: no turbo reaches a device that is to be lit. guessed: the place of an item that is still to be picked was guessed. no_stock: when an item was lit, no place of its article had any pieces. stalled: something is lit or waits without a light, and nobody pressed for `order_stalled_minutes`. paused: its picker paused it, and nobody continued it for as long.',
  );

export const shipmentSchema = named('Shipment', {
  id: z.int().describe('Assigned by the station; not used in paths.'),
  shipment_number: z.string(),
  shipmentnonce: z.string().optional(),
  state: oneOf(ORDER_STATES),
  attention,
  items: z.array(itemSchema),
});
export type Shipment = z.infer<typeof shipmentSchema>;

export const orderPickerSchema = named('OrderPicker', {
  name: z.string(),
  color: z.string().describe('In which the lines of this person are lit.'),
  paused: z.boolean().describe('The lines of this person are dark until the person goes on.'),
  deviceid: deviceIdSchema.nullable().describe('Where the person confirmed a line of this order last.'),
});

export type OrderPicker = z.infer<typeof orderPickerSchema>;

const orderFields = {
  id: z.int().describe('Assigned by the station. In a path, id:5 is the order 5.'),
  order_number: z.string(),
  ordernonce: z.string().optional(),
  color: z.string().optional(),
  seconds: z.int().optional().describe('Seconds until an item times out; 0: never.'),
  sound: z.string().optional(),
  priority: z.int().describe('The higher, the sooner it is to be picked.'),
  due_time: timestampOrNull,
  customer: z.string().optional(),
  note: z.string().optional(),
  scan_required: z.boolean().describe('Of the order, otherwise of the settings.'),
  state: oneOf(ORDER_STATES),
  attention,
  pickers: z.array(orderPickerSchema).describe('Who picks it, the first to join first.'),
  waits: z
    .boolean()
    .describe(
      'It was launched for a person who picks another order: it is dark until that person takes it, and the person is `paused`.',
    ),
  created_time: timestamp,
  updated_time: timestamp.describe('When anything of it changed last.'),
  launched_time: timestampOrNull.describe('Time of the last launch.'),
  fulfilled_time: timestampOrNull,
};

export const orderSchema = named('Order', {
  ...orderFields,
  shipments: z.array(shipmentSchema),
  items: z
    .array(itemSchema)
    .optional()
    .describe('If it was created with items instead of shipments: the same items again.'),
  unassigned: z
    .array(itemSchema)
    .describe(
      'Items for which the last launch found no device, and that no picker has. They do not light; the rest of the order continues.',
    ),
});
export type Order = z.infer<typeof orderSchema>;

export const orderResultSchema = named('OrderResult', {
  ...orderSchema.shape,
  warnings: z
    .array(z.string())
    .describe(
      'Parts of the request that were accepted but may be mistakes. Each begins with its position, as a JSON Pointer.',
    ),
});
export type OrderResult = z.infer<typeof orderResultSchema>;

/** Progress of an order, without its items. Also used in facts of the event stream. */
export const orderProgressSchema = named('OrderProgress', {
  ...orderFields,
  item_count: z.int().describe('All items.'),
  done_count: z.int().describe('Number of items done or short.'),
  short_count: z.int().describe('Number of items acknowledged with less than asked.'),
  active_count: z
    .int()
    .describe('Number of items lit, waiting behind other work of their device, or work of a picker without a light.'),
  unassigned_count: z.int().describe('Number of items for which the last launch found no device.'),
  unscanned_count: z.int().describe('Number of picked items that wait for a scan of their article.'),
  ordered_quantity: z.int().describe('Total of all items.'),
  quantity_fulfilled: z.int().describe('Total of all items.'),
});
export type OrderProgress = z.infer<typeof orderProgressSchema>;

export const orderQuerySchema = z.object({
  state: oneOf(ORDER_STATES).optional().describe('Only in this state.'),
  attention: z.enum(['1', 'true']).optional().describe('1: only orders that wait for somebody.'),
  picker: personName(100)
    .optional()
    .describe('Only unfinished orders that this person picks, the first to join first.'),
  updated_after: momentSchema
    .optional()
    .describe('Only orders with an `updated_time` at this time or later. Send the latest one that you have seen.'),
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Default: 1,000.'),
  after: z.string().optional().describe('Last order_number of the previous page.'),
});
export type OrderQuery = z.infer<typeof orderQuerySchema>;

/** Selects ended orders to delete. Both filters are required, so that a forgotten filter cannot delete more orders than intended. */
export const endedOrdersQuerySchema = z.object({
  state: oneOf(['fulfilled', 'aborted']).describe('Only orders in this state.'),
  ended_before: momentSchema.describe('Only orders that ended, and were last changed, before this time.'),
});
export type EndedOrdersQuery = z.infer<typeof endedOrdersQuerySchema>;

export const deletedOrdersSchema = named('DeletedOrders', { deleted: z.int().describe('Number of deleted orders.') });
export type DeletedOrders = z.infer<typeof deletedOrdersSchema>;

/** A change to an order. Omitted fields stay unchanged; null clears a field. */
export const orderChangeSchema = named('OrderChange', {
  priority: newOrderSchema.shape.priority,
  due_time: momentSchema.nullable().optional().describe('When it has to be ready; null: no time.'),
  customer: textUpTo(MAX_CUSTOMER).nullable().optional().describe('For whom it is; null or empty: nobody named.'),
  note: textUpTo(MAX_NOTE).nullable().optional().describe('What people should know; null or empty: nothing.'),
  color: newOrderSchema.shape.color
    .nullable()
    .describe('Of lines that belong to nobody, also of lit ones; null: as in the settings.'),
});
export type OrderChange = z.infer<typeof orderChangeSchema>;

export const correctionSchema = named('Correction', {
  quantity_fulfilled: whole(0, MAX_ORDERED).describe('Corrected number of pieces picked.'),
  reason: textUpTo(200).optional().describe('short, damaged, ...: stored in history only.'),
});
export type Correction = z.infer<typeof correctionSchema>;

export const launchSchema = named('Launch', {
  color: newOrderSchema.shape.color.describe(
    'Color of what this launch lights. Default: of the picker, the order, or the settings.',
  ),
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who picks it. Default: the caller, for a person with the role picker; otherwise nobody.'),
});
export type Launch = z.infer<typeof launchSchema>;

export const actingPickerSchema = named('ActingPicker', {
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who does this. Default: the caller; a picker names nobody else.'),
});
export type ActingPicker = z.infer<typeof actingPickerSchema>;

export const shortSchema = named('Short', {
  quantity_fulfilled: whole(0, MAX_ORDERED)
    .optional()
    .describe('Pieces found in all. Default: what is counted so far, with plus and minus included.'),
  reason: textUpTo(200).min(1).describe('One of the setting `short_reasons`.'),
  elsewhere: givenDeviceIdSchema
    .optional()
    .describe('Another device that holds the article: the item stays open, and the rest of it lights there.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Short = z.infer<typeof shortSchema>;

export const shortResultSchema = named('ShortResult', {
  ...itemSchema.shape,
  elsewhere: z
    .array(elsewhereSchema)
    .describe('Other devices with an alias or a label equal to the SKU: the rest may be there.'),
});
export type ShortResult = z.infer<typeof shortResultSchema>;

export const reopenSchema = named('Reopen', {
  quantity_fulfilled: whole(0, MAX_ORDERED)
    .optional()
    .describe(
      'Pieces that still count as picked. Default: of a done item without those of its last confirmation, of a short one what was found.',
    ),
  instead: z
    .int()
    .min(1)
    .optional()
    .describe('Another item, of any order, that the pieces were for: it is booked with the same quantity.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Reopen = z.infer<typeof reopenSchema>;

export const confirmSchema = named('Confirm', {
  quantity: whole(0, MAX_ORDERED).optional().describe('Pieces picked now. Default: the rest.'),
  reason: textUpTo(200)
    .min(1)
    .optional()
    .describe('One of the setting `short_reasons`; needed for less than the rest.'),
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who picked it. Default: the caller; a picker names nobody else.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Confirm = z.infer<typeof confirmSchema>;

export const dismissSchema = named('Dismiss', {
  reason: textUpTo(200).min(1).optional().describe('Any text: stored in history only.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Dismiss = z.infer<typeof dismissSchema>;

export const verifySchema = named('Verify', {
  reason: textUpTo(200).min(1).optional().describe('Why it cannot be scanned; any text, stored in history only.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Verify = z.infer<typeof verifySchema>;

export const handoverSchema = named('Handover', {
  picker: personName(MAX_TEXT).describe(
    'The person who gets the unfinished lines of the caller; from a program, all of them.',
  ),
});
