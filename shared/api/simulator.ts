import { z } from 'zod';
import { deviceIdSchema } from './device.ts';

export const simulatedDevicesRequestSchema = z
  .object({
    count: z.int().min(1).max(10_000).default(1),
    buttons: z
      .union([z.literal(1), z.literal(3)])
      .optional()
      .describe('Without it odd ones have one, even ones three.'),
    firmware: z.int().min(1).max(65_535).default(70),
  })
  .meta({ id: 'SimulatedDevicesRequest' });

export const simulatedDeviceSchema = z
  .object({
    deviceid: deviceIdSchema,
    buttons: z.union([z.literal(1), z.literal(3)]),
    firmware: z.int(),
    reachable: z.boolean(),
    battery_mv: z.int(),
    refresh_ms: z.int().describe('Milliseconds of a full refresh of its e-paper.'),
    press_after_ms: z.int().nullable(),
  })
  .meta({ id: 'SimulatedDevice' });
export type SimulatedDeviceEntry = z.infer<typeof simulatedDeviceSchema>;

export const simulatedPressSchema = z
  .object({
    button: z.enum(['front', 'plus', 'minus']).default('front'),
    hold: z.enum(['short', 'long']).default('short'),
  })
  .meta({ id: 'SimulatedPress' });

export const simulatedDeviceChangeSchema = z
  .object({
    reachable: z.boolean(),
    battery_mv: z.int().min(0).max(10_000),
    refresh_ms: z
      .int()
      .min(0)
      .max(60_000)
      .describe('Time of a full refresh of its e-paper; a partial one takes 15 % of it.'),
    press_after_ms: z
      .int()
      .min(0)
      .max(86_400_000)
      .nullable()
      .describe('A simulated worker presses this long after something is lit; null: nobody does.'),
  })
  .partial()
  .meta({ id: 'SimulatedDeviceChange' });

export const simulatedTurboChangeSchema = z
  .object({
    connected: z.boolean(),
    loss: z.number().min(0).max(1).describe('Part of the frames that are lost.'),
    latency_ms: z.int().min(0).max(60_000),
  })
  .partial()
  .meta({ id: 'SimulatedTurboChange' });
