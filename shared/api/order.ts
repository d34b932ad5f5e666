import { z } from 'zod';
import { colorProblem } from '../lib/requests/deviceRequest.ts';
import { parseColor } from '../led/color.ts';
import { ATTENTION } from '../lib/orders/attention.ts';
import { END_REASONS } from '../lib/tables/states.ts';
import {
  MAX_CUSTOMER,
  MAX_ITEMS,
  MAX_NOTE,
  MAX_ORDERED,
  MAX_PRIORITY,
  MAX_TEXT,
  TOO_MANY_ITEMS,
} from '../lib/orders/orderLimits.ts';
import { newItemSchema } from './orderItem.ts';
import { orderAddressSchema } from './orderAddress.ts';
import { deviceIdSchema, deviceRequestSchema, elsewhereSchema, givenDeviceIdSchema } from './device.ts';
import {
  confirmationKey,
  lateField,
  waitedFields,
  afterRevision,
  momentSchema,
  inPath,
  isObject,
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

const code = withoutControl(textUpTo(MAX_TEXT));
const given = (what: string) => textUpTo(MAX_TEXT).optional().describe(what);

const NEVER_ELSEWHERE = 'Shown on the page, but never on devices, over MQTT or in logs.';

export const newShipmentSchema = named('NewShipment', {
  shipment_number: code.min(1).describe('Your shipment number, unique in the order.'),
  shipmentnonce: given(
    '`nonce` of the callback shipment_fulfilled, which is not sent if this is blank. Defaults to the template in the settings.',
  ),
  items: z
    .array(newItemSchema)
    .max(MAX_ITEMS, TOO_MANY_ITEMS)
    .describe('Items to pick for the shipment; may be empty.'),
});

export const newOrderSchema = z
  .object({
    order_number: inPath(code.min(1))
      .refine(
        (number) => !/^id:\d+$/.test(number.trim()),
        'In a path, a number of this form means the order with that id. Choose another number.',
      )
      .describe('Your order number, unique among orders. It also identifies the order in paths.'),
    shipments: z
      .array(newShipmentSchema)
      .max(MAX_ITEMS)
      .optional()
      .describe('Shipments with their items. Send either shipments or items.'),
    items: z
      .array(newItemSchema)
      .max(MAX_ITEMS, TOO_MANY_ITEMS)
      .optional()
      .describe('Items of a single shipment, which gets the number of the order. Send either shipments or items.'),
    ordernonce: given(
      '`nonce` of the callback order_fulfilled, which is not sent if this is blank. Defaults to the template in the settings.',
    ),
    color: deviceRequestSchema.shape.color.refine((color) => color === undefined || parseColor(color) !== undefined, {
      error: ({ input }) => colorProblem(String(input)),
    }),
    seconds: deviceRequestSchema.shape.seconds,
    sound: deviceRequestSchema.shape.sound,
    priority: whole(-MAX_PRIORITY, MAX_PRIORITY)
      .optional()
      .describe('Orders with a higher priority are picked first. Defaults to 0.'),
    due_time: momentSchema
      .optional()
      .describe('When the order has to be ready. Used only to sort the work; nothing happens at that time.'),
    customer: textUpTo(MAX_CUSTOMER).optional().describe(`Name of the customer. ${NEVER_ELSEWHERE}`),
    note: textUpTo(MAX_NOTE).optional().describe(`Note for people. ${NEVER_ELSEWHERE}`),
    ordered_at: momentSchema.optional().describe(`When the customer ordered. ${NEVER_ELSEWHERE}`),
    paid: z.boolean().optional().describe(`Whether the order is paid, if known. ${NEVER_ELSEWHERE}`),
    address: orderAddressSchema
      .optional()
      .describe(
        'Address of the customer, for the packing slip. Answered only with one order, never to keys with the scope read. Never on devices, over MQTT or in logs.',
      ),
    scan_required: z
      .boolean()
      .optional()
      .describe(
        'Whether the order is complete only after each picked article has been scanned. Defaults to the setting of the same name.',
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
  ordered_quantity: z.int().describe('Number of pieces to pick.'),
  quantity_fulfilled: z.int().describe('Number of pieces picked so far.'),
  quantity_remaining: z.int().describe('Number of pieces left to pick; never below 0.'),
  warehouse_location: z.string().optional(),
  deviceid: deviceIdSchema
    .nullable()
    .describe('The device where the item is or was last lit, otherwise the given device; null if none.'),
  callback_nonce: z.string().optional(),
  state: oneOf(ITEM_STATES).describe(
    'active: lit, waiting behind other work of its device, or work of a picker without a light. short: acknowledged or closed with less than ordered. cancelled: aborted with the order, or dismissed. open: any other unfinished item.',
  ),
  command_id: textOrNull.describe(
    'The open command while the item is active; otherwise null. Also null for an active item without a light.',
  ),
  timed_out: z.boolean().describe('Whether the light timed out without a press and was not lit again.'),
  picker: textOrNull.describe('The person who has the line or finished it; null if no particular person.'),
  verified: z.boolean().describe('Whether a scan of the article confirmed the item.'),
  awaits_scan: z
    .boolean()
    .describe(
      'Whether the item was picked, but the order still requires a scan of the article or POST /api/orders/{order_number}/items/{id}/verify/.',
    ),
  no_stock: z
    .boolean()
    .describe('Whether no place of the article had any pieces when the item was lit. The first place is lit anyway.'),
  guessed: z
    .boolean()
    .describe(
      'Whether the place was guessed when the item was created or last launched, because the warehouse_location is only part of a name or several devices have the label.',
    ),
});
export type Item = z.infer<typeof itemSchema>;

const attention = z
  .array(oneOf(ATTENTION))
  .describe(
    'Why the order needs attention. Empty once the order is aborted; a fulfilled order keeps only unassigned. timed_out: an item timed out without a press. unassigned: the last launch found no device for an item. unreachable: a device that should be lit is offline. guessed: the place of an item that is still to be picked was guessed. no_stock: when an item was lit, no place of its article had any pieces. stalled: items are lit or wait without a light, but nobody has pressed for `order_stalled_minutes`. paused: its pickers paused the order, and nobody has continued it for the same time. ended_elsewhere: an imported file says that the order or a part of it is shipped, canceled or refunded, and somebody must decide; it is not offered until it is aborted or continued.',
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
  color: z.string().describe('Color in which lines of this person are lit.'),
  paused: z.boolean().describe('Whether the lines of this person are unlit until the person continues.'),
  deviceid: deviceIdSchema
    .nullable()
    .describe(
      'Device at which the person last confirmed a line of this order, or opened one of their lines again; null if none.',
    ),
});

export type OrderPicker = z.infer<typeof orderPickerSchema>;

const orderFields = {
  id: z.int().describe('Assigned by the station. In a path, id:5 selects the order with the id 5.'),
  order_number: z.string(),
  ordernonce: z.string().optional(),
  color: z.string().optional(),
  seconds: z.int().optional().describe('Seconds until an item times out; 0 means never.'),
  sound: z.string().optional(),
  priority: z.int().describe('Orders with a higher priority are picked first.'),
  due_time: timestampOrNull,
  customer: z.string().optional(),
  note: z.string().optional(),
  ordered_at: timestamp.optional().describe('When the customer ordered. Missing if unknown.'),
  paid: z.boolean().optional().describe('Whether the order is paid. Missing if unknown.'),
  scan_required: z.boolean().describe('Value of the order, otherwise of the setting.'),
  state: oneOf(ORDER_STATES),
  attention,
  ended_elsewhere: oneOf(END_REASONS)
    .optional()
    .describe('What happened to the order elsewhere, according to an imported file.'),
  pickers: z.array(orderPickerSchema).describe('The people who pick the order, in the order of joining.'),
  waits: z
    .boolean()
    .describe(
      'Whether the order was launched for a person who picks another order. It stays unlit until that person takes it, and the person is `paused`.',
    ),
  created_time: timestamp,
  updated_time: timestamp.describe('Time of the last change to the order.'),
  launched_time: timestampOrNull.describe('Time of the last launch.'),
  fulfilled_time: timestampOrNull,
};

export const orderSchema = named('Order', {
  ...orderFields,
  address: orderAddressSchema
    .optional()
    .describe(
      'Address of the customer. Only in the answer to GET or PATCH of one order, and only for people who pick and callers with the scope control or admin.',
    ),
  shipments: z.array(shipmentSchema),
  items: z
    .array(itemSchema)
    .optional()
    .describe('The same items again, if the order was created with items instead of shipments.'),
  unassigned: z
    .array(itemSchema)
    .describe(
      'Items without a picker for which the last launch found no device. They do not light; the rest of the order continues.',
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
  item_count: z.int().describe('Number of all items.'),
  done_count: z.int().describe('Number of items done or short.'),
  short_count: z.int().describe('Number of items acknowledged with less than requested.'),
  active_count: z
    .int()
    .describe('Number of items lit, waiting behind other work of their device, or work of a picker without a light.'),
  unassigned_count: z.int().describe('Number of items for which the last launch found no device.'),
  unscanned_count: z.int().describe('Number of picked items that wait for a scan of their article.'),
  ordered_quantity: z.int().describe('Total number of pieces to pick.'),
  quantity_fulfilled: z.int().describe('Total number of pieces picked so far.'),
});
export type OrderProgress = z.infer<typeof orderProgressSchema>;

export const orderQuerySchema = z.object({
  state: oneOf(ORDER_STATES).optional().describe('Only orders in this state.'),
  attention: z.enum(['1', 'true']).optional().describe('1 returns only orders that need attention.'),
  picker: personName(100)
    .optional()
    .describe('Only unfinished orders that this person picks, in the order of joining.'),
  updated_after: momentSchema
    .optional()
    .describe(
      'Only orders with an `updated_time` at or after this time. Send the latest `updated_time` that you have seen.',
    ),
  after_revision: afterRevision('orders'),
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Defaults to 1,000.'),
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
  due_time: momentSchema.nullable().optional().describe('When the order has to be ready; null for no time.'),
  customer: textUpTo(MAX_CUSTOMER).nullable().optional().describe('Name of the customer; null or empty for none.'),
  note: textUpTo(MAX_NOTE).nullable().optional().describe('Note for people; null or empty for none.'),
  ordered_at: momentSchema.nullable().optional().describe('When the customer ordered; null if unknown.'),
  paid: z.boolean().nullable().optional().describe('Whether the order is paid; null if unknown.'),
  address: orderAddressSchema.nullable().optional().describe('Address of the customer; null for none.'),
  color: newOrderSchema.shape.color
    .nullable()
    .describe('Color of lines without a picker, including lit ones; null for the color in the settings.'),
  continue: z
    .literal(true)
    .optional()
    .describe('true continues an order that ended elsewhere according to a file, so that it is offered again.'),
});
export type OrderChange = z.infer<typeof orderChangeSchema>;

/** Replaces an order that nobody has started. The rules of a new order about its fields apply. */
export const replacedOrderSchema = z
  .object({
    ...newOrderSchema.shape,
    order_number: newOrderSchema.shape.order_number.optional().describe('The number in the path, or left out.'),
  })
  .superRefine((order, { addIssue }) => {
    const { error } = newOrderSchema.safeParse({ ...order, order_number: order.order_number ?? 'any' });
    for (const { path, message } of error?.issues ?? []) addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'ReplacedOrder' });
export type ReplacedOrder = z.infer<typeof replacedOrderSchema>;

export const launchSchema = named('Launch', {
  color: newOrderSchema.shape.color.describe(
    'Color of the lights of this launch. Defaults to the color of the picker, the order, or the settings.',
  ),
  picker: personName(MAX_TEXT)
    .optional()
    .describe(
      'The person who picks the order. Defaults to the caller, for a person with the role picker; otherwise nobody.',
    ),
});
export type Launch = z.infer<typeof launchSchema>;

export const actingPickerSchema = named('ActingPicker', {
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who does this. Defaults to the caller. A picker cannot name another person.'),
});
export type ActingPicker = z.infer<typeof actingPickerSchema>;

export const shortSchema = named('Short', {
  quantity_fulfilled: whole(0, MAX_ORDERED)
    .optional()
    .describe(
      'Total number of pieces found. Defaults to the pieces counted so far, including changes with plus and minus.',
    ),
  reason: textUpTo(200).min(1).describe('A key from the setting `short_reasons`.'),
  elsewhere: givenDeviceIdSchema
    .optional()
    .describe('Another device that holds the article. The item stays open, and the remaining pieces light there.'),
  late: lateField,
  ...waitedFields,
  key: confirmationKey,
});
export type Short = z.infer<typeof shortSchema>;

const elsewhere = z
  .array(elsewhereSchema)
  .describe(
    'Other devices that may hold the remaining pieces: first those at other places of the article, then those with an alias or label equal to the SKU.',
  );

export const itemWithPlacesSchema = named('ItemWithPlaces', { ...itemSchema.shape, elsewhere });
export type ItemWithPlaces = z.infer<typeof itemWithPlacesSchema>;

export const shortResultSchema = named('ShortResult', { ...itemSchema.shape, elsewhere });
export type ShortResult = z.infer<typeof shortResultSchema>;

export const reopenSchema = named('Reopen', {
  quantity_fulfilled: whole(0, MAX_ORDERED)
    .optional()
    .describe(
      'Pieces that still count as picked. Defaults to the pieces before the last confirmation for a done item, and to the pieces found for a short item.',
    ),
  press: z
    .boolean()
    .optional()
    .describe(
      'true: takes back what the last press of the item booked, in a batch also of the other items that it booked together. If a part of that has been booked again since, or if somebody else than the calling picker booked it, returns 409. With `instead`, this is always so, no matter who booked it.',
    ),
  instead: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Another item, of any order or batch, for which the press was intended. It is booked with its own remaining pieces. If it has been booked since, returns 409, and nothing changes. Outside a batch, this can be the same item: its press is replaced by `instead_quantity`, which is then required, and the item is not lit.',
    ),
  instead_quantity: whole(0, MAX_ORDERED)
    .optional()
    .describe(
      'With `instead`: how many pieces the other line gets, if its person took another number than remained. Fewer close it as `short`, without a reason. For an item of a batch, this is the number for its whole light.',
    ),
  ...waitedFields,
  key: confirmationKey,
});
export type Reopen = z.infer<typeof reopenSchema>;

export const confirmSchema = named('Confirm', {
  quantity: whole(0, MAX_ORDERED).optional().describe('Pieces picked now. Defaults to the remaining pieces.'),
  reason: textUpTo(200)
    .min(1)
    .optional()
    .describe('A key from the setting `short_reasons`; required for less than the remaining pieces.'),
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who picked the item. Defaults to the caller. A picker cannot name another person.'),
  location: textUpTo(200)
    .min(1)
    .optional()
    .describe(
      'Another place of the article, from which the pieces were taken. Their stock falls there. Not in a batch. Defaults to the place of the line.',
    ),
  late: z
    .boolean()
    .optional()
    .describe(
      'true books pieces that were picked some time ago, at most the remaining ones, also of a lit or `short` item, without closing it before it is full. `confirmed_at` can then be of any age.',
    ),
  ...waitedFields,
  key: confirmationKey,
});
export type Confirm = z.infer<typeof confirmSchema>;

export const returnedSchema = named('Returned', {
  item_id: z.int().min(1).describe('The item for which the pieces were taken. It may be deleted by now.'),
  quantity: whole(1, MAX_ORDERED).describe('Pieces that were put back.'),
  location: textUpTo(200).describe('Where they were put back.'),
  confirmed_at: waitedFields.confirmed_at,
  picker: personName(MAX_TEXT)
    .optional()
    .describe('The person who put the pieces back. Defaults to the caller. A picker cannot name another person.'),
  key: confirmationKey,
});
export type Returned = z.infer<typeof returnedSchema>;

export const dismissSchema = named('Dismiss', {
  reason: textUpTo(200).min(1).optional().describe('Any text; stored only in history.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Dismiss = z.infer<typeof dismissSchema>;

export const verifySchema = named('Verify', {
  reason: textUpTo(200).min(1).optional().describe('Why the item cannot be scanned; any text, stored only in history.'),
  ...waitedFields,
  key: confirmationKey,
});
export type Verify = z.infer<typeof verifySchema>;

export const handoverSchema = named('Handover', {
  picker: personName(MAX_TEXT).describe(
    'The person who gets the unfinished lines of the caller, or all unfinished lines if a program calls.',
  ),
});
