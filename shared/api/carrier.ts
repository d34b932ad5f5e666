import { z } from 'zod';
import { givenDeviceIdSchema } from './device.ts';
import { described, named, textOrNull, whole, withoutControl } from './fields.ts';
import { MAX_CARRIER_COLUMNS, MAX_CARRIER_ROWS } from '../lib/picking/carriers.ts';

const MAX_NAME = 100;

/** Slot names: A1 to Z9. */
export const SLOT_PATTERN = /^[A-Z][1-9]$/;

export const carrierNameSchema = withoutControl(z.string().trim().min(1).max(MAX_NAME));

/** Code of a cart, wall or slot that people scan. */
export const carrierCodeSchema = withoutControl(z.string().trim().max(MAX_NAME))
  .nullable()
  .optional()
  .describe('The code to scan, unique among all carts, walls, slots and totes. Null or empty for none.');

/** A slot name from a caller, in upper or lower case. */
export const slotNameSchema = z
  .string()
  .trim()
  .toUpperCase()
  .regex(SLOT_PATTERN, 'A slot is a letter and a digit, such as A1.')
  .describe('A letter for the row and a digit for the column; A is at the top.')
  .meta({ example: 'A1' });

const device = (where: string) =>
  givenDeviceIdSchema
    .nullable()
    .optional()
    .describe(`The device at the ${where} of the slot. It serves only this slot and is not a place. Null for none.`);

const newSlotSchema = named('NewCarrierSlot', {
  slot: slotNameSchema,
  code: carrierCodeSchema,
  deviceid: device('front'),
  back_deviceid: device('back'),
});

const fields = {
  name: carrierNameSchema.describe('Unique among all carts and walls, ignoring case.'),
  code: carrierCodeSchema,
  rows: whole(1, MAX_CARRIER_ROWS).describe('Number of rows of slots. A is at the top.'),
  columns: whole(1, MAX_CARRIER_COLUMNS).describe('Number of slots in each row.'),
  slots: z
    .array(newSlotSchema)
    .max(MAX_CARRIER_ROWS * MAX_CARRIER_COLUMNS)
    .refine((slots) => new Set(slots.map(({ slot }) => slot)).size === slots.length, 'A slot is listed twice.')
    .optional()
    .describe('Codes and devices of slots. The station creates all slots; omitted slots have neither.'),
};

export const newCarrierSchema = described('NewCarrier', 'A cart or wall to create or replace.', fields);
export type NewCarrier = z.infer<typeof newCarrierSchema>;

export const carrierSchema = named('Carrier', {
  id: z.int().describe('Never reused.'),
  name: z.string(),
  code: textOrNull,
  rows: z.int().describe('Number of rows of slots.'),
  columns: z.int().describe('Number of slots in each row.'),
  slots: z.array(z.object({ slot: z.string(), code: textOrNull, deviceid: textOrNull, back_deviceid: textOrNull })),
});
export type Carrier = z.infer<typeof carrierSchema>;

export const carrierResultSchema = carrierSchema
  .extend({
    warnings: z.array(z.string()).describe('Possible mistakes, such as a label that no longer identifies a place.'),
  })
  .meta({ id: 'CarrierResult' });
export type CarrierResult = z.infer<typeof carrierResultSchema>;
