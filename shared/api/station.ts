import { z } from 'zod';
import { alertSchema } from './alert.ts';
import { locationAliasSchema } from './alias.ts';
import { articleSchema } from './article.ts';
import { receiverTroubleSchema } from './callback.ts';
import { commandEntrySchema, conditionSchema, deviceIdSchema, deviceSchema } from './device.ts';
import { lastImportSchema } from './locationImport.ts';
import { mapSchema, placedSchema, rackSchema, zoneSchema } from './map.ts';
import { CARRIER_KINDS } from '../lib/picking/carriers.ts';
import { ENTER_RULES } from '../lib/picking/enterRules.ts';
import { BATCH_STATES } from './batch.ts';
import { itemSchema, orderProgressSchema } from './order.ts';
import { CALLER_STANDINGS, RIGHT_NAMES } from './rights.ts';
import { sequenceProgressSchema, stepChangeSchema } from './sequence.ts';
import { SETUP_STATES } from './setup.ts';
import { turboLinkSchema, turboSchema } from './turbo.ts';
import { leftAskedSchema, movementSchema } from './stock.ts';
import { taskSchema } from './task.ts';
import { intOrNull, named, oneOf, textOrNull, timestamp, timestampOrNull } from './fields.ts';

/** The whole station at one revision: the initial state of the page. */
export const stationSchema = named('Station', {
  revision: z
    .int()
    .describe('Revision of the last commit that published facts. The event stream continues from this revision.'),
  id: z
    .string()
    .describe('Id of the station, created at the first start. The names of the cookies of the page contain it.'),
  version: z.string(),
  shop_name: z.string().describe('Value of the setting `shop_name`.'),
  shop_address: z.string().describe('Value of the setting `shop_address`.'),
  slip_closing: z.string().describe('Value of the setting `slip_closing`.'),
  shop_logo: textOrNull.describe("Address of the shop's logo, which changes with the picture; null if it has none."),
  time_zone: z
    .string()
    .describe("IANA name of the shop's time zone: the setting `time_zone`, or the zone of the station's computer."),
  user: z.object({
    name: z.string(),
    scope: oneOf(CALLER_STANDINGS).describe('Role of the person, or scope of the key.'),
    rights: z.array(oneOf(RIGHT_NAMES)).describe('Current rights of the caller.'),
  }),
  defaults: z
    .object({ seconds: z.int().describe('Seconds until a command times out; 0 means never.'), color: z.string() })
    .describe('Defaults for commands without their own values.'),
  limits: z
    .object({
      alert_battery_percent: z.int().describe('Threshold in percent.'),
      alert_weak_dbm: z.int().describe('Threshold in dBm.'),
      order_stalled_minutes: z.int().describe('Minutes without a press.'),
    })
    .describe('Settings of the same names: thresholds at which a device or an order needs attention. 0 if off.'),
  fleet: z
    .boolean()
    .describe('Value of the setting `fleet`: whether this station shows all stations below `mqtt_prefix`.'),
  pack_check: z
    .boolean()
    .describe('Value of the setting `pack_check`: whether the pack page requires a scan of each piece.'),
  enter_confirms: oneOf(ENTER_RULES).describe(
    'Value of the setting `enter_confirms`: when Enter confirms a line on Pick.',
  ),
  devices: z.array(deviceSchema),
  turbos: z.array(turboSchema),
  links: z.array(turboLinkSchema).describe('Connections to turbos that the station keeps open.'),
  map: mapSchema,
  aliases: z.array(locationAliasSchema).describe('Sorted by id.'),
  alerts: z.array(alertSchema).describe('Open alerts, sorted by id.'),
  last_import: lastImportSchema.nullable().describe('The last import of places; null if it cannot be undone.'),
  receiver: receiverTroubleSchema
    .nullable()
    .describe(
      'Outage of the receiver at `callback_url`, after three failed attempts in a row or five minutes; otherwise null.',
    ),
  setup: oneOf(SETUP_STATES).describe('pending: nobody has chosen the password of admin yet.'),
});
export type Station = z.infer<typeof stationSchema>;

const ended = {
  deviceid: deviceIdSchema,
  command_id: z.string(),
  at: timestamp,
  qty: z.int().describe('Quantity as in the callback.'),
};

const fact = <Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** Changes to stored data. Each fact contains only what readers need to update their copy. */
export const factSchema = z
  .discriminatedUnion('type', [
    fact('device.added', { device: deviceSchema }),
    fact('device.changed', {
      deviceid: deviceIdSchema,
      changed: deviceSchema
        .pick({
          locationoverride: true,
          location: true,
          statica: true,
          staticb: true,
          staticc: true,
          staticd: true,
          statice: true,
          arrow: true,
          barcode: true,
          qrcode: true,
          quantity: true,
          icon: true,
          firmware: true,
          buttons: true,
          capabilities: true,
          brightness: true,
          unsolicitedNonce: true,
        })
        .partial(),
    }),
    fact('device.removed', { deviceid: deviceIdSchema }),
    fact('command.queued', { deviceid: deviceIdSchema, command: commandEntrySchema }),
    fact('command.replaced', {
      deviceid: deviceIdSchema,
      command_id: z.string().describe('The command that was replaced.'),
      command: commandEntrySchema,
    }),
    fact('command.moved', {
      deviceid: deviceIdSchema,
      command_id: z.string().describe('The command that this device no longer has.'),
      to: deviceIdSchema,
      command: commandEntrySchema.describe('The command that replaces it, last in the queue of the other device.'),
    }),
    fact('command.changed', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      changed: commandEntrySchema.pick({ location: true, alias_id: true, arrow: true }).partial(),
    }),
    fact('command.sent', { deviceid: deviceIdSchema, command_id: z.string(), at: timestamp }),
    fact('command.shown', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      sent_at: timestampOrNull.describe(
        'Repeated here because a device can show the command before `sent` is published.',
      ),
      at: timestamp,
      expires_at: timestampOrNull,
    }),
    fact('command.unreachable', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      at: timestamp.describe('When the device went offline.'),
    }),
    fact('command.reached', { deviceid: deviceIdSchema, command_id: z.string(), at: timestamp }),
    fact('command.first', {
      deviceid: deviceIdSchema,
      command_id: z.string().describe('The command that the device now shows first.'),
      waits: textOrNull.describe('The previously shown command, which now waits behind it; null if none.'),
    }).describe("The device shows a picker's line first, because the picker is there or on the way."),
    fact('command.adjusted', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      quantity: z.int().describe('Quantity that the display now shows.'),
    }),
    fact('command.acknowledged', { ...ended, by: z.string() }),
    fact('command.timedOut', ended),
    fact('command.killed', { ...ended, by: z.string() }),
    fact('device.called', {
      deviceid: deviceIdSchema,
      acknack: oneOf(['call', 'call_up', 'call_down']),
      at: timestamp,
    }),
    fact('device.pressed', {
      deviceid: deviceIdSchema,
      button: oneOf(['front', 'plus', 'minus']),
      hold: oneOf(['short', 'long']),
      at: timestamp,
    }).describe(
      'A press on an idle device that does not cause a callback: a short press, or any press of a waiting device. Useful to find the device.',
    ),
    fact('line.booked', {
      deviceid: deviceIdSchema,
      at: timestamp.describe('When the press was made.'),
      location: z.string(),
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item.'),
      quantity: z.int().describe('Number of pieces that the press added.'),
      before: z.int().describe('Number of pieces fulfilled before the press.'),
      picker: textOrNull.describe('The picker of the line; null if none.'),
      waiting: z
        .array(z.object({ picker: z.string(), item_id: z.int().describe("`id` of the person's own item.") }))
        .describe(
          'Other people who are waiting at the device for their own line or, at a slot, who hold pieces for the slot.',
        ),
      quiet: z
        .boolean()
        .describe(
          'true: only the person whose line was booked has arrived at the device, so the press was probably theirs.',
        ),
      batch: z.string().optional().describe('`id` of the batch, if the light belongs to one.'),
      slot: z.string().optional().describe('The slot, if a slot was pressed.'),
      pieces: z
        .array(
          z.object({
            slot: textOrNull,
            order_number: z.string(),
            item_id: z.int().describe('`id` of the item.'),
            quantity: z.int().describe('Pieces that the press booked.'),
          }),
        )
        .optional()
        .describe('In a batch: all pieces that the press picked or put.'),
    }).describe(
      'A press booked a line or pieces of one person while another person was waiting at the device, so it may have been meant for that person. `POST /api/orders/{order_number}/items/{id}/reopen/` with `instead` books the other line, `POST /api/batches/{id}/put/undo/` with `instead` the other pieces.',
    ),
    fact('line.moved', {
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item.'),
      text: z.string().describe('Name of the article.'),
      from: z.string().describe('The place that was found empty.'),
      location: z.string().describe('The next place of the article.'),
      picker: textOrNull.describe('The picker of the line; null if none.'),
      by: z.string().describe('Who found the place empty.'),
    }).describe('Somebody found the place of an article empty, and an open line moved to another place.'),
    fact('press.late', {
      deviceid: deviceIdSchema,
      at: timestamp,
      location: z.string(),
      quantity: intOrNull.describe('Quantity on the screen when the device was pressed; null if none.'),
      picker: textOrNull.describe(
        'The picker of the line, or the person who left the pieces that the slot showed; null if there is none.',
      ),
    }).describe('A press for a command that had already ended. Nothing is booked.'),
    fact('press.early', {
      deviceid: deviceIdSchema,
      at: timestamp,
      location: z.string(),
      item_id: intOrNull.describe('`id` of the item; null for a batch.'),
      batch_id: z.int().optional().describe('`id` of the batch whose place or slot was lit.'),
      picker: textOrNull.describe('The picker of the line; null if none.'),
    }).describe(
      'A bounce, or a press that was meant for the previous line. Nothing is booked, and the line is lit again.',
    ),
    fact('deadlines.shifted', {
      ms: z.int().describe('Shift of the end times of all commands in milliseconds.'),
    }),
    fact('settings.changed', {}).describe('Settings or callback receivers changed. Read them again.'),
    fact('alias.changed', { alias: locationAliasSchema.describe('Current state; may be new.') }),
    fact('alias.removed', { id: z.int().describe('`id` of the alias.') }),
    fact('import.kept', {
      last_import: lastImportSchema.nullable().describe('The last import; null if it cannot be undone.'),
    }),
    fact('alert.raised', { alert: alertSchema }),
    fact('alert.changed', { alert: alertSchema.describe('Current state: acknowledged, or with another problem.') }),
    fact('alert.ended', { alert: alertSchema }),
    fact('sequence.changed', {
      sequence: sequenceProgressSchema.describe('Current state; may be new.'),
      read_anew: z
        .boolean()
        .describe('Whether the steps were replaced or restarted. If so, discard the previous ones.'),
    }),
    fact('sequence.step', {
      sequenceid: z.string(),
      index: z.int().describe('Index in `steps`, starting at 0.'),
      step: stepChangeSchema,
    }),
    fact('sequence.removed', { sequenceid: z.string() }),
    fact('order.changed', { order: orderProgressSchema.describe('Current state; may be new.') }),
    fact('order.item', { order_number: z.string(), item: itemSchema.describe('Current state.') }),
    fact('order.replaced', { order_number: z.string() }).describe('The order has other lines. Read it again.'),
    fact('order.line', {
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item, which does not exist any more if it was removed.'),
      change: oneOf(['added', 'changed', 'removed']),
      location: z.string().describe('Where the line is or was picked; may be empty.'),
      name: z.string().describe('Name, SKU or UPC of the line.'),
      before: z.int().describe('`ordered_quantity` before the change; 0 for an added line.'),
      ordered_quantity: z.int().describe('The new `ordered_quantity`; 0 for a removed line.'),
      quantity_fulfilled: z.int().describe('Number of pieces picked so far.'),
      was_active: z.boolean().describe('Whether somebody could pick the line before the change.'),
      picker: textOrNull.describe('The picker of the line; null if none.'),
    }).describe('Somebody added, changed or removed a line of an order.'),
    fact('press.over', {
      deviceid: deviceIdSchema,
      at: timestamp,
      location: z.string(),
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item.'),
      quantity: z.int().describe('Number of pieces booked.'),
      left_over: z.int().describe('Pieces that the press reported beyond the new quantity. They have to be put back.'),
      picker: textOrNull.describe('The picker of the line; null if none.'),
    }).describe('A press for a screen that asked for more pieces than the line needs now.'),
    fact('order.removed', { order_number: z.string() }),
    fact('article.changed', { article: articleSchema.describe('Current state, including stock; may be new.') }),
    fact('article.removed', { id: z.int().describe('`id`, which is never reused.'), sku: z.string() }),
    fact('movement', { movement: movementSchema }),
    fact('stock.asked', { asked: leftAskedSchema }).describe(
      'Asks how many pieces are left after a pick. Answer with POST /api/stock/left/.',
    ),
    fact('task.changed', { task: taskSchema.describe('Current state; may be new.') }),
    fact('batch.changed', { batch_id: z.int().describe('`id` of the batch.'), state: oneOf(BATCH_STATES) }).describe(
      'A batch changed. Read it again.',
    ),
    fact('batch.removed', { batch_id: z.int().describe('`id` of the batch.') }).describe('An ended batch was deleted.'),
    fact('batch.picked', {
      batch_id: z.int().describe('`id` of the batch.'),
      deviceid: deviceIdSchema,
      location: z.string(),
      quantity: z.int().describe('Number of pieces booked.'),
      left_over: z.int().describe('Pieces that the press reported beyond the sum. They have to be put back.'),
      picker: textOrNull,
    }).describe('Somebody pressed at a place of a batch.'),
    fact('batch.wrong_slot', {
      batch_id: z.int().describe('`id` of the batch.'),
      slot: z.string(),
      already: z
        .array(z.object({ picker: z.string(), quantity: z.int().describe('Pieces of this person in the slot.') }))
        .optional()
        .describe(
          'People whose pieces are in this slot already, because a press of somebody else may have put them (`line.booked`) within the last 30 seconds.',
        ),
    }).describe('A put into a slot that no pieces in hand belong in. Nothing is booked.'),
    fact('batch.slot_pressed', { batch_id: z.int().describe('`id` of the batch.'), slot: z.string() }).describe(
      'A short press on the device of a complete slot. The open pack page prints the packing slip of the slot.',
    ),
    fact('carrier.changed', { kind: oneOf(CARRIER_KINDS), id: z.int().describe('`id` of the cart or wall.') }).describe(
      'A cart or wall changed or was created. Read it again.',
    ),
    fact('carrier.removed', { kind: oneOf(CARRIER_KINDS), id: z.int().describe('`id`, which is never reused.') }),
    fact('map.racks', { racks: z.array(rackSchema) }),
    fact('map.zones', { zones: z.array(zoneSchema) }),
    fact('map.placed', { places: z.array(placedSchema) }),
    fact('turbo.named', { serial_number: z.string(), name: z.string() }),
    fact('turbo.forgotten', { serial_number: z.string() }),
    fact('setup.done', {}),
    fact('waiting.changed', {}).describe('The list of waiting devices changed. Read it again. Admins only.'),
    fact('access.changed', {}).describe('People or API users changed. Read them again. Admins only.'),
  ])
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;

/** The latest conditions of devices, turbos and links. Published without a revision. */
export const ephemeraSchema = named('Ephemera', {
  devices: z.array(conditionSchema.partial().extend({ deviceid: deviceIdSchema })),
  turbos: z.array(turboSchema),
  links: z.array(turboLinkSchema).optional().describe('All links; absent if unchanged.'),
  deliveries: z.literal(true).optional().describe('Deliveries of callbacks changed. Read them again. Admins only.'),
  receiver: receiverTroubleSchema.nullable().optional().describe('As in the snapshot; absent if unchanged.'),
});
export type Ephemera = z.infer<typeof ephemeraSchema>;

/** The answer of `/healthz`. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  version: z.string(),
  revision: z.int().optional(),
  devices: z.int().optional(),
  commits: z.int().optional().describe('Number of commits since the start.'),
});
export type Health = z.infer<typeof healthSchema>;
