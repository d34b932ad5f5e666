import { z } from 'zod';
import { LARGEST_QUANTITY } from '../lib/requests/deviceFields.ts';
import { COLOR_NAMES, isPickerColor, OFF, parseColor } from '../led/color.ts';
import { batchWorkShareSchema } from './batch.ts';
import { newPinSchema } from './access.ts';
import { deviceIdSchema, elsewhereSchema } from './device.ts';
import {
  confirmationKey,
  intOrNull,
  named,
  oneOf,
  textOrNull,
  textUpTo,
  timestamp,
  timestampOrNull,
  waitedFields,
  personName,
} from './fields.ts';
import { orderPickerSchema, orderProgressSchema } from './order.ts';

/** A command that is lit or queued on its device, or work that has no device. See the contract, section 16. */
export const workLineSchema = named('WorkLine', {
  deviceid: deviceIdSchema.nullable().describe('The device of the line; null without a light.'),
  location: z
    .string()
    .describe(
      'The location alias, otherwise the label of the device; without a light, the text of the order, otherwise the place of the article. May be empty.',
    ),
  light: z
    .boolean()
    .describe('false: the line has no device. Confirm it with POST /api/orders/{order_number}/items/{id}/confirm/.'),
  text: z.string().describe('The name of the article, otherwise the first line of the display.'),
  description: z.string().describe('The second line of the display; empty if none.'),
  SKU: z.string().describe('Empty if none.'),
  UPC: z.string().describe('Empty if none.'),
  quantity: intOrNull.describe('Pieces to take here, as adjusted by plus and minus; null if no quantity is requested.'),
  ordered_quantity: intOrNull.describe('Number of pieces ordered; null without an order.'),
  quantity_fulfilled: intOrNull.describe('Pieces of the item already picked; null without an order.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order; null without an order.'),
  customer: z.string().describe('As in the order; empty if none.'),
  note: z.string().describe('As in the order; empty if none.'),
  color: z.string(),
  picker: textOrNull.describe('The person who has the line; null if no particular person.'),
  command_id: textOrNull.describe('The command of the line; null without a light.'),
  waiting: z.boolean().describe('Whether the device shows another command first.'),
  current: z.boolean().describe('Whether the page of the picker shows this line.'),
  unreachable: z.boolean().describe('Whether the line should be shown, but the device is offline.'),
  shown_at: timestampOrNull.describe('When the device started to show the line; null if it does not.'),
  on_hand: intOrNull.describe(
    'Pieces of the article at this place; null if not counted, or not a place of an article.',
  ),
  packs: z.array(z.int()).describe('Number of pieces in each pack of the article with a barcode, largest first.'),
  picture: textOrNull.describe(
    'Address of the picture of the article. Add `&size=96` for a small version. Null if none.',
  ),
  found_empty: z
    .object({ by: z.string().describe('Who found the place empty.'), at: timestamp })
    .nullable()
    .describe(
      'Present if somebody found the place empty and no other place has the article; otherwise null. The line is listed last.',
    ),
  elsewhere: z
    .array(elsewhereSchema)
    .describe('Other devices that hold the article. Devices at other places of the article come first.'),
  batch: z.int().optional().describe('The batch that is picked here; `quantity` is the sum of its `shares`.'),
  shares: z.array(batchWorkShareSchema).optional().describe('For a batch: the distribution of the pieces.'),
  barcodes: z
    .array(
      z.object({ code: z.string(), quantity: z.int().describe('Number of pieces in the pack; 1 for a single piece.') }),
    )
    .optional()
    .describe('For a batch: the barcodes of the article, unless the article is hidden.'),
});
export type WorkLine = z.infer<typeof workLineSchema>;

export const workQuerySchema = z.object({
  picker: personName(100).optional().describe('Only lines of this person.'),
  order: textUpTo(200)
    .optional()
    .describe(
      'Only lines of this order_number. With `picker`, the list begins after the place that this person confirmed last.',
    ),
  batch: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Only lines of this batch, one for each place and article, with their shares.'),
});
export type WorkQuery = z.infer<typeof workQuerySchema>;

export const pickerSchema = named('Picker', {
  name: z.string(),
  color: textOrNull.describe(
    'Color in which lines of this person are lit; null until it is chosen with the first order.',
  ),
  orders: z.array(z.string()).describe('Numbers of the unfinished orders that this person picks.'),
});
export type Picker = z.infer<typeof pickerSchema>;

export const ownColorSchema = named('OwnColor', {
  color: z
    .string()
    .refine((text) => parseColor(text) !== undefined, `Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`)
    .refine((text) => parseColor(text)?.hex !== OFF, 'Nobody sees lines in black: choose a color that shines.')
    .refine(
      (text) => parseColor(text)?.hex === OFF || isPickerColor(text),
      'Red, green and white have a meaning on shelves: choose another color.',
    )
    .optional()
    .describe('Color of lines, from the next launch. Not red, green or white, which have a meaning on shelves.'),
  picker: personName(100)
    .optional()
    .describe('The person whose color to set. Defaults to the caller. A picker cannot name another person.'),
  pin: newPinSchema
    .nullable()
    .optional()
    .describe(
      'Your own PIN, for signing in at a kiosk. Only in a session, with your `password`. null removes the PIN.',
    ),
  password: textUpTo(1_000).optional().describe('Your current password; required only for `pin`.'),
});

export const ownProfileSchema = z
  .object({ ...pickerSchema.shape, has_pin: z.boolean().describe('Whether you can sign in with a PIN at a kiosk.') })
  .meta({ id: 'OwnProfile' });

export type OwnProfile = z.infer<typeof ownProfileSchema>;

export const currentLineSchema = named('CurrentLine', {
  item_id: intOrNull.optional().describe('The item that the page of the picker shows; null if none.'),
  command_id: textOrNull.optional().describe('The same line, identified by its command.'),
  picker: personName(100)
    .optional()
    .describe('The person whose page it is. Defaults to the caller. A picker cannot name another person.'),
});

export const nextOrderQuerySchema = z.object({
  picker: personName(100)
    .optional()
    .describe(
      'Includes orders that wait for this person or that this person paused. Defaults to the caller, for a picker.',
    ),
});

export const nextOrderSchema = named('NextOrder', {
  order: orderProgressSchema.nullable().describe('The order to take next; null if there is none.'),
  waiting: z.int().describe('Number of orders that can be taken, including this one.'),
});
export type NextOrder = z.infer<typeof nextOrderSchema>;

export const SCAN_RESULTS = [
  'acknowledged',
  'counted',
  'lit',
  'place',
  'wrong_place',
  'wrong_item',
  'too_many',
  'already_done',
  'ambiguous',
  'order',
  'command',
  'put_away',
  'cart',
  'wall',
  'slot',
  'put',
  'wrong_slot',
  'press_first',
  'not_needed',
  'all_done',
  'wall_full',
  'single',
  'unknown',
] as const;

export const scanSchema = named('Scan', {
  code: textUpTo(4_000).min(1).describe('The code, as sent by the scanner.'),
  order_number: textUpTo(200)
    .optional()
    .describe('The order that is being picked. The code is searched for in this order.'),
  batch: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The batch in which to look for an article. At a wall, a scan lights the slots for one piece, or for `quantity` pieces; each scan counts. For an article without a code, send `item_id`, and any text as `code`. While a batch is picked, a scan with `act` acknowledges the light of the article with the whole sum and verifies the article. If no light of the article is lit, the scan verifies the pieces that were picked.',
    ),
  picker: personName(100)
    .optional()
    .describe('The person who scans. Defaults to the caller. A picker cannot name another person.'),
  act: z
    .boolean()
    .default(false)
    .describe('false: only returns the meaning of the code. true: also performs the action.'),
  quantity: z
    .int()
    .min(0)
    .max(LARGEST_QUANTITY)
    .optional()
    .describe(
      'Counts these pieces; the line is closed once all are counted. Defaults to the pieces of the pack whose code was scanned; any other code closes the line with the requested quantity.',
    ),
  close: z.boolean().default(false).describe('true closes the line, even with fewer pieces than requested.'),
  over: z.boolean().default(false).describe('true allows counting more pieces than requested.'),
  reason: textUpTo(200)
    .optional()
    .describe('Why the line is closed with fewer pieces than requested: a key from the setting `short_reasons`.'),
  intent: oneOf(['put_away', 'verify', 'sort'])
    .optional()
    .describe(
      'verify: only checks whether the code belongs to the article of `item_id` (acknowledged or wrong_item). With `act`, also verifies this item, which must already be picked. Books no pieces. put_away: the code identifies an article to put away. With `act`, its places light in white, and a press there books the `quantity` (defaults to 1, or the pieces of a pack). sort: `act` applies only to an article that is scanned at the wall of `batch`. For any other code, the scan only returns its meaning.',
    ),
  ...waitedFields,
  item_id: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The item whose line is meant, if several lines have the code. If the code now identifies another line, the scan is refused with 409 `outdated`.',
    ),
  key: confirmationKey,
});
export type ScanRequest = z.infer<typeof scanSchema>;

export const shortNumbersSchema = named('ShortNumbers', {
  exist: z
    .boolean()
    .describe('Whether an order or an article has a name of one to three digits, with or without a leading #.'),
});
export type ShortNumbers = z.infer<typeof shortNumbersSchema>;

const scanCandidate = z.object({
  kind: oneOf(['line', 'place']).describe('line: lit work. place: a device.'),
  deviceid: deviceIdSchema.nullable().describe('The device; null for a line without a light.'),
  location: z.string(),
  text: z.string().describe('The article; empty for a place.'),
  quantity: intOrNull.describe('Pieces to take; null if no quantity is requested.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order; null for a place.'),
  command_id: textOrNull.describe('Null for a place, and for a line without a light.'),
});
export type ScanCandidate = z.infer<typeof scanCandidate>;

export const scanResultSchema = named('ScanResult', {
  result: oneOf(SCAN_RESULTS).describe(
    'acknowledged: the line is closed. counted: `quantity` pieces are booked, and the light shows the remaining ones. lit: with `act`, the line would be closed or counted. place: a place where nothing is lit, or only for somebody else. wrong_place, wrong_item: not part of the order or batch in hand. wrong_place with an `item_id`: another place of the article of this line, which has no light; `location` of its confirmation can name this place. too_many: more than the `remaining` pieces; nothing is booked. already_done: already picked. ambiguous: several `candidates` match. order: an order number. command: a printed command; the station does nothing. put_away: the places of the article (`candidates`), which are lit with `act`. cart, wall: the live batch of the cart or wall, and the pieces in hand. slot: the content of the slot, and missing pieces. put: pieces moved from the hand into the slot; at a wall, the slots in `puts` are lit for the pieces. wrong_slot: no pieces in hand belong in the slot; nothing is booked. Only at a wall: press_first: the previous scan has to be put first. not_needed: no order of the batch has the article. all_done: all orders have their pieces. wall_full: only orders without a slot need the article, and no slot is free. single: the only piece of its shipment, which goes straight to packing. unknown: the code has no meaning here.',
  ),
  says: z.string().describe('The result as a sentence for the person who scans.'),
  deviceid: deviceIdSchema.nullable(),
  location: z.string().describe('Location of the device; empty if none.'),
  text: z.string().describe('The article; empty if none.'),
  batch: z.int().optional().describe('The live batch of a cart, wall or slot; absent if none.'),
  slot: z.string().optional().describe('The slot that was scanned, or the slot of the scanned tote.'),
  puts: z
    .array(z.object({ slot: z.string(), quantity: z.int().describe('Pieces for the slot.') }))
    .optional()
    .describe('At a wall: the slots that take the pieces, with their quantities.'),
  shares: z
    .array(
      z.object({
        slot: z.string(),
        order_number: z.string(),
        item_id: z.int().describe('The id of the item.'),
        quantity: z.int().describe('Pieces for the item.'),
      }),
    )
    .optional()
    .describe('At a wall: the items that the pieces in `puts` are for.'),
  left_over: z.int().optional().describe('At a wall: pieces that no slot takes. They are not booked.'),
  quantity: intOrNull.describe('Pieces that were picked or put, or would be picked.'),
  pack: intOrNull.describe(
    'Number of pieces in the pack whose code was scanned; null if the code is not that of a pack.',
  ),
  remaining: intOrNull.describe('For `counted` and `too_many`: pieces of the line left to pick.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order.'),
  command_id: textOrNull.describe(
    'The command of the line; after `counted`, the command that shows the remaining pieces.',
  ),
  verified: z.boolean().describe('Whether the code is that of the article.'),
  taken: z.boolean().describe('For an order: whether the person who scanned now picks it.'),
  launched: z.boolean().describe('For an order: whether a program launched it without naming a `picker`.'),
  command: textOrNull.describe('For `command`: the printed command, such as `ok`, `short`, `reason3` or `7`.'),
  pickers: z.array(orderPickerSchema).describe('For an order that was not taken: the people who pick it.'),
  expected: z
    .array(z.string())
    .describe(
      'For a wrong place or article: the places of the open lines, nearest first. After a put or a wrong slot: the slots of the pieces in hand.',
    ),
  candidates: z.array(scanCandidate),
  repeated: z
    .boolean()
    .describe('Whether this is the first answer again, for the same code within two seconds or the same key.'),
});
export type ScanResult = z.infer<typeof scanResultSchema>;
