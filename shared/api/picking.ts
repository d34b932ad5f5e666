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
  deviceid: deviceIdSchema.nullable().describe('Null without a light.'),
  location: z
    .string()
    .describe('The location alias, or the label of the device; without a light the text of the order. May be empty.'),
  light: z
    .boolean()
    .describe('false: no device serves it. POST /api/orders/{order_number}/items/{id}/confirm/ confirms it.'),
  text: z.string().describe('The name of the article, else the first line of the display.'),
  description: z.string().describe('The second line of the display; empty: none.'),
  SKU: z.string().describe('Empty: none.'),
  UPC: z.string().describe('Empty: none.'),
  quantity: intOrNull.describe('Pieces to take here, as plus and minus changed it; null: none asked.'),
  ordered_quantity: intOrNull.describe('Pieces that were ordered; null without an order.'),
  quantity_fulfilled: intOrNull.describe('Pieces of the item picked before; null without an order.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order; null without an order.'),
  customer: z.string().describe('Of the order; empty: none.'),
  note: z.string().describe('Of the order; empty: none.'),
  color: z.string(),
  picker: textOrNull.describe('The person whose line it is; null: nobody in particular.'),
  command_id: textOrNull.describe('Null without a light.'),
  waiting: z.boolean().describe('Another command of the device is shown before it.'),
  current: z.boolean().describe('The page of its picker shows it.'),
  unreachable: z.boolean().describe('It is to be shown, but no turbo reaches the device.'),
  shown_at: timestampOrNull.describe('Since when the device shows it.'),
  on_hand: intOrNull.describe('Pieces of the article at this place; null: not counted, or not a place of an article.'),
  packs: z.array(z.int()).describe('Pieces of each pack of the article that has a barcode, the largest first.'),
  picture: textOrNull.describe('Address of the picture of the article; with `&size=96`, of a small one. Null: none.'),
  found_empty: z
    .object({ by: z.string().describe('Who found it empty.'), at: timestamp })
    .nullable()
    .describe('Somebody found the place empty, and no other place has the article: the line comes last.'),
  elsewhere: z.array(elsewhereSchema).describe('Other devices that hold the article; first those at its other places.'),
  batch: z.int().optional().describe('The batch that is picked here; `quantity` is the sum of its `shares`.'),
  shares: z.array(batchWorkShareSchema).optional().describe('Of a batch: who gets how many.'),
  barcodes: z
    .array(z.object({ code: z.string(), quantity: z.int().describe('Pieces of the pack; 1: a single piece.') }))
    .optional()
    .describe('Of a batch: the barcodes of the article, except of a hidden one.'),
});
export type WorkLine = z.infer<typeof workLineSchema>;

export const workQuerySchema = z.object({
  picker: personName(100).optional().describe('Only lines of this person.'),
  order: textUpTo(200)
    .optional()
    .describe('Only lines of this order_number; with `picker`, beginning behind where that person confirmed last.'),
  batch: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Only lines of this batch, with their shares: one for each place and article.'),
});
export type WorkQuery = z.infer<typeof workQuerySchema>;

export const pickerSchema = named('Picker', {
  name: z.string(),
  color: textOrNull.describe('In which the lines of this person are lit; null: chosen with the first order.'),
  orders: z.array(z.string()).describe('The unfinished orders that this person picks, by number.'),
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
    .describe('For lines from the next launch on. Not red, green or white, which have a meaning on shelves.'),
  picker: personName(100)
    .optional()
    .describe('The person whose color it is. Default: the caller; a picker names nobody else.'),
  pin: newPinSchema
    .nullable()
    .optional()
    .describe('Your own, for the sign-in at a kiosk: only in a session, with your `password`. null: no PIN.'),
  password: textUpTo(1_000).optional().describe('Your current password; needed for `pin` only.'),
});

export const ownProfileSchema = z
  .object({ ...pickerSchema.shape, has_pin: z.boolean().describe('You can sign in with a PIN at a kiosk.') })
  .meta({ id: 'OwnProfile' });

export type OwnProfile = z.infer<typeof ownProfileSchema>;

export const currentLineSchema = named('CurrentLine', {
  item_id: intOrNull.optional().describe('The item that the page of the picker shows; null: none.'),
  command_id: textOrNull.optional().describe('The same by its command.'),
  picker: personName(100).optional().describe('Whose page. Default: the caller; a picker names nobody else.'),
});

export const nextOrderQuerySchema = z.object({
  picker: personName(100)
    .optional()
    .describe('Also those that wait for this person or that this person paused. Default: the caller, for a picker.'),
});

export const nextOrderSchema = named('NextOrder', {
  order: orderProgressSchema.nullable().describe('The order to take next; null: there is none.'),
  waiting: z.int().describe('Number of orders that can be taken, this one included.'),
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
  code: textUpTo(4_000).min(1).describe('As the scanner sent it.'),
  order_number: textUpTo(200).optional().describe('The order that is being picked: the code is looked for there.'),
  batch: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The batch in which to look for an article. At a wall, a scan lights the slots for one piece, or for `quantity` pieces; for an article without a code, send `item_id`, and any text as `code`; each scan counts. While a batch is picked, a scan with `act` presses the light of the article for the whole sum and verifies the article; if nothing of it is lit, it verifies what was picked.',
    ),
  picker: personName(100).optional().describe('The person who scans. Default: the caller; a picker names nobody else.'),
  act: z.boolean().default(false).describe('false: only says what the code means. true: does it.'),
  quantity: z
    .int()
    .min(0)
    .max(LARGEST_QUANTITY)
    .optional()
    .describe(
      'Counts these pieces; the line is closed once it is full. Default: the pieces of a pack whose code was scanned; of any other code, closes the line, as it asks.',
    ),
  close: z.boolean().default(false).describe('true: closes the line, also with fewer pieces than asked.'),
  over: z.boolean().default(false).describe('true: also counts more pieces than the line asks.'),
  reason: textUpTo(200)
    .optional()
    .describe('Why the line is closed with fewer pieces than asked: one of the setting `short_reasons`.'),
  intent: oneOf(['put_away', 'verify', 'sort'])
    .optional()
    .describe(
      'verify: only says whether the code is that of the article of `item_id` (acknowledged or wrong_item). With `act`, it also verifies this item, which has to be picked already. It books no pieces. put_away: the code names an article whose pieces are put away. With `act`, its places light in white, and a press there books the `quantity` (default: 1, or the pieces of a pack). sort: `act` applies only to an article that is scanned at the wall of `batch`. For any other code, the scan only says what it means.',
    ),
  ...waitedFields,
  item_id: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The item whose line is meant, where several lines have the code. If the code means another line now, the scan is refused: 409 `outdated`.',
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
  deviceid: deviceIdSchema.nullable().describe('Null for a line without a light.'),
  location: z.string(),
  text: z.string().describe('The article; empty for a place.'),
  quantity: intOrNull.describe('Pieces to take; null: none asked.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order; null for a place.'),
  command_id: textOrNull.describe('Null for a place, and for a line without a light.'),
});
export type ScanCandidate = z.infer<typeof scanCandidate>;

export const scanResultSchema = named('ScanResult', {
  result: oneOf(SCAN_RESULTS).describe(
    'acknowledged: the line is closed. counted: `quantity` pieces are booked, and the light shows the rest. lit: with `act` the line would be closed or counted. place: a place where nothing is lit, or only for somebody else. wrong_place, wrong_item: not of the order. too_many: more pieces than the `remaining` ones; nothing is booked. already_done: was picked before. ambiguous: several `candidates`. order: an order number. command: a printed command; the station does nothing. put_away: the places of the article (`candidates`), which are lit with `act`. cart, wall: its live batch, and what is in hand. slot: what is in it, and what is missing. put: pieces went from the hand into the slot; at a wall, the slots in `puts` are lit for the pieces. wrong_slot: nothing in hand belongs there, and nothing is booked. Only at a wall: press_first: the previous scan has to be put first. not_needed: no order of the batch has the article. all_done: all orders have their pieces. wall_full: only orders without a slot need it, and no slot is free. single: the only piece of its shipment, which goes straight to packing. unknown: the code means nothing here.',
  ),
  says: z.string().describe('The same as a sentence for the person who scans.'),
  deviceid: deviceIdSchema.nullable(),
  location: z.string().describe('Of the device; empty: none.'),
  text: z.string().describe('The article; empty: none.'),
  batch: z.int().optional().describe('The live batch of a cart, wall or slot; absent: none.'),
  slot: z.string().optional().describe('The slot that was scanned, or the slot of the scanned tote.'),
  puts: z
    .array(z.object({ slot: z.string(), quantity: z.int().describe('Pieces for it.') }))
    .optional()
    .describe('At a wall: the slots that take the pieces, with their quantities.'),
  shares: z
    .array(
      z.object({
        slot: z.string(),
        order_number: z.string(),
        item_id: z.int().describe('The id of the item.'),
        quantity: z.int().describe('Pieces for it.'),
      }),
    )
    .optional()
    .describe('At a wall: the items that the pieces in `puts` are for.'),
  left_over: z.int().optional().describe('At a wall: pieces that no slot takes. They are not booked.'),
  quantity: intOrNull.describe('Pieces that were picked or put, or would be picked.'),
  pack: intOrNull.describe('Pieces of the pack whose code was scanned; null: not the code of a pack.'),
  remaining: intOrNull.describe('Of `counted` and `too_many`: pieces of the line that are still to be picked.'),
  order_number: textOrNull,
  item_id: intOrNull.describe('Id of the item in its order.'),
  command_id: textOrNull.describe('The command of the line; after `counted`, the one that shows the rest.'),
  verified: z.boolean().describe('The code is that of the article.'),
  taken: z.boolean().describe('An order: the person who scanned picks it now.'),
  launched: z.boolean().describe('An order: a program that names no `picker` launched it for nobody in particular.'),
  command: textOrNull.describe('Of `command`: what the code says, such as `ok`, `short`, `reason3` or `7`.'),
  pickers: z.array(orderPickerSchema).describe('Of an order that was not taken: who picks it.'),
  expected: z
    .array(z.string())
    .describe(
      'For a wrong place or article: the places that are lit, the nearest first. After a put, or a wrong slot: where the pieces in hand belong.',
    ),
  candidates: z.array(scanCandidate),
  repeated: z.boolean().describe('The same code within two seconds, or the same key: this is the first answer again.'),
});
export type ScanResult = z.infer<typeof scanResultSchema>;
