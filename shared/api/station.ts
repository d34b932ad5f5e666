import { z } from 'zod';
import { alertSchema } from './alert.ts';
import { locationAliasSchema } from './alias.ts';
import { articleSchema } from './article.ts';
import { receiverTroubleSchema } from './callback.ts';
import { commandEntrySchema, conditionSchema, deviceIdSchema, deviceSchema } from './device.ts';
import { lastImportSchema } from './locationImport.ts';
import { mapSchema, placedSchema, rackSchema, zoneSchema } from './map.ts';
import { CARRIER_KINDS } from '../lib/picking/carriers.ts';
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
  revision: z.int().describe('Revision of the last commit that published facts: the event stream continues from it.'),
  id: z.string().describe('Created at the first start. The names of the cookies that the page uses contain it.'),
  version: z.string(),
  shop_name: z.string().describe('The setting of that name.'),
  user: z.object({
    name: z.string(),
    scope: oneOf(CALLER_STANDINGS).describe('The role of a person, or the scope of a key.'),
    rights: z.array(oneOf(RIGHT_NAMES)).describe('Current rights of this caller.'),
  }),
  defaults: z
    .object({ seconds: z.int().describe('0: never time out.'), color: z.string() })
    .describe('For commands without their own.'),
  limits: z
    .object({
      alert_battery_percent: z.int().describe('Percent.'),
      alert_weak_dbm: z.int().describe('dBm.'),
      order_stalled_minutes: z.int().describe('Without a press.'),
    })
    .describe('The settings of these names: thresholds from which a device or an order needs care. 0: off.'),
  fleet: z.boolean().describe('The setting of that name: this station shows all stations below `mqtt_prefix`.'),
  pack_check: z.boolean().describe('The setting of that name: the pack page checks each piece by its scan.'),
  devices: z.array(deviceSchema),
  turbos: z.array(turboSchema),
  links: z.array(turboLinkSchema).describe('Serial ports kept open for turbos.'),
  map: mapSchema,
  aliases: z.array(locationAliasSchema).describe('Sorted by id.'),
  alerts: z.array(alertSchema).describe('Open alerts, sorted by id.'),
  last_import: lastImportSchema.nullable().describe('The last import of places, if it can be undone.'),
  receiver: receiverTroubleSchema
    .nullable()
    .describe(
      'Trouble of the receiver at `callback_url`, after three failed attempts in a row or five minutes; otherwise null.',
    ),
  setup: oneOf(SETUP_STATES).describe('pending: nobody has chosen the password of admin yet.'),
});
export type Station = z.infer<typeof stationSchema>;

const ended = {
  deviceid: deviceIdSchema,
  command_id: z.string(),
  at: timestamp,
  qty: z.int().describe('As in the callback.'),
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
      command_id: z.string().describe('The command that it replaces.'),
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
      changed: commandEntrySchema.pick({ location: true, arrow: true }).partial(),
    }),
    fact('command.sent', { deviceid: deviceIdSchema, command_id: z.string(), at: timestamp }),
    fact('command.shown', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      sent_at: timestampOrNull.describe('Repeated here: a device can show the command before `sent` is published.'),
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
      waits: textOrNull.describe('The command that was shown until now and waits behind it; null: none.'),
    }).describe("The device shows a picker's line first, because the picker is there or on the way."),
    fact('command.adjusted', {
      deviceid: deviceIdSchema,
      command_id: z.string(),
      quantity: z.int().describe('What the display shows now.'),
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
      'A press on an idle device that causes no callback, useful to find the device: a short press, or any press of a waiting device.',
    ),
    fact('line.booked', {
      deviceid: deviceIdSchema,
      location: z.string(),
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item.'),
      quantity: z.int().describe('Pieces that the press added.'),
      before: z.int().describe('Pieces that were fulfilled before it.'),
      picker: textOrNull.describe('The picker of the line; null: none.'),
      waiting: z.array(z.string()).describe('Other pickers who are waiting at the device for their own line.'),
    }).describe(
      "A press booked a line while another picker was waiting at the device: the press may have been meant for that picker's line.",
    ),
    fact('line.moved', {
      order_number: z.string(),
      item_id: z.int().describe('`id` of the item.'),
      text: z.string().describe('The article.'),
      from: z.string().describe('The place that was found empty.'),
      location: z.string().describe('The next place of the article.'),
      picker: textOrNull.describe('The picker of the line; null: none.'),
      by: z.string().describe('Who found the place empty.'),
    }).describe('Somebody found the place of an article empty, and an open line goes to another place.'),
    fact('press.late', {
      deviceid: deviceIdSchema,
      at: timestamp,
      location: z.string(),
      quantity: intOrNull.describe('Pieces on the screen that was pressed; null: none.'),
      picker: textOrNull.describe('The picker of the line; null: none, or not a line of an order.'),
    }).describe('A press for a command that had already ended: it books nothing.'),
    fact('press.early', {
      deviceid: deviceIdSchema,
      at: timestamp,
      location: z.string(),
      item_id: intOrNull.describe('`id` of the item; null: of a batch.'),
      batch_id: z.int().optional().describe('`id` of the batch whose place or slot was lit.'),
      picker: textOrNull.describe('The picker of the line; null: none.'),
    }).describe(
      'A bounce, or a press that was meant for the previous line: it books nothing, and the line is lit again.',
    ),
    fact('deadlines.shifted', {
      ms: z.int().describe('How far the end times of all commands moved, in milliseconds.'),
    }),
    fact('settings.changed', {}).describe('Settings or receivers of callbacks changed; read them again.'),
    fact('alias.changed', { alias: locationAliasSchema.describe('Current state; may be new.') }),
    fact('alias.removed', { id: z.int().describe('`id` of the alias.') }),
    fact('import.kept', {
      last_import: lastImportSchema.nullable().describe('The last import, if it can be undone.'),
    }),
    fact('alert.raised', { alert: alertSchema }),
    fact('alert.changed', { alert: alertSchema.describe('Current state: acknowledged.') }),
    fact('alert.ended', { alert: alertSchema }),
    fact('sequence.changed', {
      sequence: sequenceProgressSchema.describe('Current state; may be new.'),
      read_anew: z.boolean().describe('true: its steps were replaced or restarted; discard the previous ones.'),
    }),
    fact('sequence.step', {
      sequenceid: z.string(),
      index: z.int().describe('Its place in `steps`, from 0.'),
      step: stepChangeSchema,
    }),
    fact('sequence.removed', { sequenceid: z.string() }),
    fact('order.changed', { order: orderProgressSchema.describe('Current state; may be new.') }),
    fact('order.item', { order_number: z.string(), item: itemSchema.describe('Current state.') }),
    fact('order.removed', { order_number: z.string() }),
    fact('article.changed', { article: articleSchema.describe('Current state; may be new. Its stock included.') }),
    fact('article.removed', { id: z.int().describe('Its id, which is not used again.'), sku: z.string() }),
    fact('movement', { movement: movementSchema }),
    fact('stock.asked', { asked: leftAskedSchema }).describe(
      'What is left after a pick? POST /api/stock/left/ answers.',
    ),
    fact('task.changed', { task: taskSchema.describe('Current state; may be new.') }),
    fact('batch.changed', { batch_id: z.int().describe('`id` of the batch.'), state: oneOf(BATCH_STATES) }).describe(
      'Something of a batch changed; read it again.',
    ),
    fact('batch.removed', { batch_id: z.int().describe('`id` of the batch.') }).describe('An ended batch was deleted.'),
    fact('batch.picked', {
      batch_id: z.int().describe('`id` of the batch.'),
      deviceid: deviceIdSchema,
      location: z.string(),
      quantity: z.int().describe('Pieces that were booked.'),
      left_over: z.int().describe('Pieces that the press reported beyond the sum: they are to be put back.'),
      picker: textOrNull,
    }).describe('Somebody pressed at a place of a batch.'),
    fact('batch.wrong_slot', { batch_id: z.int().describe('`id` of the batch.'), slot: z.string() }).describe(
      'A put into a slot that gets nothing: nothing is booked.',
    ),
    fact('batch.slot_pressed', { batch_id: z.int().describe('`id` of the batch.'), slot: z.string() }).describe(
      'A short press of the device of a complete slot. The open pack page prints its packing slip.',
    ),
    fact('carrier.changed', { kind: oneOf(CARRIER_KINDS), id: z.int().describe('`id` of the cart or wall.') }).describe(
      'A cart or wall changed, or is new; read it again.',
    ),
    fact('carrier.removed', { kind: oneOf(CARRIER_KINDS), id: z.int().describe('Its id, which is not used again.') }),
    fact('map.racks', { racks: z.array(rackSchema) }),
    fact('map.zones', { zones: z.array(zoneSchema) }),
    fact('map.placed', { places: z.array(placedSchema) }),
    fact('turbo.named', { serial_number: z.string(), name: z.string() }),
    fact('turbo.forgotten', { serial_number: z.string() }),
    fact('setup.done', {}),
    fact('waiting.changed', {}).describe('The list of waiting devices changed; read it again. Admins only.'),
    fact('access.changed', {}).describe('People or API users changed; read them again. Admins only.'),
  ])
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof factSchema>;

/** The latest conditions of devices, turbos and links. Published without a revision. */
export const ephemeraSchema = named('Ephemera', {
  devices: z.array(conditionSchema.partial().extend({ deviceid: deviceIdSchema })),
  turbos: z.array(turboSchema),
  links: z.array(turboLinkSchema).optional().describe('All links; missing: unchanged.'),
  deliveries: z.literal(true).optional().describe('Deliveries of callbacks changed; read them again. Admins only.'),
  receiver: receiverTroubleSchema.nullable().optional().describe('As in the snapshot; missing: unchanged.'),
});
export type Ephemera = z.infer<typeof ephemeraSchema>;

/** The answer of `/healthz`. */
export const healthSchema = z.object({
  status: z.literal('ok'),
  version: z.string(),
  revision: z.int().optional(),
  devices: z.int().optional(),
  commits: z.int().optional().describe('Commits since the start.'),
});
export type Health = z.infer<typeof healthSchema>;
